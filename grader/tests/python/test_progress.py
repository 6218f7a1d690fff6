"""What is said of the time left, and how far a grading is."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from tmagrade.building.builder import Built
from tmagrade.commands import display
from tmagrade.course.labs import Lab
from tmagrade.grading.progress import Board, Tally, about
from tmagrade.grading.steps import Kind, Plan, Step, Work
from tmagrade.judging.verdicts import Case, Judged
from tmagrade.machine.backend import Engine
from tmagrade.submissions.submission import Submission

LATE, EARLY = Engine("late"), Engine("early")
HERE, LIBRARY = Path(), Path("submission.so")
TWO_CORES = {Kind.BUILD: 2, Kind.EMULATE: 2}


@pytest.fixture
def work(lab3: Lab) -> Work:
    submissions = [Submission(name, lab3, HERE) for name in ("ada", "ben")]
    return Work(Plan([LATE, EARLY], []), submissions, "key")


def judged(verdict: str) -> Judged:
    return Judged("", tuple(Case(part, "", verdict, "") for part in ("one-tile", "pipeline")))


def test_counts_are_of_submissions(work: Work) -> None:
    board = Board(TWO_CORES)
    board.add(work)
    assert board.tally([]).done == {Kind.BUILD: 0, Kind.EMULATE: 0}
    work.built = Built(LIBRARY)
    assert board.note(work) == {Kind.BUILD}
    assert board.tally([]).done == {Kind.BUILD: 2, Kind.EMULATE: 0}


def test_what_does_not_compile_leaves_nothing_to_do(work: Work) -> None:
    board = Board(TWO_CORES)
    board.add(work)
    work.built = Built(None, verdict="build error")
    assert board.note(work) == {Kind.BUILD, Kind.EMULATE}
    assert (board.tally([]).steps_ahead, board.tally([]).seconds_left) == (0, 0)


def test_the_time_left_is_told_from_measured_steps(work: Work) -> None:
    board = Board(TWO_CORES)
    board.add(work)
    board.took(work, Step(Kind.BUILD), 4)
    board.took(work, Step(Kind.EMULATE, LATE), 1)
    board.took(work, Step(Kind.EMULATE, LATE), 3)
    assert board.tally([]).seconds_left == (4 + 2 + 2) / 2


def test_no_time_left_is_told_while_a_kind_of_step_was_never_measured(work: Work) -> None:
    board = Board(TWO_CORES)
    board.add(work)
    board.took(work, Step(Kind.BUILD), 4)
    assert board.tally([]).seconds_left is None


def test_the_first_engine_runs_alone_and_the_others_together(lab3: Lab) -> None:
    early, last = Engine("early"), Engine("random:1")
    work = Work(Plan([LATE, early, last], []), [Submission("ada", lab3, HERE)], "key", Built(LIBRARY))
    assert work.ready() == [Step(Kind.EMULATE, LATE)]
    work.emulated["late"] = judged("pass")
    assert work.ready() == [Step(Kind.EMULATE, early), Step(Kind.EMULATE, last)]


def test_who_is_alone_waits_for_no_engine(lab3: Lab) -> None:
    early = Engine("early")
    work = Work(Plan([LATE, early], []), [Submission("ada", lab3, HERE)], "key", Built(LIBRARY))
    assert work.ready(alone=True) == [Step(Kind.EMULATE, LATE), Step(Kind.EMULATE, early)]


def test_nothing_right_under_the_first_engine_is_the_end(work: Work) -> None:
    work.built = Built(LIBRARY)
    work.emulated["late"] = judged("fail")
    assert work.ahead == []


def test_engines_count_in_the_plans_order_and_not_in_that_of_their_ends(work: Work) -> None:
    work.emulated |= {"early": judged("fail"), "late": judged("pass")}
    assert list(work.counted) == ["late", "early"]


def test_where_nothing_is_right_under_the_first_engine_the_others_count_for_nothing(lab3: Lab) -> None:
    work = Work(Plan([LATE, Engine("early")], []), [Submission("ada", lab3, HERE)], "key", Built(LIBRARY))
    work.emulated |= {"late": judged("fail"), "early": judged("pass")}
    assert (outcomes := work.result().outcomes) is not None
    assert list(outcomes.runs) == ["late"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "time left not known yet"),
        (3, "a few seconds left"),
        (42, "about 40 s left"),
        (400, "about 7 min left"),
        (7000, "about 1.9 h left"),
    ],
)
def test_an_estimate_is_rounded(seconds: float | None, words: str) -> None:
    assert about(seconds) == words


HALFWAY = Tally({Kind.BUILD: 3, Kind.EMULATE: 2}, 4, 6, ["building ada lab3", "emulating ben lab3 (late)"], 100.0)


def test_a_terminal_shows_counts_the_time_left_and_what_is_being_done() -> None:
    shown = io.StringIO()
    with display.TerminalProgress(Console(file=shown, force_terminal=True, width=100)) as progress:
        progress.begin(HALFWAY)
    assert "built 3/4  emulated 2/4  about 2 min left" in shown.getvalue()
    assert "building ada lab3, emulating ben lab3 (late)" in shown.getvalue()


def test_a_log_is_told_the_time_left_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = io.StringIO()
    with display.LineProgress(Console(file=printed, width=100)) as progress:
        progress.begin(HALFWAY)
        progress.ended(Kind.BUILD, "eve lab3", HALFWAY)
        monkeypatch.setattr(display, "LINE_SECONDS", 0.0)
        progress.ended(Kind.BUILD, "max lab3", HALFWAY)
    assert printed.getvalue().splitlines() == [
        "done before: built 3/4, emulated 2/4",
        "built 3/4  eve lab3",
        "built 3/4  max lab3",
        "built 3/4, emulated 2/4; about 2 min left",
    ]


def test_who_grades_one_folder_is_told_no_counts() -> None:
    printed = io.StringIO()
    one = Tally({Kind.BUILD: 1, Kind.EMULATE: 0}, 1, 1, [], None)
    with display.LineProgress(Console(file=printed, width=100), own=True) as progress:
        progress.begin(one)
        progress.ended(Kind.EMULATE, "you lab3", one)
    assert printed.getvalue() == "emulated\n"
