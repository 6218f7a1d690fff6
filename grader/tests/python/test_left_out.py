"""What the first timing policy has taken is not run under the others, and costs what it would have cost."""

from dataclasses import replace

from conftest import Course

from tmagrade.course.about import Demand, Way
from tmagrade.course.labs import Group, Lab
from tmagrade.grading.grading import Job
from tmagrade.judging.verdicts import Case, Judged

THREE = ("late", "early", "random:1")


def asked(course: Course, engine: str) -> list[str]:
    """What the judge was asked to leave out under the policy, a line a run of it."""
    lines = (course.repository.root / "asked.txt").read_text().splitlines()
    return [line.removeprefix(engine).replace("--short-cases", "").strip() for line in lines if line.startswith(engine)]


def points(job: Job) -> dict[str, float]:
    return {part.id: part.score for part in job.result().parts}


def test_a_part_that_late_has_taken_is_not_run_under_other_policies(course: Course) -> None:
    course.grade(course.submit("ada", "pipeline any fail"), engines=THREE)
    left = "--leave-out pipeline/small --leave-out pipeline/large"
    assert asked(course, "late")[-1] == ""
    assert [asked(course, engine)[-1] for engine in THREE[1:]] == [left, left]


def test_what_was_not_run_costs_hygiene_all_the_same(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "pipeline any fail"), engines=THREE)
    assert points(job) == {"one-tile": 20, "pipeline": 0, "hygiene": 5, "bandwidth": 0}


def test_whether_another_policy_has_run_it_before_the_first_one_ended_makes_no_difference(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "pipeline any fail"), engines=THREE)
    in_turn = job.result()
    early = job.work.emulated["early"]
    run = (replace(case, verdict="hazard") if case.part == "pipeline" else case for case in early.cases)
    job.work.emulated["early"] = replace(early, cases=tuple(run))
    assert job.result() == in_turn


def test_what_a_part_is_about_is_not_asked_of_the_cases_that_are_left(lab3: Lab) -> None:
    """Which may be too short to show it. The first policy has asked it of all."""
    groups = (Group("whole tiles", 10, ("64 ints",)), Group("any length", 10))
    asking = replace(lab3.parts[0], groups=groups, about=(Demand(("overlapped",), 0.05, "output"),))
    lab = replace(lab3, parts=(asking, *lab3.parts[1:]))
    right, wrong = Case("one-tile", "64 ints", "pass", ""), Case("one-tile", "7 ints", "fail", "wrong")
    early = Judged("device", (right,), ways={"one-tile": Way(65536, 65536)})
    assert early.held_to(lab).cases != early.cases
    assert [case.case for case in early.without([wrong]).held_to(lab).cases] == ["64 ints", "7 ints"]


def test_what_only_another_policy_finds_is_found(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "pipeline any fail\none-tile random:1 hazard"), engines=THREE)
    assert points(job)["hygiene"] == 0


def test_a_right_part_is_run_under_every_policy(course: Course) -> None:
    course.grade(course.submit("ada", ""), engines=THREE)
    assert [asked(course, engine)[-1] for engine in THREE] == ["", "", ""]


def test_what_a_gpu_judges_is_run_under_every_policy(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "pipeline late fail"), engines=THREE, gpus=1)
    assert [asked(course, engine)[-1] for engine in THREE] == ["", "", ""]
    assert points(job)["pipeline"] == 0


def test_an_endless_part_is_repeated_once_and_then_left(course: Course) -> None:
    course.grade(course.submit("ada", "pipeline any timeout"), engines=THREE)
    runs = [call.split()[2] for call in course.calls if call.startswith("judge ")]
    assert [runs.count(engine) for engine in THREE] == [2, 1, 1]


def test_what_was_left_out_is_remembered_while_it_is_lost(course: Course) -> None:
    submission = course.submit("ada", "pipeline any fail")
    [first] = course.grade(submission, engines=THREE)
    course.calls  # noqa: B018 (forgets them)
    [again] = course.grade(submission, engines=THREE)
    assert course.calls == []
    assert again.result() == first.result()


def test_what_was_left_out_counts_for_nothing_where_nobody_knows_what_the_first_policy_took(course: Course) -> None:
    submission = course.submit("ada", "pipeline any fail")
    course.grade(submission, engines=THREE)
    [record] = course.repository.root.rglob("late.json")
    record.unlink()
    (course.repository.root / "asked.txt").unlink()
    course.grade(submission, engines=THREE)
    assert len(asked(course, "early")) == 1
