"""What to say where nothing that was handed in is a .cu file."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from tmagrade.course.labs import Lab
from tmagrade.submissions.names import printable

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
