"""Labs 11 and 13: what a student receives has the findings that the chapter's solution names, and the solutions have
none."""

import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from staff.release.texts import students_text
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_lab
from tmagrade.machine.toolkit import find_toolkit

TMAEMU = HERE.build / "bin/tmaemu"
# Each hunt, and the code of its finding: a row of the table in the chapter's solution, which students do not have.
NAMED = re.compile(r"^\| `([a-z-]+)` \| (?:`([a-z-]+)`|none: wrong numbers) \|", re.MULTILINE)


@dataclass(frozen=True)
class Lab:
    id: str
    source: str

    @property
    def chapter(self) -> Path:
        return HERE.root / f"handout/labs/{self.id}.md"

    @property
    def hunts(self) -> dict[str, str]:
        """Each hunt's code; "" where the numbers are wrong, and nothing is found."""
        return dict(NAMED.findall(self.chapter.read_text(encoding="utf-8")))


LABS = [Lab("lab11-bug-hunts", "lab11.cu"), Lab("lab13-product-hunts", "lab13.cu")]
HUNTS = [(lab, hunt, code) for lab in LABS for hunt, code in lab.hunts.items()]
NAMES = [f"{lab.id}-{hunt}" for lab, hunt, _ in HUNTS]


@dataclass(frozen=True)
class Told:
    right: bool
    codes: list[str]


# Runs a hunt of a lab, as it stands in labs/ or in solutions/.
Run = Callable[[Lab, str, str], Told]


def built(source: Path, program: Path) -> Path:
    command: list[str | Path] = [find_toolkit(HERE).nvcc, "-cudart", "shared", "-lineinfo", "-std=c++20"]
    command += ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", f"-I{HERE.root / 'labs/common'}"]
    subprocess.run([*command, "-o", program, source], check=True)
    return program


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    programs: dict[tuple[str, str], Path] = {}

    @cache
    def told(lab: Lab, kind: str, hunt: str) -> Told:
        if (lab.id, kind) not in programs:
            folder = tmp_path_factory.mktemp("hunts")
            programs[lab.id, kind] = built(HERE.root / kind / lab.id / lab.source, folder / kind)
        command: list[str | Path] = [TMAEMU, "--check=json", programs[lab.id, kind], hunt]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
        lines = [line for line in ended.stderr.splitlines() if line.startswith('{"code":')]
        return Told(ended.returncode == 0, [json.loads(line)["code"] for line in lines])

    return told


@pytest.mark.parametrize("lab", LABS, ids=[lab.id for lab in LABS])
def test_the_chapter_names_every_hunt(lab: Lab) -> None:
    parts = load_lab(HERE.labs / lab.id / "lab.toml").parts
    assert list(lab.hunts) == [part.id for part in parts]


@pytest.mark.parametrize("lab", LABS, ids=[lab.id for lab in LABS])
def test_there_are_twelve_mistakes_or_more_in_a_lab(lab: Lab) -> None:
    assert len(set(lab.hunts.values())) >= 12


@pytest.mark.parametrize(("lab", "hunt", "code"), HUNTS, ids=NAMES)
def test_of_a_hunt_the_cause_is_told_first_that_its_solution_names(run: Run, lab: Lab, hunt: str, code: str) -> None:
    told = run(lab, "labs", hunt)
    assert told.codes[:1] == ([code] if code else [])
    assert code or not told.right


@pytest.mark.parametrize(("lab", "hunt"), [(lab, hunt) for lab, hunt, _ in HUNTS], ids=NAMES)
def test_a_mended_hunt_is_right_and_has_no_finding(run: Run, lab: Lab, hunt: str) -> None:
    assert run(lab, "solutions", hunt) == Told(right=True, codes=[])


# What follows from a cause is told behind it: here a group that is empty leaves the tile to the next load.
WITH_CONSEQUENCES = {"lab13-product-hunts": {"all-in-one"}}


@pytest.mark.parametrize(("lab", "hunt", "code"), HUNTS, ids=NAMES)
def test_a_hunt_has_one_mistake(run: Run, lab: Lab, hunt: str, code: str) -> None:
    if hunt not in WITH_CONSEQUENCES.get(lab.id, set()):
        assert set(run(lab, "labs", hunt).codes) <= {code}


@pytest.mark.parametrize("lab", LABS, ids=[lab.id for lab in LABS])
def test_a_student_does_not_receive_the_names(lab: Lab) -> None:
    assert not NAMED.search(students_text(lab.chapter.read_text(encoding="utf-8"), lab.chapter.name))


@pytest.mark.parametrize("lab", LABS, ids=[lab.id for lab in LABS])
def test_no_launcher_is_asked_for_the_name_which_make_prints_beside_it(lab: Lab) -> None:
    declared = (HERE.root / f"grader/checks/{lab.id}/parts.def").read_text(encoding="utf-8")
    results = re.findall(r"^PART\(\w+, ([^,]+),", declared, re.MULTILINE)
    assert results == ["void"] * len(lab.hunts)
