"""What was unpacked or put together, below build/submissions: each in a folder named by the digest of what it was
made from, so that it is made once, also when the grading is interrupted and begun anew. Nothing is ever written into
the folder that was handed over for grading."""

import errno
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tmagrade.cache import NO_ROOM, key_of
from tmagrade.errors import GraderFault
from tmagrade.submissions.archives import BadArchive, Limits, unpack
from tmagrade.submissions.staging import open_submitted

LEFT_OUT = "left-out.json"
CONTENTS = "contents"


@dataclass(frozen=True)
class Unpacked:
    folder: Path
    left_out: list[str]


class Store:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def unpack(self, archive: Path, limits: Limits, *, strict: bool = True) -> Unpacked:
        if archive.stat().st_size > limits.packed_bytes:
            raise BadArchive(f"the archive is larger than {limits.packed_bytes >> 20} MiB")
        digest = _digest(archive)

        def make(folder: Path) -> list[str]:
            left_out = unpack(archive, folder, limits, strict=strict)
            _require(archive, archive, digest)
            return left_out

        return self._made(key_of(digest, limits, strict), make)

    def arrange(self, files: Mapping[PurePosixPath, Path]) -> Path:
        """A folder with copies of these files under these names."""
        digests = {name: _digest(file) for name, file in sorted(files.items())}

        def copy(folder: Path) -> list[str]:
            for name, file in files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                with open_submitted(file.parent, file) as opened, open(folder / name, "wb") as written:
                    shutil.copyfileobj(opened, written)
                _require(folder / name, file, digests[name])
            return []

        return self._made(key_of(*digests.items()), copy).folder

    def _made(self, key: str, make: Callable[[Path], list[str]]) -> Unpacked:
        made = self.folder / key[:32]
        if not made.is_dir():
            self.folder.mkdir(parents=True, exist_ok=True)
            # Renamed when it is complete, so that a folder of this name never holds half of it.
            unfinished = Path(tempfile.mkdtemp(dir=self.folder, prefix=".unfinished-"))
            try:
                (unfinished / CONTENTS).mkdir()
                (unfinished / LEFT_OUT).write_text(json.dumps(make(unfinished / CONTENTS)))
                unfinished.chmod(0o755)
                unfinished.rename(made)
            except OSError as error:
                if error.errno not in NO_ROOM:
                    raise  # one student's: nobody else's archive is like it
                raise GraderFault(f"cannot unpack into {self.folder}: {error}") from error
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)
        return Unpacked(made / CONTENTS, json.loads((made / LEFT_OUT).read_text()))


def _require(written: Path, file: Path, digest: str) -> None:
    """Else what others hand in letter for letter would be found as what stood here for a moment."""
    if _digest(written) != digest:
        raise OSError(errno.ESTALE, "it changed meanwhile", str(file))


def _digest(file: Path) -> str:
    with open_submitted(file.parent, file) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
