"""Names that students chose: shown, compared and used as names of files only after what is done here."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

from tmagrade.basics.untrusted import visible_line
from tmagrade.course.labs import Lab, names_lab

# What desktops leave in archives and folders, beside names that begin with a dot.
JUNK = {"__macosx", "thumbs.db", "desktop.ini", "$recycle.bin", "__pycache__"}

SOURCE_SUFFIX = ".cu"

# What a compilation may read.
COMPILED = {".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx", ".inl", ".inc", ".def", ".ptx"}

MAX_STUDENT_BYTES = 100

# The grades' own files stand beside the students' folders.
_FILE_OF_GRADES = re.compile(r"\.(json|csv|html|md)$", re.IGNORECASE)

# lab3-1.cu is Canvas' name for a second lab3.cu, `lab3 (1).cu` a browser's.
_AGAIN = re.compile(r"(?:-(?P<canvas>[0-9]{1,3})| ?\((?P<browser>[0-9]{1,3})\))$")


def is_junk(name: str) -> bool:
    return name.startswith(".") or name.casefold() in JUNK


def is_source(name: str) -> bool:
    """Whether the compiler is to have it; LAB3.CU is what some disks make of lab3.cu."""
    return name.casefold().endswith(SOURCE_SUFFIX)


def compiled_of(names: Iterable[PurePosixPath]) -> list[PurePosixPath]:
    """Of a lab's files, the .cu files right in its folder, sorted; where it has none, those of its only folder that
    has some."""
    sources = sorted(name for name in names if is_source(name.name))
    depth = 0
    while len({name.parts[depth] for name in sources}) == 1 and len(sources[0].parts) > depth + 1:
        depth += 1
    return [name for name in sources if len(name.parts) == depth + 1]


def is_read_by_compiler(name: str) -> bool:
    return PurePosixPath(name).suffix.casefold() in COMPILED


def printable(name: str) -> str:
    """The name as it may reach a terminal or a report, on one line."""
    return visible_line(name)


def plain_file_name(name: str) -> str:
    """A file's name without what no compiler should have to read."""
    return "".join(c if c.isprintable() and c not in '"\\' else "_" for c in name)


def student_folder_name(name: str) -> str:
    """Letters, digits and . _ - @ +; all else becomes _ . Two names may become one: see distinct_names(). What that
    answers is its own safe name."""
    name = unicodedata.normalize("NFC", name)
    safe = "".join(c if unicodedata.category(c)[0] in "LMN" or c in "._-@+" else "_" for c in name)
    safe = re.sub(r"^[.\-]", "_", safe)
    safe = _beginning(safe, MAX_STUDENT_BYTES) or "_"
    return safe + "_" if _FILE_OF_GRADES.search(safe) else safe


def distinct_names(names: Iterable[str]) -> dict[str, str]:
    """A safe folder name for each of the names. Where two would have one, also on a disk that does not tell capitals
    from small letters, a digest of the name sets them apart. Nobody gets a digest by what others call themselves whose
    own name is safe and in small letters."""
    safe = {name: student_folder_name(name) for name in names}
    same: dict[str, list[str]] = {}
    for name in safe:
        same.setdefault(safe[name].casefold(), []).append(name)
    own = {name for name in safe if name == safe[name].casefold() or len(same[safe[name].casefold()]) == 1}
    kept = {safe[name].casefold() for name in own}

    def set_apart(name: str) -> str:
        digest = name_digest(name)
        while True:
            found = f"{_beginning(safe[name], MAX_STUDENT_BYTES - len(digest) - 1)}-{digest}"
            if found.casefold() not in kept:
                kept.add(found.casefold())
                return found
            digest = name_digest(name + digest)  # somebody calls himself so, or has found a name of the same digest

    return {name: safe[name] if name in own else set_apart(name) for name in sorted(safe)}


def _beginning(text: str, most_bytes: int) -> str:
    return text.encode()[:most_bytes].decode(errors="ignore")


def name_digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def without_repetition(name: str) -> tuple[str, int]:
    """A file's name as its student gave it, and how often one of that name had been handed in before."""
    path = PurePosixPath(name)
    found = _AGAIN.search(path.stem)
    if found is None or not path.stem[: found.start()]:
        return name, 0
    return path.stem[: found.start()] + path.suffix, int(found["canvas"] or found["browser"])


def lab_named(name: str, known: list[Lab]) -> Lab | None:
    """The one lab for which a folder's name or a file's stem stands."""
    name = without_repetition(name)[0].casefold()
    labs = [lab for lab in known if names_lab(name, lab)]
    return labs[0] if len(labs) == 1 else None


def lab_of_source(name: str, known: list[Lab]) -> Lab | None:
    """The one lab whose .cu file has this name."""
    name = without_repetition(name)[0].casefold()
    labs = [lab for lab in known if lab.source.casefold() == name]
    return labs[0] if len(labs) == 1 else lab_named(name.removesuffix(SOURCE_SUFFIX), known)
