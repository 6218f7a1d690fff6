"""Where in the handout a student reads on: a lab's chapter, and the pages of what the emulator found."""

from collections.abc import Iterator

from tmagrade.course.labs import Lab
from tmagrade.judging.scoring import PartResult
from tmagrade.outputs.wording import lab_number

DEADLOCKS = "handout/reference/emulator.md#deadlocks"


def chapter(lab: Lab) -> str:
    return f"handout/labs/{lab.id}.md"


def lab_name(lab: Lab) -> str:
    number = lab_number(lab)
    return f"Lab {number}: {lab.title}" if number else lab.title


def pages_for(part: PartResult) -> Iterator[str]:
    """What to read about a part's mistake, besides the lab's chapter."""
    if pages := dict.fromkeys(finding.page for reason in part.reasons for finding in reason.findings):
        yield from pages
    elif part.verdict == "timeout":
        yield DEADLOCKS


def command(lab: Lab, part: PartResult) -> str:
    """What a student types to see it again."""
    action = {"hygiene": " check", "bandwidth": " bench"}.get(part.id, "")
    return f"make -C labs/{lab.id}{action}"
