"""The class that the grader's speed is measured with."""

import subprocess
import sys
from pathlib import Path

import pytest

from tmagrade.basics.cache import digest_folder
from tmagrade.basics.paths import HERE

sys.path.insert(0, str(HERE.grader / "tests/scale"))

from class_growth import doubled
from costs import CANARY, processor_seconds, together
from course import divided, row_of
from generate import generate, texts_of

LAB = "lab3-bulk-copy"


def test_no_two_submissions_are_the_same_text(tmp_path: Path) -> None:
    generate(LAB, 60, tmp_path)
    folders = list(tmp_path.glob(f"*/{LAB}"))
    assert len(folders) == len({digest_folder(folder) for folder in folders}) == 60


def test_a_smaller_class_is_the_beginning_of_a_larger(tmp_path: Path) -> None:
    generate(LAB, 10, tmp_path / "ten")
    generate(LAB, 20, tmp_path / "twenty")
    for student in (tmp_path / "ten").iterdir():
        assert digest_folder(student) == digest_folder(tmp_path / "twenty" / student.name)


def test_every_text_of_the_sample_class_is_handed_in(tmp_path: Path) -> None:
    texts = texts_of(LAB)
    generate(LAB, 2 * len(texts), tmp_path)  # every other one hands in the solution
    written = [path.read_text() for path in tmp_path.glob("*/*/*.cu")]
    for text in texts:
        assert any(text["lab3.cu"] in each for each in written), text


def test_what_a_class_costs_counts_each_text_as_often_as_it_is_handed_in() -> None:
    seconds = {"right": {"compiler": 3.0, "late": 2.0, CANARY: 1.0}, "wrong": {"compiler": 3.0, CANARY: 1.5}}
    costs = together(seconds, {"right": 2, "wrong": 1})
    assert costs == [("compiler", 9.0), ("late", 4.0), (CANARY, 1.5), ("together", 14.5)]


def test_what_a_course_costs_is_the_compilers_and_every_policys_and_not_the_canarys() -> None:
    took = divided({"compiler": 3.0, "late": 2.0, "early": 1.0, "names of the library": 0.25, CANARY: 9.0})
    assert took == (3.0, 3.25)
    assert row_of("lab3", *took, students=120) == "| lab3 | 3.0 | 3.2 | 0.21 |"


def test_what_ends_with_its_sandbox_is_counted() -> None:
    """The kernel collects it, and nobody waits for it."""
    script = "(while true; do :; done) & sleep 0.3"
    command = ["bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--die-with-parent", "sh", "-c", script]
    before = processor_seconds()
    subprocess.run(command, check=True, timeout=60)
    assert processor_seconds() - before > 0.1


@pytest.mark.parametrize("most, counts", [(1, [1]), (2, [1, 2]), (16, [1, 2, 4, 8, 16]), (6, [1, 2, 4, 6])])
def test_growth_with_cores_is_measured_up_to_all_that_are_there(most: int, counts: list[int]) -> None:
    assert doubled(most) == counts
