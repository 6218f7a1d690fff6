"""Lab 11: what a student receives has the findings that the chapter's solution names, and the solutions have none."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_lab
from tmagrade.machine.toolkit import find_toolkit
from tmagrade.release.texts import students_text

SOURCE = Path("lab11-bug-hunts/lab11.cu")
TMAEMU = HERE.build / "bin/tmaemu"
CHAPTER = HERE.root / "handout/labs/lab11-bug-hunts.md"
# Each hunt, and the code of its finding: a row of the table in the chapter's solution, which students do not have.
NAMED = re.compile(r"^\| `([a-z-]+)` \| `([a-z-]+)` \|", re.MULTILINE)

HUNTS = dict(NAMED.findall(CHAPTER.read_text(encoding="utf-8")))
# Gives the codes that are told of a hunt.
Told = Callable[[str, str], set[str]]


def built(source: Path, program: Path) -> Path:
    command: list[str | Path] = [find_toolkit(HERE).nvcc, "-cudart", "shared", "-lineinfo", "-std=c++20"]
    command += ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", f"-I{HERE.root / 'labs/common'}"]
    subprocess.run([*command, "-o", program, source], check=True)
    return program


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    folder = tmp_path_factory.mktemp("hunts")
    programs = {kind: built(HERE.root / kind / SOURCE, folder / kind) for kind in ("labs", "solutions")}

    def codes(kind: str, hunt: str) -> set[str]:
        command: list[str | Path] = [TMAEMU, "--check=json", programs[kind], hunt]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return {json.loads(line)["code"] for line in run.stderr.splitlines() if line.startswith('{"code":')}

    return codes


def test_there_are_hunts_enough_and_each_mistake_is_another() -> None:
    lab = load_lab(HERE.labs / SOURCE.parent / "lab.toml")
    assert list(HUNTS) == [part.id for part in lab.parts]
    assert len(HUNTS) == len(set(HUNTS.values())) >= 12


@pytest.mark.parametrize(("hunt", "code"), HUNTS.items(), ids=list(HUNTS))
def test_a_hunt_has_the_finding_that_its_solution_names(told: Told, hunt: str, code: str) -> None:
    assert told("labs", hunt) == {code}


@pytest.mark.parametrize("hunt", HUNTS)
def test_a_mended_hunt_has_no_finding(told: Told, hunt: str) -> None:
    assert told("solutions", hunt) == set()


def test_a_student_does_not_receive_the_names() -> None:
    assert not NAMED.search(students_text(CHAPTER.read_text(encoding="utf-8"), CHAPTER.name))


def test_no_launcher_is_asked_for_the_name_which_make_prints_beside_it() -> None:
    declared = (HERE.root / "grader/checks/lab11-bug-hunts/parts.def").read_text(encoding="utf-8")
    results = re.findall(r"^PART\(\w+, ([^,]+),", declared, re.MULTILINE)
    assert results == ["void"] * len(HUNTS)
