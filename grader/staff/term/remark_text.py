"""Remarks as students read them: in Markdown for feedback.md, and as plain text for Gradescope."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from staff.term.remarks import Remarks
from staff.term.store import Remark
from tmagrade.basics.untrusted import visible, visible_line
from tmagrade.outputs.feedback import escaped, fenced
from tmagrade.outputs.grades import Student

SAID = ("comment", "answer")
EARLIER = "said of an earlier hand-in"


def signed(points: str) -> str:
    """As +5 points, or −2.5 points."""
    value = Decimal(points)
    return f"{'−' if value < 0 else '+'}{abs(value):f} {'point' if abs(value) == 1 else 'points'}"


def markdown_of(student: Student, remarks: Remarks) -> dict[str, list[str]]:
    """By the lab: what feedback says below its parts."""
    return {
        result.lab.id: [line for one in said for line in _markdown(one, result.hand_in)]
        for result in student.labs
        if (said := _said(remarks.get((student.id, result.lab.id), ())))
    }


def plain_of(student: Student, remarks: Remarks) -> dict[str, str]:
    """By the lab: the same without marks."""
    return {
        result.lab.id: "\n\n".join(_plain(one, result.hand_in) for one in said)
        for result in student.labs
        if (said := _said(remarks.get((student.id, result.lab.id), ())))
    }


def _said(remarks: Sequence[Remark]) -> list[Remark]:
    """In the order of the text, what is about the whole last."""
    said = [one for one in remarks if one.kind in SAID]
    return sorted(said, key=lambda one: (one.kind == "answer", not one.file, one.file, one.line))


def _markdown(remark: Remark, hand_in: str) -> Iterator[str]:
    yield f"### {_title(remark, '`' + escaped(remark.file) + '`')}"
    yield ""
    if remark.file:
        if remark.source.strip():
            yield fenced(remark.source)
            yield ""
        if remark.hand_in != hand_in:
            yield f"({EARLIER})"
            yield ""
    # Each line a line of its own, as it was typed.
    yield "\\\n".join(escaped(line) for line in visible(remark.text).split("\n"))
    yield ""


def _plain(remark: Remark, hand_in: str) -> str:
    lines = [f"{_title(remark, visible_line(remark.file))}:"]
    if remark.file:
        earlier = f" ({EARLIER})" if remark.hand_in != hand_in else ""
        lines.append(f"> {visible_line(remark.source)}{earlier}".rstrip())
    return "\n".join([*lines, visible(remark.text)])


def _title(remark: Remark, file: str) -> str:
    if remark.kind == "answer":
        title = "Your request for a regrade"
    elif remark.file:
        title = f"Comment on line {remark.line} of {file}"
    else:
        title = "Comment"
    return f"{title}: {signed(remark.points)}" if remark.points else title
