"""What the course's staff reads of hand-ins and says of them: kept, anchored to lines, and read by students."""

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Course, Tmagrade
from graded_once import Graded, graded_once
from test_term import begin_term, grade, put, sheet

from staff.collecting.kept_texts import MOST_REQUEST_BYTES, REQUEST, keep_text, kept_text
from staff.review.desk import Desk
from staff.review.sayings import Saying
from staff.term.remarks import REVIEW_FILE, place_now, remarks_on
from staff.term.store import Decision, Remark, Store
from tmagrade.basics.errors import UsageError
from tmagrade.submissions.staging import digest_submitted

LAB = "lab3-bulk-copy"
TEXT = "pipeline any hazard\n\n  fence();\n  load();\n"


def hand_in_all(course: Course, text: str = TEXT) -> None:
    put(course, "ada/lab3/lab3.cu", text)
    put(course, "ben/lab3/lab3.cu", "pipeline any fail\n")


def grade_a_term(course: Course, tmagrade: Tmagrade) -> str:
    begin_term(course)
    hand_in_all(course)
    return grade(tmagrade, course, "--labs", "lab3")


@pytest.fixture(scope="module")
def of_a_term() -> Iterator[Graded]:
    with graded_once(grade_a_term) as graded:
        yield graded


@pytest.fixture
def desk(course: Course, tmagrade: Tmagrade, of_a_term: Graded) -> Desk:
    """Of a term in which ada has handed in lab 3, and ben for himself and cy."""
    of_a_term.lay_into(course)
    return Desk(course.repository, course.repository.grades)


@pytest.fixture
def trial(course: Course, tmagrade: Tmagrade) -> Desk:
    """The same without a term."""
    hand_in_all(course)
    grade(tmagrade, course, "--labs", "lab3")
    return Desk(course.repository, course.repository.grades)


def comment(desk: Desk, text: str = "Why no fence?", student: str = "ada", id_: str = "comment-1", **more: Any) -> str:
    return desk.say(Saying(id=id_, student=student, lab=LAB, kind="comment", text=text, **more))


def feedback(desk: Desk, student: str = "ada") -> str:
    return (desk.folder / student / "feedback.md").read_text(encoding="utf-8")


def results(desk: Desk, student: str = "ada") -> list[dict[str, Any]]:
    tests: list[dict[str, Any]] = json.loads((desk.folder / student / "results.json").read_text())["tests"]
    return tests


def remarks(desk: Desk) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = desk.hand_in_json("ada", LAB)["remarks"]
    return said


def row(desk: Desk, student: str = "ada") -> dict[str, Any]:
    return next(row for row in desk.class_json()["rows"] if row["student"] == student)


# What is said


def test_a_comment_at_a_line_is_in_the_students_feedback_and_results(desk: Desk) -> None:
    comment(desk, file="lab3.cu", line=4)
    assert "### Comment on line 4 of `lab3.cu`\n\n```text\n  load();\n```\n\nWhy no fence?\n" in feedback(desk)
    assert results(desk)[-1]["name"] == f"{LAB}: comments"
    assert results(desk)[-1]["output"] == "Comment on line 4 of lab3.cu:\n>   load();\nWhy no fence?"
    assert "Why" not in feedback(desk, "ben")


def test_of_a_blank_line_nothing_is_quoted(desk: Desk) -> None:
    comment(desk, file="lab3.cu", line=2)
    assert "### Comment on line 2 of `lab3.cu`\n\nWhy no fence?\n" in feedback(desk)


def test_gradings_keep_what_was_said(desk: Desk, course: Course, tmagrade: Tmagrade) -> None:
    comment(desk, file="lab3.cu", line=4)
    put(course, "eve/lab3/lab3.cu")
    grade(tmagrade, course, "--labs", "lab3")
    assert "Why no fence?" in feedback(desk)
    assert "Why no fence?" in results(desk)[-1]["output"]


def test_points_are_a_decision_of_the_term(desk: Desk, course: Course, tmagrade: Tmagrade, tmp_path: Path) -> None:
    before = float(sheet(tmagrade, tmp_path / "sheet.csv")["ada"][LAB])
    comment(desk, points="-2.5", file="lab3.cu", line=4)
    assert float(sheet(tmagrade, tmp_path / "sheet.csv")["ada"][LAB]) == before - 2.5
    assert "add -2.5: lab3.cu:4: Why no fence?" in tmagrade("explain", "ada", "lab3")[1]
    assert "−2.5 points" in feedback(desk)
    assert any("add -2.5" in line for line in desk.hand_in_json("ada", LAB)["counts"])


def test_points_are_given_to_everybody_who_shares_the_hand_in(desk: Desk, course: Course) -> None:
    comment(desk, student="ben", points="3")
    decisions = Store(course.repository.term).read(Decision)
    assert [(one.person, one.value) for one in decisions] == [("ben", "3"), ("cy", "3")]


def test_what_is_sent_twice_is_said_once(desk: Desk, course: Course) -> None:
    comment(desk, points="3")
    comment(desk, points="3")
    assert len(Store(course.repository.term).read(Decision)) == 1
    assert len(remarks(desk)) == 1


def test_what_is_taken_back_counts_no_more_and_stays_in_the_store(desk: Desk, course: Course) -> None:
    comment(desk, points="-3")
    back = Saying(id="back-of-one", student="ada", lab=LAB, kind="withdraw", about="comment-1")
    assert desk.say(back) == ""
    assert "already" in desk.say(back.model_copy(update={"id": "back-of-two"}))
    assert remarks(desk) == []
    assert "Why no fence?" not in feedback(desk)
    store = Store(course.repository.term)
    assert [one.kind for one in store.read(Remark)] == ["comment", "withdraw"]
    assert [one.value for one in store.read(Decision)] == ["-3", "3"]


def test_two_who_take_the_same_back_at_once_give_the_points_back_once(
    desk: Desk, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    comment(desk, points="-3")
    stale = desk_reading_at_once(desk, monkeypatch)
    for number in (1, 2):
        stale.say(Saying(id=f"back-of-{number}", student="ada", lab=LAB, kind="withdraw", about="comment-1"))
    assert [one.value for one in Store(course.repository.term).read(Decision)] == ["-3", "3"]


def desk_reading_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """One that sees, whenever it asks, what had been said before either of two has acted."""
    before = remarks_on(desk.folder)
    monkeypatch.setattr("staff.review.desk.remarks_on", lambda folder: before)
    return desk


def edit(desk: Desk, about: str, text: str, points: str = "", student: str = "ada") -> str:
    return desk.say(
        Saying(id="edit-asked", student=student, lab=LAB, kind="edit", about=about, text=text, points=points)
    )


def test_an_edit_stands_in_the_place_of_what_was_said_which_stays_known(desk: Desk, course: Course) -> None:
    comment(desk, file="lab3.cu", line=4)
    comment(desk, "Later.", id_="comment-2")
    assert edit(desk, "comment-1", "A fence?") == ""
    [one, two] = remarks(desk)
    assert (one["text"], one["line"], two["text"]) == ("A fence?", 4, "Later.")
    assert [(before["text"], before["by"]) for before in one["earlier"]] == [("Why no fence?", one["by"])]
    assert "A fence?" in feedback(desk) and "Why no fence?" not in feedback(desk)
    assert [row.text for row in Store(course.repository.term).read(Remark)] == ["Why no fence?", "Later.", "A fence?"]


def test_an_edit_of_points_leaves_the_new_ones_alone(
    desk: Desk, course: Course, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    before = float(sheet(tmagrade, tmp_path / "sheet.csv")["ada"][LAB])
    comment(desk, points="-3")
    edit(desk, "comment-1", "Less.", "-1")
    assert float(sheet(tmagrade, tmp_path / "sheet.csv")["ada"][LAB]) == before - 1
    edit(desk, remarks(desk)[0]["id"], "None.")
    assert float(sheet(tmagrade, tmp_path / "sheet.csv")["ada"][LAB]) == before
    edit(desk, remarks(desk)[0]["id"], "Two.", "-2")
    desk.say(Saying(id="back-of-one", student="ada", lab=LAB, kind="withdraw", about=remarks(desk)[0]["id"]))
    assert float(sheet(tmagrade, tmp_path / "sheet.csv")["ada"][LAB]) == before
    assert remarks(desk) == []


def test_of_two_edits_at_once_one_is_kept_and_the_other_is_told(
    desk: Desk, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    comment(desk, points="-3")
    edit(desk, "comment-1", "mine", "-1")
    with pytest.raises(UsageError, match="has changed that meanwhile, to: mine"):
        edit(desk, "comment-1", "theirs", "-2")
    assert edit(desk, "comment-1", "mine", "-1") == ""  # sent twice
    assert [one.value for one in Store(course.repository.term).read(Decision)] == ["-3", "3", "-1"]


@pytest.mark.parametrize("first", ["withdraw", "edit"])
def test_of_an_edit_and_a_withdrawal_at_once_the_points_are_those_of_what_stands(
    desk: Desk, course: Course, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    comment(desk, points="-3")
    with monkeypatch.context() as patch:
        stale = desk_reading_at_once(desk, patch)
        back = Saying(id="back-of-one", student="ada", lab=LAB, kind="withdraw", about="comment-1")
        if first == "withdraw":
            stale.say(back)
            with pytest.raises(UsageError):
                edit(stale, "comment-1", "mine", "-1")
        else:
            edit(stale, "comment-1", "mine", "-1")
            assert stale.say(back) != ""
    values = [int(one.value) for one in Store(course.repository.term).read(Decision)]
    assert sum(values) == (0 if first == "withdraw" else -1)


def test_two_assistants_at_once_lose_nothing(desk: Desk, course: Course) -> None:
    desks = [Desk(course.repository, desk.folder) for _ in range(2)]

    def say(own: Desk, name: str) -> None:
        for number in range(8):
            comment(own, f"{name} {number}", id_=f"{name}-saying-{number}", points="1")

    threads = [threading.Thread(target=say, args=(own, name)) for own, name in zip(desks, ("one", "two"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = {f"{name} {number}" for name in ("one", "two") for number in range(8)}
    assert {one["text"] for one in remarks(desk)} == wanted
    assert all(text in feedback(desk) for text in wanted)
    assert len(Store(course.repository.term).read(Decision)) == 16


def test_what_was_said_and_not_written_is_written_when_the_page_is_opened_again(desk: Desk) -> None:
    without = feedback(desk)
    comment(desk)
    (desk.folder / "ada/feedback.md").write_text(without)  # the plug was pulled between the two
    desk.bring_up()
    assert "Why no fence?" in feedback(desk)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"student": "nobody"}, "no grades"),
        ({"text": "  \n"}, "says nothing"),
        ({"points": "101"}, "the lab has 100"),
    ],
)
def test_what_makes_no_sense_is_refused(desk: Desk, more: dict[str, str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        comment(desk, **more)
    assert remarks(desk) == []


def test_no_remark_is_taken_for_markdown_or_html(desk: Desk) -> None:
    comment(desk, "<b>`x`</b>\n# no title\u202e")
    assert r"\<b\>\`x\`\</b\>" in feedback(desk)
    assert "\n# no title" not in feedback(desk)
    assert "\u202e" not in feedback(desk)


def test_what_was_said_before_is_there_to_be_said_again_the_most_used_first(desk: Desk) -> None:
    comment(desk, "once", id_="saying-1")
    for number in (2, 3):
        comment(desk, "twice", id_=f"saying-{number}", points="-1")
    assert desk.hand_in_json("ben", LAB)["used"] == [{"text": "twice", "points": "-1"}, {"text": "once", "points": ""}]


# Without a term


def test_without_a_term_remarks_are_kept_beside_the_grades_and_there_are_no_points(trial: Desk) -> None:
    comment(trial)
    assert "Why no fence?" in feedback(trial)
    assert (trial.folder / REVIEW_FILE).exists()
    assert "belong to none" in trial.hand_in_json("ada", LAB)["why_no_points"]
    with pytest.raises(UsageError, match="Points are given in a term"):
        comment(trial, id_="comment-2", points="1")


def test_a_term_that_begins_later_has_what_was_said_before(trial: Desk, course: Course) -> None:
    comment(trial)
    begin_term(course)
    comment(trial, "And here?", id_="comment-2")
    assert [one["text"] for one in remarks(trial)] == ["Why no fence?", "And here?"]


def grade_as_canvas(course: Course, tmagrade: Tmagrade) -> Desk:
    put(course, "lovelaceada_101_11_lab3.cu", TEXT)
    grade(tmagrade, course, "--labs", "lab3")
    return Desk(course.repository, course.repository.grades)


def test_who_was_graded_before_the_term_has_one_row_and_the_page_says_why_there_are_no_points(
    course: Course, tmagrade: Tmagrade
) -> None:
    desk = grade_as_canvas(course, tmagrade)
    begin_term(course)
    of_class = desk.class_json()
    [ada] = [row for row in of_class["rows"] if row["name"] == "Ada Lovelace"]
    assert [one["student"] for one in of_class["without"]] == ["ben", "cy", "eve"]
    assert "graded without the term" in desk.hand_in_json(ada["student"], LAB)["why_no_points"]
    grade(tmagrade, course, "--labs", "lab3")
    assert desk.hand_in_json("ada", LAB)["why_no_points"] == ""


def test_who_is_on_no_roster_can_be_given_no_points_and_the_page_says_why(desk: Desk, course: Course) -> None:
    (course.repository.term / "roster.csv").write_text("id,name\nben,Ben Bell\n")
    assert "Nobody on the roster is called ada" in desk.hand_in_json("ada", LAB)["why_no_points"]


def test_what_was_said_under_a_platforms_name_stays_with_who_has_another_one_on_the_roster(
    course: Course, tmagrade: Tmagrade
) -> None:
    desk = grade_as_canvas(course, tmagrade)
    [name] = [row["student"] for row in desk.class_json()["rows"]]
    comment(desk, student=name)
    begin_term(course)
    assert [one["text"] for one in desk.hand_in_json(name, LAB)["remarks"]] == ["Why no fence?"]
    grade(tmagrade, course, "--labs", "lab3")
    assert [one["text"] for one in remarks(desk)] == ["Why no fence?"]
    assert "Why no fence?" in feedback(desk)
    assert desk.hand_in_json("ada", LAB)["used"] == [{"text": "Why no fence?", "points": ""}]


def test_what_was_said_stays_with_a_person_whose_id_is_another_one_now(course: Course, tmagrade: Tmagrade) -> None:
    folder = begin_term(course)
    desk = grade_as_canvas(course, tmagrade)
    comment(desk)
    roster = folder / "roster.csv"
    roster.write_text(roster.read_text().replace("ada,Ada Lovelace,", "countess,Ada King,"))
    grade(tmagrade, course, "--labs", "lab3")
    assert [one["text"] for one in desk.hand_in_json("countess", LAB)["remarks"]] == ["Why no fence?"]
    assert "Why no fence?" in feedback(desk, "countess")


# Lines


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        (["a", "b", "load();"], (3, "same")),
        (["a", "b", "  load();  "], (3, "same")),
        (["a", "load();", "b"], (2, "moved")),
        (["load();", "a", "b", "c", "load();"], (1, "moved")),
        (["a", "b", "store();"], (3, "changed")),
        (["a"], (1, "changed")),
        ([], (1, "changed")),
    ],
)
def test_a_remark_stands_at_the_nearest_line_of_the_same_words(lines: list[str], place: tuple[int, str]) -> None:
    said = Remark("1", "", "", "ada", LAB, "comment", "", "", "lab3.cu", 3, "load();", "", "")
    assert place_now(said, lines) == place


def test_a_remark_follows_its_line_into_the_next_hand_in(desk: Desk, course: Course, tmagrade: Tmagrade) -> None:
    comment(desk, file="lab3.cu", line=4)
    put(course, "ada/lab3/lab3.cu", "// one more\n" + TEXT)
    grade(tmagrade, course, "--labs", "lab3")
    [one] = remarks(desk)
    assert (one["said_line"], one["line"], one["stands"]) == (4, 5, "moved")
    assert "(said of an earlier hand-in)" in feedback(desk)


# What is read


def test_a_mark_is_of_one_hand_in(desk: Desk, course: Course, tmagrade: Tmagrade) -> None:
    assert row(desk)["review"] == "open"
    desk.say(Saying(id="reviewed-1", student="ada", lab=LAB, kind="reviewed"))
    assert row(desk)["review"] == "reviewed"
    put(course, "ada/lab3/lab3.cu", TEXT + "// more\n")
    grade(tmagrade, course, "--labs", "lab3")
    assert row(desk)["review"] == "again"


def test_a_group_is_one_row_and_who_handed_in_nothing_is_listed(desk: Desk) -> None:
    assert row(desk, "ben")["name"] == "Ben Bell & Cy Young"
    assert [one["student"] for one in desk.class_json()["without"]] == ["eve"]


def test_findings_stand_with_the_text_that_was_graded(desk: Desk, course: Course) -> None:
    put(course, "ada/lab3/lab3.cu", "another text, which nobody has graded")
    one = desk.hand_in_json("ada", LAB)
    assert one["files"][0]["lines"] == tuple(TEXT.split("\n")[:-1])
    assert [finding["code"] for finding in one["findings"]] == ["trap"]
    assert {case["verdict"] for case in one["cases"]} == {"hazard"}


def test_a_hand_in_is_compared_with_its_skeleton(desk: Desk, course: Course) -> None:
    (course.repository.labs / LAB / "lab3.cu").write_text("pipeline any hazard\n\n  // TODO\n")
    [file] = desk.hand_in_json("ada", LAB)["files"]
    assert [(sign, number, text) for sign, _, number, text in file["difference"]] == [
        ("@", 1, ""),
        (" ", 1, "pipeline any hazard"),
        (" ", 2, ""),
        ("-", 0, "  // TODO"),
        ("+", 3, "  fence();"),
        ("+", 4, "  load();"),
    ]


def test_what_no_page_should_obey_is_shown_as_a_symbol(desk: Desk, course: Course, tmagrade: Tmagrade) -> None:
    put(course, "ada/lab3/lab3.cu", "// \u202e\x1b[0m\n")
    grade(tmagrade, course, "--labs", "lab3")
    assert desk.hand_in_json("ada", LAB)["files"][0]["lines"] == ("// <U+202E>␛[0m",)


def test_only_what_was_graded_is_kept(course: Course) -> None:
    folder = course.submit("ada", TEXT).folder
    (folder / "link.cu").symlink_to("/etc/passwd")
    digest = digest_submitted(folder)
    (folder / "lab3.cu").write_text("changed meanwhile")
    keep_text(course.repository.unpacked, folder, digest)
    assert kept_text(course.repository.unpacked, digest) is None
    (folder / "lab3.cu").write_text(TEXT)
    keep_text(course.repository.unpacked, folder, digest)
    kept = kept_text(course.repository.unpacked, digest)
    assert kept is not None and [file.name for file in kept.files] == ["lab3.cu"]


def test_figures_count_each_student_once(desk: Desk) -> None:
    figures = desk.figures_json(LAB)
    [pipeline] = [part for part in figures["parts"] if part["id"] == "pipeline"]
    assert figures["handed_in"] == 2
    assert sorted(pipeline["verdicts"]) == [("fail", 1), ("hazard", 1)]
    assert pipeline["cases"] == [("small", 2), ("large", 2)]  # as they are tried
    assert pipeline["findings"] == [("trap", 1)]


# Requests for a regrade


@pytest.fixture
def asked(desk: Desk, course: Course, tmagrade: Tmagrade) -> Desk:
    put(course, f"ada/lab3/{REQUEST}", "Line 4 <b>is</b> right.\n")
    grade(tmagrade, course, "--labs", "lab3")
    return desk


def test_a_request_is_listed_answered_and_the_answer_published(asked: Desk) -> None:
    assert row(asked)["request"] == "open"
    one = asked.hand_in_json("ada", LAB)
    assert one["request_text"] == "Line 4 <b>is</b> right."
    asked.say(
        Saying(
            id="answer-1", student="ada", lab=LAB, kind="answer", text="It is.", about=one["request_digest"], points="5"
        )
    )
    assert row(asked)["request"] == "answered"
    assert "### Your request for a regrade: +5 points\n\nIt is.\n" in feedback(asked)


def test_a_new_request_is_open_again(asked: Desk, course: Course, tmagrade: Tmagrade) -> None:
    digest = asked.hand_in_json("ada", LAB)["request_digest"]
    asked.say(Saying(id="answer-1", student="ada", lab=LAB, kind="answer", text="It is.", about=digest))
    put(course, f"ada/lab3/{REQUEST}", "And line 5?")
    grade(tmagrade, course, "--labs", "lab3")
    assert row(asked)["request"] == "open"


def test_a_request_costs_nothing_and_is_no_file_that_was_left_out(asked: Desk) -> None:
    assert row(asked)["parts"]["one-tile"][0] == "pass"
    assert REQUEST not in feedback(asked)


def test_a_request_comes_with_canvas_own_names(desk: Desk, course: Course, tmagrade: Tmagrade) -> None:
    shutil.rmtree(course.handed_in)
    put(course, "lovelaceada_101_501_lab3-1.cu", TEXT)
    put(course, "lovelaceada_101_502_regrade-request-1.md", "Please look again.")
    grade(tmagrade, course, "--labs", "lab3")
    assert desk.hand_in_json("ada", LAB)["request_text"] == "Please look again."


def test_of_a_long_request_only_the_beginning_is_read(desk: Desk, course: Course, tmagrade: Tmagrade) -> None:
    put(course, f"ada/lab3/{REQUEST}", "x" * (3 * MOST_REQUEST_BYTES))
    grade(tmagrade, course, "--labs", "lab3")
    assert len(desk.hand_in_json("ada", LAB)["request_text"]) == MOST_REQUEST_BYTES


# The store


def test_a_store_of_an_earlier_version_takes_remarks(desk: Desk, course: Course) -> None:
    with sqlite3.connect(course.repository.term / "term.sqlite") as store:
        store.execute("DROP TABLE remarks")
    comment(desk)
    assert len(remarks(desk)) == 1
