"""make at the top of labs/: what is done of the course, and what comes next."""

import shutil
from pathlib import Path

from conftest import Course, Tmagrade


def own_folder(course: Course, text: str = "") -> Path:
    """The lab's folder as a student has it, below labs/."""
    folder = course.repository.labs / "lab3-bulk-copy"
    (folder / "lab3.cu").write_text(text)
    return folder


def shown(tmagrade: Tmagrade) -> dict[str, str]:
    """What is said of each part."""
    status, printed = tmagrade("labs")
    assert status == 0, printed
    rows = [line.split(maxsplit=1) for line in printed.splitlines() if line.startswith("  ")]
    return dict(row for row in rows if row[0] not in ("read", "make"))


def test_who_has_done_nothing_is_told_to_begin_with_the_first_part(tmagrade: Tmagrade, course: Course) -> None:
    own_folder(course)
    status, printed = tmagrade("labs")
    assert status == 0
    assert set(shown(tmagrade).values()) == {"-"}
    assert "Next: part one-tile of lab3-bulk-copy" in printed
    assert "PART=one-tile" in printed


def test_a_part_that_was_right_is_done_and_the_next_one_comes_next(tmagrade: Tmagrade, course: Course) -> None:
    folder = own_folder(course)
    assert tmagrade("test", folder, "--part", "one-tile")[0] == 0
    assert shown(tmagrade)["one-tile"] == "done"
    assert "Next: part pipeline" in tmagrade("labs")[1]


def test_a_whole_lab_notes_all_of_its_parts(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", own_folder(course))
    assert {shown(tmagrade)[part] for part in ("one-tile", "pipeline")} == {"done"}
    assert "of lab3-bulk-copy" not in tmagrade("labs")[1]


def test_a_part_stays_done_when_the_file_changes_and_that_is_said(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", own_folder(course), "--part", "one-tile")
    own_folder(course, "// the next part\n")
    assert shown(tmagrade)["one-tile"] == "done; the file has changed since"


def test_some_data_or_one_policy_do_not_make_a_part_done(tmagrade: Tmagrade, course: Course) -> None:
    folder = own_folder(course)
    for choice in (("--data", "ones"), ("--policy", "early"), ("--case", "small")):
        tmagrade("test", folder, "--part", "one-tile", *choice)
    assert shown(tmagrade)["one-tile"] == "-"


def test_what_somebody_else_has_handed_in_is_not_ones_own(tmagrade: Tmagrade, course: Course) -> None:
    own_folder(course)
    tmagrade("test", course.submit("ada", "").folder, "--part", "one-tile")
    assert shown(tmagrade)["one-tile"] == "-"


def test_notes_that_are_damaged_are_none(tmagrade: Tmagrade, course: Course) -> None:
    tmagrade("test", own_folder(course), "--part", "one-tile")
    for file in (course.repository.state / "done").iterdir():
        file.write_text("{")
    assert shown(tmagrade)["one-tile"] == "-"
    shutil.rmtree(course.repository.state / "done")
    assert shown(tmagrade)["one-tile"] == "-"
