"""What GitHub Actions shows of a push: annotations beside the source's lines, and the job's summary, both in the words
of feedback.md (GitHub's documentation, "Workflow commands for GitHub Actions")."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tmagrade.basics.untrusted import visible
from tmagrade.findings.finding import Finding, SourcePlace
from tmagrade.judging.scoring import LabResult, PartResult
from tmagrade.outputs.feedback import lab_lines, missing_text, mistakes
from tmagrade.outputs.further_reading import command
from tmagrade.outputs.wording import MEANING, said_to_student, short_name

# GitHub shows so many errors of a step, and takes so much of a summary: one mebibyte.
MOST_ANNOTATIONS = 10
MOST_SUMMARY_BYTES = 1 << 20

# What begins a compiler's line, or a finding's: lab3.cu:15:10:
PLACE = re.compile(r"^([\w./-]+\.(?:cuh?|h)):(\d+)(?::(\d+))?:", re.MULTILINE)


def annotations(results: Sequence[LabResult], root: Path) -> list[str]:
    """A workflow command for each mistake that costs points, as many as GitHub shows. `root` is the repository's."""
    told = [(result, parts) for result in results for parts in mistakes(result) if not parts[0].pending]
    return [_annotation(result, parts, root) for result, parts in told[:MOST_ANNOTATIONS]]


def summary_text(results: Sequence[LabResult]) -> str:
    """The job's summary: feedback's text of each lab."""
    text = "\n".join(line for result in results for line in lab_lines(result)) + "\n"
    if len(text.encode()) <= MOST_SUMMARY_BYTES:
        return text
    cut = text.encode()[: MOST_SUMMARY_BYTES - 200].decode(errors="ignore")
    return f"{cut}\n\n... and more, which `make` says in each lab's folder.\n"


def _annotation(result: LabResult, parts: list[PartResult], root: Path) -> str:
    first = parts[0]
    said = visible(said_to_student(first)).strip("\n")
    names = ", ".join(part.id for part in parts)
    title = f"{short_name(result.lab)} {names}: {missing_text(parts)}"
    properties = {**_place(result, first, said, root), "title": title}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    meaning = f"{first.verdict.capitalize()}: {MEANING[first.verdict]}."
    text = "\n".join([meaning, said, f"Try it: {command(result.lab, first)}"])
    return f"::error {listed}::{_data(text)}"


def _place(result: LabResult, part: PartResult, said: str, root: Path) -> dict[str, str]:
    """The first place in a file of the repository that is spoken of; else the lab's source."""
    for name, line, column in (*_places(part), *PLACE.findall(said)):
        for folder in (f"labs/{result.lab.id}/", "labs/common/", ""):
            if ".." not in Path(name).parts and (root / folder / name).is_file():
                place = {"file": f"{folder}{name}", "line": line}
                return place | ({"col": column} if column else {})
    return {"file": f"labs/{result.lab.id}/{result.lab.source}"}


def _places(part: PartResult) -> Iterator[tuple[str, str, str]]:
    findings: list[Finding] = [finding for reason in part.reasons for finding in reason.findings]
    for finding in findings:
        if isinstance(finding.place, SourcePlace):
            yield finding.place.file, str(finding.place.line), str(finding.place.column)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
