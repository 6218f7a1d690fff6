"""A term with Canvas asked by its API: the class, its hand-ins and their times, scores and comments; and whatever goes
wrong on the way. Nobody but Canvas sees the token."""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Course, Tmagrade, write_program
from names_of_the_world import NAMES
from pretended_canvas import COURSE, TOKEN, PretendedCanvas, serving
from test_term import TERM, begin_term, put, said, sheet

from staff.platforms import canvas_api
from staff.platforms.canvas_api import Canvas, next_page
from staff.term.store import Decision, Published, Store
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE

ASSIGNMENT = 8
SETTINGS = TERM.replace("drop_lowest = 0", 'drop_lowest = 0\npending = "scale"')
SETTINGS = SETTINGS.replace('lab = "lab3"', f'lab = "lab3"\ncanvas = "Lab 3 ({ASSIGNMENT})"')
ROSTER = """id,name,email,section,group,canvas
ada,Ada Lovelace,ada@a.edu,A,,101
ben,Ben Bell,ben@a.edu,A,,102
cy,Cy Young,cy@a.edu,B,,103
"""
EARLY, LATE = "2026-09-18T20:00:00Z", "2026-09-20T03:00:00Z"


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(canvas_api, "pause", found.append)
    return found


@pytest.fixture
def canvas(waits: list[float], monkeypatch: pytest.MonkeyPatch) -> Iterator[PretendedCanvas]:
    monkeypatch.setenv("CANVAS_TOKEN", TOKEN)
    there = PretendedCanvas(sections={1: "A", 2: "B"})
    for number, name, section in ((101, "Ada Lovelace", 1), (102, "Ben Bell", 1), (103, "Cy Young", 2)):
        there.enroll(number, name, section)
    with serving(there):
        there.assign(ASSIGNMENT)
        yield there


@pytest.fixture
def term(course: Course, canvas: PretendedCanvas) -> Path:
    where = f'\n[canvas]\naddress = "{canvas.address}"\ncourse = {COURSE}\n'
    return begin_term(course, SETTINGS + where, ROSTER)


@pytest.fixture
def graded(term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path) -> Path:
    """ada has all points; ben and cy, a pair there, are late and wrong."""
    canvas.hand_in(ASSIGNMENT, [101], EARLY, {"lab3.cu": "// right"})
    canvas.hand_in(ASSIGNMENT, [102, 103], LATE, {"lab3.cu": "pipeline any fail"}, late=True)
    return collected(tmagrade, tmp_path)


def collected(tmagrade: Tmagrade, tmp_path: Path) -> Path:
    to = tmp_path / "fall/lab3.zip"
    said(tmagrade, "collect", "lab3", "--out", to)
    status, printed = tmagrade("grade", "--submissions", to, "--labs", "lab3")
    assert status == 0, printed
    return to


def published(term: Path) -> dict[str, str]:
    return {one.person: one.cell for one in Store(term).read(Published)}


# The class


def test_the_class_comes_from_all_pages_with_sections_and_numbers(
    term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade
) -> None:
    (term / "roster.csv").write_text("id,name,section,canvas\nada,Ada Lovelace,,101\nold,Olga Old,A,99\n")
    for place, (family, given) in enumerate(NAMES):
        canvas.enroll(1000 + place, f"{given} {family}", 1, login_id=f"u{place}", sis_user_id=f"sis{place}")
    canvas.users[1000]["enrollments"].append(canvas.users[103]["enrollments"][0])
    canvas.users[1001]["email"] = "one@a.edu"
    asked = said(tmagrade, "roster", "--canvas", "--dry-run")
    assert "dropped: old (Olga Old)" in asked and "u0" not in (term / "roster.csv").read_text()
    assert "added: 202; changed: 1; dropped: 1" in said(tmagrade, "roster", "--canvas", "--yes")
    roster = (term / "roster.csv").read_text()
    [first, second] = re.findall(r"^u[01],.*$", roster, re.MULTILINE)
    assert [*first.split(",")[1:4]] == [" ".join(reversed(NAMES[0])), "A and B", "1000"] and "sis0" in first
    assert "one@a.edu" in second
    assert "has all that Canvas says" in said(tmagrade, "roster", "--canvas")
    assert sum(place.endswith("/users") for place in canvas.asked) > 3 * 20


# Hand-ins


def test_hand_ins_come_with_their_times_and_groups(
    graded: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert {who: row["lab3-bulk-copy/handed in"] for who, row in rows.items()} == {
        "ada": "2026-09-18 16:00:00", "ben": "2026-09-19 23:00:00", "cy": "2026-09-19 23:00:00",
    }  # fmt: skip
    assert [row["lab3-bulk-copy"] for row in rows.values()] == ["100", "33.33", "33.33"]
    assert canvas.fetched == [9000, 9001], "what a pair has in common is fetched once"
    names = sorted(zipfile.ZipFile(graded).namelist())
    assert names == [
        "bellben_LATE_102_9001_lab3.cu", "lovelaceada_101_9000_lab3.cu", "submissions.json",
        "youngcy_LATE_103_9001_lab3.cu",
    ]  # fmt: skip


def test_a_newer_attempt_takes_the_place_of_the_older_one(
    graded: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    canvas.hand_in(ASSIGNMENT, [101], LATE, {"lab3.cu": "one-tile any fail", "notes.txt": ""}, late=True)
    collected(tmagrade, tmp_path)
    assert canvas.fetched == [9000, 9001, 9002, 9003], "what is there is not fetched again"
    assert "lovelaceada_101_9000_lab3.cu" not in zipfile.ZipFile(graded).namelist()
    assert sheet(tmagrade, tmp_path / "sheet.csv")["ada"]["lab3-bulk-copy/handed in"] == "2026-09-19 23:00:00"


def test_a_time_that_a_table_has_said_is_no_older_attempts(
    term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    table = tmp_path / "submissions.json"
    table.write_text(json.dumps([{"user_id": 101, "submitted_at": EARLY}]))
    said(tmagrade, "times", table, "--lab", "lab3")
    said(tmagrade, "time", "ben", "lab3", "2026-09-18T10:00", "--reason", "the network was down")
    canvas.hand_in(ASSIGNMENT, [101, 102], LATE, {"lab3.cu": ""}, late=True)
    collected(tmagrade, tmp_path)
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert [rows[who]["lab3-bulk-copy/handed in"][:13] for who in ("ada", "ben")] == ["2026-09-19 23", "2026-09-18 10"]


def test_a_text_is_no_file_and_costs_no_zero(
    term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    (term / "term.toml").write_text('missing = "zero"\n' + (term / "term.toml").read_text())
    canvas.hand_in(ASSIGNMENT, [101], EARLY, {"lab3.cu": ""})
    canvas.assignments[ASSIGNMENT].submissions[102] |= {"submitted_at": EARLY, "body": "<p>my lab</p>"}
    to = tmp_path / "lab3.zip"
    said(tmagrade, "collect", "lab3", "--out", to)
    assert tmagrade("grade", "--submissions", to, "--labs", "lab3")[0] == 4
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert (rows["ben"]["lab3-bulk-copy"], rows["cy"]["lab3-bulk-copy"]) == ("", "0")


def test_a_dry_run_fetches_nothing(term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path) -> None:
    canvas.hand_in(ASSIGNMENT, [101], EARLY, {"lab3.cu": "text"})
    assert "1 have handed in" in said(tmagrade, "collect", "lab3", "--out", tmp_path / "l.zip", "--dry-run")
    assert canvas.fetched == [] and list(tmp_path.glob("*l.zip*")) == []


def test_what_breaks_off_is_fetched_again(
    term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    canvas.hand_in(ASSIGNMENT, [101], EARLY, {"lab3.cu": "// a longer text"})
    canvas.broken = 2
    to = collected(tmagrade, tmp_path)
    assert zipfile.ZipFile(to).read("lovelaceada_101_9000_lab3.cu") == b"// a longer text"
    assert len(canvas.fetched) == 3


def test_what_breaks_off_for_good_leaves_nothing_in_its_place(
    term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    canvas.hand_in(ASSIGNMENT, [101], EARLY, {"lab3.cu": "// a longer text"})
    canvas.broken = 1000
    status, printed = tmagrade("term", "collect", "lab3", "--out", tmp_path / "lab3.zip")
    assert status == 2 and "lovelaceada_101_9000_lab3.cu broke off 7 times" in printed
    assert not (tmp_path / "lab3.zip").exists() and canvas.elsewhere not in printed


def test_a_zip_of_another_origin_is_not_written_over(
    term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    to = tmp_path / "lab3.zip"
    with zipfile.ZipFile(to, "w") as archive:
        archive.writestr("lovelaceada_101_9000_lab3.cu", "by hand")
    status, printed = tmagrade("term", "collect", "lab3", "--out", to)
    assert status == 2 and "Give --out another name" in printed


COLLECT = """
import os, signal, sys
from pathlib import Path
from staff.commands import term_canvas, term_here
from tmagrade.basics.paths import Repository
term_here.HERE = Repository(Path(sys.argv[1]))
term_canvas.collect("lab3", Path(sys.argv[2]), False)
"""


def test_after_a_kill_only_what_is_missing_is_fetched(
    term: Path, canvas: PretendedCanvas, course: Course, tmp_path: Path
) -> None:
    """kill -9 in the middle of the third file, twice."""
    for user in (101, 102, 103):
        canvas.hand_in(ASSIGNMENT, [user], EARLY, {"lab3.cu": f"// {user}", "more.cuh": "// more"})
    to = tmp_path / "lab3.zip"
    running: list[subprocess.Popen[bytes]] = []
    environment = os.environ | {"PYTHONPATH": str(HERE.grader), "TMAGRADE_TERM": str(term)}

    def collect(kill_at: int) -> int:
        def kill(place: str) -> None:
            if place.startswith("/files/") and len(canvas.fetched) == kill_at:
                running[-1].kill()

        canvas.at_request = kill
        command = [sys.executable, "-c", COLLECT, str(course.repository.root), str(to)]
        running.append(subprocess.Popen(command, env=environment))
        return running[-1].wait()

    assert collect(3) == -9 and not to.exists()
    assert collect(5) == -9 and not to.exists()
    assert collect(0) == 0
    assert sorted(canvas.fetched) == [9000, 9001, 9002, 9002, 9003, 9003, 9004, 9005]
    assert len(zipfile.ZipFile(to).namelist()) == 7 and list(tmp_path.glob(".lab3*")) == []


# Scores


def test_scores_go_back_and_what_is_excused_is(
    graded: Path, term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade
) -> None:
    said(tmagrade, "excuse", "cy", "lab3", "--reason", "ill")
    shown = said(tmagrade, "publish", "lab3", "--canvas", "--dry-run")
    assert "ada: empty -> 100" in shown and "cy: empty -> EX" in shown
    assert (canvas.score_of(ASSIGNMENT, 101), published(term)) == (None, {})
    said(tmagrade, "publish", "lab3", "--canvas")
    assert [canvas.score_of(ASSIGNMENT, user) for user in (101, 102, 103)] == [100.0, 33.33, "EX"]
    assert published(term) == {"ada": "100", "ben": "33.33", "cy": "EX"}
    assert "3 of 3 students have there what counts here" in said(tmagrade, "compare", "lab3", "--canvas")
    asked = len([one for one in canvas.asked if one.startswith("POST")])
    assert "0 scores were other ones on Canvas" in said(tmagrade, "publish", "lab3", "--canvas")
    assert len([one for one in canvas.asked if one.startswith("POST")]) == asked == 1


def test_a_sections_scores_go_alone(graded: Path, term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade) -> None:
    said(tmagrade, "publish", "lab3", "--canvas", "--section", "B")
    assert [canvas.score_of(ASSIGNMENT, user) for user in (101, 102, 103)] == [None, None, 33.33]


def test_a_published_score_changes_only_after_a_word(
    graded: Path, term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade
) -> None:
    said(tmagrade, "publish", "lab3", "--canvas")
    said(tmagrade, "override", "ada", "lab3", "90", "--reason", "an appeal")
    status, printed = tmagrade("term", "publish", "lab3", "--canvas")
    assert status == 2 and "ada: 100 -> 90: override 90: an appeal" in printed
    assert canvas.score_of(ASSIGNMENT, 101) == 100
    said(tmagrade, "publish", "lab3", "--canvas", "--yes")
    assert canvas.score_of(ASSIGNMENT, 101) == 90


def test_a_score_that_was_changed_there_by_hand_is_asked_about(
    graded: Path, term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade
) -> None:
    canvas.put_score(ASSIGNMENT, 103, 12)
    status, printed = tmagrade("term", "publish", "lab3", "--canvas")
    assert status == 2 and "others have put into Canvas:\n  cy: 12 -> 33.33: nothing was published" in printed
    said(tmagrade, "publish", "lab3", "--canvas", "--yes")
    canvas.put_score(ASSIGNMENT, 101, 55)
    status, printed = tmagrade("term", "publish", "lab3", "--canvas")
    assert status == 2 and "ada: 55 -> 100: 100 was published" in printed
    assert canvas.score_of(ASSIGNMENT, 101) == 55


def test_what_canvas_does_not_take_is_said_and_not_remembered(
    graded: Path, term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade
) -> None:
    canvas.ignores = frozenset({102})
    status, printed = tmagrade("term", "publish", "lab3", "--canvas")
    assert status == 2 and "Canvas has other scores than it was given, of ben (empty)" in printed
    assert published(term) == {"ada": "100", "cy": "33.33"}


def test_what_was_put_before_a_kill_is_only_remembered(
    graded: Path, term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("staff.commands.publication.Publication.keep", killed)
        assert tmagrade("term", "publish", "lab3", "--canvas")[0] != 0
    assert canvas.score_of(ASSIGNMENT, 101) == 100 and published(term) == {}
    assert "0 scores were other ones on Canvas" in said(tmagrade, "publish", "lab3", "--canvas")
    assert published(term) == {"ada": "100", "ben": "33.33", "cy": "33.33"}


def test_work_that_canvas_cannot_do_is_told(
    graded: Path, term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade
) -> None:
    canvas.failing = f"the grading period is closed to {TOKEN}"
    status, printed = tmagrade("term", "publish", "lab3", "--canvas")
    assert status == 2 and "the grading period is closed to CANVAS_TOKEN" in printed and published(term) == {}


def test_canvas_own_late_policy_is_asked_about(
    graded: Path, term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade
) -> None:
    canvas.late_policy = {"late_policy": {"late_submission_deduction_enabled": True}}
    status, printed = tmagrade("term", "publish", "lab3", "--canvas")
    assert status == 2 and "this would count lateness twice" in printed


def test_points_that_are_others_there_are_refused(
    graded: Path, term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade
) -> None:
    canvas.assignments[ASSIGNMENT].points = 20.0
    status, printed = tmagrade("term", "publish", "lab3", "--canvas")
    assert status == 2 and "Canvas has the lab out of 20.0, the term out of 100" in printed


# Comments


def test_feedback_becomes_one_comment_each(graded: Path, canvas: PretendedCanvas, tmagrade: Tmagrade) -> None:
    submissions = canvas.assignments[ASSIGNMENT].submissions
    assert "3 comments; a dry run" in said(tmagrade, "feedback", "--canvas", "lab3", "--dry-run")
    assert submissions[102]["comments"] == []
    assert "3 comments added; 0 were there" in said(tmagrade, "feedback", "--canvas", "lab3")
    [text] = submissions[102]["comments"]
    assert "# Feedback for ben" in text and "pipeline" in text and canvas.score_of(ASSIGNMENT, 102) is None
    submissions[102]["comments"] = [text.replace("\n", "\r\n").strip()]
    assert "0 comments added; 3 were there" in said(tmagrade, "feedback", "--canvas", "lab3")


@pytest.mark.parametrize(
    "words",
    [
        "roster", "roster --canvas --book x.csv", "compare lab3", "compare lab3 --canvas --to moodle", "publish lab3",
        "publish lab3 --canvas --out x.csv", "publish lab3 --canvas --to moodle", "publish lab3 --canvas --book x.csv",
        "feedback --canvas lab3 --download x.zip", "feedback --download x.zip --out y.zip --dry-run",
    ],
)  # fmt: skip
def test_a_file_and_canvas_itself_do_not_go_together(term: Path, tmagrade: Tmagrade, words: str) -> None:
    assert tmagrade("term", *words.split())[0] == 2


def test_what_canvas_has_done_without_an_answer_is_not_done_twice(
    graded: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, waits: list[float]
) -> None:
    canvas.hangs_up = True
    status, printed = tmagrade("term", "feedback", "--canvas", "lab3")
    assert status == 2 and f"{canvas.address} does not answer" in printed and waits == []
    canvas.hangs_up = False
    assert "0 comments added; 3 were there" in said(tmagrade, "feedback", "--canvas", "lab3")
    assert [len(one["comments"]) for one in canvas.assignments[ASSIGNMENT].submissions.values()] == [1, 1, 1]


# The token, and what goes wrong


def test_the_token_is_shown_to_nobody_else(
    graded: Path, term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not to the host that has the files, in no file, and in no message, also where Canvas repeats it."""
    assert canvas.fetched and canvas.tokens_elsewhere == []
    monkeypatch.setenv("CANVAS_TOKEN", "another-secret")
    status, printed = tmagrade("term", "publish", "lab3", "--canvas")
    assert status == 2 and "Canvas refuses the token in CANVAS_TOKEN" in printed and "another-secret" not in printed
    secrets = (TOKEN.encode(), b"another-secret")
    root = term.parent
    assert [
        path for path in root.rglob("*") if path.is_file() and any(one in path.read_bytes() for one in secrets)
    ] == []


def test_what_is_graded_does_not_inherit_the_token(
    course: Course, tmagrade: Tmagrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also without a sandbox, and in a cluster's jobs."""
    monkeypatch.setenv("CANVAS_TOKEN", TOKEN)
    put(course, "ada/lab3/lab3.cu")
    seen, judge = course.repository.root / "environment", course.repository.judge("lab3-bulk-copy")
    write_program(judge, judge.read_text().replace("exec", f'env > "{seen}"; exec'))
    assert tmagrade("grade", "--submissions", course.handed_in, "--labs", "lab3")[0] == 0
    assert "PATH" in seen.read_text() and TOKEN not in seen.read_text() and os.environ["CANVAS_TOKEN"] == TOKEN


@pytest.mark.parametrize("token", ["two words", "line\nfeed", "schlüssel"])
def test_what_is_no_token_is_refused_and_not_shown(
    term: Path, tmagrade: Tmagrade, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("CANVAS_TOKEN", token)
    status, printed = tmagrade("term", "roster", "--canvas")
    assert status == 2 and "is no token" in printed and token not in printed


def test_without_a_token_everything_else_is_as_it_was(
    term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CANVAS_TOKEN")
    status, printed = tmagrade("term", "roster", "--canvas")
    assert status == 2 and "CANVAS_TOKEN is not set" in printed
    said(tmagrade, "check")
    assert canvas.asked == []


def test_canvas_wish_for_fewer_requests_is_heard(
    term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, waits: list[float]
) -> None:
    canvas.busy = 3
    assert "has all that Canvas says" in said(tmagrade, "roster", "--canvas")
    assert waits == [1, 2, 4]
    canvas.busy = 1000
    status, printed = tmagrade("term", "roster", "--canvas")
    assert status == 2 and "Canvas wants fewer requests" in printed


def test_a_next_page_of_another_host_gets_no_token(term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade) -> None:
    for number in range(20):
        canvas.enroll(200 + number, "Ann Other", 1)
    address, canvas.address = canvas.address, canvas.elsewhere
    status, printed = tmagrade("term", "roster", "--canvas")
    assert status == 2 and f"{address} names a next page elsewhere" in printed
    assert canvas.tokens_elsewhere == []


def test_another_course_and_another_assignment_are_told(
    term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    settings = (term / "term.toml").read_text()
    for old, new, words in (
        (f"course = {COURSE}", "course = 1", "Canvas has no /api/v1/courses/1/"),
        ("(8)", "(9)", "Canvas has no /api/v1/courses/77/assignments/9/"),
        ('canvas = "Lab 3 (8)"', "", "which assignment is lab3-bulk-copy?"),
        ("[canvas]\naddress", "[canvas]\naddresses", "canvas.address: is missing"),
        ("http://127.0.0.1", "http://canvas.edu", "is no address of Canvas'"),
    ):
        (term / "term.toml").write_text(settings.replace(old, new))
        status, printed = tmagrade("term", "collect", "lab3", "--out", tmp_path / "lab3.zip")
        assert status == 2 and words in printed, printed


def test_a_canvas_that_does_not_answer_is_told(
    term: Path, canvas: PretendedCanvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Canvas("http://127.0.0.1:1")
    with pytest.raises(UsageError, match=r"http://127.0.0.1:1 does not answer: .*refused"):
        there.get("/api/v1/courses/1")


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ('<https://c/a?x=1,2>; rel="current",<https://c/b?x=1,2>; rel="next"', "https://c/b?x=1,2"),
        ("<https://c/a>; rel=next", "https://c/a"),
        ('<https://c/a>; rel="first", <https://c/z>; rel="last"', None),
        ("", None),
    ],
)
def test_the_next_page_is_that_which_the_link_names(link: str, url: str | None) -> None:
    assert next_page(link) == url


# Other due dates


OVERRIDES = [
    {"id": 1, "title": "1 student", "student_ids": [101], "due_at": "2026-09-21T03:59:59Z"},
    {"id": 2, "title": "B", "course_section_id": 2, "due_at": "2026-09-20T03:59:59Z"},
    {"id": 3, "title": "team", "group_id": 5, "due_at": "2026-09-22T03:59:59Z"},
    {"id": 4, "title": "earlier", "student_ids": [102], "due_at": "2026-09-10T03:59:59Z"},
    {"id": 5, "title": "opens later", "student_ids": [102], "unlock_at": "2026-10-10T03:59:59Z"},
    {"id": 6, "title": "open end", "student_ids": [102], "due_at": None},
]


def test_other_due_dates_of_students_sections_and_groups_are_extensions(
    term: Path, canvas: PretendedCanvas, tmagrade: Tmagrade
) -> None:
    canvas.assignments[ASSIGNMENT].overrides = OVERRIDES
    canvas.groups[5] = [103]
    printed = said(tmagrade, "extensions", "lab3", "--dry-run")
    assert "3 extensions; a dry run" in printed and Store(term).read(Decision) == []
    printed = said(tmagrade, "extensions", "lab3")
    assert "ada: extend 2026-09-20T23:59:59: as Canvas says: 1 student\n" in printed
    assert "without a due date on Canvas, which no extension is: open end\n" in printed
    assert [(one.person, one.value) for one in Store(term).read(Decision)] == [
        ("ada", "2026-09-20T23:59:59"),
        ("cy", "2026-09-19T23:59:59"),
        ("cy", "2026-09-21T23:59:59"),
    ]
    assert "0 extensions kept" in said(tmagrade, "extensions", "lab3")
