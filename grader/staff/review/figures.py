"""What a whole class did in each part: how it ended, in which cases, by which findings, and how long judging took."""

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any

from staff.review.reading import findings_of
from tmagrade.basics.untrusted import visible
from tmagrade.judging.scoring import LabResult

MOST_ROWS = 30


def figures_json(results: Sequence[LabResult]) -> dict[str, Any]:
    """Of one lab. Each student counts once, in whatever many runs a case failed."""
    verdicts: dict[str, Counter[str]] = {}
    cases: dict[str, Counter[str]] = {}
    codes: dict[str, Counter[str]] = {}
    for result in results:
        for part in result.parts:
            verdicts.setdefault(part.id, Counter())[part.verdict] += 1
        for part_id, case in {
            (case.part, case.case)
            for judged in (result.outcomes.runs if result.outcomes else {}).values()
            for case in judged.cases
            if case.verdict != "pass" and case.was_run
        }:
            cases.setdefault(part_id, Counter())[visible(case)] += 1
        for part_id, code in {(part, one.code) for one, parts in findings_of(result).items() for part in parts}:
            codes.setdefault(part_id, Counter())[code] += 1
    seconds = [sum(run.seconds for run in result.outcomes.runs.values()) for result in results if result.outcomes]
    return {
        "handed_in": len(results),
        "seconds": {"median": median(seconds), "most": max(seconds), "all": sum(seconds)} if seconds else None,
        "parts": [
            {
                "id": part,
                "verdicts": counts.most_common(),
                "cases": _most(cases.get(part, Counter())),
                "findings": _most(codes.get(part, Counter())),
            }
            for part, counts in verdicts.items()
        ],
    }


def _most(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MOST_ROWS]
