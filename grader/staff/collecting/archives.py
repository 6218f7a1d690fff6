"""Unpacks an archive that a stranger packed.

The archive's own idea of files is not trusted: tarfile and zipfile only hand over names and bytes, and every file is
made here, as an ordinary file below the folder. Limits hold for the bytes that come out, not for those announced.
"""

import errno
import gzip
import io
import itertools
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from staff.collecting.course_copy import course_folders, is_passed_over
from staff.collecting.zip_times import written_at
from tmagrade.submissions.names import is_read_by_compiler, plain_file_name, printable
from tmagrade.submissions.staging import MAX_OTHER_FILE_BYTES

SUFFIXES = (".zip", ".tar.gz", ".tgz", ".tar")
OTHER_SUFFIXES = (".rar", ".7z", ".tar.bz2", ".tar.xz", ".tbz2", ".txz", ".gz", ".bz2", ".xz")
ALL_SUFFIXES = SUFFIXES + OTHER_SUFFIXES

MAX_NAME_BYTES = 200
MAX_PATH_BYTES = 1000
CHUNK = 1 << 16
LATEST_TIME = 1 << 33  # of a file, in seconds: the year 2242

# What an archive may say of its entries besides their contents: so much of each, all of them together.
MAX_DESCRIPTION_BYTES = 8192
MEAN_DESCRIPTION_BYTES = 512
SHORT_DESCRIPTION_BYTES = 512
MEAN_PASSED_OVER_BYTES = 160  # of the description of what is passed over

# Entries of a tar archive that say something of the next one: names, and the attributes of POSIX's pax.
DESCRIPTIONS = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)

# What the readers raise at a damaged archive. Not OSError: a full disk is no student's mistake.
DAMAGE = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error),
    *(struct.error, EOFError, ValueError, KeyError, IndexError, OverflowError, NotImplementedError, RuntimeError),
)


class BadArchive(Exception):
    """The archive cannot be used; the message says why."""


class TooMuch(BadArchive):
    """More bytes come out than may."""


class NoRoom(BadArchive):
    """Of a file that no compiler reads, and that is left out for its size."""


@dataclass(frozen=True)
class Limits:
    packed_bytes: int  # of the archive itself
    bytes: int  # that may come out
    files: int
    file_bytes: int
    # What is read of a stream and passed over: an environment of Python's, what make has built, the course's own files.
    passed_over_bytes: int = 0
    passed_over_files: int = 0
    # Of a student's files that no compiler reads, which count for nothing else; what is more is left out.
    other_bytes: int = 0


# Far above any honest submission, and little enough that 5000 of them are no danger. A course's folder with an
# environment and a build in it is some hundred MiB.
STUDENT = Limits(
    packed_bytes=512 << 20,
    bytes=64 << 20,
    files=2000,
    file_bytes=16 << 20,
    passed_over_bytes=1 << 30,
    passed_over_files=20_000,
    other_bytes=16 << 20,
)
CLASS = Limits(
    packed_bytes=64 << 30,
    bytes=64 << 30,
    files=1_000_000,
    file_bytes=64 << 20,
    passed_over_bytes=64 << 30,
    passed_over_files=1_000_000,
)


class Member(Protocol):
    """One entry of an archive, as the archive describes it."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...  # "file", "folder", or what else it is
    @property
    def modified(self) -> float | None: ...  # when its file was last written; None where nothing sensible is said
    def open(self) -> IO[bytes]: ...


@dataclass(frozen=True)
class ZipMember:
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo
    zone: tzinfo | None

    @property
    def name(self) -> str:
        return self.info.filename

    @property
    def kind(self) -> str:
        if self.info.filename.endswith("/"):  # is_dir() fails of an entry without a name
            return "folder"
        file_type = (self.info.external_attr >> 16) & 0o170000 if self.info.create_system == 3 else 0
        return {0: "file", 0o100000: "file", 0o120000: "a link"}.get(file_type, "no ordinary file")

    @property
    def modified(self) -> float | None:
        return written_at(self.info, self.zone)

    def open(self) -> IO[bytes]:
        if self.info.flag_bits & 1:
            raise BadArchive("the archive is encrypted")
        if self.info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadArchive("the archive is compressed in an unusual way; the ordinary one is called Deflate")
        return self.archive.open(self.info)


@dataclass(frozen=True)
class TarMember:
    archive: tarfile.TarFile
    info: tarfile.TarInfo

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def kind(self) -> str:
        if self.info.isdir():
            return "folder"
        if self.info.issym() or self.info.islnk():
            return "a link"
        return "file" if self.info.isreg() and not self.info.issparse() else "no ordinary file"

    @property
    def modified(self) -> float | None:
        return float(self.info.mtime) if 0 < self.info.mtime < LATEST_TIME else None

    def open(self) -> IO[bytes]:
        file = self.archive.extractfile(self.info)
        assert file is not None
        return file


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Bounded:
    """A file of which no more than so many bytes are read."""

    def __init__(self, file: Readable, most: int) -> None:
        self.file = file
        self.left = most

    def read(self, size: int) -> bytes:
        data = self.file.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise TooMuch("the archive unpacks to too much")
        return data


class Sparing(io.BufferedReader):
    """A file of which nobody gets very much at once. zipfile reads the list of an archive's entries whole and makes
    objects of all, before anybody can count them: 64 MiB of list are more than half a GiB of objects."""

    def __init__(self, path: Path, most: int) -> None:
        super().__init__(io.FileIO(path))
        self.most = most

    def read(self, size: int | None = -1) -> bytes:
        wanted = self.most + 1 if size is None or size < 0 else size
        data = super().read(min(wanted, self.most + 1))
        if len(data) > self.most:
            raise BadArchive("the archive's list of entries is too long")
        return data


def header_class(most: int, most_short: int) -> type[tarfile.TarInfo]:
    """How tarfile reads the headers of one archive, whose descriptions have no more than `most` bytes together; short
    ones, which may be of very many files that are passed over, no more than `most_short`.

    tarfile looks through a description with an expression that takes the square of its length (CVE-2024-6232, in Python
    before 3.11.10 and 3.12.6): a megabyte of digits, packed in a kilobyte, would keep it for an hour.
    """

    class Header(tarfile.TarInfo):
        left = most
        left_for_short = most_short

        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "Header":
            info = super().frombuf(buf, encoding, errors)
            if info.type in DESCRIPTIONS:
                is_short = 0 <= info.size <= SHORT_DESCRIPTION_BYTES
                cls.left -= 0 if is_short else info.size
                cls.left_for_short -= info.size if is_short else 0
                if not 0 <= info.size <= MAX_DESCRIPTION_BYTES or min(cls.left, cls.left_for_short) < 0:
                    raise BadArchive("the archive says too much of its entries")
            return info

    return Header


def suffix_of(name: str) -> str | None:
    """The ending that makes a file an archive, of one kind or another."""
    return next((suffix for suffix in ALL_SUFFIXES if name.casefold().endswith(suffix)), None)


def stem_of(name: str) -> str:
    return name[: -len(suffix_of(name) or "")] or name


def unpack(archive: Path, folder: Path, limits: Limits, *, strict: bool, zone: tzinfo | None = None) -> list[str]:
    """Unpacks the archive into the empty `folder`, and answers what was left out, a line each.

    An archive with an entry that can only be meant badly is refused whole where `strict`; else the entry is left out,
    since what is wrong with one student's file in a download of a class must not cost the others theirs. A zip's times
    are those of clocks in `zone`; without it, of this machine's.
    """
    return _Unpacking(folder, limits, strict, zone).run(archive)


class _Unpacking:
    def __init__(self, folder: Path, limits: Limits, strict: bool, zone: tzinfo | None) -> None:
        self.folder = folder
        self.limits = limits
        self.strict = strict
        self.zone = zone
        self.left_out: list[str] = []
        self.files: set[PurePosixPath] = set()
        self.folders: set[PurePosixPath] = {PurePosixPath()}
        self.courses: frozenset[tuple[str, ...]] = frozenset()
        self.bytes = self.other_bytes = 0
        self.came = 0.0  # when the archive came to this disk: nothing in it was written later

    def run(self, archive: Path) -> list[str]:
        if archive.stat().st_size > self.limits.packed_bytes:
            raise BadArchive(f"the archive is larger than {self.limits.packed_bytes >> 20} MiB")
        self.came = archive.stat().st_ctime
        if self.strict:  # a student's; in a whole class's each student is looked at alone
            self.courses = course_folders(self._paths(archive))
        taken = passed_over = 0
        for member in self._members(archive):
            try:
                path = _safe_path(member.name)
                if path is not None and is_passed_over(path, self.courses):
                    passed_over += 1
                else:
                    taken += 1
                    if path is not None:
                        self._take(member, path)
            except BadArchive as bad:
                if self.strict and not isinstance(bad, NoRoom):
                    raise
                self.left_out.append(f"{printable(member.name)}: {bad}")
            if taken > self.limits.files:
                raise BadArchive(f"the archive has more than {self.limits.files} entries")
            if passed_over > self.limits.passed_over_files:
                raise BadArchive(f"the archive has more than {self.limits.passed_over_files} entries of no lab's")
        return self.left_out

    def _paths(self, archive: Path) -> Iterator[PurePosixPath]:
        most = self.limits.files + self.limits.passed_over_files
        for member in itertools.islice(self._members(archive), most + 1):
            if (path := _safe_path(member.name)) is not None:
                yield path

    def _members(self, archive: Path) -> Iterator[Member]:
        # By the first bytes: a student's archive may have the other one's ending.
        with archive.open("rb") as file:
            first = file.read(4)
        if first[:2] == b"PK":
            yield from self._zip_members(archive)
        elif first[:2] == b"\x1f\x8b" or archive.name.casefold().endswith(".tar"):
            yield from self._tar_members(archive, zipped=first[:2] == b"\x1f\x8b")
        else:
            raise BadArchive("this is neither a .zip nor a .tar.gz file, whatever its name")

    def _zip_members(self, archive: Path) -> Iterator[Member]:
        with Sparing(archive, 2 * CHUNK + self._description_bytes) as packed, _opened_zip(packed) as opened:
            yield from (ZipMember(opened, info, self.zone) for info in opened.infolist())

    def _tar_members(self, archive: Path, *, zipped: bool) -> Iterator[Member]:
        with gzip.open(archive) if zipped else archive.open("rb") as packed:
            # As a stream, so that what is left out is counted too.
            bounded = Bounded(packed, self.limits.bytes + self.limits.passed_over_bytes)
            with _damage_is_reported():
                most = self.limits.files * MEAN_DESCRIPTION_BYTES
                header = header_class(most, self._description_bytes)
                opened = tarfile.open(fileobj=bounded, mode="r|", tarinfo=header)  # type: ignore[call-overload]  # noqa: SIM115
            with opened:
                while True:
                    with _damage_is_reported():
                        info = opened.next()
                    if info is None:
                        return
                    opened.members = []  # a stream goes on without what has been, and a class is large
                    yield TarMember(opened, info)

    @property
    def _description_bytes(self) -> int:
        passed_over = self.limits.passed_over_files * MEAN_PASSED_OVER_BYTES
        return self.limits.files * MEAN_DESCRIPTION_BYTES + passed_over

    def _take(self, member: Member, path: PurePosixPath) -> None:
        if member.kind == "folder":
            self._make_folder(path)
        elif member.kind == "file":
            self._make_folder(path.parent)
            self._write(member, path)
        else:
            self.left_out.append(f"{printable(member.name)}: {member.kind}")

    def _make_folder(self, path: PurePosixPath) -> None:
        for folder in (*reversed(path.parents), path):
            if folder in self.files:
                raise BadArchive(f"{printable(str(folder))} is both a file and a folder")
            if folder not in self.folders:
                if len(self.folders) > self.limits.files:  # one entry can name hundreds
                    raise BadArchive(f"the archive has more than {self.limits.files} folders")
                (self.folder / folder).mkdir()
                self.folders.add(folder)

    def _write(self, member: Member, path: PurePosixPath) -> None:
        if path in self.folders:
            raise BadArchive(f"{printable(str(path))} is both a file and a folder")
        self.files.add(path)  # of two of the same name the later counts, as for tar and unzip
        try:
            with _damage_is_reported():
                source = member.open()
            with source, open(self.folder / path, "wb") as target:
                for data in self._chunks(source, path):
                    target.write(data)
            if (modified := member.modified) is not None:
                written = min(modified, self.came)
                os.utime(self.folder / path, (written, written))
        except BadArchive:
            (self.folder / path).unlink(missing_ok=True)
            raise

    def _chunks(self, source: IO[bytes], path: PurePosixPath) -> Iterator[bytes]:
        is_other = self.strict and not is_read_by_compiler(path.name)
        size = 0
        while True:
            with _damage_is_reported():
                data = source.read(CHUNK)
            if not data:
                break
            size += len(data)
            if is_other:
                if size > MAX_OTHER_FILE_BYTES or self.other_bytes + size > self.limits.other_bytes:
                    raise NoRoom("large, and nothing that a compiler reads")
            elif size > self.limits.file_bytes:
                raise BadArchive(f"{printable(str(path))} is larger than {self.limits.file_bytes >> 20} MiB")
            elif self.bytes + size > self.limits.bytes:
                raise TooMuch(f"the archive unpacks to more than {self.limits.bytes >> 20} MiB")
            yield data
        if is_other:
            self.other_bytes += size
        else:
            self.bytes += size


def _opened_zip(packed: Sparing) -> zipfile.ZipFile:
    with _damage_is_reported():
        return zipfile.ZipFile(packed)


@contextmanager
def _damage_is_reported() -> Iterator[None]:
    try:
        yield
    except (*DAMAGE, OSError) as error:
        # An entry that says it begins before the file does ends in EINVAL; other errors are the disk's.
        if isinstance(error, OSError) and not isinstance(error, DAMAGE) and error.errno != errno.EINVAL:
            raise
        raise BadArchive(f"the archive is damaged: {printable(str(error)) or type(error).__name__}") from error


def _safe_path(name: str) -> PurePosixPath | None:
    """Where an entry goes below the folder; None for the folder itself. Some Windows programs separate folders with
    backslashes."""
    shown = printable(name)
    name = name.replace("\\", "/")
    if name.startswith("/") or name[1:2] == ":":
        raise BadArchive(f"the archive has an absolute path: {shown}")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise BadArchive(f"the archive has a path that leaves its folder: {shown}")
    parts = [plain_file_name(part) for part in parts]
    if any(len(part.encode()) > MAX_NAME_BYTES for part in parts) or len("/".join(parts).encode()) > MAX_PATH_BYTES:
        raise BadArchive(f"the archive has a name that is too long: {shown[:60]}...")
    return PurePosixPath(*parts) if parts else None
