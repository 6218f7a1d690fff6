"""Every group that lost points says why, in its own words, wherever a person reads it."""

import io
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator
from rich.console import Console
from test_outputs import SCHEMA
from written_grades import grades_json

from staff.outputs.report import report_html
from staff.platforms.gradescope import gradescope_json
from tmagrade.course.about import Demand, Way
from tmagrade.course.labs import Group, Lab
from tmagrade.findings.finding import Finding, SourcePlace, Span
from tmagrade.judging.scoring import LabResult, Outcomes, PartResult, score
from tmagrade.judging.verdicts import Case, Judged
from tmagrade.outputs.feedback import feedback_text
from tmagrade.outputs.grades import Facts, Grades, Student, grades_from_json
from tmagrade.outputs.tables import print_parts
from tmagrade.outputs.wording import LONGEST_MESSAGE, bounded

FACTS = Facts("emulator", "13.0.88", "0" * 64, "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:01+00:00")
GROUPS = (Group("whole tiles", 10, ("64 ints",)), Group("nothing", 4, ("0 ints",)), Group("any length", 6))
NOT_RUN = "not run: two calls of this part did not finish in their time"


@pytest.fixture
def lab(lab3: Lab) -> Lab:
    """Its first part's 20 points are in groups."""
    return replace(lab3, parts=(replace(lab3.parts[0], groups=GROUPS), *lab3.parts[1:]))


def finding(code: str, line: int = 7) -> Finding:
    text = ((Span("plain", f"lab3.cu:{line}:1: [{code}]"),),)
    return Finding(code=code, message=code, text=text, place=SourcePlace("lab3.cu", line, 1))


def case(name: str, verdict: str = "pass", message: str = "", *found: Finding, part: str = "one-tile") -> Case:
    return Case(part, name, verdict, message, findings=found)


def judged(*cases: Case) -> Judged:
    """The cases that are not given pass."""
    given = {(one.part, one.case) for one in cases}
    others = [("one-tile", name) for name in ("64 ints", "0 ints", "7 ints")] + [("pipeline", "small")]
    return Judged("device", (*cases, *(case(name, part=part) for part, name in others if (part, name) not in given)))


def graded(lab: Lab, *cases: Case) -> LabResult:
    run = judged(*cases)
    return score(lab, Outcomes(run, {"late": run}))


def messages(part: PartResult) -> list[str]:
    return [reason.message for reason in part.reasons]


THREE_WRONG = (
    case("64 ints", "fail", "data[0] is 0"),
    case("0 ints", "crash", "gridDim.x is 0"),
    case("7 ints", "hazard", "right by luck", finding("missing-proxy-fence")),
)


def test_each_group_has_its_own_reason_the_gravest_first(lab: Lab) -> None:
    first, *others = messages(graded(lab, *THREE_WRONG).parts[0])
    assert first.startswith("nothing: 0 ints: gridDim.x is 0\n")
    assert others == ["any length: 7 ints: right by luck", "whole tiles: 64 ints: data[0] is 0"]


def test_a_groups_findings_are_those_of_all_its_cases(lab: Lab) -> None:
    found = [finding("missing-proxy-fence"), finding("data-race")]
    result = graded(lab, case("7 ints", "hazard", "luck", found[0]), case("9 ints", "fail", "wrong", found[1]))
    assert result.parts[0].findings == tuple(found)


def test_groups_with_the_same_mistake_have_one_reason(lab: Lab) -> None:
    fence = finding("missing-proxy-fence")
    result = graded(lab, case("64 ints", "hazard", "1 mistake", fence), case("7 ints", "hazard", "2 mistakes", fence))
    [only] = result.parts[0].reasons
    assert only.message.startswith("whole tiles, any length: 64 ints: 1 mistake")
    assert only.findings == (fence,)


def test_a_mistake_that_another_group_has_too_is_named_there_and_told_once(lab: Lab) -> None:
    fence, race = finding("missing-proxy-fence"), finding("data-race")
    result = graded(lab, case("64 ints", "hazard", "a", fence), case("7 ints", "hazard", "b", fence, race))
    second = result.parts[0].reasons[1]
    assert (second.message, second.findings) == (
        "any length: 7 ints: b\nfound here, too, as above: missing-proxy-fence",
        (race,),
    )


def test_a_group_that_is_right_the_wrong_way_says_so(lab: Lab) -> None:
    asking = replace(lab, parts=(replace(lab.parts[0], about=(Demand(("bulk_loads",), 1.0),)), *lab.parts[1:]))
    run = replace(judged(case("0 ints", "crash", "gridDim.x is 0")), ways={"one-tile": Way(65536, 65536)})
    run = run.held_to(asking)
    part = score(asking, Outcomes(run, {"late": run})).parts[0]
    assert messages(part)[1].startswith(
        "whole tiles, any length: all cases together: the results are right, but not by what this part is about"
    )


def test_what_a_part_is_about_is_counted_without_the_case_that_hung_and_says_so(lab: Lab) -> None:
    demand = Demand(("bulk_loads",), 0.5, "input")
    asking = replace(lab, parts=(replace(lab.parts[0], about=(demand,)), *lab.parts[1:]))
    hung = case("7 ints", "timeout", "deadlock: nobody arrives", finding("deadlock"))
    run = replace(judged(hung), ways={"one-tile": Way(65536, 65536, {})}).held_to(asking)
    part = score(asking, Outcomes(run, {"late": run})).parts[0]
    assert messages(part)[0].startswith("any length: 7 ints: deadlock: nobody arrives")
    assert messages(part)[1].endswith("; what did not finish does not count")


def test_the_case_that_hung_is_told_and_not_those_behind_it(lab: Lab) -> None:
    hung = case("7 ints", "timeout", "deadlock: nobody arrives", finding("deadlock"))
    part = graded(lab, case("64 ints", "timeout", NOT_RUN), case("0 ints", "timeout", NOT_RUN), hung).parts[0]
    assert messages(part)[0].startswith("any length: 7 ints: deadlock: nobody arrives")
    assert part.findings == hung.findings


def test_hygiene_tells_of_every_group_that_only_it_has_against(lab: Lab) -> None:
    late = judged()
    wrong = case("small", "fail", "wrong", finding("data-race", 9), part="pipeline")
    early = judged(case("7 ints", "hazard", "luck", finding("missing-proxy-fence")), wrong)
    hygiene = next(
        one for one in score(lab, Outcomes(late, {"late": late, "early": early})).parts if one.id == "hygiene"
    )
    assert messages(hygiene) == [
        "under the timing policy early: one-tile (any length), 7 ints: luck",
        "under the timing policy early: pipeline, small: wrong",
    ]
    assert [code.code for reason in hygiene.reasons for code in reason.findings] == ["missing-proxy-fence", "data-race"]


def printed(result: LabResult) -> str:
    text = io.StringIO()
    print_parts(Console(file=text, width=200), result)
    return text.getvalue()


@pytest.mark.parametrize(
    "shown",
    [
        printed,
        lambda result: feedback_text(Student("ada", (result,)), FACTS),
        lambda result: report_html(Grades(FACTS, (result.lab,), (Student("ada", (result,)),))),
        lambda result: json.dumps(gradescope_json(Student("ada", (result,)), FACTS)),
    ],
    ids=["make", "feedback.md", "report.html", "results.json"],
)
def test_every_reason_is_shown_with_its_findings(lab: Lab, shown: Callable[[LabResult], str]) -> None:
    text = shown(graded(lab, *THREE_WRONG))
    for said in ("gridDim.x is 0", "data[0] is 0", "right by luck", "lab3.cu:7:1: [missing-proxy-fence]"):
        assert said in text


def test_feedback_names_the_page_of_every_finding(lab: Lab) -> None:
    page = ((Span("plain", "x"), Span("page", "handout/findings/data-race.md")),)
    race = replace(finding("data-race"), text=page)
    result = graded(lab, case("64 ints", "fail", "data[0] is 0"), case("7 ints", "hazard", "luck", race))
    assert "`handout/findings/data-race.md`" in feedback_text(Student("ada", (result,)), FACTS)


def test_grades_hold_every_reason_as_the_schema_says(lab: Lab) -> None:
    grades = Grades(FACTS, (lab,), (Student("ada", (graded(lab, *THREE_WRONG),)),))
    value = grades_json(grades)
    kept = value["students"][0]["labs"][0]["parts"][0]["further"]
    assert [reason["message"] for reason in kept] == messages(graded(lab, *THREE_WRONG).parts[0])[1:]
    assert grades_from_json(value) == grades
    assert [reason.keys() for reason in kept] == [{"message", "findings"}, {"message"}]


def test_the_schema_knows_the_further_reasons(lab: Lab) -> None:
    result = graded(lab, case("64 ints", "fail", "data[0] is 0"), case("0 ints", "crash", "gridDim.x is 0"))
    Draft202012Validator(SCHEMA).validate(grades_json(Grades(FACTS, (lab,), (Student("ada", (result,)),))))


def test_no_reason_is_without_an_end(lab: Lab) -> None:
    endless = graded(lab, *THREE_WRONG[1:], case("64 ints", "fail", "x" * (2 * LONGEST_MESSAGE)))
    assert all(len(message) < LONGEST_MESSAGE + 100 for message in messages(bounded(endless).parts[0]))
