"""What a user says to make reaches the grader as it is, and no shell."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import write_program

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

TELLS = """
    #!/bin/sh
    exec python3 -c 'import json, sys; json.dump(sys.argv[1:], open("told", "w"))' "$@"
"""

# Would each write a file, were it read by a shell or expanded by make; and one that is only odd.
WORDS = [
    "$(touch written)",
    "`touch written`",
    '"; touch written; "',
    "'; touch written; '",
    "$(shell touch written)",
    "$$(touch written)",
    "a b; touch written #",
    'fall\'s "class" of 100 $',
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The top of the repository, with a Python that only writes down what it is told."""
    for name in ("Makefile", "maintainer.mk"):
        shutil.copy(HERE.root / name, tmp_path / name)
    (tmp_path / "grader").mkdir()
    shutil.copytree(HERE.root / "grader/setup", tmp_path / "grader/setup")
    (tmp_path / "grader/staff").mkdir()
    shutil.copy(HERE.root / "grader/staff/staff.mk", tmp_path / "grader/staff")
    (tmp_path / "grader/Makefile").write_text("include setup/words.mk\nall needed:\n\t@true\n")
    write_program(tmp_path / "python", TELLS)
    return tmp_path


def told(root: Path, *arguments: str) -> list[str]:
    command = ["make", "-s", "SETUP=none", "PYTHON=./python", *arguments]
    subprocess.run(command, cwd=root, env=os.environ | {"PATH": "/usr/bin:/bin"}, check=True, capture_output=True)
    words: list[str] = json.loads((root / "told").read_text())
    return words


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize(
    ("variable", "option"),
    [(name, f"--{name.lower()}") for name in ("SUBMISSIONS", "LABS", "ONLY", "SLURM", "OUTPUT")],
)
def test_what_is_to_be_graded_reaches_no_shell(root: Path, variable: str, option: str, text: str) -> None:
    words = told(root, "grade", f"{variable}={text}")
    assert words[words.index(option) + 1] == text
    assert not list(root.rglob("written"))


@pytest.mark.parametrize("text", WORDS)
def test_it_reaches_no_shell_of_a_make_below_either(root: Path, text: str) -> None:
    subprocess.run(
        ["make", "-s", "-C", "grader", "all", f"SUBMISSIONS={text}"], cwd=root, check=True, capture_output=True
    )
    assert not list(root.rglob("written"))


def test_a_dry_run_is_asked_for(root: Path) -> None:
    assert told(root, "grade", "DRY_RUN=yes")[-1] == "--dry-run"


def test_bandwidth_alone_is_asked_for(root: Path) -> None:
    assert told(root, "grade", "BANDWIDTH=alone")[-1] == "--bandwidth-alone"


def refused(root: Path, *arguments: str, **variables: str) -> str:
    """What make says, having done nothing."""
    command = ["make", "-s", "SETUP=none", "PYTHON=./python", *arguments]
    environment = os.environ | {"PATH": "/usr/bin:/bin"} | variables
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert not (root / "told").exists()
    assert not list(root.rglob("written"))
    return done.stderr


@pytest.mark.parametrize(
    ("target", "variable"),
    [("grade", "DRY_RUN"), ("forget", "YES"), ("forget", "ALL"), ("release", "FORCE"), ("release", "BINARIES")],
)
@pytest.mark.parametrize("value", ["1", "true", "YES"])
def test_what_is_neither_yes_nor_no_is_refused(root: Path, target: str, variable: str, value: str) -> None:
    words = f"{variable}={value} is neither yes nor no: say {variable}=yes, or leave it out"
    assert words in refused(root, target, "TO=folder", f"{variable}={value}")


def test_it_is_refused_from_the_environment_by_the_target_that_reads_it(root: Path) -> None:
    assert "DRY_RUN=1 is neither yes nor no" in refused(root, "grade", DRY_RUN="1")


@pytest.mark.parametrize(("variable", "value"), [("BANDWIDTH", "alone"), ("SANDBOX", "none"), ("SETUP", "none")])
def test_a_variable_of_one_value_has_no_other(root: Path, variable: str, value: str) -> None:
    assert f"say {variable}={value}, or leave it out" in refused(root, "grade", f"{variable}=yes")


@pytest.mark.parametrize("value", ["no", ""])
def test_no_is_as_if_it_was_left_out(root: Path, value: str) -> None:
    assert told(root, "grade", f"DRY_RUN={value}")[-1] == "grade"
    assert "--force" not in told(root, "release", "TO=folder", f"FORCE={value}", f"BINARIES={value}")


@pytest.mark.parametrize(
    ("typed", "near"), [("DRYRUN=yes", "DRY_RUN"), ("SUBMISSION=fall/lab3.zip", "SUBMISSIONS"), ("labs=lab3", "LABS")]
)
def test_a_variable_that_nobody_reads_is_refused_with_the_nearest_name(root: Path, typed: str, near: str) -> None:
    name = typed.partition("=")[0]
    assert f"make reads no variable {name} (the nearest name is {near})" in refused(root, "grade", typed)


@pytest.mark.parametrize("folder", ["labs", "labs/lab3-bulk-copy"])
def test_it_is_refused_in_a_labs_folder_too(folder: str) -> None:
    command = ["make", "-s", "help", "PRAT=one-tile"]
    done = subprocess.run(command, cwd=HERE.root / folder, capture_output=True, text=True)
    assert "make reads no variable PRAT (the nearest name is PART)" in done.stderr


def test_its_name_reaches_no_shell(root: Path) -> None:
    assert "make reads no variable" in refused(root, "grade", "';>written;\"=1")


def test_variables_of_the_environment_are_others(root: Path) -> None:
    command = ["make", "-s", "help"]
    environment = os.environ | {"DRYRUN": "yes", "ALL": "1", "FORCE": "on", "SITE": "https://example.org"}
    subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)


def test_every_variable_that_is_spoken_of_is_known() -> None:
    """By `make help`, by the help in a lab's folder, and by the pages."""
    pages = [HERE.root / "Makefile", HERE.root / "maintainer.mk", HERE.labs / "common/lab.mk"]
    pages += [*HERE.root.glob("*.md"), *HERE.root.glob("handout/**/*.md"), *HERE.labs.glob("*/*.md")]
    spoken = {name for page in pages for name in variables_of_make(page.read_text())}
    assert {"SUBMISSIONS", "DRY_RUN", "UPGRADE", "NICKNAME", "DATA", "TOGETHER"} <= spoken
    values = {"BANDWIDTH": "alone", "SANDBOX": "none", "SETUP": "none", "SITE": "text", "UNTRACKED": "leave"}
    given = [f"{name}={values.get(name, 'yes')}" for name in sorted(spoken)]
    done = subprocess.run(["make", "-s", "help", *given], cwd=HERE.root, capture_output=True, text=True)
    assert done.stderr == ""


def variables_of_make(text: str) -> set[str]:
    """What is said in a line of help, or behind `make` on a page."""
    lines = re.findall(r"^[a-z-]+:.*## (.*)|^((?:make|[A-Z]+=).*  .*)|\bmake ([^`\n]*)", text, re.MULTILINE)
    return set(re.findall(r"\b([A-Z][A-Z_]+)=", "\n".join("\n".join(line) for line in lines)))


def test_what_was_not_said_is_not_passed_on(root: Path) -> None:
    assert told(root, "grade")[-1] == "grade"


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("variable", ["PART", "CASE", "POLICY", "DATA", "SEED"])
def test_what_a_student_asks_for_reaches_no_shell(root: Path, variable: str, text: str) -> None:
    words = told(root, "student", "LAB=lab3", f"{variable}={text}")
    assert words[words.index(f"--{variable.lower()}") + 1] == text
    assert not list(root.rglob("written"))


@pytest.mark.parametrize("text", WORDS)
def test_a_labs_name_reaches_no_shell(root: Path, text: str) -> None:
    assert told(root, "student", f"LAB={text}")[-2:] == ["--lab", text]
    assert not list(root.rglob("written"))


def test_the_whole_sample_class_is_asked_for(root: Path) -> None:
    assert told(root, "grade", "CLASS=all")[-2:] == ["--class", "all"]


def test_a_lab_may_be_tested_in_a_folder_of_any_name(root: Path) -> None:
    assert told(root, "student", "LAB=lab3", "DIR=my 'labs'/$x")[-4:] == ["test", "my 'labs'/$x", "--lab", "lab3"]


@pytest.mark.parametrize("action", ["run", "stats", "debug"])
def test_what_runs_the_programs_own_main_takes_no_part(root: Path, action: str) -> None:
    asked = ["LAB=lab3", f"ACTION={action}", "PART=one-tile"]
    command = ["make", "-s", "SETUP=none", "PYTHON=./python", "student", *asked]
    done = subprocess.run(command, cwd=root, env=os.environ | {"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    assert done.returncode != 0
    assert "knows no parts" in done.stderr
    assert not (root / "told").exists()


def first_build(*words: str) -> list[str]:
    """What make says, in a file, that would compile these targets."""
    command = [
        "make",
        "-n",
        "-s",
        "BUILD=/nowhere",
        f"CUDA_HOME={os.path.relpath(find_toolkit(HERE).home, HERE.grader)}",  # make splits at spaces
        *words,
    ]
    environment = {"PATH": os.environ["PATH"]}  # without what a make says that runs this test
    done = subprocess.run(command, cwd=HERE.grader, env=environment, capture_output=True, text=True)
    return [line for line in done.stdout.splitlines() if re.match(r"compiling |\d+ files$", line)]


def test_who_waits_for_the_first_build_is_told_how_far_it_is() -> None:
    first, *rest = first_build("needed", "JUDGES_OF=lab3", "PROGRESS=lab")
    assert first.startswith("compiling the emulator and this lab's judge: a minute or two")
    assert rest == [f"{10 * number} files" for number in range(1, len(rest) + 1)]
    assert len(rest) > 4


def test_who_builds_all_is_told_once_how_long_it_takes() -> None:
    words = "compiling the emulator, the judges and the runner: about two minutes on two cores"
    assert first_build("all", "PROGRESS=build") == [f"{words} where nothing was compiled before"]


@pytest.mark.parametrize("words", [["flags", "PROGRESS=build"], ["needed", "JUDGES_OF=lab3"]])
def test_nothing_is_said_where_nothing_is_compiled_or_nobody_waits(words: list[str]) -> None:
    assert first_build(*words) == []


def test_clean_keeps_what_grading_has_found_out(root: Path) -> None:
    for name in ("grades/grades.json", "sample-grades/grades.json", "records/key/gpu.json", "libraries/key/l.so"):
        (root / "build" / name).parent.mkdir(parents=True)
        (root / "build" / name).touch()
    (root / "build/bin").mkdir()
    (root / "build/bin/runner").touch()
    subprocess.run(["make", "-s", "clean"], cwd=root, check=True, capture_output=True)
    kept = {str(path.relative_to(root / "build")) for path in (root / "build").rglob("*") if path.is_file()}
    assert kept == {"grades/grades.json", "sample-grades/grades.json", "records/key/gpu.json", "libraries/key/l.so"}


def test_clean_leaves_no_folder_where_nothing_is_to_be_kept(root: Path) -> None:
    (root / "build/bin").mkdir(parents=True)
    subprocess.run(["make", "-s", "clean"], cwd=root, check=True, capture_output=True)
    assert not (root / "build").exists()


def test_a_program_that_is_there_is_made_again(root: Path) -> None:
    program = root / "build/tests/emulator_tests"
    program.parent.mkdir(parents=True)
    program.touch()
    (root / "grader/Makefile").write_text(
        ".PHONY: ../build/tests/emulator_tests\n../build/tests/emulator_tests:\n\t@echo new > $@\n"
    )
    subprocess.run(
        ["make", "-s", "SETUP=none", str(program.relative_to(root))], cwd=root, check=True, capture_output=True
    )
    assert program.read_text() == "new\n"
