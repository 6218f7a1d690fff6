"""make guard: whatever a landing can break is compiled, and every short part of the nightly has its turn."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

sys.path.append(str(HERE.grader / "tests/nightly"))

from guard import (
    CLASSES_OF_TURN,
    LONGEST_TURN,
    OF_TESTS,
    PATIENCE,
    guarded,
    landing,
    summary,
    told,
    turns,
    verdict,
)
from nightly import FAILED, PASSED, STOPPED, Ended, Step, steps

GUARDED = guarded()
NIGHTLY = steps(classes=CLASSES_OF_TURN)
TURNS = turns(NIGHTLY, GUARDED)
MAKEFILES = [(HERE.root / name).read_text() for name in ("Makefile", "maintainer.mk")]

# Programs that neither `make test` nor `make guard` compiles, and the part of the nightly that does.
BY_NIGHT = {"tests/conformance_shared": "conformance", "tests/real/": "real"}


def recipe(target: str) -> str:
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", "".join(MAKEFILES), re.MULTILINE)
    assert found, f"make has no {target}"
    return found[1]


def compiled_by(target: str) -> list[str]:
    """What a target of the Makefile at the top asks of the grader's."""
    asked = re.findall(r"\$\(GRADER_BUILD\) ([a-z -]+)", recipe(target))
    return [word for words in asked for word in words.split() if not word.startswith("-")]


def programs() -> dict[str, bool]:
    """All that the grader's make files link; and whether `make test` or the guard does, as make itself says."""
    targets = [made for target in ("build", "test", "bench-programs") for made in compiled_by(target)]
    home = os.path.relpath(find_toolkit(HERE).home, HERE.grader)  # make splits at spaces
    command = ["make", "-np", "BUILD=/nowhere", f"CUDA_HOME={home}", *targets, "fuzzers"]
    said = subprocess.run(command, cwd=HERE.grader, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    blocks = said.stdout.split("\n# Files\n")[1].split("\n\n")
    named = {name[1]: block for block in blocks if (name := re.search(r"^/nowhere/([^%:\n]+):", block, re.MULTILINE))}
    return {
        name: "Successfully updated" in block
        for name, block in named.items()
        if re.match(r"(bin|bench|tests)/.*(?<!\.d)$", name)
    }


def test_each_program_is_compiled_at_a_landing_or_by_night() -> None:
    every = programs()
    assert {"bin/tmaemu", "bin/fuzz_parse_ptx", "bench/lab12-matmul", "tests/experiments/ring_of_sums"} <= set(every)
    left_out = [name for name, compiled in every.items() if not compiled]
    assert [name for name in left_out if not name.startswith(tuple(BY_NIGHT))] == []


def test_what_is_left_to_the_night_is_a_part_of_it() -> None:
    assert set(BY_NIGHT.values()) <= {step.name for step in NIGHTLY}


def test_the_guard_has_a_target_of_make_for_each_step() -> None:
    assert [recipe(step.commands[0][1]) for step in GUARDED]


def test_every_short_part_of_the_nightly_has_its_turn() -> None:
    names = [step.name for step in TURNS]
    assert {"conformance", "properties", "long-1", "long-2", "long-3"} <= set(names)
    assert "bench-programs" not in names  # compiled at each landing
    assert "slurm" not in names  # needs what make does not install
    assert all(step.minutes <= LONGEST_TURN for step in TURNS)


def test_a_landing_waits_no_longer_than_it_may() -> None:
    assert OF_TESTS + sum(step.minutes for step in GUARDED) + LONGEST_TURN <= PATIENCE


def git(folder: Path, *words: str) -> None:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with two commits."""
    folder = tmp_path / "whole"
    folder.mkdir()
    git(folder, "init")
    for number in range(2):
        git(folder, "commit", "--allow-empty", "-m", str(number))
    return folder


DAY_THREE = 3.5 * 24 * 3600


def test_turns_go_by_the_number_of_commits(clone: Path) -> None:
    assert landing(clone, DAY_THREE).number == 2
    git(clone, "commit", "--allow-empty", "-m", "3")
    assert (landing(clone, DAY_THREE).number, landing(clone, 0).by) == (3, "by its 3 commits")


def test_where_commits_are_missing_they_go_by_the_day(clone: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--depth=1", f"file://{clone}", "shallow")
    this = landing(tmp_path / "shallow", DAY_THREE)
    assert (this.number, this.by) == (3, "by the day, since this is no clone with all commits")


def test_where_no_repository_is_they_go_by_the_day_too(tmp_path: Path) -> None:
    assert landing(tmp_path, DAY_THREE).number == 3
    assert landing(tmp_path / "missing", DAY_THREE).number == 3


TWO = Step("fuzzers", (("make", "compile-fuzzers"), ("git", "diff")), minutes=1)


def test_what_fails_is_named_with_its_end_and_how_to_run_it_alone(tmp_path: Path) -> None:
    (tmp_path / "fuzzers.log").write_text("".join(f"line {number}\n" for number in range(100)) + "a.cpp:3: error\n")
    lines = verdict(Ended(TWO, FAILED, 61), tmp_path).splitlines()
    assert lines[0] == "guard: fuzzers failed in 0:01:01. To run it alone: make compile-fuzzers && git diff"
    assert lines[-2] == "    a.cpp:3: error"
    assert "    line 0" not in lines
    assert lines[-1] == f"guard: fuzzers failed; all of it is in {tmp_path}/fuzzers.log"


def test_what_was_stopped_is_said_to_have_been(tmp_path: Path) -> None:
    (tmp_path / "fuzzers.log").touch()
    assert verdict(Ended(TWO, STOPPED, 61), tmp_path).startswith("guard: fuzzers stopped after 0:01:01. ")


def test_the_last_line_is_as_pytest_writes_it() -> None:
    passed, failed = Ended(TWO, PASSED, 1.5), Ended(Step("pages", (), 1), FAILED, 2)
    assert summary([passed, passed]) == "2 passed in 3.00s"
    assert summary([passed, failed]) == "1 failed, 1 passed in 3.50s: pages"
    assert summary([failed]) == "1 failed in 2.00s: pages"


def test_a_part_is_run_alone_by_what_is_told() -> None:
    properties = next(step for step in TURNS if step.name == "properties")
    assert told(properties) == "make test-properties PROPERTIES_CLASSES=300"


def test_continuous_integration_runs_the_tests_and_then_the_guard() -> None:
    assert (HERE.root / ".ci/run").read_text().splitlines()[-1] == "make ci"
    assert re.findall(r"no-print-directory (\w+)", recipe("ci")) == ["test", "guard"]


def test_its_clone_has_all_commits() -> None:
    workflow = yaml.safe_load((HERE.root / ".github/workflows/test.yml").read_text())
    checkout = workflow["jobs"]["test"]["steps"][0]
    assert checkout["with"] == {"fetch-depth": 0}


READS = str(HERE.grader / "tests/reads.sh")


def test_the_compiler_that_only_reads_refuses_what_gcc_refuses(tmp_path: Path) -> None:
    (tmp_path / "wrong.cpp").write_text("int f() { return undeclared; }\n")
    command = [READS, "-Wall", "-Werror", "-c", "wrong.cpp", "-o", "wrong.o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert "wrong.cpp:1:18: error" in done.stderr
    assert not (tmp_path / "wrong.o").exists()


def test_it_leaves_empty_objects_and_programs_where_gcc_would_take_all(tmp_path: Path) -> None:
    (tmp_path / "right.cpp").write_text("int main() {}\n")
    subprocess.run([READS, "-MMD", "-c", "right.cpp", "-o", "right.o"], cwd=tmp_path, check=True)
    subprocess.run([READS, "-o", "right", "right.o"], cwd=tmp_path, check=True)
    names = subprocess.run(["nm", "right.o"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert (names.stdout, (tmp_path / "right").stat().st_size) == ("", 0)
    assert (tmp_path / "right.d").exists()
