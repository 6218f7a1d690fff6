"""A part's cases in named groups: what is right of a part brings its share."""

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import LAB_TOML, write_lab
from jsonschema import Draft202012Validator
from test_outputs import SCHEMA
from written_grades import grades_json

from staff.outputs import explain
from staff.sample_class.edits import replace_once
from tmagrade.basics.errors import GraderFault
from tmagrade.basics.paths import HERE
from tmagrade.course.about import Demand, Way
from tmagrade.course.labs import Group, Lab, load_lab, load_labs
from tmagrade.judging.scoring import LabResult, Outcomes, PartResult, score
from tmagrade.judging.verdicts import Case, Judged
from tmagrade.outputs.feedback import feedback_text
from tmagrade.outputs.grades import Facts, Grades, Student, grades_from_json

GROUPS = (Group("whole", 10, ("64 ints", "128 *")), Group("none", 4, ("0 ints",)), Group("any", 6))
FACTS = Facts("emulator", "13.0.88", "0" * 64, "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:01+00:00")


@pytest.fixture
def lab(lab3: Lab) -> Lab:
    """Its first part's 20 points are in groups."""
    return replace(lab3, parts=(replace(lab3.parts[0], groups=GROUPS), *lab3.parts[1:]))


def judged(**verdicts: str) -> Judged:
    """By group: the case of `whole`, of `none` and of `any`."""
    names = {"whole": "128 ints", "none": "0 ints", "any": "7 ints"}
    cases = [Case("one-tile", name, verdicts.get(group, "pass"), "") for group, name in names.items()]
    return Judged("device", (*cases, Case("pipeline", "small", "pass", "")))


def first(result: LabResult) -> PartResult:
    return result.parts[0]


def graded(lab: Lab, **verdicts: str) -> LabResult:
    return score(lab, Outcomes(judged(**verdicts), {"late": judged(**verdicts)}))


def test_a_part_has_the_points_of_the_groups_that_are_right(lab: Lab) -> None:
    assert (first(graded(lab, none="fail")).score, first(graded(lab, none="fail", any="crash")).score) == (16, 10)
    assert first(graded(lab)).score == 20


def test_a_part_says_which_groups_are_right(lab: Lab) -> None:
    said = first(graded(lab, none="crash")).message
    assert said.endswith("right: whole (10 points), any (6 points); wrong: none (4 points)")


def test_a_groups_share_of_hygiene_is_its_own(lab: Lab) -> None:
    hygiene = next(part for part in graded(lab, whole="fail").parts if part.id == "hygiene")
    assert hygiene.score == round(15 * 50 / 60, 2)


def test_who_cheats_in_one_group_has_none(lab: Lab) -> None:
    assert first(graded(lab, none="cheated")).score == 0


OF_ONE_SIZE = Case("one-tile", "999 ints", "pass", "")


@pytest.mark.parametrize(
    ("usual", "instead", "points"),
    [("pass", None, 20), ("fail", None, 10), ("fail", "pass", 20), ("fail", "fail", 10), ("pass", "fail", 20)],
)
def test_cases_that_will_do_as_well_bring_a_groups_points(
    lab: Lab, usual: str, instead: str | None, points: float
) -> None:
    groups = (replace(GROUPS[0], or_cases=("999 ints",)), *GROUPS[1:])
    lab = replace(lab, parts=(replace(lab.parts[0], groups=groups), *lab.parts[1:]))
    run = judged(whole=usual)
    if instead is not None:
        run = replace(run, cases=(*run.cases, replace(OF_ONE_SIZE, verdict=instead)))
    assert first(score(lab, Outcomes(run, {"late": run}))).score == points


def test_a_part_without_groups_is_right_as_a_whole_or_not(lab3: Lab) -> None:
    assert first(graded(lab3, none="fail")).score == 0
    assert first(graded(lab3, none="fail")).groups == ()


def test_a_group_without_a_case_is_a_fault_of_the_grader(lab: Lab) -> None:
    cases = tuple(case for case in judged().cases if case.case != "0 ints")
    part = first(score(lab, Outcomes(Judged("device", cases), {})))
    assert (part.verdict, part.message) == ("grader fault", "the judge has no case of the group 'none' of this part")


def test_what_is_right_on_a_gpu_and_wrong_on_the_emulator_costs_its_group(lab: Lab) -> None:
    assert first(score(lab, Outcomes(judged(), {"late": judged(any="fail")}))).score == 14


def test_a_group_that_is_right_the_wrong_way_has_no_points(lab: Lab) -> None:
    about = replace(lab.parts[0], about=(Demand(("bulk_loads",), 1.0),))
    asking = replace(lab, parts=(about, *lab.parts[1:]))
    run = replace(judged(any="fail"), ways={"one-tile": Way(65536, 65536)}).held_to(asking)
    assert first(score(asking, Outcomes(run, {"late": run}))).score == 0


def test_explain_and_feedback_tell_the_groups(lab: Lab) -> None:
    result = graded(lab, none="fail")
    student = Student("ada", (result,))
    told = "\n".join(explain.explanation(student, result, FACTS))
    assert "    none                 0 of 4         0 of 1 cases right" in told
    assert "(10 + 6 + 40) × 15 / 60 = 14" in told
    assert "right: whole (10 points), any (6 points); wrong: none (4 points)" in feedback_text(student, FACTS)


def test_grades_hold_the_groups_as_the_schema_says(lab: Lab) -> None:
    grades = Grades(FACTS, (lab,), (Student("ada", (graded(lab, none="fail"),)),))
    value = grades_json(grades)
    Draft202012Validator(SCHEMA).validate(value)
    assert value["students"][0]["labs"][0]["parts"][0]["groups"][1] == {
        "title": "none",
        "verdict": "fail",
        "score": 0,
        "max": 4,
    }
    assert grades_json(grades_from_json(value)) == value


@pytest.mark.parametrize(
    ("groups", "complaint"),
    [
        ('[{ title = "a", points = 19 }]', "the groups have 19 points together, the part has 20"),
        ('[{ title = "a", points = 10 }, { title = "b", points = 10 }]', "every group but the last says its cases"),
        ('[{ title = "a", points = 20, cases = "x" }]', "the last has all others"),
        ('[{ title = "a", points = 5, cases = "x" }, { title = "a", points = 15 }]', "the same title"),
    ],
)
def test_a_mistake_in_the_groups_is_named(tmp_path: Path, groups: str, complaint: str) -> None:
    path = write_lab(tmp_path, replace_once(LAB_TOML, "points = 20\n", f"points = 20\ngroups = {groups}\n"))
    with pytest.raises(GraderFault, match=complaint):
        load_lab(path)


def test_what_the_public_course_asks_is_a_group_of_its_own() -> None:
    """One whole tile; sizes that are multiples of a tile; a single small tile."""
    parts = {part.id: part for lab in load_labs(HERE.labs) for part in lab.parts if part.groups}
    assert {name: part.groups[0].title for name, part in parts.items()} == {
        **dict.fromkeys(("load", "store", "reduce"), "one tile of 64 x 128"),
        **dict.fromkeys(("tma-copy", "pipeline", "any-shape"), "whole tiles"),
        "swizzle-64": "small tile",
    }
