"""What of a lab's files the compiler is not given, although its author may think so."""

from pathlib import PurePosixPath

from staff.collecting.recognition import Found
from staff.collecting.tree import Tree
from tmagrade.submissions.names import compiled_of, is_source, printable

# Texts of programs, and what is built from them. Headers and notes are nobody's disappointment.
OTHER_CODE = (".c", ".cc", ".cpp", ".cxx", ".ptx", ".cubin", ".o", ".so", ".ipynb")


def not_compiled(tree: Tree, found: Found) -> list[str]:
    """A line for each file with code that is compiled only if a .cu file of the lab includes it."""
    files = tree.files if found.files is None else found.files
    inside = sorted(file.relative_to(found.folder) for file in files if found.folder in file.parents)
    compiled = set(compiled_of(inside))
    return [
        f"{printable(str(name))}: only .cu files right in the lab's folder are compiled, and what they include"
        for name in inside
        if name not in compiled and _is_code(name)
    ]


def _is_code(name: PurePosixPath) -> bool:
    return is_source(name.name) or name.suffix.casefold() in OTHER_CODE
