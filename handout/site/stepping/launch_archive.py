"""The launches that pages run, as the repository keeps them: launches.tar.xz, which `make recordings` writes. Its files
are KERNEL/VERSION.txt and findings/CODE/KIND.txt: `tar xf launches.tar.xz` unpacks them for those who want to read one.
"""

import io
import tarfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ARCHIVE = Path(__file__).resolve().parent / "launches.tar.xz"
ENDING = ".txt"


@cache
def launches() -> dict[str, str]:
    """The text of each launch, by its name: `ring/right`, `findings/deadlock/wrong`."""
    with tarfile.open(ARCHIVE) as archive:
        return {member.name.removesuffix(ENDING): _text_of(archive, member) for member in archive}


def write(texts: Mapping[str, str], to: Path = ARCHIVE) -> None:
    """Writes the archive. The same texts give the same bytes."""
    with tarfile.open(to, "w:xz", preset=9) as archive:
        for name, text in sorted(texts.items()):
            data = text.encode()
            member = tarfile.TarInfo(name + ENDING)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


def _text_of(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    file = archive.extractfile(member)
    assert file is not None, f"{member.name} is no file"
    return file.read().decode()
