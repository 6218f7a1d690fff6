"""A lab stands in several places, which all say the same."""

import shutil
from pathlib import Path

import pytest
from lab_places import Places

from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab, load_lab, load_labs

LAB3 = "lab3-bulk-copy"
LAB9 = "lab9-clusters"


@pytest.mark.parametrize("lab", load_labs(HERE.labs), ids=lambda lab: lab.id)
def test_all_places_of_a_lab_say_the_same(lab: Lab) -> None:
    assert Places(HERE.root, lab).gaps() == []


@pytest.mark.parametrize(
    "places", ["grader/checks/lab*", "solutions/lab*", "labs/lab*", "grader/tests/class/lab*.toml", "handout/labs/*.md"]
)
def test_every_lab_of_any_place_has_a_lab_toml(places: str) -> None:
    known = {lab.id for lab in load_labs(HERE.labs)}
    assert {path.name.removesuffix(".md").removesuffix(".toml") for path in HERE.root.glob(places)} == known


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the repository has of two labs."""
    for lab in (LAB3, LAB9):
        for name in (f"labs/{lab}", f"solutions/{lab}", f"grader/checks/{lab}"):
            shutil.copytree(HERE.root / name, tmp_path / name)
        for name in (f"grader/tests/class/{lab}.toml", f"handout/labs/{lab}.md", "README.md", "handout/index.md"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(HERE.root / name, tmp_path / name)
    return tmp_path


CHECKS = f"grader/checks/{LAB3}/checks.cpp"
PARTS = f"grader/checks/{LAB3}/parts.def"
CLASS = f"grader/tests/class/{LAB3}.toml"
README = f"labs/{LAB3}/README.md"
IDEA = "One thread, one instruction, a whole array."


@pytest.mark.parametrize(
    ("path", "old", "new", "gap"),
    [
        (PARTS, "PART(pipeline,", "PART(pipes,", f"{PARTS} lacks: PART(pipeline, ...)"),
        (PARTS, "PART(pipeline,", "PART(pipes,", f'labs/{LAB3}/lab.toml lacks: id = "pipes"'),
        (
            PARTS,
            "launch_add_one,",
            "launch_any,",
            f"solutions/{LAB3}/lab3.cu lacks: launch_any, the launcher of any-length",
        ),
        (PARTS, "launch_add_one,", "launch_any,", f"labs/{LAB3}/lab3.cu lacks: launch_any, the launcher of any-length"),
        (CHECKS, "examine_add_one(parts::one_tile)", "", f"{CHECKS} lacks: a case of parts::one_tile"),
        (
            CHECKS,
            "measure({parts::pipeline,",
            "measure({parts::one_tile,",
            f"{CHECKS} lacks: measure({{parts::pipeline, ...}})",
        ),
        (
            CHECKS,
            "measure({parts::pipeline,",
            "measure({parts::one_tile,",
            f"{CHECKS} measures parts::one_tile: lab.toml does not",
        ),
        (CHECKS, "lab3_bulk_copy,", "lab3,", f"{CHECKS} lacks: INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy,"),
        (README, "16 bytes | 20 |", "16 bytes | 21 |", f"{README} lacks: | `any-length` | ... | 20 |"),
        (README, "| | right ", "| | ", f"{README} lacks: | | right  ... | 15 |"),
        (
            f"handout/labs/{LAB3}.md",
            "(20 points)",
            "(15 points)",
            f"handout/labs/{LAB3}.md lacks: ### Part `any-length` (20 points)",
        ),
        ("README.md", IDEA, "One thread.", f"README.md lacks: ](handout/labs/{LAB3}.md) | {IDEA} |"),
        (
            "handout/index.md",
            IDEA,
            "One thread.",
            f"handout/index.md lacks: ](labs/{LAB3}.md) | {IDEA} | [lab3.cu](../labs/{LAB3}/lab3.cu) |",
        ),
    ],
)
def test_a_place_that_lacks_something_is_named(copy: Path, path: str, old: str, new: str, gap: str) -> None:
    assert old in (copy / path).read_text()
    (copy / path).write_text((copy / path).read_text().replace(old, new))
    assert gap in Places(copy, load_lab(copy / f"labs/{LAB3}/lab.toml")).gaps()


def test_a_part_for_later_gpus_is_one_for_the_judge_too(copy: Path) -> None:
    cases = copy / f"grader/checks/{LAB9}/cases.h"
    cases.write_text(cases.read_text().replace("judge::for_sm(100, parts::cta_pair)", "parts::cta_pair"))
    gaps = Places(copy, load_lab(copy / f"labs/{LAB9}/lab.toml")).gaps()
    assert gaps == [f"grader/checks/{LAB9}/cases.h lacks: judge::for_sm(100, parts::cta_pair)"]


def test_a_lab_without_a_wrong_student_is_named(copy: Path) -> None:
    (copy / CLASS).write_text("")
    assert Places(copy, load_lab(copy / f"labs/{LAB3}/lab.toml")).gaps() == [f"{CLASS} lacks: a student"]
