"""The canary: a machine that does not give a right program what it must get grades nobody."""

import resource
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import Course, Tmagrade

from tmagrade.basics.errors import GraderFault
from tmagrade.building import builder, compiler
from tmagrade.building.builder import Built
from tmagrade.building.compiler_output import reason, speaks_of_the_text
from tmagrade.grading import canary
from tmagrade.grading.grading import Job
from tmagrade.machine import limits
from tmagrade.machine.scratch import scratch_folder


def broken(course: Course) -> Path:
    return course.repository.root / "linker is broken"


def records(course: Course) -> list[Path]:
    return list(course.repository.records.rglob("*.json"))


def canaries(course: Course, kind: str) -> int:
    return sum(line.startswith(f"canary {kind}") for line in course.all_calls)


def test_on_a_machine_whose_linker_does_not_link_nobody_is_graded(tmagrade: Tmagrade, course: Course) -> None:
    course.submit("ada", "")
    course.submit("ben", "pipeline any fail")
    broken(course).touch()
    status, printed = tmagrade("grade", "--submissions", course.handed_in, "--output", course.repository.grades)
    assert status == 3
    assert "grader fault: ada, ben/lab3-bulk-copy: this machine does not build" in printed
    assert "the linker does not link" in printed and "ld returned 127" in printed
    assert records(course) == []


def test_once_the_machine_is_mended_all_have_their_points(course: Course) -> None:
    submission = course.submit("ada", "")
    broken(course).touch()
    [job] = course.grade(submission)
    assert (job.result().score, job.result().pending) == (0, 100)
    broken(course).unlink()
    [job] = course.grade(submission)
    assert job.result().score == 75


def fault(jobs: list[Job]) -> str:
    [job] = jobs
    assert job.fault is not None
    return job.fault


def test_a_linker_that_breaks_while_a_class_is_graded_costs_nobody_points(course: Course) -> None:
    assert "the linker does not link" in fault(course.grade(course.submit("ada", "breaks the linker")))
    assert records(course) == []


def test_a_process_that_could_not_be_started_once_costs_nobody_points(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "forks in vain once"))
    assert job.fault is None
    assert job.result().score == 75


def test_what_only_the_students_text_does_to_the_linker_is_a_build_error(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "cannot be linked"))
    assert {part.verdict for part in job.result().parts} == {"build error"}
    assert [path.name for path in records(course)] == ["build.json"]


def test_a_crash_on_a_machine_that_crashes_what_is_right_is_a_fault_and_not_kept(course: Course) -> None:
    said = fault(course.grade(course.submit("ada", "one-tile any crash\nbreaks the machine")))
    assert "does not run a program that is known to be right" in said
    assert [path.name for path in records(course)] == ["build.json"]


def test_a_crash_on_a_machine_that_is_well_is_the_students(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "one-tile any crash"))
    assert [part.verdict for part in job.result().parts][:2] == ["crash", "pass"]


@pytest.mark.parametrize("verdict", ["crash", "timeout"])
def test_what_the_emulator_does_not_do_again_costs_no_points_and_withholds_none(course: Course, verdict: str) -> None:
    [job] = course.grade(course.submit("ada", f"one-tile once {verdict}"))
    assert job.fault is None
    assert job.result().score == 75


@pytest.mark.parametrize("verdict", ["crash", "timeout"])
def test_what_the_machine_does_to_a_call_at_the_timed_size_costs_nobody_points(course: Course, verdict: str) -> None:
    [job] = course.grade(course.submit("ada", f"rehearsal once {verdict}"))
    assert (job.result().score, job.result().pending) == (75, 25)


def tries(course: Course, text: str) -> list[str]:
    course.grade(course.submit("ada", text), engines=("late",))
    return [line for line in course.repository.root.joinpath("judged.txt").read_text().splitlines() if "lab3" in line]


@pytest.mark.parametrize("verdict", ["crash", "timeout"])
def test_what_the_machine_may_have_done_is_tried_again_by_one_case_with_the_same_inputs(
    course: Course, verdict: str
) -> None:
    first, again, *_ = tries(course, f"one-tile once {verdict}")
    assert "--seed" not in first
    assert "--filter one-tile --case small --seed 7" in again


def test_a_part_that_crashes_again_is_judged_no_third_time(course: Course) -> None:
    assert len(tries(course, "one-tile any crash")) == 2


def test_a_run_in_which_the_machine_lets_every_call_hang_costs_nobody_points(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "one-tile once-twice timeout"))
    assert job.result().score == 75


def test_a_crash_on_a_gpu_is_no_ones_but_the_students(course: Course) -> None:
    """There a mistake shows one run in ten."""
    [job] = course.grade(course.submit("ada", "one-tile gpu crash"), gpus=1)
    assert job.result().parts[0].verdict == "crash"
    assert sum("judge lab3-bulk-copy gpu" in call for call in course.all_calls) == 1


@pytest.mark.parametrize("text, verdict", [("hangs once", "pass"), ("hangs", "build error")])
def test_a_compiler_that_came_to_no_end_is_started_once_more(
    course: Course, monkeypatch: pytest.MonkeyPatch, text: str, verdict: str
) -> None:
    monkeypatch.setattr(compiler, "COMPILER_TIMEOUT_SECONDS", 0.5)
    monkeypatch.setattr(builder, "QUICK_SECONDS", 0)
    [job] = course.grade(course.submit("ada", f"the compiler {text}"), engines=("late",))
    assert job.fault is None
    assert job.result().parts[0].verdict == verdict


def test_where_the_reference_solution_is_not_right_nobody_of_its_lab_is_graded(course: Course) -> None:
    course.solve("pipeline any fail")
    lab3 = course.submit("ada", "")
    lab4 = course.submit("ada", "", "lab4-single-tile", "lab4.cu")
    first, second = course.grade(lab3, lab4)
    assert first.fault is not None and "pipeline: fail: it is a fail" in first.fault
    assert second.result().score == 100
    assert not (course.repository.state / "canary/lab3-bulk-copy.json").exists()


def test_where_the_reference_solution_is_told_to_cheat_nobody_of_its_lab_is_graded(course: Course) -> None:
    course.solve("rehearsal any cheated")
    assert "pipeline: cheated: it is a cheated" in fault(course.grade(course.submit("ada", "")))


def test_where_the_reference_solution_does_not_build_its_message_is_told(course: Course) -> None:
    course.solve("#error")
    said = fault(course.grade(course.submit("ada", "")))
    assert "the reference solution does not build here" in said and "error: told to" in said


def test_a_reference_solution_that_was_right_is_not_judged_again(course: Course) -> None:
    course.solve("")
    course.grade(course.submit("ada", "// 1"))
    assert len([call for call in course.all_calls if "judge lab3" in call and call.startswith("judge")]) == 3
    course.grade(course.submit("ada", "// 2"))
    assert len([call for call in course.all_calls if "judge lab3" in call and call.startswith("judge")]) == 2


def test_one_that_was_wrong_is_judged_again(course: Course) -> None:
    course.solve("pipeline any fail")
    submission = course.submit("ada", "")
    for _ in range(2):
        course.grade(submission)
        assert course.calls.count("nvcc") == 1


def test_under_other_limits_the_reference_solution_is_judged_again(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    course.solve("the solution")
    course.grade(course.submit("ada", "// 1"))
    assert course.calls
    monkeypatch.setattr(canary, "described", lambda: "less of everything")
    course.grade(course.submit("ada", "// 2"))
    assert course.calls.count("nvcc") == 2


def test_the_known_program_is_built_and_judged_each_time(course: Course) -> None:
    for text in ("// 1", "// 2"):
        course.grade(course.submit("ada", text))
        calls = course.all_calls
        assert calls.count("canary nvcc") == 1
        assert sum(call.startswith("canary judge") for call in calls) == 1


def test_for_a_students_own_edits_the_known_program_is_built_once_in_ten_minutes(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text, builds in (("// 1", 1), ("// 2", 0)):
        course.grading().run([course.submit("ada", text)], own=True)
        calls = course.all_calls
        assert calls.count("canary nvcc") == builds
        assert sum(call.startswith("canary judge") for call in calls) == 1
    monkeypatch.setattr(canary, "RECENT_SECONDS", 0.0)
    course.grading().run([course.submit("ada", "// 3")], own=True)
    assert canaries(course, "nvcc") == 1


def test_a_linker_that_broke_since_costs_a_student_no_points(course: Course) -> None:
    course.grading().run([course.submit("ada", "// 1")], own=True)
    broken(course).touch()
    jobs = course.grading().run([course.submit("ada", "// 2")], own=True)
    assert "the linker does not link" in fault(jobs)


def test_a_students_own_text_is_compiled_while_the_known_program_is_tried(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    grading = course.grading()
    begun, build, demand = threading.Event(), grading.builder.build, grading._demand_canaries

    def builds(*words: Any) -> Built:
        begun.set()
        return build(*words)

    def demands(*words: Any) -> None:
        assert begun.wait(60)
        demand(*words)

    monkeypatch.setattr(grading.builder, "build", builds)
    monkeypatch.setattr(grading, "_demand_canaries", demands)
    [job] = grading.run([course.submit("ada", "")], own=True)
    assert job.result().fault is None
    assert course.calls.count("nvcc") == 1


def test_a_text_that_was_compiled_meanwhile_is_not_graded_where_the_machine_is_at_fault(course: Course) -> None:
    (course.repository.root / "machine is broken").touch()
    jobs = course.grading().run([course.submit("ada", "")], own=True)
    assert "does not run a program that is known to be right" in fault(jobs)
    assert [call for call in course.calls if call.startswith("judge")] == []


def test_where_nothing_is_left_to_do_no_canary_is_sent_ahead(course: Course) -> None:
    submission = course.submit("ada", "")
    course.grade(submission)
    assert course.all_calls
    course.grade(submission)
    assert course.all_calls == []


def test_every_gpu_judges_the_known_program(course: Course) -> None:
    course.grade(course.submit("ada", ""), gpus=2)
    assert sum(call.startswith("canary judge canary gpu") for call in course.all_calls) == 2


def test_a_missing_known_program_is_a_fault(course: Course) -> None:
    (course.repository.grader / "checks/canary/program/canary.cu").unlink()
    (course.repository.grader / "checks/canary/program").rmdir()
    assert "is missing" in fault(course.grade(course.submit("ada", "")))


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        (resource.RLIMIT_AS, "-v"),
        (resource.RLIMIT_NOFILE, "-n"),
        (resource.RLIMIT_FSIZE, "-f"),
        (resource.RLIMIT_CPU, "-t"),
        (resource.RLIMIT_NPROC, "-u"),
    ],
)
def test_a_low_limit_is_found_before_anybody_is_graded(
    tmagrade: Tmagrade, course: Course, monkeypatch: pytest.MonkeyPatch, kind: int, option: str
) -> None:
    known = resource.getrlimit
    monkeypatch.setattr("resource.getrlimit", lambda which: (64, 64) if which == kind else known(which))
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    course.submit("ada", "")
    status, printed = tmagrade("grade", "--submissions", course.handed_in, "--output", course.repository.grades)
    assert status == 3
    assert f"(ulimit {option})" in printed
    assert course.all_calls == []


def test_a_soft_limit_is_raised_as_far_as_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = {resource.RLIMIT_NOFILE: (64, 4096)}
    monkeypatch.setattr("resource.getrlimit", lambda which: now.get(which, (-1, -1)))
    monkeypatch.setattr("resource.setrlimit", now.__setitem__)
    limits.raise_limits()
    assert now == {resource.RLIMIT_NOFILE: (1024, 4096)}


@pytest.mark.parametrize("table", ["sys/kernel/pid_max", "sys/kernel/threads-max"])
def test_a_full_table_of_processes_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    (tmp_path / table).parent.mkdir(parents=True)
    (tmp_path / table).write_text("1000\n")
    (tmp_path / "loadavg").write_text("0.1 0.1 0.1 2/900 12345\n")
    monkeypatch.setattr(limits, "PROC", tmp_path)
    assert any("table of processes" in lack.what for lack in limits.lacking_limits())


def test_a_containers_limit_on_processes_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "cgroup/box"
    own.mkdir(parents=True)
    (own / "pids.max").write_text("100\n")
    (own / "pids.current").write_text("3\n")
    (tmp_path / "self").mkdir()
    (tmp_path / "self/cgroup").write_text("0::/box/inner\n")
    monkeypatch.setattr(limits, "PROC", tmp_path)
    monkeypatch.setattr(limits, "CGROUPS", tmp_path / "cgroup")
    assert any("pids.max" in lack.what for lack in limits.lacking_limits())


@pytest.mark.parametrize(
    "output",
    [
        "lab3.cu(12): error: expected a ;\n",
        "inc/add.cuh(1): catastrophic error: cannot open source file\n",
        "lab3.cu:12:5: error: 'x' was not declared\n",
        "lab3.cu:1: fatal error: no.h: No such file or directory\n",
        "/usr/bin/ld: /tmp/x.o: in function `f': undefined reference to `g'\n",
    ],
)
def test_an_error_with_a_place_or_a_name_speaks_of_the_text(output: str) -> None:
    assert speaks_of_the_text(output)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("collect2: error: ld returned 127 exit status\n", "the linker does not link"),
        ("prlimit: failed to set the AS resource limit: Operation not permitted\n", "prlimit cannot set"),
        ("bwrap: Creating new namespace failed\n", "bubblewrap cannot make"),
        ("env: 'bwrap': Permission denied\n", "env cannot start"),
        ("g++: fatal error: cannot execute 'cc1plus': vfork: Resource temporarily unavailable\n", "no more processes"),
        ("lab3.cu(1): catastrophic error: could not open source file: Too many open files\n", "too few files"),
        ("cc1plus: out of memory allocating 65536 bytes\n", "too little memory"),
        ("", "the compiler fails"),
    ],
)
def test_what_the_machine_lacks_is_put_into_words(output: str, words: str) -> None:
    assert not speaks_of_the_text(output)
    assert words in reason(output)


def test_a_machine_that_starts_no_process_is_a_fault(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    grading = course.grading()
    assert grading.digest  # which asks the compiler for its version
    monkeypatch.setattr("tmagrade.machine.processes.subprocess.Popen", refuse)
    with scratch_folder() as folder, pytest.raises(GraderFault, match="starts no process any more"):
        grading.canary.probe(folder)
