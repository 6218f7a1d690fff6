"""Nobody is lost for the script of a name: not on a platform, not between two, and not on the way to the grade book."""

import csv
import io
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Course, Tmagrade
from hypothesis import given
from hypothesis import strategies as st
from names_of_the_world import NAMES, canvas_name, gradescope_metadata, moodle_name
from test_term import TERM, begin_term, grade, put, said, sheet

from staff.platforms.canvas import canvas_file, feedback_place
from tmagrade.basics.names import folded

FORMS = ("NFC", "NFD")
Form = Callable[[str], str]


def form(name: str) -> Form:
    return lambda text: unicodedata.normalize(name, text)  # type: ignore[arg-type]


def roster(written: Form) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["id", "name", "email", "canvas"])
    for number, (family, given_name) in enumerate(NAMES):
        table.writerow([f"s{number}", written(f"{given_name} {family}"), f"s{number}@a.edu", 500 + number])
    return text.getvalue()


def hand_in(course: Course, platform: str, packed: Form) -> None:
    """As the platform names it, by a computer that composes accents, or takes them apart."""
    for number, (family, given_name) in enumerate(NAMES):
        if platform == "canvas":
            path = f"{packed(canvas_name(family, given_name))}_{500 + number}_{9000 + number}_lab3.cu"
        elif platform == "moodle":
            path = f"{packed(moodle_name(family, given_name))}_{700 + number}_assignsubmission_file/lab3.cu"
        else:
            path = f"submission_{number}/lab3.cu"
        put(course, path)
    if platform == "gradescope":
        people = {f"s{number}@a.edu": (packed(one), packed(other)) for number, (one, other) in enumerate(NAMES)}
        put(course, "submission_metadata.yml", gradescope_metadata(people))


def test_there_are_two_hundred_names_and_no_two_are_one() -> None:
    assert len({folded(f"{one} {other}") for one, other in NAMES}) == len(NAMES) == 200


@pytest.mark.parametrize("platform", ["canvas", "moodle", "gradescope"])
@pytest.mark.parametrize(("packed", "written"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_everybody_is_found_however_their_accents_are_written(
    course: Course, tmagrade: Tmagrade, tmp_path: Path, platform: str, packed: str, written: str
) -> None:
    begin_term(course, TERM, roster(form(written)))
    hand_in(course, platform, form(packed))
    printed = grade(tmagrade, course, "--labs", "lab3")
    assert "kept in the term: 200 results" in printed and "ignored" not in printed
    assert {row["lab3-bulk-copy"] for row in sheet(tmagrade, tmp_path / "sheet.csv").values()} == {"75"}


@pytest.mark.parametrize("form_of", FORMS)
def test_feedback_goes_back_under_the_names_of_canvas(form_of: str) -> None:
    for number, (family, given_name) in enumerate(NAMES):
        called = form(form_of)(canvas_name(family, given_name))
        place = feedback_place(f"{called}_LATE_{number}_{9000 + number}_lab3.cu")
        assert place == (f"{called}_{number}", f"{called}_LATE_{number}_{9000 + number}_")


def test_of_a_name_in_symbols_alone_canvas_keeps_nothing_but_the_number() -> None:
    file = canvas_file(Path("_501_9001_lab3.cu"))
    assert file is not None and (file.student, file.number, file.original) == ("_501", 9001, "lab3.cu")


@given(st.text(st.characters(codec="utf-8"), max_size=12))
def test_a_name_is_the_same_in_every_form_and_case(name: str) -> None:
    assert folded(unicodedata.normalize("NFD", name)) == folded(unicodedata.normalize("NFC", name)) == folded(name)
    assert folded(folded(name)) == folded(name)


def test_whom_a_word_means_does_not_depend_on_how_it_is_typed(course: Course, tmagrade: Tmagrade) -> None:
    begin_term(course, TERM, "id,name\nz1,Zoë Brontë\ni1,İpek Müller\n")
    for word, id_ in (("zoe\u0308", "z1"), ("i̇pek", "i1"), ("MÜLLER", "i1")):
        assert f"{id_} (" in said(tmagrade, "excuse", word, "lab3", "--reason", "ill")


def test_moodles_number_says_who_it_is_before_any_name(course: Course, tmagrade: Tmagrade) -> None:
    """Two of one name, and identities that are hidden; a team's number is none of a person's."""
    begin_term(
        course,
        TERM,
        "id,name,participants,group\nw1,Wei Zhang,596 812,\nw2,Wei Zhang,597,\nc,Cy,17,\nd,Di,,T\ne,Ed,,T\n",
    )
    for name in ("Wei Zhang_597", "Participant_812", "T_17"):
        put(course, f"{name}_assignsubmission_file/lab3.cu", f"// {name}")
    assert "kept in the term: 4 results" in grade(tmagrade, course, "--labs", "lab3")
    for who, called in (("w1", "Participant_812"), ("w2", "Wei Zhang_597"), ("d", "T_17"), ("e", "T_17")):
        assert f"; {called} (moodle)" in said(tmagrade, "history", who, "lab3")
    assert said(tmagrade, "history", "c", "lab3") == ""


# What is ignored

ZERO = TERM.replace("drop_lowest = 0", 'missing = "zero"\npending = "scale"').replace("2026-", "2024-")
ZERO = ZERO.replace('lab = "lab3"', 'lab = "lab3"\ncanvas = "Lab 3 (8)"')
BOOK = "Student,ID,Section,Lab 3 (8)\n" + "".join(f"S,{number},,\n" for number in (101, 102, 103, 104))


@pytest.fixture
def book(course: Course, tmp_path: Path) -> Path:
    begin_term(course, ZERO)
    put(course, "lovelaceada_101_1_lab3.cu")
    put(course, "bellben_102_2_lab3.cu")
    (tmp_path / "book.csv").write_text(BOOK)
    return tmp_path / "book.csv"


def publish(tmagrade: Tmagrade, book: Path, *more: str) -> tuple[int, str, list[str]]:
    out = book.with_name("upload.csv")
    status, printed = tmagrade("term", "publish", "lab3", "--book", book, "--out", out, *more)
    return status, printed, [line.split(",")[3] for line in out.read_text().splitlines()[1:]] if out.exists() else []


def test_what_is_ignored_is_told_at_the_end_and_by_the_exit_status(
    course: Course, book: Path, tmagrade: Tmagrade
) -> None:
    put(course, "eve ng.cu")
    status, printed = tmagrade("grade", "--submissions", course.handed_in, "--labs", "lab3")
    assert status == 4
    said_last = "this may be somebody's hand-in, and counts for nobody:\n  eve ng.cu: not named as Canvas names"
    assert said_last in "\n".join(printed.splitlines()[-2:])


def test_nobody_is_missing_while_it_is_not_known_whose_something_is(
    course: Course, book: Path, tmagrade: Tmagrade
) -> None:
    put(course, "eve ng.cu")
    grade(tmagrade, course, "--labs", "lab3")
    status, printed, cells = publish(tmagrade, book)
    assert (status, cells) == (2, []) and "0 for eve\n  eve ng.cu: not named as Canvas names" in printed
    assert publish(tmagrade, book, "--yes")[2] == ["100", "100", "100", "0"]


def test_whose_hand_in_was_ignored_is_not_missing(course: Course, book: Path, tmagrade: Tmagrade) -> None:
    put(course, "ngeve_LATE_104_text.html")
    assert "ngeve_LATE_104_text.html: an entry of text" in grade(tmagrade, course, "--labs", "lab3")
    status, printed, cells = publish(tmagrade, book)
    assert (status, cells) == (0, ["100", "100", "100", ""])
    assert "has no score and no 0, for something of theirs was not graded: ngeve_LATE_104_text.html" in printed
    put(course, "ngeve_104_9_lab3.cu", "pipeline any fail")
    grade(tmagrade, course, "--labs", "lab3")
    assert publish(tmagrade, book)[2] == ["100", "100", "100", "33.33"]


def test_what_the_next_grading_of_it_does_not_leave_out_is_settled(
    course: Course, book: Path, tmagrade: Tmagrade
) -> None:
    put(course, "eve ng.cu")
    grade(tmagrade, course, "--labs", "lab3")
    (course.handed_in / "eve ng.cu").unlink()
    grade(tmagrade, course, "--labs", "lab3")
    assert publish(tmagrade, book)[:1] == (0,)
