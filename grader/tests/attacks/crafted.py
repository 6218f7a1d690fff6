"""Attacks that no repository can hold: links, odd names, archives. Each function's text says what it tries.

A function gets the folder of the class, in which it hands something in under its own name (with dashes), and the text
of a right submission. Where it hands in under other names, attacks.toml says which.
"""

import gzip
import io
import os
import socket
import stat
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

LAB = "lab1-async-copy"
SOURCE = "lab1.cu"


@dataclass(frozen=True)
class Class:
    """What an attack may use."""

    folder: Path
    right: str  # the text of a right submission
    solution: Path  # its folder, which students must not see
    classmate: Path  # what somebody else has handed in

    def lab(self, student: str) -> Path:
        folder = self.folder / student / LAB
        folder.mkdir(parents=True)
        return folder


Attack = Callable[[Class, str], None]
CRAFTED: dict[str, Attack] = {}


def attack(function: Attack) -> Attack:
    CRAFTED[function.__name__.replace("_", "-")] = function
    return function


# Links and other things that are no files.


@attack
def links_to_the_solution(here: Class, name: str) -> None:
    """Hands in a link in the place of its file, which leads to the reference solution.
    Fails: links are left out, and then there is no .cu file."""
    (here.lab(name) / SOURCE).symlink_to(here.solution / SOURCE)


@attack
def links_its_lab_to_a_classmates(here: Class, name: str) -> None:
    """Hands in a link in the place of the lab's folder, which leads to a classmate's.
    Fails: a link is no folder."""
    (here.folder / name).mkdir()
    (here.folder / name / LAB).symlink_to(here.classmate)


@attack
def links_itself_to_a_classmate(here: Class, name: str) -> None:
    """Hands in a link in the place of its own folder, which leads to a classmate's.
    Fails: a link is no folder."""
    (here.folder / name).symlink_to(here.classmate.parent)


@attack
def links_in_a_circle(here: Class, name: str) -> None:
    """Hands in a folder that holds a link to itself, for whoever walks through it without end.
    Fails: links are left out. What else it hands in is a right submission, and the points are honest."""
    folder = here.lab(name)
    (folder / SOURCE).write_text(here.right)
    (folder / "again").symlink_to(folder)


@attack
def hands_in_a_pipe(here: Class, name: str) -> None:
    """Hands in a named pipe in the place of its file: whoever reads it waits forever.
    Fails: it is no ordinary file."""
    os.mkfifo(here.lab(name) / SOURCE)


@attack
def hands_in_a_socket(here: Class, name: str) -> None:
    """Hands in a socket in the place of its file.
    Fails: it is no ordinary file."""
    folder = here.lab(name)
    before = Path.cwd()
    os.chdir(folder)  # a socket's path is short
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(SOURCE)
    finally:
        os.chdir(before)


@attack
def hands_in_a_device(here: Class, name: str) -> None:
    """Hands in the device /dev/zero in the place of its file (where the class is made by the superuser).
    Fails: it is no ordinary file."""
    path = here.lab(name) / SOURCE
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    except PermissionError:
        os.mkfifo(path)


@attack
def hands_in_a_file_for_a_folder(here: Class, name: str) -> None:
    """Hands in a file that is called like the lab's folder.
    Fails: it is no folder."""
    (here.folder / name).mkdir()
    (here.folder / name / LAB).write_text(here.right)


# Many, large and deep.


@attack
def hands_in_too_many_files(here: Class, name: str) -> None:
    """Hands in 5000 files.
    Fails: that is more than anybody needs."""
    folder = here.lab(name)
    (folder / SOURCE).write_text(here.right)
    for number in range(5000):
        (folder / f"{number}.cuh").touch()


@attack
def hands_in_a_huge_file(here: Class, name: str) -> None:
    """Hands in a file of a terabyte, all of it a hole.
    Fails: that is more than anybody needs."""
    folder = here.lab(name)
    (folder / SOURCE).write_text(here.right)
    with open(folder / "large.cuh", "wb") as large:
        large.truncate(1 << 40)


@attack
def hands_in_deep_folders(here: Class, name: str) -> None:
    """Hands in folders within folders, so deep that no path leads to the innermost.
    Fails: that is deeper than anybody needs."""
    folder = here.lab(name)
    (folder / SOURCE).write_text(here.right)
    before = os.open(".", os.O_RDONLY)
    try:
        os.chdir(folder)
        for _ in range(60):
            Path("d" * 100).mkdir()
            os.chdir("d" * 100)
        Path("x.cuh").touch()
    finally:
        os.fchdir(before)
        os.close(before)


# Names.


@attack
def names_a_folder_like_the_graders_file(here: Class, name: str) -> None:
    """Hands in folders with the names of files that the grader and the compiler write.
    Fails: a folder of such a name is the student's mistake, and stops nobody else."""
    folder = here.lab(name)
    (folder / SOURCE).write_text(here.right)
    for taken in ("submission.cuh", "submission.so"):
        (folder / taken).mkdir()
        (folder / taken / "x.cuh").touch()


@attack
def brings_the_graders_files(here: Class, name: str) -> None:
    """Hands in files with the names of the grader's own: the list of what is compiled, the library, the verdicts.
    Fails: they are written anew. What else it hands in is a right submission, and the points are honest."""
    folder = here.lab(name)
    (folder / SOURCE).write_text(here.right)
    for taken in ("submission.cuh", "submission.so", "verdicts.json", "build.json", "results.json"):
        (folder / taken).write_text("#error this is not the grader's")


@attack
def names_a_file_like_a_directive(here: Class, name: str) -> None:
    """Hands in a file whose name ends one #include and begins another.
    Fails: such a name is refused."""
    folder = here.lab(name)
    (folder / SOURCE).write_text(here.right)
    (folder / 'x.cuh"\n#include "y.cu').write_text("#error")


@attack
def names_a_file_in_no_encoding(here: Class, name: str) -> None:
    """Hands in a file whose name is no text in any encoding.
    Fails: such a name is refused."""
    folder = here.lab(name)
    (folder / SOURCE).write_text(here.right)
    Path(os.fsdecode(bytes(folder) + b"/\xff\xfe.cuh")).touch()


@attack
def names_a_file_like_a_program(here: Class, name: str) -> None:
    """Hands in a file whose name would be a program in a browser and a command in a shell, with a mistake in it, so
    that the compiler names it.
    Fails: the report escapes what is not its own."""
    (here.lab(name) / "<img src=x onerror=alert(1)>$(touch tma-attack-was-here).cu").write_text("#error here\n")


@attack
def calls_itself_html(here: Class, name: str) -> None:
    """Calls itself a program for the browser.
    Fails: the report escapes what is not its own."""
    (here.lab("<script>document.title='tma-attack'<") / SOURCE).write_text(here.right)


@attack
def calls_itself_a_formula(here: Class, name: str) -> None:
    """Calls itself a formula, for the spreadsheet in which grades.csv is opened.
    Fails: in grades.csv no cell begins as a formula does."""
    (here.lab("=HYPERLINK('http:x','y')") / SOURCE).write_text(here.right)


@attack
def calls_itself_an_option(here: Class, name: str) -> None:
    """Calls itself an option of whatever program is run on the folder.
    Fails: names are not put on command lines."""
    (here.lab("--output=tma-attack-was-here") / SOURCE).write_text(here.right)


@attack
def calls_itself_control_characters(here: Class, name: str) -> None:
    """Calls itself a sequence that clears the terminal and paints the rest green, with a line of its own in the table.
    Fails: control characters are shown as what they are."""
    (here.lab("\033[2J\033[32m\nsolutions  lab1-async-copy  100") / SOURCE).write_text(here.right)


@attack
def calls_itself_backwards(here: Class, name: str) -> None:
    """Calls itself a name that turns the direction of writing, so that what comes after it reads differently.
    Fails: such characters are shown as what they are."""
    (here.lab("eve\u202e001\u2066") / SOURCE).write_text(here.right)


@attack
def calls_itself_nothing_at_all(here: Class, name: str) -> None:
    """Calls itself what is no text in any encoding.
    Fails: what is not text is shown as what it is."""
    folder = Path(os.fsdecode(bytes(here.folder) + b"/eve-\xff\xfe")) / LAB
    folder.mkdir(parents=True)
    (folder / SOURCE).write_text(here.right)


@attack
def calls_itself_like_a_file_of_the_grades(here: Class, name: str) -> None:
    """Calls itself grades.json, which is what the grader writes beside the students' folders.
    Fails: its folder there has another name."""
    (here.lab("grades.json") / SOURCE).write_text(here.right)


@attack
def calls_itself_like_a_classmate(here: Class, name: str) -> None:
    """Calls itself as a classmate does, with letters that look the same, in the other form of Unicode, in capitals.
    Fails: each name has grades of its own, and the classmate keeps hers."""
    for twin in ("honest-zo\u0435", "honest-zoe\u0301", "honest-zo\u00e9", "HONEST-ZOE"):
        (here.lab(twin) / SOURCE).write_text("#error I am not her\n")


@attack
def has_a_name_without_end(here: Class, name: str) -> None:
    """Calls itself as long a name as a disk can hold, so that nothing can be added to it.
    Fails: its folder among the grades has a shorter one."""
    (here.lab("x" * 255) / SOURCE).write_text(here.right)


# Archives.


def zip_of(path: Path, *entries: tuple[zipfile.ZipInfo | str, bytes | str]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, content in entries:
            archive.writestr(info, content)


def tar_entry(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    info.mode = 0o666
    return info


@attack
def zips_paths_that_leave(here: Class, name: str) -> None:
    """Hands in an archive with paths that lead out of it, into a classmate's folder and to the root.
    Fails: such an archive is refused."""
    zip_of(
        here.folder / f"{name}.zip",
        (f"{LAB}/{SOURCE}", here.right),
        (f"../honest-zoe/{LAB}/{SOURCE}", "#error gone"),
        ("../../../../../../../../../../tmp/tma-attack-was-here", "x"),
        ("/tmp/tma-attack-was-here", "x"),
    )


@attack
def tars_paths_that_leave(here: Class, name: str) -> None:
    """The same in the other kind of archive.
    Fails: such an archive is refused."""
    with tarfile.open(here.folder / f"{name}.tar.gz", "w:gz") as archive:
        for path in (f"{LAB}/{SOURCE}", f"../honest-zoe/{LAB}/{SOURCE}", "/tmp/tma-attack-was-here"):
            entry = tar_entry(path, tarfile.REGTYPE)
            entry.size = len(here.right)
            archive.addfile(entry, io.BytesIO(here.right.encode()))


@attack
def zips_a_bomb(here: Class, name: str) -> None:
    """Hands in an archive of some kilobytes that holds 4 GiB of zeros.
    Fails: no more than a little is unpacked."""
    zeros = bytes(1 << 22)
    with zipfile.ZipFile(here.folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{LAB}/{SOURCE}", here.right)
        with archive.open(f"{LAB}/zeros.cuh", "w", force_zip64=True) as file:
            for _ in range(64):  # 256 MiB are as much beyond the limit, and take less long to pack
                file.write(zeros)


@attack
def tars_a_bomb(here: Class, name: str) -> None:
    """Hands in an archive of which each kilobyte becomes a megabyte.
    Fails: no more than a little is unpacked."""
    with gzip.open(here.folder / f"{name}.tar.gz", "wb") as packed:
        entry = tar_entry(f"{LAB}/zeros.cuh", tarfile.REGTYPE)
        entry.size = 256 << 20
        packed.write(entry.tobuf())
        for _ in range(64):
            packed.write(bytes(1 << 22))


@attack
def zips_too_many_files(here: Class, name: str) -> None:
    """Hands in an archive of 100,000 files.
    Fails: that is more than anybody needs."""
    with zipfile.ZipFile(here.folder / f"{name}.zip", "w") as archive:
        for number in range(100_000):
            archive.writestr(f"{LAB}/{number}.cuh", "")


@attack
def tars_devices_and_links(here: Class, name: str) -> None:
    """Hands in an archive of devices, pipes and links: a link to the solution, and a file that is then written through
    a link to /tmp.
    Fails: of an archive only files and folders come out, and none through a link."""
    with tarfile.open(here.folder / f"{name}.tar.gz", "w:gz") as archive:
        archive.addfile(tar_entry(f"{LAB}/{SOURCE}", tarfile.SYMTYPE, str(here.solution / SOURCE)))
        archive.addfile(tar_entry(f"{LAB}/hard.cu", tarfile.LNKTYPE, str(here.solution / SOURCE)))
        archive.addfile(tar_entry(f"{LAB}/pipe.cu", tarfile.FIFOTYPE))
        device = tar_entry(f"{LAB}/zero.cu", tarfile.CHRTYPE)
        device.devmajor, device.devminor = 1, 5
        archive.addfile(device)
        archive.addfile(tar_entry("out", tarfile.SYMTYPE, "/tmp"))
        through = tar_entry("out/tma-attack-was-here", tarfile.REGTYPE)
        through.size = 1
        archive.addfile(through, io.BytesIO(b"x"))


@attack
def zips_a_link(here: Class, name: str) -> None:
    """Hands in an archive with a link to the solution in the place of its file.
    Fails: of an archive only files and folders come out."""
    link = zipfile.ZipInfo(f"{LAB}/{SOURCE}")
    link.create_system = 3
    link.external_attr = 0o120777 << 16
    zip_of(here.folder / f"{name}.zip", (link, str(here.solution / SOURCE)))


@attack
def zips_an_endless_archive(here: Class, name: str) -> None:
    """Hands in an archive in an archive in an archive, and so on.
    Fails: only the outermost is opened."""
    inner = here.right.encode()
    for depth in range(50):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(f"{LAB}/{SOURCE}" if depth == 0 else f"{LAB}.zip", inner)
        inner = packed.getvalue()
    (here.folder / f"{name}.zip").write_bytes(inner)


@attack
def hands_in_noise(here: Class, name: str) -> None:
    """Hands in an archive that begins as one and goes on as noise.
    Fails: it is refused."""
    (here.folder / f"{name}.zip").write_bytes(b"PK\x03\x04" + bytes(range(256)) * 64 + b"PK\x05\x06" + b"\xff" * 18)
