"""What of a lab's files the compiler is not given, although its author may think so."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from tmagrade.course.labs import Lab
from tmagrade.submissions.names import compiled_of, is_source, printable
from tmagrade.submissions.recognition import Found
from tmagrade.submissions.tree import Tree

# Texts of programs, and what is built from them. Headers and notes are nobody's disappointment.
OTHER_CODE = (".c", ".cc", ".cpp", ".cxx", ".ptx", ".cubin", ".o", ".so", ".ipynb")

# What browsers, mail programs and editors make of lab3.cu: lab3.cu.txt, lab3.cu~, lab3.cu (1).
MISNAMED = re.compile(r"\.cu[^a-z0-9].*$", re.IGNORECASE)
MOST_NAMES = 3


def no_source(names: Sequence[str], lab: Lab) -> str:
    """Why nothing that was handed in can be compiled, and what to do."""
    stem = PurePosixPath(lab.source).stem.casefold()
    near = [name for name in names if MISNAMED.search(name) or PurePosixPath(name).stem.casefold() == stem]
    if near:
        return f"no .cu file was handed in, but {printable(near[0])}: name it {lab.source}, and hand that in"
    shown = ", ".join(map(printable, names[:MOST_NAMES]))
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"no .cu file was handed in{f', only {shown}{more}' if names else ''}: this lab's is {lab.source}"


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
