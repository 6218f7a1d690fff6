"""Grade books: a platform's own export filled, all other cells byte for byte, and what was published remembered."""

import csv
import errno
import io
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from archive_maker import make_zip
from conftest import Course, Tmagrade
from graded_once import Graded, graded_once
from hypothesis import given
from hypothesis import strategies as st
from test_term import TERM, begin_term, grade, put, said, sheet

from staff.term.table import Table

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Lab 2 (7),Lab 3 (8),Lab 3 Current Score\r\n"
    ",,,,,Manual Posting,,(read only)\r\n"
    "    Points Possible,,,,,50.0,100.0,(read only)\r\n"
    '"Lovelace, Ada",101,s1,ada,"Fall ""A""",  48,,"1,0"\r\n'
    '"Bell, Ben",102,s2,ben,A,N/A,12,\r\n'
    "Young Cy,103,,,A,,,\r\n"
    '"Student, Test",999,,,A,,,'
)
MOODLE = (
    'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
    '"Last modified (submission)","Last modified (grade)","Feedback comments"\n'
    '"Participant 901","Ada Lovelace",ada@a.edu,"Submitted for grading - ",,100.00,Yes,"Friday, 18 September",-,\n'
    '"Participant 902","Ben Bell",ben@a.edu,"Submitted",12.00,100.00,No,"Friday",-,"said, by hand"\n'
    '"Participant 903","Zoe Unknown",zoe@a.edu,"No submission",,100.00,Yes,-,-,\n'
)


def grade_a_term(course: Course, tmagrade: Tmagrade) -> str:
    settings = TERM.replace("drop_lowest = 0", 'drop_lowest = 0\npending = "scale"')
    begin_term(course, settings.replace('lab = "lab3"', 'lab = "lab3"\ncanvas = "Lab 3 (8)"'))
    put(course, "ada/lab3/lab3.cu")
    put(course, "ben/lab3/lab3.cu", "pipeline any fail")
    return grade(tmagrade, course, "--labs", "lab3")


@pytest.fixture(scope="module")
def graded() -> Iterator[Graded]:
    with graded_once(grade_a_term) as graded:
        yield graded


@pytest.fixture
def term(course: Course, graded: Graded) -> Path:
    """Lab 3, of which ada has all points but those that are pending, and ben, for his pair, 25 of them."""
    graded.lay_into(course)
    return course.repository.term


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "export.csv"
    path.write_bytes(CANVAS.encode())
    return path


def publish(tmagrade: Tmagrade, book: Path, *more: object) -> tuple[int, str, str]:
    to = book.with_name("upload.csv")
    status, printed = tmagrade("term", "publish", "lab3", "--book", book, "--out", to, *more)
    return status, printed, to.read_bytes().decode() if to.exists() else ""


def test_canvas_own_export_comes_back_filled_and_else_byte_for_byte(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    status, printed, written = publish(tmagrade, book)
    assert status == 0, printed
    expected = (
        CANVAS.replace('48,,"1,0"', '48,100,"1,0"')
        .replace("N/A,12,", "N/A,33.33,")
        .replace("103,,,A,,,", "103,,,A,,33.33,")
    )
    assert written == expected
    assert "no row for: eve" in printed
    assert "rows of nobody on the roster, left as they are: Student, Test" in printed


def test_a_dry_run_says_what_it_would_publish_and_keeps_nothing(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    status, printed, written = publish(tmagrade, book, "--dry-run")
    assert (status, written) == (0, "") and "3 scores; a dry run" in printed
    publish(tmagrade, book)
    said(tmagrade, "override", "ada", "lab3", "90", "--reason", "an appeal")
    _, printed, written = publish(tmagrade, book, "--dry-run")
    assert "This would change what was published:\n  ada: 100 -> 90: override 90: an appeal" in printed
    assert '48,100,"1,0"' in written and "ada: 100 -> 90" in said(tmagrade, "changes", "lab3")


def test_canvas_importer_takes_what_is_written(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    """row_has_student_headers? and the assignments' columns of lib/gradebook_importer.rb."""
    header, *_ = csv.reader(io.StringIO(publish(tmagrade, book)[2].lstrip("\ufeff")))
    assert len(header) > 3 and "Student" in header[0] and "ID" in header[1] and "Section" in header
    assert any(re.fullmatch(r".+ \(\d+\)", name) for name in header)


def test_what_is_read_again_is_what_counts(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    publish(tmagrade, book)
    again = book.with_name("upload.csv")
    to = book.with_name("again.csv")
    assert tmagrade("term", "publish", "lab3", "--book", again, "--out", to)[0] == 0
    assert to.read_bytes() == again.read_bytes()


def test_moodles_worksheet_has_its_grades_and_keeps_what_is_locked(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    book.write_text(MOODLE)
    status, printed, written = publish(tmagrade, book, "--to", "moodle")
    assert status == 0, printed
    assert written == MOODLE.replace('grading - ",,100.00', 'grading - ",100,100.00')
    assert "left as they are: Zoe Unknown" in printed


@pytest.mark.parametrize(
    ("policy", "cell"), [("empty", '48,,"1,0"'), ("scale", '48,100,"1,0"')], ids=["empty", "scale"]
)
def test_the_course_says_what_pending_points_are(
    term: Path, book: Path, tmagrade: Tmagrade, policy: str, cell: str
) -> None:
    (term / "term.toml").write_text((term / "term.toml").read_text().replace('"scale"', f'"{policy}"'))
    assert cell in publish(tmagrade, book)[2]


def test_what_is_published_is_what_the_sheet_and_the_explanation_say(
    term: Path, book: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    said(tmagrade, "time", "ada", "lab3", "2026-09-20T12:00", "--reason", "the log")
    status, explained = tmagrade("explain", "ada", "lab3")
    [cell] = re.findall(r"counts: (.+) of 100", explained)
    assert status == 0 and f'48,{cell},"1,0"' in publish(tmagrade, book)[2]
    assert sheet(tmagrade, tmp_path / "sheet.csv")["ada"]["lab3-bulk-copy"] == cell != "100"


def test_a_lab_is_held_back_while_points_are_pending(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    (term / "term.toml").write_text((term / "term.toml").read_text().replace('"scale"', '"hold"'))
    status, printed, written = publish(tmagrade, book)
    assert (status, written) == (2, "")
    assert "lab3-bulk-copy is held back: points of 3 students are pending" in printed


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Student,ID", "Name,Number", "this is no grade book of Canvas'"),
        ("Lab 3 (8)", "Lab three (8)", "which column is lab3-bulk-copy?"),
        ("50.0,100.0", "50.0,20.0", "Canvas has the lab out of 20.0, the term out of 100"),
    ],
)
def test_a_book_that_does_not_fit_is_refused(
    term: Path, book: Path, tmagrade: Tmagrade, old: str, new: str, words: str
) -> None:
    book.write_bytes(CANVAS.replace(old, new).encode())
    status, printed, written = publish(tmagrade, book)
    assert (status, written, words in printed) == (2, "", True), printed


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_book_that_is_not_in_utf_8_is_named_with_what_to_do(
    course: Course, term: Path, book: Path, tmagrade: Tmagrade, encoding: str
) -> None:
    book.write_bytes((CANVAS.lstrip("\ufeff") + "\xd8rn Bj\xf8rn,7,,,A,,\r\n").encode(encoding))
    status, printed, written = publish(tmagrade, book)
    assert (status, written) == (2, "") and f"{book} is not in UTF-8, " in printed
    (term / "term.toml").unlink()
    (term / "roster.csv").unlink()
    status, printed = tmagrade("term", "init", "--book", book)
    assert status == 2 and f"{book} is not in UTF-8, " in printed and "CSV UTF-8" in printed


def test_publishing_says_whose_lateness_nobody_knows(
    course: Course, term: Path, book: Path, tmagrade: Tmagrade
) -> None:
    shutil.rmtree(course.handed_in)
    put(course, "lovelaceada_LATE_101_11_lab3.cu", "// late")
    grade(tmagrade, course, "--labs", "lab3")
    words = "lab3-bulk-copy: canvas says that it was late, and not by how much: tmagrade term times says it: ada\n"
    assert publish(tmagrade, book)[1].count(words) == 1


def test_a_changed_score_is_shown_with_its_reason_before_it_is_published(
    course: Course, term: Path, book: Path, tmagrade: Tmagrade
) -> None:
    publish(tmagrade, book)
    said(tmagrade, "override", "ada", "lab3", "90", "--reason", "appeal")
    put(course, "ben/lab3/lab3.cu", "one-tile any fail")
    grade(tmagrade, course, "--labs", "lab3")
    shown = said(tmagrade, "changes", "lab3")
    assert "ada: 100 -> 90: override 90: appeal\n" in shown
    assert "ben: 33.33 -> 66.67: graded again (one-tile: fail; hygiene: fail)\n" in shown
    before = book.with_name("upload.csv").read_bytes()
    status, printed, _ = publish(tmagrade, book)
    assert status == 2 and "Nothing was done" in printed and "ada: 100 -> 90: " in printed
    assert book.with_name("upload.csv").read_bytes() == before
    assert publish(tmagrade, book, "--yes")[0] == 0
    assert "nothing published has changed" in said(tmagrade, "changes", "lab3")


def test_a_row_that_may_not_be_changed_is_not_remembered_as_published(
    term: Path, book: Path, tmagrade: Tmagrade
) -> None:
    book.write_text(MOODLE)
    assert "rows that may not be changed there, left as they are: ben" in publish(tmagrade, book, "--to", "moodle")[1]
    assert "published in moodle" not in said(tmagrade, "history", "ben", "lab3")
    assert "published in moodle" in said(tmagrade, "history", "ada", "lab3")


# Compared with what the platform has


def compared(tmagrade: Tmagrade, path: Path, old: str = "", new: str = "") -> list[str]:
    path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))
    return said(tmagrade, "compare", "lab3", "--book", path).splitlines()


def test_a_book_that_canvas_took_has_what_counts_whatever_its_zeros(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    publish(tmagrade, book)
    lines = compared(tmagrade, book.with_name("upload.csv"), "48,100,", "48,100.00,")
    assert lines == ["lab3-bulk-copy: 3 of 3 students have there what counts here", "tmagrade: no row for: eve"]


def test_where_a_difference_comes_from_is_said(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    assert compared(tmagrade, book)[:2] == [
        "ada: empty there, 100 here: not published yet",
        "ben: 12 there, 33.33 here: entered there",
    ]
    publish(tmagrade, book)
    said(tmagrade, "override", "ben", "lab3", "40", "--reason", "appeal")
    assert compared(tmagrade, book.with_name("upload.csv"), "48,100,", "48,99,")[:2] == [
        "ada: 99 there, 100 here: changed there",
        "ben: 33.33 there, 40 here: changed here since it was published",
    ]


cells = st.text(st.characters(codec="utf-8", exclude_characters='\r\n,"'), max_size=4) | st.sampled_from(
    ['"a,b"', '"a\nb"', '"say ""x"""', '""', " 1 "]
)


@given(st.lists(st.tuples(st.lists(cells, min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"])), max_size=5))
def test_a_table_is_written_as_it_was_read(rows: list[tuple[list[str], str]]) -> None:
    content = "".join(",".join(row) + end for row, end in rows).encode()
    table = Table.of(content)
    assert table.content == content
    values = [[table.value(row, column) for column in range(len(cells))] for row, cells in enumerate(table.rows)]
    assert all(len(cells) >= 1 for cells in values)


def test_a_cell_that_is_put_is_quoted_where_it_must_be() -> None:
    table = Table.of(b"a,b\n1,2\n")
    table.put(1, 1, 'x, "y"')
    assert table.content == b'a,b\n1,"x, ""y"""\n'
    assert table.value(1, 1) == 'x, "y"'


# Feedback


def packed(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def feedback(course: Course, tmagrade: Tmagrade, target: str, download: Path) -> tuple[str, dict[str, str]]:
    to = download.parent / "feedback.zip"
    places = ["--grades", course.repository.grades, "--download", download, "--out", to]
    return said(tmagrade, "feedback", "--to", target, *places), packed(to)


def test_moodle_takes_feedback_under_its_own_folders(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    """is_valid_filename_for_import() of importziplib.php: of a name in parts between `_`, the second is a number."""
    names = ["Ada Lovelace_901_assignsubmission_file/lab3.cu", "Zoe Unknown_903_assignsubmission_file/lab3.cu"]
    printed, files = feedback(course, tmagrade, "moodle", make_zip(tmp_path / "d/all.zip", dict.fromkeys(names, "")))
    assert list(files) == ["Ada Lovelace_901_assignsubmission_file/feedback.md"]
    assert files[next(iter(files))].startswith("# Feedback for ada")
    assert all(name.split("/")[0].split("_", 4)[1].isdigit() for name in files)
    assert "no feedback for: Zoe Unknown_903" in printed


def test_canvas_takes_feedback_under_its_own_names(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    """generate_comments_from_files() of assignment.rb: the user's number and the attachment's."""
    names = ["lovelaceada_LATE_101_5511_lab3.cu", "bellben_102_5512_lab3.zip"]
    _, files = feedback(course, tmagrade, "canvas", make_zip(tmp_path / "d/all.zip", dict.fromkeys(names, "")))
    assert list(files) == ["bellben_102_5512_feedback.md", "lovelaceada_LATE_101_5511_feedback.md"]
    assert all(len(re.findall(r"(?:^|_)\d+(?=_|$)", name)) >= 2 for name in files)


def leave_pending_empty(term: Path) -> None:
    settings = term / "term.toml"
    settings.write_text(settings.read_text().replace('pending = "scale"', 'pending = "empty"'))


def test_who_has_no_cell_because_points_are_pending_is_said(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    leave_pending_empty(term)
    _, printed, written = publish(tmagrade, book)
    assert written == CANVAS
    [line] = [line for line in printed.splitlines() if "points are pending, so the cell stays as it is" in line]
    assert "ada" in line


def test_a_published_score_that_is_none_any_more_is_told(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    publish(tmagrade, book)
    leave_pending_empty(term)
    line = "ada: 100 was published, no score now: points are pending, or term.toml has changed"
    assert line in said(tmagrade, "changes", "lab3")
    assert f"{line}; the book keeps it" in publish(tmagrade, book)[1]


def test_feedback_for_github_is_a_file_and_an_issue_a_repository(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    (term / "roster.csv").write_text("id,name,github\nada,Ada Lovelace,ada-l\nben,Ben Bell,benbell\n")
    for login in ("ada-l", "benbell", "nobody"):
        (tmp_path / "clones" / f"lab3-{login}").mkdir(parents=True)
    to = tmp_path / "feedback.zip"
    options = ["--to", "github", "--download", tmp_path / "clones", "--grades", course.repository.grades, "--out", to]
    status, printed = tmagrade("term", "feedback", *options)
    assert status == 0, printed
    assert "no feedback for: lab3-nobody" in printed
    with zipfile.ZipFile(to) as archive:
        archive.extractall(tmp_path / "out")
    assert (tmp_path / "out/lab3-ada-l/feedback.md").read_text().startswith("# Feedback for ada\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/gh").write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/asked"\n')
    (tmp_path / "bin/gh").chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    subprocess.run(["sh", tmp_path / "out/post.sh", "our-course", "Lab 3"], env=environment, check=True)
    assert (tmp_path / "asked").read_text().splitlines() == [
        f"issue create --repo our-course/lab3-{login} --title Lab 3 --body-file lab3-{login}/feedback.md"
        for login in ("ada-l", "benbell")
    ]


def test_what_was_published_of_a_missing_hand_in_changes_when_it_is_graded(
    course: Course, term: Path, book: Path, tmagrade: Tmagrade
) -> None:
    settings = term / "term.toml"
    settings.write_text(settings.read_text().replace("drop_lowest = 0", 'missing = "zero"'))
    book.write_bytes(CANVAS.replace("999", "104").encode())
    publish(tmagrade, book)
    put(course, "eve/lab3/lab3.cu")
    grade(tmagrade, course, "--labs", "lab3")
    assert "eve: 0 -> 100: graded since (all right)" in said(tmagrade, "changes", "lab3")


def test_a_lab_of_which_nothing_was_graded_is_published_only_after_a_word(
    term: Path, book: Path, tmagrade: Tmagrade
) -> None:
    settings = term / "term.toml"
    text = settings.read_text().replace("drop_lowest = 0", 'missing = "zero"').replace("Lab 3 (8)", "Lab 5 (7)")
    settings.write_text(text.replace('lab = "lab4"', 'lab = "lab4"\ncanvas = "Lab 3 (8)"'))
    to = book.with_name("upload.csv")
    status, printed = tmagrade("term", "publish", "lab4", "--book", book, "--out", to)
    assert (status, to.exists()) == (2, False)
    assert "nothing of lab4-single-tile was graded in this term" in printed
    assert tmagrade("term", "publish", "lab4", "--book", book, "--out", to, "--yes")[0] == 0


def test_a_grade_book_with_commas_says_the_same(term: Path, book: Path, tmagrade: Tmagrade) -> None:
    publish(tmagrade, book)
    there = book.with_name("there.csv")
    there.write_text(book.with_name("upload.csv").read_text().replace("33.33", '"33,33"'))
    assert "changed there" not in said(tmagrade, "compare", "lab3", "--book", there)


def test_whose_row_is_on_another_platform_is_not_missed_here(
    course: Course, term: Path, book: Path, tmagrade: Tmagrade
) -> None:
    put(course, "Ada Lovelace_901_assignsubmission_file/lab3.cu")
    for folder in ("ada", "ben"):
        shutil.rmtree(course.handed_in / folder)
    grade(tmagrade, course, "--labs", "lab3")
    book.write_bytes(CANVAS.replace("Lovelace, Ada", "Somebody, Else").replace("101", "999").encode())
    _, printed, _ = publish(tmagrade, book)
    [line] = [line for line in printed.splitlines() if "no row for" in line]
    assert "eve" in line and "ada" not in line


def test_an_export_is_not_written_over(term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    book = tmp_path / "export.csv"
    book.write_bytes(CANVAS.encode())
    status, printed = tmagrade("term", "publish", "lab3", "--book", book, "--out", tmp_path / "." / "export.csv")
    assert (status, book.read_bytes()) == (2, CANVAS.encode())
    assert "--book and --out are the same file" in printed
    status, printed = tmagrade("term", "feedback", "--to", "moodle", "--download", book, "--out", book)
    assert (status, book.read_bytes()) == (2, CANVAS.encode())
    assert "--download and --out are the same file" in printed


def test_what_cannot_be_written_leaves_nothing_and_names_the_file(
    term: Path, book: Path, tmagrade: Tmagrade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    to = tmp_path / "full" / "upload.csv"
    status, printed = tmagrade("term", "publish", "lab3", "--book", book, "--out", to)
    assert (status, list(to.parent.iterdir())) == (3, [])
    assert f"cannot write {to}: No space left" in " ".join(printed.split("\n"))
    assert "published" not in said(tmagrade, "history", "ada", "lab3")
