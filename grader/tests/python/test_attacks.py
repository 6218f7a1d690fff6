"""Hostile submissions beside honest ones: none gains a point, none does harm, none is noticed by the others.

What each of them is to come to stands in grader/tests/attacks/attacks.toml. Here the first of each family is handed in;
`make attacks` hands in all.
"""

import os
import re
import sys
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

sys.path.insert(0, str(HERE.grader / "tests/attacks"))

from attack_table import TABLE, rendered
from attacks import HONEST, HONEST_LABS, Attack, deviations, names_on_disk, read_attacks
from run import STATE, Outcome, grade, points_lost
from served import ATTACKS as SERVED
from served import KILLED_DURING

pytestmark = pytest.mark.whole_machine

ATTACKS = read_attacks()
ON_THE_EMULATOR = [attack for attack in ATTACKS if attack.place != "gpu"]
FIRST_OF_EACH_FAMILY = list({attack.family: attack for attack in reversed(ON_THE_EMULATOR)}.values())


# Where a text is compiled, and what there is to be had from there.
STAGE = STATE / "work/scratch/submission"
LOOT = [*HERE.solutions.glob("*/*.cu"), *(STATE / "class" / HONEST[1] / lab / f"{lab[:4]}.cu" for lab in HONEST_LABS)]
RELATIVE_PATHS = [
    (attack.name, path)
    for attack in ATTACKS
    if attack.place != "crafted"
    for path in re.findall(r"(?:\.\./)+[\w./-]+", attack.source.read_text())
]


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return grade(FIRST_OF_EACH_FAMILY, "emulator")


def test_every_attack_is_listed() -> None:
    assert {attack.name for attack in ATTACKS} == names_on_disk()


def test_every_attack_that_is_served_is_listed() -> None:
    assert {*SERVED, KILLED_DURING} <= {attack.name for attack in ON_THE_EMULATOR}


@pytest.mark.parametrize(("name", "path"), RELATIVE_PATHS)
def test_an_attack_aims_at_what_is_there(name: str, path: str) -> None:
    assert Path(os.path.normpath(STAGE / path)) in LOOT


def test_the_handouts_table_is_the_attacks() -> None:
    assert TABLE.read_text() == rendered(ATTACKS), "run `make attacks`"


@pytest.mark.parametrize("attack", FIRST_OF_EACH_FAMILY, ids=lambda attack: attack.name)
def test_an_attack_gains_nothing(outcome: Outcome, attack: Attack) -> None:
    assert deviations([attack], outcome.grades) == []


@pytest.mark.parametrize("student", HONEST)
def test_an_honest_student_beside_the_attacks_has_all_points(outcome: Outcome, student: str) -> None:
    assert points_lost(outcome.grades, student) == []


def test_no_attack_makes_the_grader_fail(outcome: Outcome) -> None:
    assert outcome.is_graded, outcome.printed[-3000:]


def test_no_attack_leaves_anything_behind(outcome: Outcome) -> None:
    assert outcome.left == []


def test_no_attack_sends_control_characters_to_the_terminal(outcome: Outcome) -> None:
    assert [c for c in outcome.printed if not (c.isprintable() or c == "\n")] == []


def test_no_message_has_a_line_of_the_machines_files(outcome: Outcome) -> None:
    assert "root:x:0:" not in (outcome.output / "grades.json").read_text()


def test_no_attack_is_a_program_in_the_report(outcome: Outcome) -> None:
    report = (outcome.output / "report.html").read_text()
    assert "<script>document" not in report
    assert "<img src=x" not in report


def test_no_attack_is_a_formula_in_the_spreadsheet(outcome: Outcome) -> None:
    lines = (outcome.output / "grades.csv").read_text().splitlines()
    assert [line for line in lines if line.lstrip('"')[:1] in ("=", "+", "-", "@")] == []
