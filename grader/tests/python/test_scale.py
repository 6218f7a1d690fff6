"""The class that the grader's speed is measured with."""

import sys
from pathlib import Path

from tmagrade.basics.cache import digest_folder
from tmagrade.basics.paths import HERE

sys.path.insert(0, str(HERE.grader / "tests/scale"))

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
    generate(LAB, 40, tmp_path)
    written = [path.read_text() for path in tmp_path.glob("*/*/*.cu")]
    for text in texts_of(LAB):
        assert any(text["lab3.cu"] in each for each in written), text
