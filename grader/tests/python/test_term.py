"""A term as an instructor lives it: gradings of several platforms, lateness, decisions, and what counts."""

import csv
import io
import os
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from conftest import Course, Tmagrade

ZONE = ZoneInfo("America/New_York")
TERM = """
title = "Fall 2026"
time_zone = "America/New_York"
drop_lowest = 0

[late]
grace_minutes = 15
late_days = 1
most_for_a_lab = 1
percent_a_day = 10

[[labs]]
lab = "lab3"
due = 2026-09-18T23:59:00

[[labs]]
lab = "lab4"
due = 2026-09-25T23:59:00
"""
ROSTER = """id,name,email,group,canvas,moodle
ada,Ada Lovelace,ada@a.edu,,101,
ben,Ben Bell,ben@a.edu,pair 1,102,
cy,Cy Young,cy@a.edu,pair 1,103,
eve,Eve Ng,eve@a.edu,,104,
"""


def begin_term(course: Course, settings: str = TERM, roster: str = ROSTER) -> Path:
    folder = course.repository.term
    folder.mkdir()
    (folder / "term.toml").write_text(settings)
    (folder / "roster.csv").write_text(roster)
    return folder


@pytest.fixture
def term(course: Course) -> Path:
    return begin_term(course)


def put(course: Course, name: str, text: str = "", at: str = "2026-09-18T20:00") -> None:
    path = course.handed_in / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    moment = datetime.fromisoformat(at).replace(tzinfo=ZONE).timestamp()
    os.utime(path, (moment, moment))


def grade(tmagrade: Tmagrade, course: Course, *more: object) -> str:
    """What it prints. It ends with 4 where something is nobody's on the roster."""
    status, printed = tmagrade("grade", "--submissions", course.handed_in, *more)
    assert status in (0, 4), printed
    assert (status == 4) == ("and counts for nobody" in printed)
    return printed


def said(tmagrade: Tmagrade, *arguments: object) -> str:
    status, printed = tmagrade("term", *arguments)
    assert status == 0, printed
    return printed


def sheet(tmagrade: Tmagrade, to: Path) -> dict[str, dict[str, str]]:
    said(tmagrade, "sheet", "--to", to)
    return {row["id"]: row for row in csv.DictReader(io.StringIO(to.read_text()))}


@pytest.fixture
def one_week(course: Course, term: Path, tmagrade: Tmagrade) -> str:
    """What grading lab 3 out of Moodle has printed: ada two days late, ben for his pair, and a stranger."""
    put(course, "Ada Lovelace_901_assignsubmission_file/lab3.cu", "", "2026-09-20T12:00")
    put(course, "Ben Bell_902_assignsubmission_file/lab3.cu", "pipeline any fail", "2026-09-19T00:10")
    put(course, "Zoe Unknown_903_assignsubmission_file/lab3.cu")
    return grade(tmagrade, course, "--labs", "lab3")


def test_everybody_has_a_row_and_who_is_unknown_is_listed(
    one_week: str, course: Course, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    assert "not on the roster, so not in the term: Zoe Unknown_903 (moodle)" in one_week
    assert "kept in the term: 3 results" in one_week
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert list(rows) == ["ada", "ben", "cy", "eve"]
    assert (rows["eve"]["lab3-bulk-copy"], rows["eve"]["total"]) == ("", "0")


def test_a_person_has_one_name_in_grades_of_every_platform(one_week: str, course: Course) -> None:
    assert (course.repository.grades / "ada/feedback.md").exists()
    assert (course.repository.grades / "Zoe_Unknown_903/feedback.md").exists()


def test_a_pair_has_what_one_of_them_handed_in(one_week: str, tmagrade: Tmagrade, tmp_path: Path) -> None:
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert (rows["ben"]["lab3-bulk-copy"], rows["cy"]["lab3-bulk-copy"]) == ("25", "25")  # within the grace


def test_late_days_and_penalties_are_written_out(
    one_week: str, course: Course, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    row = sheet(tmagrade, tmp_path / "sheet.csv")["ada"]
    assert row["lab3-bulk-copy"] == "67.5"
    assert (row["lab3-bulk-copy/handed in"], row["lab3-bulk-copy/days late"]) == ("2026-09-20 12:00:00", "2")
    printed = tmagrade("explain", "ada", "lab3", "--grades", course.repository.grades)[1]
    assert "  handed in 2026-09-20 12:00:00 (moodle)\n" in printed
    assert "  graded: 75 of 100\n" in printed
    assert "  2 days late, 1 of them covered by late days: 75 × 90 % = 67.5\n" in printed
    assert "  counts: 67.5 of 100\n" in printed


def test_who_shares_a_hand_in_has_it_explained(one_week: str, course: Course, tmagrade: Tmagrade) -> None:
    printed = tmagrade("explain", "cy", "lab3", "--grades", course.repository.grades)[1]
    assert printed.startswith("cy shares what ben has handed in:\nben, lab3-bulk-copy")
    assert printed.endswith("  counts: 25 of 100\n")


def test_who_handed_in_nothing_has_that_explained(one_week: str, course: Course, tmagrade: Tmagrade) -> None:
    printed = tmagrade("explain", "eve", "lab3", "--grades", course.repository.grades)[1]
    assert "  nothing was handed in\n" in printed and printed.endswith("  counts: no score\n")


def feedback_of(course: Course, who: str) -> str:
    return (course.repository.grades / who / "feedback.md").read_text()


def test_feedback_says_first_what_counts_after_lateness_and_what_was_graded(one_week: str, course: Course) -> None:
    text = feedback_of(course, "ada")
    assert (
        "Counts, after lateness and decisions: **67.5 of 100**. Graded on the emulator: 75 of 75, 25 pending.\n" in text
    )
    assert "### Counts: 67.5 of 100\n\n- graded: 75 of 100\n- 2 days late" in text
    assert "Counts" not in feedback_of(course, "ben")


def test_feedback_has_each_decision_at_once_and_no_reason_of_it(
    one_week: str, course: Course, tmagrade: Tmagrade
) -> None:
    said(tmagrade, "add", "ben", "lab3", "5", "--reason", "a secret")
    assert "Counts, after lateness and decisions: **30 of 100**." in feedback_of(course, "ben")
    assert "+ 5 points by decision = 30" in feedback_of(course, "ben")
    said(tmagrade, "excuse", "ben", "lab3", "--reason", "a secret")
    assert "Counts, after lateness and decisions: **excused**." in feedback_of(course, "ben")
    assert "secret" not in feedback_of(course, "ben")
    said(tmagrade, "withdraw", "ben", "lab3", "excuse", "--reason", "no")
    assert "**30 of 100**" in feedback_of(course, "ben")


def test_a_total_is_explained(one_week: str, course: Course, tmagrade: Tmagrade) -> None:
    printed = tmagrade("explain", "ada", "--grades", course.repository.grades)[1]
    assert "  lab4-single-tile: no score\n" in printed
    assert printed.endswith("  total: 67.5 = 67.5 of 100; 22.5 points are pending\n")


def test_a_dry_run_says_what_would_count_and_keeps_nothing(one_week: str, course: Course, tmagrade: Tmagrade) -> None:
    put(course, "Ben Bell_902_assignsubmission_file/lab3.cu", "one-tile any fail", "2026-09-19T00:12")
    before = {path: path.read_bytes() for path in course.repository.grades.rglob("*") if path.is_file()}
    printed = grade(tmagrade, course, "--labs", "lab3", "--dry-run")
    assert "in the term, lab3-bulk-copy: 2 scores would count as others:\n  ben: 25 +25 pending -> 50" in printed
    assert "kept in the term" not in printed and said(tmagrade, "history", "ben", "lab3").count("graded") == 1
    assert {path: path.read_bytes() for path in course.repository.grades.rglob("*") if path.is_file()} == before


def test_an_extension_says_what_it_changes(one_week: str, tmagrade: Tmagrade) -> None:
    printed = said(tmagrade, "extend", "ada", "lab3", "+2d", "--reason", "ill")
    assert "ada (Ada Lovelace), lab3-bulk-copy: extend 2026-09-20T23:59; counts: 67.5 -> 75" in printed


def test_an_extension_until_a_day_is_until_its_end(one_week: str, tmagrade: Tmagrade) -> None:
    assert "extend 2026-09-20T23:59" in said(tmagrade, "extend", "ada", "lab3", "2026-09-20", "--reason", "ill")


def test_an_override_is_kept_through_a_regrade_and_can_be_withdrawn(
    one_week: str, course: Course, tmagrade: Tmagrade
) -> None:
    said(tmagrade, "override", "ben", "lab3", "80", "--reason", "appeal")
    put(course, "Ben Bell_902_assignsubmission_file/lab3.cu", "one-tile any fail", "2026-09-19T00:12")
    grade(tmagrade, course, "--labs", "lab3")
    printed = said(tmagrade, "withdraw", "ben", "lab3", "override", "--reason", "another's")
    assert "counts: 80 -> 50" in printed
    history = said(tmagrade, "history", "ben", "lab3")
    assert history.count("graded ") == 2 and "override 80" in history and "withdraw override" in history


def test_points_are_added_and_a_lab_is_excused(one_week: str, tmagrade: Tmagrade, tmp_path: Path) -> None:
    assert "counts: 25 -> 30" in said(tmagrade, "add", "cy", "lab3", "5", "--reason", "found a mistake")
    assert "counts: 30 -> no score" in said(tmagrade, "excuse", "cy", "lab3", "--reason", "joined late")
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert (rows["cy"]["lab3-bulk-copy"], rows["cy"]["max"]) == ("", "0")


def test_a_fault_of_the_grader_is_no_result(one_week: str, course: Course, tmagrade: Tmagrade, tmp_path: Path) -> None:
    put(course, "Ben Bell_902_assignsubmission_file/lab3.cu", "judge dies")
    assert tmagrade("grade", "--submissions", course.handed_in, "--labs", "lab3")[0] == 3
    assert sheet(tmagrade, tmp_path / "sheet.csv")["ben"]["lab3-bulk-copy"] == "25"


def test_canvas_late_mark_without_a_time_is_said_and_not_guessed(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    put(course, "lovelaceada_LATE_101_11_lab3.cu")
    grade(tmagrade, course, "--labs", "lab3")
    row = sheet(tmagrade, tmp_path / "sheet.csv")["ada"]
    assert (row["lab3-bulk-copy"], row["lab3-bulk-copy/handed in"]) == ("75", "late")
    printed = tmagrade("explain", "ada", "lab3", "--grades", course.repository.grades)[1]
    assert "canvas says that it was late, and not by how much" in printed
    put(course, "bellben_LATE_102_12_lab3.cu")
    grade(tmagrade, course, "--labs", "lab3")
    words = (
        "lab3-bulk-copy: canvas says that it was late, and not by how much: tmagrade term times says it: ada, ben, cy"
    )
    assert f"{words}\n" in said(tmagrade, "sheet")
    printed = said(tmagrade, "time", "ada", "lab3", "2026-09-20T12:00", "--reason", "Canvas' log")
    assert "counts: 75 -> 67.5" in printed


def test_grades_elsewhere_are_a_trial(course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    put(course, "ada/lab3/lab3.cu")
    printed = grade(tmagrade, course, "--output", tmp_path / "trial")
    assert "in the term" not in printed and not (term / "term.sqlite").exists()


def test_without_a_term_nobody_hears_of_one(course: Course, tmagrade: Tmagrade) -> None:
    put(course, "ada/lab3/lab3.cu")
    assert "in the term" not in grade(tmagrade, course, "--labs", "lab3")
    status, printed = tmagrade("term", "sheet")
    assert (status, "tmagrade term init" in printed) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["override", "zoe", "lab3", "80", "--reason", "x"], "no student on the roster 'zoe'"),
        (["override", "ada", "lab9", "80", "--reason", "x"], "no lab of the term 'lab9'"),
        (["override", "ada", "lab3", "many", "--reason", "x"], "many is no number of points"),
        (["override", "ada", "lab3", "80", "--reason", " "], "--reason is empty"),
        (["extend", "ada", "lab3", "soon", "--reason", "x"], "soon is no time"),
        (["withdraw", "ada", "lab3", "override", "--reason", "x"], "nothing of the kind 'override'"),
    ],
)
def test_what_cannot_be_decided_is_a_usage_error(
    one_week: str, tmagrade: Tmagrade, arguments: list[str], words: str
) -> None:
    status, printed = tmagrade("term", *arguments)
    assert (status, words in printed) == (2, True), printed


def test_two_of_one_name_are_told_what_to_do_about_it(course: Course, term: Path, tmagrade: Tmagrade) -> None:
    (term / "roster.csv").write_text("id,name\nw1,Wei Zhang\nw2,Wei Zhang\n")
    put(course, "Wei Zhang_905_assignsubmission_file/lab3.cu")
    printed = grade(tmagrade, course, "--labs", "lab3")
    assert "Wei Zhang_905 (moodle): it could be w1, w2; put the id in place of the name" in printed
    (course.handed_in / "Wei Zhang_905_assignsubmission_file").rename(course.handed_in / "w2_905_assignsubmission_file")
    assert "kept in the term: 1 result\n" in grade(tmagrade, course, "--labs", "lab3")


def test_a_team_of_moodles_has_one_score_however_it_is_downloaded(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    put(course, "pair 1_17_assignsubmission_file/lab3.cu")
    put(course, "Default group_assignsubmission_file/lab3.cu")
    assert "not on the roster, so not in the term: Default group (moodle)\n" in grade(
        tmagrade, course, "--labs", "lab3"
    )
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert rows["ben"]["lab3-bulk-copy/handed in"] == rows["cy"]["lab3-bulk-copy/handed in"] != ""
    assert "groups: 1; the largest, pair 1: 2 who share hand-ins" in said(tmagrade, "check")


def test_who_shares_a_hand_in_is_not_named_for_having_the_same_text(
    course: Course, term: Path, tmagrade: Tmagrade
) -> None:
    for name in ("ben", "cy"):
        put(course, f"{name}/lab3/lab3.cu", "int ours;")
    assert "identical" not in grade(tmagrade, course, "--labs", "lab3")
    put(course, "ada/lab3/lab3.cu", "int ours;")
    put(course, "eve/lab3/lab3.cu", "int ours_too;")
    assert "identical submissions of lab3-bulk-copy: ada, ben, cy\n" in grade(tmagrade, course, "--labs", "lab3")


def test_a_regrade_of_one_finds_what_the_group_has_handed_in(course: Course, term: Path, tmagrade: Tmagrade) -> None:
    put(course, "ben/lab3/lab3.cu")
    put(course, "ada/lab3/lab3.cu")
    grade(tmagrade, course, "--labs", "lab3")
    printed = grade(tmagrade, course, "--labs", "lab3", "--only", "cy")
    assert "cy shares what ben has handed in\n" in printed and "kept in the term: 2 results" in printed
    status, printed = tmagrade("grade", "--submissions", course.handed_in, "--labs", "lab3", "--only", "eve")
    assert (status, "there is no student 'eve'; there is ada, ben" in printed) == (2, True), printed


@pytest.fixture
def namesakes(course: Course, term: Path) -> None:
    """First names of some that others' ids begin with."""
    people = ["id,name", "ada.castro40,Ines Castro", "aabbott0,Ada Abbott", "ben.jansen41,Kim Jansen", "cy,Cy Bell"]
    (term / "roster.csv").write_text("\n".join([*people, "cyrus,Cyrus Cy", ""]))


@pytest.mark.usefixtures("namesakes")
@pytest.mark.parametrize("command", [["override", "ada", "lab3", "80"], ["excuse", "ada", "lab3"]])
def test_nobody_is_chosen_by_an_ids_beginning_before_those_whose_name_it_is(
    tmagrade: Tmagrade, command: list[str]
) -> None:
    status, printed = tmagrade("term", *command, "--reason", "appeal")
    assert status == 2
    assert "'ada' could be ada.castro40 (Ines Castro), aabbott0 (Ada Abbott)" in printed
    assert said(tmagrade, "history", "aabbott0", "lab3") == said(tmagrade, "history", "ada.castro40", "lab3") == ""


@pytest.mark.usefixtures("namesakes")
def test_nor_is_anybody_whose_score_is_explained(tmagrade: Tmagrade) -> None:
    status, printed = tmagrade("explain", "ada")
    assert status == 2
    assert "'ada' could be ada.castro40 (Ines Castro), aabbott0 (Ada Abbott)" in printed


@pytest.mark.usefixtures("namesakes")
@pytest.mark.parametrize(("who", "id_"), [("cy", "cy"), ("ben", "ben.jansen41"), ("Abbott", "aabbott0")])
def test_a_whole_id_counts_and_a_part_that_fits_no_other(tmagrade: Tmagrade, who: str, id_: str) -> None:
    assert f"{id_} (" in said(tmagrade, "excuse", who, "lab3", "--reason", "ill")


@pytest.mark.usefixtures("namesakes")
def test_nor_is_anybody_who_is_regraded(course: Course, tmagrade: Tmagrade) -> None:
    for name in ("ada.castro40", "aabbott0"):
        put(course, f"{name}/lab3/lab3.cu")
    grade(tmagrade, course)
    status, printed = tmagrade("grade", "--submissions", course.handed_in, "--only", "ada")
    assert status == 2
    assert "'ada' could be ada.castro40 (Ines Castro), aabbott0 (Ada Abbott)" in printed
    assert "aabbott0" in grade(tmagrade, course, "--only", "Abbott")


@pytest.mark.parametrize("kind", ["override", "add"])
def test_more_points_than_the_lab_has_are_decided_only_after_a_word(tmagrade: Tmagrade, term: Path, kind: str) -> None:
    command = [kind, "eve", "lab3", "180", "--reason", "appeal"]
    status, printed = tmagrade("term", *command)
    assert status == 2
    assert f"lab3-bulk-copy: {kind} 180, and the lab has 100 points" in printed and "--yes" in printed
    assert said(tmagrade, "history", "eve", "lab3") == ""
    assert "counts: no score -> 180" in said(tmagrade, *command, "--yes")


def test_the_same_points_for_the_same_reason_are_added_only_after_a_word(tmagrade: Tmagrade, term: Path) -> None:
    command = ["add", "eve", "lab3", "5", "--reason", "found a mistake"]
    assert "counts: no score -> 5" in said(tmagrade, *command)
    status, printed = tmagrade("term", *command)
    assert status == 2 and "add 5 once more, for the same reason: found a mistake" in printed
    assert "counts: 5 -> 10" in said(tmagrade, *command, "--yes")
    assert "counts: 10 -> 15" in said(tmagrade, "add", "eve", "lab3", "5", "--reason", "found another")
    said(tmagrade, "withdraw", "eve", "lab3", "add", "--reason", "they were none")
    assert "counts: no score -> 5" in said(tmagrade, *command)


def test_points_are_taken_away_as_they_are_typed(tmagrade: Tmagrade, term: Path) -> None:
    said(tmagrade, "add", "eve", "lab3", "30", "--reason", "appeal")
    assert "counts: 30 -> 27.5" in said(tmagrade, "add", "eve", "lab3", "-2.5", "--reason", "counted wrong")
    status, printed = tmagrade("term", "override", "eve", "lab3", "-5", "--reason", "x")
    assert status == 2 and "no lab counts fewer than no points; `term add` takes points away" in printed
    assert tmagrade("term", "add", "eve", "lab3", "5", "--reson", "x")[0] == 2


def test_history_and_explain_have_the_courses_own_time_as_it_was_typed(
    one_week: str, course: Course, tmagrade: Tmagrade
) -> None:
    assert "time 2026-09-19 00:10:00;" in said(tmagrade, "time", "ada", "lab3", "2026-09-19T00:10", "--reason", "log")
    history = said(tmagrade, "history", "ada", "lab3")
    assert "time 2026-09-19 00:10:00 by" in history and "UTC" not in history
    assert history.count(" America/New_York  ") == 2
    printed = tmagrade("explain", "ada", "lab3", "--grades", course.repository.grades)[1]
    assert "  time 2026-09-19 00:10:00: log (" in printed and "UTC" not in printed.split("in the term:")[1]


def test_one_is_not_spoken_of_as_many(one_week: str, course: Course, term: Path, tmagrade: Tmagrade) -> None:
    (term / "term.toml").write_text(TERM.replace("drop_lowest = 0", "drop_lowest = 1"))
    said(tmagrade, "time", "ada", "lab3", "2026-09-19T12:00", "--reason", "log")
    said(tmagrade, "override", "ada", "lab4", "90", "--reason", "appeal")
    printed = tmagrade("explain", "ada", "lab3", "--grades", course.repository.grades)[1]
    assert "  1 day late" in printed
    assert "  dropped: the lowest, by the share of the points\n" in printed
    assert "; dropped: the lowest\n" in tmagrade("explain", "ada")[1]


def test_of_another_labs_file_nobody_says_that_the_compiler_refused_it(course: Course, tmagrade: Tmagrade) -> None:
    put(course, "ada/lab4.cu")
    grade(tmagrade, course, "--labs", "lab3")
    text = (course.repository.grades / "ada/feedback.md").read_text()
    assert "Build error: what was handed in could not be built." in text
    assert "lab4.cu was handed in for lab4-single-tile" in text
