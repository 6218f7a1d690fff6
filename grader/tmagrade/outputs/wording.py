"""How results are put into words: the same in every output."""

import os
import re
from collections.abc import Iterable
from dataclasses import replace

from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab
from tmagrade.findings.finding import Finding
from tmagrade.findings.finding_text import headline, plain_text
from tmagrade.judging.scoring import GRADER_FAULT, PENDING, LabResult, PartResult

LONGEST_MESSAGE = 8000


def points(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def score_text(result: LabResult) -> str:
    text = f"{points(result.score)}/{points(result.max - result.pending)}"
    return text + (f" +{points(result.pending)} pending" if result.pending else "")


MEANING = {
    "pass": "right in every case",
    "fail": "a wrong result",
    "crash": "a CUDA error, or the process ended",
    "timeout": "not finished in time",
    "build error": "what was handed in could not be built",
    "missing": "nothing was found to test",
    "cheated": "a rule was broken",
    "hazard": "right by luck alone",
    PENDING: "needs an sm_90 GPU; neither lost nor given",
    GRADER_FAULT: "the grader failed; nobody loses points",
}


def lab_number(lab: Lab) -> str:
    """The 3 of lab3-bulk-copy; empty where the id has none."""
    found = re.match(r"lab(\d+)", lab.id)
    return found[1] if found else ""


def short_name(lab: Lab) -> str:
    """lab3 for lab3-bulk-copy."""
    return lab.id.split("-")[0]


def title_of(lab: Lab, part: PartResult) -> str:
    """What a part asks for."""
    if part.id == "hygiene":
        return "Right whatever the moment at which the TMA engine acts"
    if part.id == "bandwidth" and lab.bandwidth is not None:
        return f"Speed of {lab.bandwidth.part}, against {lab.bandwidth.reference}"
    return next((known.title for known in lab.parts if known.id == part.id), "")


def lost(part: PartResult) -> bool:
    """Whether points are missing that the student could have had."""
    return not part.pending and part.score < part.max


def remark(result: LabResult) -> str:
    """What to say of a lab on one line: the first thing that cost points, else the bandwidth."""
    for part in result.parts:
        if part.verdict not in ("pass", PENDING):
            line = headline(part.findings[0]) if part.findings else part.message.strip().split("\n")[0]
            return f"{part.id}: {part.verdict}" + (f": {line}" if line else "")
    return next((part.message for part in result.parts if part.id == "bandwidth" and part.verdict == "pass"), "")


def said_to_student(part: PartResult) -> str:
    """The message and the findings, but for a fault of the grader: what that says is for the course's staff."""
    if part.verdict == GRADER_FAULT:
        return "the grader itself failed here: no points are lost, and the course's staff has been told"
    return "\n".join(said for reason in part.reasons if (said := told(reason.message, reason.findings)))


def from_here(text: str) -> str:
    """The text with the ways to the labs' headers leading from the current folder, where an editor looks for them."""
    return re.sub(r"(?<![\w./-])labs/common/", os.path.relpath(HERE.labs / "common") + "/", text)


def told(message: str, findings: Iterable[Finding]) -> str:
    """A message with what the emulator found below it."""
    return "\n".join([message, *map(plain_text, findings)]).strip("\n")


def bounded(result: LabResult) -> LabResult:
    """The result without a message that has no end."""
    return replace(result, parts=tuple(map(_bounded, result.parts)))


def _bounded(part: PartResult) -> PartResult:
    further = tuple(replace(reason, message=_cut(reason.message)) for reason in part.further)
    return replace(part, message=_cut(part.message), further=further)


def _cut(message: str) -> str:
    more = len(message) - LONGEST_MESSAGE
    return f"{message[:LONGEST_MESSAGE]}\n... and {more} more characters" if more > 0 else message
