"""A class as Gradescope exports it."""

import re
import time
from pathlib import Path

import pytest
from archive_maker import make_zip
from conftest import Course
from handed_in_class import find, names, one, staged

from staff.platforms.find import Layout
from tmagrade.basics.errors import UsageError

METADATA = """
submission_1:
  :submitters:
  - :name: Jane Doe
    :sid: '7'
    :email: jane@example.edu
  :created_at: 2026-02-01 10:00:00.000000000 -05:00
  :score: 3.0
submission_2:
  :submitters:
  - :name: Jane Doe
    :email: jane@example.edu
  - :name: Ben Roe
    :sid: '8'
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-02-01 16:00:00.000000000 Z
    zone: !ruby/object:ActiveSupport::TimeZone
      name: America/New_York
submission_3:
  :submitters: []
submission_4:
  :submitters:
  - :name: Ann
"""


@pytest.fixture
def export(tmp_path: Path) -> dict[str, str]:
    top = "assignment_99_export/"
    return {
        f"{top}submission_metadata.yml": METADATA,
        f"{top}submission_1/lab3.cu": "old",
        f"{top}submission_2/lab3-bulk-copy/lab3.cu": "new",
        f"{top}submission_3/lab3.cu": "nobody's",
        f"{top}submission_9/lab3.cu": "nobody's",
    }


def test_an_export_from_gradescope_is_taken_apart_by_student(
    course: Course, tmp_path: Path, export: dict[str, str]
) -> None:
    packed = make_zip(tmp_path / "export.zip", export)
    with pytest.raises(UsageError, match="--layout gradescope"):
        find(course, packed)
    found = find(course, packed, layout=Layout.GRADESCOPE)
    assert names(found) == [("8", "lab3"), ("jane@example.edu", "lab3")]
    assert [staged(submission, tmp_path) for submission in found.submissions] == [{"lab3.cu": "new"}] * 2
    assert found.ignored == [
        "jane@example.edu submission_1: lab3-bulk-copy is taken from jane@example.edu submission_2",
        "submission_3: submission_metadata.yml does not say whose it is",
        "submission_4: submission_metadata.yml speaks of it, but it is not there",
        "submission_9: submission_metadata.yml does not say whose it is",
    ]


def alias_bomb(levels: int) -> str:
    lines = ['a0: &a0 ["boom", "boom"]']
    lines += [f"a{level}: &a{level} [*a{level - 1}, *a{level - 1}]" for level in range(1, levels)]
    return "\n".join([*lines, f"submission_1:\n  :submitters:\n  - :email: *a{levels - 1}\n"])


def merge_bomb(levels: int) -> str:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{level}: &a{level} {{<<: [*a{level - 1}, *a{level - 1}]}}" for level in range(1, levels)]
    return "\n".join([*lines, f"submission_1: *a{levels - 1}\n"])


@pytest.mark.parametrize(
    "text",
    [alias_bomb(60), merge_bomb(40), "[" * 100_000, "a: &a [*a]\n", "a: &a {b: *a}\n"],
    ids=["aliases", "merges", "depth", "itself", "itself in a mapping"],
)
def test_metadata_that_says_more_than_it_has_bytes_ends_at_once(course: Course, text: str) -> None:
    (course.handed_in / "submission_metadata.yml").write_text(text)
    (course.handed_in / "submission_1").mkdir()
    began = time.monotonic()
    with pytest.raises(UsageError, match="cannot be read"):
        find(course)
    assert time.monotonic() - began < 5


def test_metadata_may_have_an_alias_here_and_there(course: Course) -> None:
    text = "submission_1:\n  :submitters: &who\n  - :email: jane@example.edu\nsubmission_2:\n  :submitters: *who\n"
    (course.handed_in / "submission_metadata.yml").write_text(text)
    (course.handed_in / "submission_2").mkdir()
    (course.handed_in / "submission_2/lab3.cu").write_text("hers")
    assert one(course).student == "jane@example.edu"


def test_in_gradescope_a_submission_that_is_a_file_stands_alone(course: Course, tmp_path: Path) -> None:
    (course.handed_in / "submission_metadata.yml").write_text("1.cu:\n  :submitters:\n  - :name: Jane\n")
    (course.handed_in / "1.cu").write_text("hers")
    (course.handed_in / "2.cu").write_text("another's")
    assert staged(one(course, labs=slice(1)), tmp_path) == {"1.cu": "hers"}


def test_in_a_class_that_is_no_export_nobody_says_whose_the_hand_ins_are(course: Course) -> None:
    course.submit("ben", "his")
    make_zip(course.handed_in / "jane.zip", {"lab3.cu": "hers"})
    metadata = "".join(f"{name}:\n  :submitters:\n  - :name: eve\n" for name in ("jane.zip", "ben"))
    (course.handed_in / "submission_metadata.yml").write_text(metadata)
    found = find(course)
    assert names(found) == [("ben", "lab3"), ("jane", "lab3")]
    assert found.ignored == ["submission_metadata.yml: a student's folder or archive was expected"]


@pytest.mark.parametrize("text", ["- 1", "a: [", "!!python/object/apply:os.system ['true']", "[" * 5000, "a: *b"])
def test_metadata_that_gradescope_did_not_write_is_refused_in_words(course: Course, text: str) -> None:
    (course.handed_in / "submission_metadata.yml").write_text(text)
    with pytest.raises(UsageError, match=r"submission_metadata\.yml (cannot be read|is not what Gradescope writes)"):
        find(course)


@pytest.mark.parametrize("name", ["..", "../a course", "/tmp", "."])
def test_metadata_cannot_lead_out_of_the_export(course: Course, name: str) -> None:
    (course.handed_in / "submission_metadata.yml").write_text(f"{name}:\n  :submitters:\n  - :name: Eve\n")
    with pytest.raises(UsageError, match=f"ignored {re.escape(name)}: submission_metadata.yml speaks of it, but"):
        find(course)
