"""One hand-in as it is read: its text, what was found in it and where, and where it differs from the skeleton."""

import difflib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from staff.collecting.kept_texts import KeptFile
from tmagrade.basics.untrusted import visible
from tmagrade.findings.finding import Finding, SourcePlace
from tmagrade.findings.finding_text import headline
from tmagrade.judging.scoring import LabResult
from tmagrade.judging.verdicts import Case

MOST_CASES = 200
MOST_FINDINGS = 100
# Of what is compared with the skeleton: comparing takes the square of it.
MOST_COMPARED = 2000
AROUND = 3  # lines of the skeleton around what is another text


def file_json(file: KeptFile, skeleton: Sequence[str] | None) -> dict[str, Any]:
    compared = skeleton is not None and len(file.lines) <= MOST_COMPARED
    difference = list(_difference(skeleton, file.lines)) if compared and skeleton is not None else None
    return {"name": file.name, "lines": file.lines, "left_out": file.left_out, "difference": difference}


def skeleton_of(labs: Path, result: LabResult, file: KeptFile, files: Sequence[KeptFile]) -> list[str] | None:
    """What the file was begun from: the lab's file, where this has its name, or is the only text that is compiled."""
    sources = [one for one in files if PurePosixPath(one.name).suffix.casefold() == ".cu"]
    path = labs / result.lab.id / result.lab.source
    if (PurePosixPath(file.name).name == result.lab.source or sources == [file]) and path.is_file():
        return path.read_text(encoding="utf-8").splitlines()
    return None


def _difference(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, int, str]]:
    """Lines as (sign, number in the old text, number in the new one, text): what differs, and a little around it."""
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND):
        yield ("@", group[0][1] + 1, group[0][3] + 1, "")
        for kind, old_first, old_end, new_first, new_end in group:
            if kind == "equal":
                for offset in range(old_end - old_first):
                    yield (" ", old_first + offset + 1, new_first + offset + 1, new[new_first + offset])
                continue
            yield from (("-", number + 1, 0, old[number]) for number in range(old_first, old_end))
            yield from (("+", 0, number + 1, new[number]) for number in range(new_first, new_end))


def parts_json(result: LabResult) -> list[dict[str, Any]]:
    return [
        {
            "id": part.id,
            "verdict": part.verdict,
            "score": part.score,
            "max": part.max,
            "pending": part.pending,
            "message": "\n\n".join(visible(reason.message) for reason in part.reasons if reason.message),
        }
        for part in result.parts
    ]


def _all_cases(result: LabResult) -> Iterator[tuple[str, Case]]:
    """Under each policy, in the order in which they are tried."""
    for engine, judged in (result.outcomes.runs if result.outcomes else {}).items():
        yield from ((engine, case) for case in judged.cases)


def wrong_cases(result: LabResult) -> Iterator[tuple[str, Case]]:
    return ((engine, case) for engine, case in _all_cases(result) if case.verdict != "pass" and case.was_run)


def cases_json(result: LabResult) -> list[dict[str, Any]]:
    """The cases that went wrong, each with what was expected and what came, and under which timing policies."""
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for engine, case in wrong_cases(result):
        found.setdefault((case.part, case.case, case.verdict, case.message), []).append(engine)
    return [
        {"part": part, "case": visible(case), "verdict": verdict, "message": visible(message), "engines": engines}
        for (part, case, verdict, message), engines in list(found.items())[:MOST_CASES]
    ]


def findings_of(result: LabResult) -> dict[Finding, list[str]]:
    """Each finding once, with the parts in which it was found."""
    found: dict[Finding, dict[str, None]] = {}
    for part, finding in _all_findings(result):
        found.setdefault(finding, {})[part] = None
    return {finding: list(parts) for finding, parts in found.items()}


def _all_findings(result: LabResult) -> Iterator[tuple[str, Finding]]:
    for part in result.parts:
        for reason in part.reasons:
            yield from ((part.id, finding) for finding in reason.findings)
    for _, case in _all_cases(result):
        yield from ((case.part, finding) for finding in case.findings)


def codes_of(result: LabResult) -> list[str]:
    return sorted({finding.code for _, finding in _all_findings(result)})


def findings_json(result: LabResult, files: Sequence[KeptFile]) -> list[dict[str, Any]]:
    """Of a mistake that was found at one line in many cases, the first."""
    first: dict[tuple[object, ...], tuple[Finding, list[str]]] = {}
    for finding, parts in findings_of(result).items():
        _, known = first.setdefault((finding.code, finding.place), (finding, []))
        known += [part for part in parts if part not in known]
    return [_finding_json(finding, parts, files) for finding, parts in list(first.values())[:MOST_FINDINGS]]


def _finding_json(finding: Finding, parts: list[str], files: Sequence[KeptFile]) -> dict[str, Any]:
    place = finding.place
    file = _file_named(place.file, files) if isinstance(place, SourcePlace) else ""
    return {
        "code": finding.code,
        "headline": headline(finding),
        "parts": parts,
        "file": file,
        "line": place.line if isinstance(place, SourcePlace) and file else 0,
        "text": [[[span.style, visible(span.text)] for span in line] for line in finding.text],
        "page": finding.page,
    }


def _file_named(name: str, files: Iterable[KeptFile]) -> str:
    """A finding knows a file without its folder."""
    return next((one.name for one in files if PurePosixPath(one.name).name == visible(name)), "")
