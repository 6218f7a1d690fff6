"""Grading as a whole, with a pretended compiler and judge: what runs, what is kept, what goes wrong."""

import errno
import itertools
import json
import os
import re
import threading
import time
from pathlib import Path

import pytest
from conftest import Course, write_program

from tmagrade.basics.errors import CannotRecord, GraderFault
from tmagrade.building import builder
from tmagrade.building.builder import Builder, Built
from tmagrade.grading.steps import Plan
from tmagrade.judging.scoring import LabResult
from tmagrade.machine.backend import Engine, Gpu
from tmagrade.submissions.staging import copy_submitted
from tmagrade.submissions.submission import Submission


def verdicts(result: LabResult) -> dict[str, str]:
    return {part.id: part.verdict for part in result.parts}


def judged_under(calls: list[str]) -> list[str]:
    return sorted(call.split()[2] for call in calls if call.startswith("judge"))


def test_a_right_submission_is_built_once_and_judged_under_every_engine(course: Course) -> None:
    [job] = course.grade(course.submit("ada", ""))
    assert verdicts(job.result()) == {"one-tile": "pass", "pipeline": "pass", "hygiene": "pass", "bandwidth": "pending"}
    calls = course.calls
    assert calls.count("nvcc") == 1
    assert judged_under(calls) == ["early", "late"]


def test_correctness_is_judged_under_the_first_engine(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "pipeline early fail"))
    assert verdicts(job.result())["pipeline"] == "pass"
    assert verdicts(job.result())["hygiene"] == "fail"


def test_what_does_not_compile_is_a_build_error_with_the_compilers_lines(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "#error"))
    assert set(verdicts(job.result()).values()) == {"build error"}
    assert job.result().parts[0].message == "lab3.cu(1): error: told to"
    assert judged_under(course.calls) == []


def test_a_folder_without_a_cu_file_is_missing(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "", name="README"))
    assert set(verdicts(job.result()).values()) == {"missing"}
    assert job.result().parts[0].message == "no .cu file was handed in, only README: this lab's is lab3.cu"


@pytest.mark.parametrize("name", ["lab3.cu.txt", "lab3.cu~", "lab3.cu (1)", "LAB3.txt", "lab3.cpp"])
def test_a_file_under_another_name_is_said_with_the_name_that_it_should_have(course: Course, name: str) -> None:
    [job] = course.grade(course.submit("ada", "", name=name))
    said = f"no .cu file was handed in, but {name}: name it lab3.cu, and hand that in"
    assert job.result().parts[0].message == said


def test_no_further_engine_runs_when_nothing_is_left_to_win(course: Course) -> None:
    course.grade(course.submit("ada", "one-tile late fail\npipeline late fail"))
    assert judged_under(course.calls) == ["late"]


def test_on_a_gpu_correctness_and_bandwidth_are_its_own_and_hygiene_the_emulators(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "pipeline early hazard"), gpus=1)
    assert verdicts(job.result()) == {"one-tile": "pass", "pipeline": "pass", "hygiene": "hazard", "bandwidth": "pass"}


def test_the_emulators_libraries_come_first_for_the_emulator_and_never_on_a_gpu(course: Course) -> None:
    course.grade(course.submit("ada", ""), gpus=1)
    first = {call.split(maxsplit=3)[2]: call.split(maxsplit=3)[3] for call in course.calls if call != "nvcc"}
    emulator = str(course.repository.emulator_libraries)
    assert first["late"] == first["early"] == emulator
    assert first["gpu"] == str(course.toolkit.libraries)


def test_unchanged_work_is_not_done_again(course: Course) -> None:
    submissions = [course.submit("ada", ""), course.submit("ben", "#error")]
    before = [job.result() for job in course.grade(*submissions, gpus=1)]
    assert course.calls
    assert [job.result() for job in course.grade(*submissions, gpus=1)] == before
    assert course.calls == []


def test_a_changed_submission_is_graded_again_alone(course: Course) -> None:
    ada, ben = course.submit("ada", ""), course.submit("ben", "")
    course.grade(ada, ben)
    assert course.calls
    course.submit("ada", "pipeline any fail")
    course.grade(ada, ben)
    calls = course.calls
    assert (calls.count("nvcc"), len(judged_under(calls))) == (1, 2)


@pytest.mark.parametrize(
    "part", ["build/bin/judges/lab3-bulk-copy", "build/bin/runner", "build/lib/emulator/libcuda.so.1"]
)
def test_a_changed_grader_judges_again_but_does_not_compile_again(course: Course, part: str) -> None:
    submission = course.submit("ada", "")
    course.grade(submission)
    assert course.calls
    with open(course.repository.root / part, "a") as binary:
        binary.write("# changed\n")
    course.grade(submission)
    assert sorted(call.split()[0] for call in course.calls) == ["judge", "judge"]


def test_a_changed_judge_of_another_lab_judges_nothing_again(course: Course) -> None:
    submission = course.submit("ada", "")
    course.grade(submission)
    assert course.calls
    with open(course.repository.judge("lab4-single-tile"), "a") as binary:
        binary.write("# changed\n")
    course.grade(submission)
    assert course.calls == []


@pytest.mark.parametrize("part", ["labs/common/tma-interface.cuh", "grader/checks/lab3-bulk-copy/entry.cu"])
def test_a_changed_header_compiles_again(course: Course, part: str) -> None:
    submission = course.submit("ada", "")
    course.grade(submission)
    assert course.calls
    path = course.repository.root / part
    path.parent.mkdir(exist_ok=True)
    path.write_text("// changed")
    course.grade(submission)
    assert "nvcc" in course.calls


def test_a_changed_check_of_libraries_compiles_again(
    course: Course, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    submission = course.submit("ada", "")
    course.grade(submission)
    assert course.calls
    check = tmp_path / "check.py"
    check.write_text("# changed")
    monkeypatch.setattr(builder, "CHECKS", (*builder.CHECKS, check))
    course.grade(submission)
    assert "nvcc" in course.calls


def test_an_interrupted_grading_goes_on_where_it_stopped(course: Course) -> None:
    ada = course.submit("ada", "")
    grading = course.grading()
    grading.run([ada])
    assert course.calls
    log = course.repository.root / "calls.txt"

    def stop_when_judged() -> None:
        while not (log.exists() and re.search("^judge", log.read_text(), re.MULTILINE)):
            time.sleep(0.02)
        grading.processes.stop()  # what Ctrl-C does; the judge would hang for a minute

    threading.Thread(target=stop_when_judged).start()
    with pytest.raises(KeyboardInterrupt):
        grading.run([ada, course.submit("ben", "judge hangs")])
    assert judged_under(course.calls) == ["late"]  # ben's
    course.grade(ada)
    assert course.calls == []


def test_the_same_text_is_graded_once_whoever_handed_it_in(course: Course) -> None:
    ada, ben = course.grade(course.submit("ada", "pipeline any fail"), course.submit("ben", "pipeline any fail"))
    calls = course.calls
    assert (calls.count("nvcc"), len(judged_under(calls))) == (1, 2)
    assert ada.result() == ben.result()


def test_a_student_or_a_folder_with_another_name_is_not_graded_again(course: Course) -> None:
    course.grade(course.submit("ada", ""))
    assert course.calls
    (course.handed_in / "ada").rename(course.handed_in / "ada lovelace")
    course.grade(course.submit("ada lovelace", ""))
    assert course.calls == []


def test_the_same_text_for_another_lab_is_other_work(course: Course) -> None:
    course.grade(course.submit("ada", ""), course.submit("ada", "", "lab4-single-tile", "lab3.cu"))
    assert course.calls.count("nvcc") == 2


def test_a_header_of_another_labs_checks_compiles_nothing_again(course: Course) -> None:
    submission = course.submit("ada", "")
    course.grade(submission)
    assert course.calls
    write_program(course.repository.grader / "checks/lab4-single-tile/tiles.h", "// changed")
    course.grade(submission)
    assert course.calls == []


@pytest.mark.parametrize("gpu", [Gpu(0, "NVIDIA H100", "9.0", "580"), Gpu(0, "NVIDIA H200", "9.0", "590")])
def test_another_gpu_or_driver_times_again(course: Course, gpu: Gpu) -> None:
    submission = course.submit("ada", "")
    course.grade(submission, gpus=1)
    assert course.calls
    grading = course.grading(gpus=1)
    grading.plan = Plan(grading.plan.emulator_engines, [Engine("gpu", gpu)])
    grading.run([submission])
    assert judged_under(course.calls) == ["gpu"]


def test_timed_runs_begin_when_no_core_is_at_work(course: Course) -> None:
    course.grade(*(course.submit(name, name) for name in ("ada", "ben", "eve")), gpus=2)
    calls = course.calls
    first_timed = next(index for index, call in enumerate(calls) if " gpu " in call)
    assert all(" gpu " in call for call in calls[first_timed:])


def test_each_gpu_times_one_submission_after_another(course: Course) -> None:
    names = ("ada", "ben", "eve", "max", "zoe")
    texts = (f"{name} waits" for name in names)
    jobs = course.grade(*(course.submit(name, text) for name, text in zip(names, texts)), gpus=2)
    assert all(job.result().measured for job in jobs)
    runs = [json.loads(line) for line in (course.repository.root / "gpus.txt").read_text().splitlines()]
    assert {run["gpu"] for run in runs} == {"0", "1"}
    for gpu in ("0", "1"):
        ours = sorted((run["began"], run["ended"]) for run in runs if run["gpu"] == gpu)
        assert all(first[1] <= second[0] for first, second in itertools.pairwise(ours))


def test_a_full_disk_stops_the_grading_with_words_and_keeps_what_is_done(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben = course.submit("ada", ""), course.submit("ben", "pipeline any fail")
    course.grade(ada)
    assert course.calls

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("tmagrade.basics.cache.tempfile.mkstemp", full)
        with pytest.raises(CannotRecord, match=r"No space left on device.*the same command goes on"):
            course.grade(ada, ben)
    assert course.calls == ["nvcc"]
    course.grade(ada)
    assert course.calls == []
    assert not list(course.repository.records.rglob(".*"))


def test_a_compiler_that_finds_the_disk_full_costs_no_student_points(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tmagrade.basics.cache.SPACE_BYTES", 1 << 60)
    with pytest.raises(CannotRecord):
        course.grade(course.submit("ada", "#error"))


def test_a_compiler_that_the_kernel_ends_for_want_of_memory_costs_no_student_points(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    kills = itertools.count()
    monkeypatch.setattr(builder, "processes_killed_for_memory", lambda: next(kills))
    [job] = course.grade(course.submit("ada", "#error"))
    assert job.fault is not None and "out of memory" in job.fault
    assert not list(course.repository.records.rglob("build.json"))


def test_the_kernels_count_of_processes_killed_for_memory_is_read(tmp_path: Path) -> None:
    statistics = tmp_path / "vmstat"
    statistics.write_text("pgfault 12\noom_kill 3\nkswapd_inodesteal 0\n")
    assert builder.processes_killed_for_memory(statistics) == 3
    statistics.write_text("pgfault 12\n")
    assert builder.processes_killed_for_memory(statistics) == 0


def test_a_submission_that_changes_while_it_is_graded_is_a_fault_and_is_not_kept(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "changes itself"))
    assert job.fault is not None and "changed while it was graded" in job.fault
    assert not list(course.repository.records.rglob("*.json"))


def test_a_submission_that_is_another_while_it_is_copied_is_not_kept_under_its_name(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else what ben hands in letter for letter would get the verdict of what ada had there for a moment."""
    submission = course.submit("ada", "")
    file = submission.folder / "lab3.cu"

    def copy_of_another(folder: Path, destination: Path) -> str:
        file.write_text("one-tile any crash")
        digest = copy_submitted(folder, destination)
        file.write_text("")
        return digest

    with monkeypatch.context() as patch:
        patch.setattr(builder, "copy_submitted", copy_of_another)
        [job] = course.grade(submission)
    assert job.fault is not None and "changed while it was graded" in job.fault
    assert course.grade(course.submit("ben", ""))[0].result().score == 75


@pytest.mark.parametrize("text", ["judge dies", "judge mumbles"])
def test_a_judge_that_fails_is_the_graders_fault_and_the_others_go_on(course: Course, text: str) -> None:
    broken, fine = course.grade(course.submit("ada", text), course.submit("ben", ""))
    assert (broken.result().score, broken.result().pending) == (0, 100)
    assert fine.result().score == 75


def test_what_nobody_foresaw_costs_nobody_else_anything(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(self: Builder, submission: Submission, *_: object) -> Built:
        raise IsADirectoryError("odd") if submission.student == "ada" else GraderFault("known")

    monkeypatch.setattr(Builder, "build", build)
    ada, ben = course.grade(course.submit("ada", ""), course.submit("ben", "other"))
    assert re.search(r"nobody foresaw this: IsADirectoryError.'odd'. .test_grading.py:\d+", ada.fault or "")
    assert ben.fault == "known"


def test_a_file_that_fails_is_named_and_costs_nobody_else_anything(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(self: Builder, submission: Submission, *_: object) -> Built:
        raise OSError(errno.EIO, os.strerror(errno.EIO), "/odd/file")

    monkeypatch.setattr(Builder, "build", build)
    [job] = course.grade(course.submit("ada", ""))
    assert job.fault == "/odd/file: Input/output error; grade again"


def test_a_full_disk_met_by_a_step_ends_the_grading(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(self: Builder, submission: Submission, *_: object) -> Built:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/full/file")

    monkeypatch.setattr(Builder, "build", build)
    with pytest.raises(CannotRecord, match=r"/full/file: No space left on device.*goes on from there"):
        course.grade(course.submit("ada", ""))


def test_a_faults_message_has_the_judges_last_words(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "judge dies"))
    assert job.fault == "the judge failed with status 3 (late): the judge's last words"


def test_a_fault_is_tried_again(course: Course) -> None:
    submission = course.submit("ada", "judge dies")
    course.grade(submission)
    assert course.calls
    course.grade(submission)
    assert judged_under(course.calls) == ["late"]


def test_of_what_a_judge_says_last_a_little_is_kept(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "judge rambles"))
    assert job.fault is not None and "xxx" in job.fault and len(job.fault) < 4000


def test_a_result_is_kept_whole_or_not_at_all(course: Course) -> None:
    submission = course.submit("ada", "")
    course.grade(submission)
    assert course.calls
    for record in course.repository.build.glob("records/*/late.json"):
        record.write_text(record.read_text()[:40])  # as if written halfway
    course.grade(submission)
    assert judged_under(course.calls) == ["late"]


def test_a_record_of_another_version_is_made_anew(course: Course) -> None:
    submission = course.submit("ada", "")
    course.grade(submission)
    assert course.calls
    for record in course.repository.build.glob("records/*/late.json"):
        record.write_text(record.read_text().replace('"bypasses_tma"', '"goes_around"'))
    course.grade(submission)
    assert judged_under(course.calls) == ["late"]


def test_what_a_killed_grader_was_building_is_removed(course: Course) -> None:
    left = course.repository.work / "tmagrade-killed"
    (left / "stage").mkdir(parents=True)
    os.utime(left, (0, 0))
    course.grade(course.submit("ada", ""))
    assert list(course.repository.work.iterdir()) == []


def test_a_part_that_hung_under_two_policies_is_run_under_no_further_one_also_where_a_gpu_judges(
    course: Course,
) -> None:
    text = "pipeline late timeout\npipeline early timeout\npipeline gpu pass"
    [job] = course.grade(course.submit("ada", text), gpus=1, engines=("late", "early", "random:1"))
    assert verdicts(job.result())["one-tile"] == "pass"
    judged = job.work.emulated["random:1"]
    assert {case.verdict for case in judged.cases if case.part == "pipeline"} == {"timeout"}


def test_a_part_that_hung_under_one_policy_only_is_run_under_the_others_where_a_gpu_judges(course: Course) -> None:
    text = "pipeline early timeout\npipeline gpu pass"
    [job] = course.grade(course.submit("ada", text), gpus=1, engines=("late", "early", "random:1"))
    judged = job.work.emulated["random:1"]
    assert {case.verdict for case in judged.cases if case.part == "pipeline"} == {"pass"}
