"""What a student types between two edits: a part, a case, a policy, the data; and again at each save."""

import fcntl
import itertools
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Course, Tmagrade, write_program

from tmagrade.basics.paths import HERE
from tmagrade.building.sandbox import NoSandbox
from tmagrade.commands.watching import saves
from tmagrade.course.about import Demand, Way
from tmagrade.judging import judge
from tmagrade.judging.judge import Asked
from tmagrade.judging.student_loop import StudentLoop
from tmagrade.judging.verdicts import parse_verdicts


def asked(course: Course) -> list[str]:
    """What the judge was asked, a line a run."""
    return (course.repository.root / "asked.txt").read_text().splitlines()


def test_a_part_alone_is_run_under_every_policy_and_gets_no_score(tmagrade: Tmagrade, course: Course) -> None:
    status, printed = tmagrade("test", course.submit("ada", "").folder, "--part", "one-tile")
    assert status == 0
    assert [line.split() for line in printed.splitlines()] == [["one-tile", "small", "OK"], ["one-tile", "large", "OK"]]
    assert sorted(line.split()[0] for line in asked(course)) == ["early", "late", "random:1", "random:2", "random:3"]


def test_a_case_is_run_alone(tmagrade: Tmagrade, course: Course) -> None:
    folder = course.submit("ada", "").folder
    _, printed = tmagrade("test", folder, "--part", "pipeline", "--case", "large")
    assert [line.split() for line in printed.splitlines()] == [["pipeline", "large", "OK"]]


def test_a_policy_is_the_only_one(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", course.submit("ada", "").folder, "--policy", "random:7")
    assert [line.split()[0] for line in asked(course)] == ["random:7"]


def test_check_takes_a_part_and_its_own_number_of_policies(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("check", course.submit("ada", "").folder, "--part", "one-tile", "--seeds", "7")
    assert len(asked(course)) == 9


def test_all_policies_get_the_same_inputs(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", course.submit("ada", "").folder, "--part", "one-tile", "--data", "index")
    given = {tuple(word for word in line.split()[1:] if word != "--short-cases") for line in asked(course)}
    assert len(given) == 1
    assert "--data index" in asked(course)[0]


def test_one_policy_has_the_long_cases(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", course.submit("ada", "").folder)
    assert {line.split()[0] for line in asked(course) if "--short-cases" not in line} == {"late"}


def test_a_case_that_is_asked_for_may_be_long_under_every_policy(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", course.submit("ada", "").folder, "--part", "pipeline", "--case", "large")
    assert not any("--short-cases" in line for line in asked(course))


def test_a_call_that_does_not_end_costs_as_much_as_in_grading_and_once_a_part(
    tmagrade: Tmagrade, course: Course
) -> None:
    tmagrade("test", course.submit("ada", "").folder, "--policy", "late")
    [words] = asked(course)[:1]
    assert words.endswith("--stop-at-timeout") and "--timeout-seconds" not in words


def test_a_part_alone_is_held_to_what_it_is_about_where_all_its_cases_were_run(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = course.submit("ada", "")
    about = (Demand(("bulk_stores",), 0.5, "output"),)
    lab = replace(submission.lab, parts=tuple(replace(part, about=about) for part in submission.lab.parts))
    seen = {"one-tile": Way(65536, 65536, {})}
    monkeypatch.setattr(judge, "parse_verdicts", lambda text: replace(parse_verdicts(text), ways=seen))
    loop = StudentLoop(course.repository, course.toolkit, NoSandbox(course.repository, course.toolkit), cores=1)

    def wrong(asked: Asked) -> list[str]:
        tried = loop.run(lab, submission.folder, asked, ["late"])
        return [case.case for each in tried.cases for case in each.wrong.values()]

    assert wrong(Asked(part="one-tile")) == ["all cases together"]
    assert wrong(Asked(part="one-tile", case="small")) == []


def test_after_a_call_that_did_not_end_no_further_policy_is_begun(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tmagrade.judging.student_loop.LONG_SECONDS", 0.0)
    submission = course.submit("ada", "one-tile any timeout")
    loop = StudentLoop(course.repository, course.toolkit, NoSandbox(course.repository, course.toolkit), cores=1)
    tried = loop.run(submission.lab, submission.folder, Asked(part="one-tile"), ["late", "early"])
    assert [list(case.verdicts) for case in tried.cases] == [["late"], ["late"]]


@pytest.mark.parametrize(("policies", "threads"), [(["late"], 4), (["late", "early"], 2), (["late"] * 5, 1)])
def test_the_policies_share_the_processors(course: Course, policies: list[str], threads: int) -> None:
    submission = course.submit("ada", "")
    loop = StudentLoop(course.repository, course.toolkit, NoSandbox(course.repository, course.toolkit), cores=4)
    loop.run(submission.lab, submission.folder, Asked(), policies)
    said = (course.repository.root / "threads.txt").read_text().split()
    assert said == [str(threads)] * len(policies)


def test_the_course_itself_leaves_no_part_that_hangs(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", course.submit("ada", "").folder)
    assert not any("--stop-at-timeout" in line for line in asked(course))


def test_a_case_that_fails_says_under_which_policies_and_what_repeats_it(tmagrade: Tmagrade, course: Course) -> None:
    folder = course.submit("ada", "pipeline early fail").folder
    status, printed = tmagrade("test", folder, "--part", "pipeline", "--case", "small", "--seed", "11")
    assert status == 1
    assert "FAIL  under early\n    it is a fail\n" in printed
    assert "again: make PART=pipeline CASE=small POLICY=early SEED=11\n" in printed


def test_a_mistake_is_explained_in_the_first_case_that_shows_it(tmagrade: Tmagrade, course: Course) -> None:
    folder = course.submit("ada", "one-tile any hazard\npipeline any hazard").folder
    _, printed = tmagrade("test", folder, "--policy", "late", "--seed", "11")
    assert printed.count("[trap]") == 1
    assert printed.count("found here, too, as above: trap") > 0
    assert printed.count("read: ") == 1


def test_the_data_that_were_asked_for_are_repeated(tmagrade: Tmagrade, course: Course) -> None:
    folder = course.submit("ada", "pipeline early fail").folder
    _, printed = tmagrade("test", folder, "--data", "ones", "--seed", "11")
    assert "POLICY=early SEED=11 DATA=ones\n" in printed


def test_a_text_that_does_not_compile_says_why(tmagrade: Tmagrade, course: Course) -> None:
    status, printed = tmagrade("test", course.submit("ada", "#error").folder, "--part", "pipeline")
    assert status == 1
    assert "build error: lab3.cu(1): error: told to" in printed


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--part", "pipline", "lab3-bulk-copy has no part 'pipline'; it has one-tile, pipeline"),
        ("--case", "medium", "CASE='medium': there is no such case; there are: small; large"),
        ("--policy", "sooner", "POLICY is late, early or random:N with a number N, not 'sooner'"),
        ("--data", "noise", "DATA is random, index or ones, not 'noise'"),
    ],
)
def test_what_is_not_known_is_answered_by_what_is(
    tmagrade: Tmagrade, course: Course, option: str, value: str, said: str
) -> None:
    status, printed = tmagrade("test", course.submit("ada", "").folder, option, value)
    assert status == 2
    assert said in " ".join(printed.split())


def test_a_text_is_compiled_once_for_all_that_is_tried(tmagrade: Tmagrade, course: Course) -> None:
    folder = course.submit("ada", "").folder
    tmagrade("test", folder, "--part", "pipeline")
    tmagrade("test", folder, "--part", "one-tile")
    assert course.calls.count("nvcc") == 1


# make run, make stats, make debug

PRETENDED = """
    #!/bin/sh
    if [ "$1" = --version ]; then echo "release 13.0, V13.0.88"; exit; fi
    cp "$0.program" program
"""


@pytest.fixture
def program(course: Course, monkeypatch: pytest.MonkeyPatch) -> Course:
    """A compiler whose programs only say under which settings they run."""
    write_program(course.toolkit.nvcc, PRETENDED)
    ran = course.repository.root / "ran.txt"
    told = f'#!/bin/sh\necho "$TMAEMU_ASYNC $TMAEMU_STATS $TMAEMU_CHECK" > "{ran}"\n'
    write_program(course.toolkit.home / "bin/nvcc.program", told)
    for name in ("TMAEMU_ASYNC", "TMAEMU_STATS", "TMAEMU_CHECK"):
        monkeypatch.delenv(name, raising=False)
    return course


def settings(course: Course) -> list[str]:
    return (course.repository.root / "ran.txt").read_text().split()


@pytest.mark.parametrize(
    ("command", "expected"),
    [("run", ["early"]), ("stats", ["early", "table"]), ("debug", ["early", "strict"])],
)
def test_a_program_runs_under_the_policy_that_is_asked_for(
    tmagrade: Tmagrade, program: Course, command: str, expected: list[str]
) -> None:
    status, printed = tmagrade(command, program.submit("ada", "").folder, "--policy", "early")
    assert status == 0, printed
    assert settings(program) == expected


def test_a_program_runs_under_the_policy_of_the_environment(
    tmagrade: Tmagrade, program: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMAEMU_ASYNC", "early")
    tmagrade("run", program.submit("ada", "").folder)
    assert settings(program) == ["early"]


def test_debug_says_what_works_without_a_gpu(tmagrade: Tmagrade, program: Course) -> None:
    _, printed = tmagrade("debug", program.submit("ada", "").folder)
    assert "printf and assert work in kernels" in printed


# make watch


def test_a_save_is_noticed_and_nothing_else(tmp_path: Path) -> None:
    source = tmp_path / "lab3.cu"
    source.write_text("one")
    polls = itertools.count()

    def sleep(_: float) -> None:
        (tmp_path / "notes.txt").write_text("no source")
        if next(polls) == 3:
            source.write_text("another text")

    noticed = saves(tmp_path, sleep)
    next(noticed)
    next(noticed)
    assert next(polls) == 4


# make in a lab's folder


def test_a_test_that_fails_makes_one_line_of_makes_own(tmp_path: Path) -> None:
    write_program(tmp_path / "python", "#!/bin/sh\nexit 1\n")
    command = ["make", "SETUP=none", f"PYTHON={tmp_path / 'python'}"]
    environment = {"PATH": os.environ["PATH"]}  # without what a make says that runs this test
    lab = HERE.labs / "lab3-bulk-copy"
    done = subprocess.run(command, cwd=lab, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert len((done.stdout + done.stderr).splitlines()) == 1


@pytest.mark.parametrize("action", ["run", "stats", "debug"])
def test_what_runs_the_programs_own_main_takes_no_part(action: str) -> None:
    command = ["make", "SETUP=none", "PYTHON=true", action, "PART=one-tile"]
    done = subprocess.run(command, cwd=HERE.labs / "lab3-bulk-copy", capture_output=True, text=True)
    assert done.returncode == 2
    assert f"make {action} runs the program's own main(), which knows no parts" in done.stderr


def test_of_two_that_build_at_once_the_second_says_that_it_waits(tmp_path: Path) -> None:
    script = HERE.root / "grader/setup/in_turn.sh"
    (tmp_path / "build").mkdir()
    with open(tmp_path / "build/.building", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen(
            [script, "echo", "built"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as second:
            assert second.stderr is not None
            said = second.stderr.readline()
            assert second.poll() is None
            fcntl.flock(lock, fcntl.LOCK_UN)
            assert second.communicate()[0] == "built\n"
    assert said == "another make builds in this repository: this one waits until it has ended\n"


def make(folder: Path, *words: str) -> str:
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(["make", "-s", *words], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_help_in_a_lab_takes_twelve_lines() -> None:
    assert len(make(HERE.labs / "lab3-bulk-copy", "help").splitlines()) == 12


@pytest.mark.parametrize("target", ["test", "watch", "check", "run", "stats", "debug", "bench", "hand-in", "submit"])
def test_help_in_a_lab_names_every_command(target: str) -> None:
    said = make(HERE.labs / "lab3-bulk-copy", "help")
    assert ("make  " if target == "test" else f"make {target} ") in said
