"""What a whole class did in each part: how it ended, in which cases, by which findings, and how long judging took."""

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any

from staff.review.reading import findings_of, wrong_cases
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
        for part_id, case in dict.fromkeys((case.part, case.case) for _, case in wrong_cases(result)):
            cases.setdefault(part_id, Counter())[visible(case)] += 1
        for part_id, code in sorted({(part, one.code) for one, parts in findings_of(result).items() for part in parts}):
            codes.setdefault(part_id, Counter())[code] += 1
    seconds = [sum(run.seconds for run in result.outcomes.runs.values()) for result in results if result.outcomes]
    return {
        "handed_in": len(results),
        "seconds": {"median": median(seconds), "most": max(seconds), "all": sum(seconds)} if seconds else None,
        "parts": [
            {
                "id": part,
                "verdicts": counts.most_common(),  # of equals, what was met first
                "cases": cases.get(part, Counter()).most_common(MOST_ROWS),
                "findings": codes.get(part, Counter()).most_common(MOST_ROWS),
            }
            for part, counts in verdicts.items()
        ],
    }
