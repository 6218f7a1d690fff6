"""`tmagrade explain`: a score, from the stored grades alone."""

from dataclasses import replace

import pytest
from conftest import Course, Tmagrade
from test_cli import grade
from test_outputs import FACTS
from test_scoring import judged, measured

from staff.outputs.explain import explanation
from staff.outputs.names import find_result, find_student
from tmagrade.basics.errors import UsageError
from tmagrade.course.labs import Lab
from tmagrade.judging.scoring import LabResult, Outcomes, same_for_all, score
from tmagrade.outputs.arithmetic import bandwidth_points
from tmagrade.outputs.grades import Grades, Student


def explained(result: LabResult) -> str:
    return "\n".join(explanation(Student("ada", (result,)), result, FACTS))


def line_with(text: str, start: str) -> str:
    """The first line that begins so; runs of spaces are one."""
    return next(" ".join(line.split()) for line in text.splitlines() if line.strip().startswith(start))


def test_the_sum_is_written_out(lab3: Lab) -> None:
    engines = {"late": judged(), "early": judged(pipeline="fail")}
    text = explained(score(lab3, Outcomes(judged(bandwidth=measured(0.95)), engines)))
    assert text.splitlines()[-1] == "sum: 20 + 40 + 5 + 22.5 = 87.5"


def test_what_is_pending_is_no_term_of_the_sum(lab3: Lab) -> None:
    late = judged()
    assert explained(score(lab3, Outcomes(late, {"late": late}))).splitlines()[-1] == "sum: 20 + 40 + 15 = 75"


def test_a_part_says_how_many_cases_are_right_and_which_are_not(lab3: Lab) -> None:
    runs = {"late": judged(pipeline="fail"), "early": judged(), "random:1": judged(pipeline="fail")}
    text = explained(score(lab3, Outcomes(runs["late"], runs)))
    assert line_with(text, "pipeline") == "pipeline 0 of 40 1 of 2 cases right"
    assert "large: fail under late, random:1\n          it is a fail" in text


def test_hygiene_shows_each_parts_share(lab3: Lab) -> None:
    runs = {"late": judged(), "early": judged(pipeline="fail")}
    text = explained(score(lab3, Outcomes(runs["late"], runs)))
    assert "  pipeline               wrong under early\n" in text
    assert line_with(text, "hygiene  ") == "hygiene 5 of 15 20 × 15 / 60 = 5"


def test_why_only_one_engine_was_run_is_said(lab3: Lab) -> None:
    late = judged("fail", "fail")
    assert "only late was run" in explained(score(lab3, Outcomes(late, {"late": late})))


def test_bandwidth_becomes_points_in_writing(lab3: Lab) -> None:
    text = explained(score(lab3, Outcomes(judged(bandwidth=measured(0.95)), {"late": judged()})))
    assert line_with(text, "bandwidth  ") == "bandwidth 22.5 of 25 4047.0 GB/s / 4260.0 GB/s = 0.9500"
    assert "0.9500 is between 0.9 (20 points) and 1 (25): 20 + (0.9500 - 0.9) / (1 - 0.9) × 5 = 22.5" in text


def test_a_bandwidth_without_points_says_why(lab3: Lab) -> None:
    wrong = judged(pipeline="fail", bandwidth=measured(0.95))
    assert "fail: 4047 GB/s" in explained(score(lab3, Outcomes(wrong, {"late": judged()})))


@pytest.mark.parametrize(
    ("fraction", "text"),
    [
        (0.2, "below 0.5, where points begin: 0"),
        (0.7, "between 0.5 (0 points) and 0.9 (20): 0 + (0.7000 - 0.5) / (0.9 - 0.5) × 20 = 10"),
        (1.0, "1 or more: all 25"),
        (1.3, "1 or more: all 25"),
    ],
)
def test_the_rule_is_applied_in_writing(lab3: Lab, fraction: float, text: str) -> None:
    assert lab3.bandwidth is not None
    assert bandwidth_points(lab3.bandwidth, fraction) == text


def test_a_submission_that_was_never_run_says_why(lab3: Lab) -> None:
    text = explained(same_for_all(lab3, "build error", "lab3.cu(3): error: x"))
    assert "every part: build error, so that nothing could be run\n      lab3.cu(3): error: x\n" in text


def test_a_part_for_a_later_gpu_says_who_judged_it(lab3: Lab) -> None:
    later = replace(lab3, parts=(replace(lab3.parts[0], architecture="100a"), lab3.parts[1]))
    text = explained(score(later, Outcomes(judged(), {"late": judged()})))
    assert (
        line_with(text, "one-tile")
        == "one-tile 20 of 20 2 of 2 cases right, judged by late: its kernels are for sm_100a"
    )


# Names


@pytest.fixture
def grades(course: Course) -> Grades:
    results = tuple(same_for_all(lab, "missing", "") for lab in course.labs)
    names = ("Ada Lovelace", "Ben Ada", "Grace Hopper", "ben")
    return Grades(FACTS, tuple(course.labs), tuple(Student(name, results) for name in names))


@pytest.mark.parametrize(
    ("name", "found"), [("ben", "ben"), ("love", "Ada Lovelace"), ("HOPP", "Grace Hopper"), ("Ben Ada", "Ben Ada")]
)
def test_a_part_of_a_name_will_do(grades: Grades, name: str, found: str) -> None:
    assert find_student(grades, name).id == found


def test_a_name_that_fits_two_is_refused_with_both(grades: Grades) -> None:
    with pytest.raises(UsageError, match="'be' could be Ben Ada, ben"):
        find_student(grades, "be")
    with pytest.raises(UsageError, match="'ada' could be Ada Lovelace, Ben Ada"):
        find_student(grades, "ada")


def test_an_unknown_student_gets_the_nearest_names(grades: Grades) -> None:
    with pytest.raises(UsageError, match="there is no student 'Grace Hoper'; there is Grace Hopper"):
        find_student(grades, "Grace Hoper")


@pytest.mark.parametrize("name", ["lab4", "lab4-single-tile", "tile"])
def test_a_lab_is_known_by_its_beginning_or_a_part(grades: Grades, name: str) -> None:
    assert find_result(grades.students[0], name).lab.id == "lab4-single-tile"


def test_a_lab_that_was_not_handed_in_is_refused(grades: Grades) -> None:
    with pytest.raises(UsageError, match="there is no lab of Ada Lovelace 'lab9'"):
        find_result(grades.students[0], "lab9")


# The command


def test_explain_reads_what_grade_wrote(tmagrade: Tmagrade, course: Course) -> None:
    course.submit("ada", "pipeline any fail")
    grade(tmagrade, course)
    status, printed = tmagrade("explain", "a", "lab3", "--grades", course.repository.grades)
    assert status == 0
    assert "ada, lab3-bulk-copy (Bulk copies): 25/75 +25 pending\n" in printed
    assert "sum: 20 + 0 + 5 = 25\n" in printed
    assert "ada/feedback.md" in printed


def test_explain_before_any_grading_says_so(tmagrade: Tmagrade, course: Course) -> None:
    status, printed = tmagrade("explain", "ada", "lab3", "--grades", course.repository.grades)
    assert status == 2
    assert "nothing was graded into this folder" in printed


def test_without_a_lab_the_sum_of_all_is_shown(course: Course, tmagrade: Tmagrade) -> None:
    course.submit("ada", "")
    course.submit("ada", "load any fail", "lab4-single-tile", "lab4.cu")
    grade(tmagrade, course)
    printed = tmagrade("explain", "ada", "--grades", course.repository.grades)[1]
    assert printed.splitlines()[-1] == "sum: 75 + 0 = 75"
