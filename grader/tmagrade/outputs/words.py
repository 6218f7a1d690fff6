"""How results are put into words: the same in every output."""

import re
from dataclasses import dataclass

from tmagrade.scoring import GRADER_FAULT, PENDING, LabResult, PartResult

# A finding of the emulator: "lab3.cu:41:5: error: TMA store reads ... [missing-proxy-fence]".
_FINDING = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):\d+: error: .*\[(?P<code>[a-z-]+)\]$", re.MULTILINE)


@dataclass(frozen=True)
class Finding:
    text: str
    file: str
    line: int
    code: str


def finding(message: str) -> Finding | None:
    """The first finding of the emulator in a message."""
    found = _FINDING.search(message)
    return Finding(found.group(), found["file"], int(found["line"]), found["code"]) if found else None


def plain(points: float) -> float | int:
    return int(points) if points == int(points) else points


def points(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def score_text(result: LabResult) -> str:
    text = f"{points(result.score)}/{points(result.max - result.pending)}"
    return text + (f" +{points(result.pending)} pending" if result.pending else "")


def lost(part: PartResult) -> bool:
    """Whether points are missing that the student could have had."""
    return not part.pending and part.score < part.max


def remark(result: LabResult) -> str:
    """What to say of a lab on one line: the first thing that cost points, else the bandwidth."""
    for part in result.parts:
        if part.verdict not in ("pass", PENDING):
            first = finding(part.message)
            line = first.text if first else part.message.strip().split("\n")[0]
            return f"{part.id}: {part.verdict}" + (f": {line}" if line else "")
    return next((part.message for part in result.parts if part.id == "bandwidth" and part.verdict == "pass"), "")


def said_to_student(part: PartResult) -> str:
    """The message, but for a fault of the grader: what that says is for the course's staff."""
    if part.verdict == GRADER_FAULT:
        return "the grader itself failed here: no points are lost, and the course's staff has been told"
    return part.message
