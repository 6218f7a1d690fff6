"""What the judge's verdicts.json may hold."""

import json
from typing import Any

import pytest

from tmagrade.errors import GraderFault
from tmagrade.judging import Judged, Rehearsal, parse_verdicts

FINDING = {"code": "trap", "message": "", "text": [[["plain", "x"]]], "count": 1}
CASE = {"part": "one-tile", "case": "4 ints", "verdict": "fail", "message": "no", "bypasses_tma": False, "seconds": 0.1}


def report(**changes: Any) -> dict[str, Any]:
    device = {"name": "NVIDIA H200", "sm": 90}
    return {
        "schema": 5,
        "ways": {},
        "device": device,
        "seed": "18446744073709551615",
        "cases": [CASE],
    } | changes


def bandwidth(**changes: Any) -> dict[str, Any]:
    figures = {"gb_per_s": 4100.0, "roofline_gb_per_s": 4260.0, "fraction": 0.96}
    return {"part": "pipeline", "verdict": "pass", "message": "", "bytes": 8} | figures | changes


def test_verdicts_survive_the_cache() -> None:
    judged = parse_verdicts(json.dumps(report(bandwidth=bandwidth())))
    assert Judged.from_json(json.loads(json.dumps(judged.to_json()))) == judged


def test_the_rehearsal_survives_the_cache() -> None:
    row = {"part": "pipeline", "verdict": "cheated", "message": "it launches another kernel"}
    judged = parse_verdicts(json.dumps(report(rehearsal=row)))
    assert judged.rehearsal == Rehearsal("pipeline", "cheated", "it launches another kernel")
    assert Judged.from_json(json.loads(json.dumps(judged.to_json()))) == judged


def test_a_bandwidth_that_was_not_measured_has_no_figures() -> None:
    row = bandwidth(verdict="timeout", gb_per_s=None, fraction=None)
    measured = parse_verdicts(json.dumps(report(bandwidth=row))).bandwidth
    assert measured is not None and measured.gb_per_s is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        json.dumps(report(schema=1)),
        json.dumps(report(cases=None)),
        json.dumps(report(cases=[{"part": "one-tile"}])),
        json.dumps(report(cases=[{"part": "one-tile", "case": "", "verdict": "splendid"}])),
        json.dumps(report(bandwidth=bandwidth(fraction=None))),
        json.dumps(report(cases=[CASE | {"findings": [{"code": "trap"}]}])),
        json.dumps(report(cases=[CASE | {"findings": [FINDING | {"more": 2}]}])),
    ],
)
def test_verdicts_that_make_no_sense_are_a_fault_of_the_grader(text: str) -> None:
    with pytest.raises(GraderFault, match="cannot be read"):
        parse_verdicts(text)
