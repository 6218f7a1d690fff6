"""What is cut from files that are for students and instructors both."""

import posixpath
import re
from collections.abc import Container

from tmagrade.basics.errors import GraderFault

# In a comment: the chapters' solutions, and what a page says to instructors alone.
MARK = re.compile(r"\b(BEGIN|END) (SOLUTION|INSTRUCTORS)\b")

LINK = re.compile(r"\]\(([^)\s#]+)[^)\s]*\)")


def students_text(text: str, name: str) -> str:
    """Leaves out the lines between two marks, and the marks."""
    kept: list[str] = []
    open_mark = ""
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        mark = MARK.search(line)
        if mark is None:
            kept += [] if open_mark else [line]
        elif (mark[1] == "BEGIN") == (open_mark == "") and open_mark in ("", mark[2]):
            open_mark = mark[2] if mark[1] == "BEGIN" else ""
        else:
            raise GraderFault(f"{name}:{number}: {mark[0]} is out of place")
    if open_mark:
        raise GraderFault(f"{name}: BEGIN {open_mark} without its end")
    return re.sub(r"\n{3,}", "\n\n", "".join(kept)).rstrip("\n") + "\n"


def students_page(text: str, name: str, released: Container[str]) -> str:
    """A page of the handout without its solution, and without the rows, items and last lines that lead to what is not
    there."""
    lines = students_text(text, name).splitlines(keepends=True)
    return "".join(line for line in lines if not _leads_nowhere(line, name, released))


def _leads_nowhere(line: str, name: str, released: Container[str]) -> bool:
    if not line.lstrip().startswith(("|", "- ", "* ", "Next: ")):
        return False
    links = [link for link in LINK.findall(line) if "://" not in link]
    return any(posixpath.normpath(posixpath.join(posixpath.dirname(name), link)) not in released for link in links)
