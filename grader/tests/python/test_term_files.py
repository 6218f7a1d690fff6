"""term.toml and roster.csv: what `tmagrade term init` writes is right, and every mistake is told with its place."""

import csv
import errno
import sqlite3
import stat
from contextlib import closing
from dataclasses import fields, replace
from datetime import date
from pathlib import Path

import pytest
from conftest import Course
from pretended_term import fill_disk
from test_term_books import CANVAS, MOODLE

from staff.platforms.first_roster import roster_from
from staff.term.new_term import write_term
from staff.term.roster import Roster, read_roster
from staff.term.settings import read_settings
from staff.term.store import Decision, Store, definition_of
from staff.term.term import open_term
from tmagrade.basics.errors import GraderFault, UsageError

ROSTER = """id,name,email,group,canvas,sis,gradescope,moodle,github
ada,Ada Lovelace,ada@a.edu,pair 1,101,s1,,Ada King,ada-l
ben,Ben Bell,ben@a.edu,pair 1,102,s2,b.bell@b.org,,benbell
eve,Eve Ng,eve@a.edu,,103,s3,,,
adam,Ada Lovelace,adam@a.edu,,104,s4,,,
"""


@pytest.fixture
def term(course: Course) -> Path:
    folder = course.repository.term
    write_term(folder, course.labs, "Fall 2026", "America/New_York", date(2026, 9, 18))
    return folder


@pytest.fixture
def roster(term: Path) -> Roster:
    (term / "roster.csv").write_text(ROSTER)
    return read_roster(term)


def mistakes_in_settings(course: Course, term: Path, *edits: tuple[str, str]) -> str:
    text = (term / "term.toml").read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    (term / "term.toml").write_text(text)
    with pytest.raises(UsageError) as error:
        read_settings(term, course.labs)
    return str(error.value)


def test_two_labs_have_no_one_column_of_canvas(course: Course, term: Path) -> None:
    edits = [(f'# canvas = "{lab} (12345)"', 'canvas = "Lab (7)"') for lab in ("lab3-bulk-copy", "lab4-single-tile")]
    said = mistakes_in_settings(course, term, *edits)
    assert "labs[2].canvas: another lab has the column 'Lab (7)' of Canvas' grade book, too" in said


def test_a_deadline_that_is_a_day_is_over_with_that_day(course: Course, term: Path) -> None:
    path = term / "term.toml"
    path.write_text(path.read_text().replace("2026-09-18T23:59:00", "2026-09-18"))
    assert read_settings(term, course.labs).labs[0].due.isoformat() == "2026-09-18T23:59:00"


def test_what_is_written_can_be_read(course: Course, term: Path) -> None:
    settings = read_settings(term, course.labs)
    assert [one.lab for one in settings.labs] == ["lab3-bulk-copy", "lab4-single-tile"]
    assert [one.due.isoformat() for one in settings.labs] == ["2026-09-18T23:59:00", "2026-09-25T23:59:00"]
    assert read_roster(term).people == ()


@pytest.mark.parametrize(("title", "zone"), [("Fall", "Mars/Base"), ("Fall\\", "UTC"), ("Fall\n2026", "UTC")])
def test_what_could_not_be_read_is_not_written(course: Course, title: str, zone: str) -> None:
    with pytest.raises(UsageError, match=r"term\.toml, which is not written"):
        write_term(course.repository.term, course.labs, title, zone, date(2026, 9, 18))
    assert not course.repository.term.exists()


@pytest.mark.parametrize("full_from", [0, 1])
def test_on_a_full_disk_nothing_is_begun(course: Course, monkeypatch: pytest.MonkeyPatch, full_from: int) -> None:
    written: list[Path] = []
    write_bytes = Path.write_bytes

    def write(path: Path, content: bytes) -> int:
        written.append(path)
        if len(written) > full_from:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write_bytes(path, content)

    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises(GraderFault, match="No space left"):
        write_term(course.repository.term, course.labs, "Fall", "UTC", date(2026, 9, 18))
    assert list(course.repository.term.iterdir()) == []
    monkeypatch.undo()
    assert len(write_term(course.repository.term, course.labs, "Fall", "UTC", date(2026, 9, 18))) == 2


def test_a_term_that_is_there_is_not_written_over(course: Course, term: Path) -> None:
    before = (term / "term.toml").read_bytes()
    with pytest.raises(UsageError, match="holds a term already"):
        write_term(term, course.labs, "another", "UTC", date(2026, 9, 18))
    assert (term / "term.toml").read_bytes() == before


def test_a_term_is_for_its_owner_and_group_alone(term: Path) -> None:
    modes = {stat.S_IMODE(path.stat().st_mode) for path in term.iterdir()}
    assert (modes, stat.S_IMODE(term.stat().st_mode)) == ({0o640}, 0o750)


def test_every_mistake_in_the_settings_has_its_place(course: Course, term: Path) -> None:
    said = mistakes_in_settings(
        course,
        term,
        ("America/New_York", "New York"),
        ("grace_minutes = 15", "grace_minutes = -1"),
        ("drop_lowest = 0", "drop_lowst = 0"),
        ('pending = "empty"', 'pending = "nothing"'),
        ("2026-09-25T23:59:00", '"soon"'),
    )
    lines = (term / "term.toml").read_text().splitlines()
    for written, place in (
        ("time_zone =", "time_zone: New York is no time zone"),
        ("grace_minutes =", "late.grace_minutes: "),
        ("pending =", "pending: "),
        ('due = "soon"', "labs[2].due: "),
        ("drop_lowst =", "drop_lowst: there is no such setting"),
    ):
        [line] = [number for number, text in enumerate(lines, start=1) if text.startswith(written)]
        assert f"  line {line}: {place}" in said


def test_a_setting_that_is_missing_has_the_line_of_its_table(course: Course, term: Path) -> None:
    said = mistakes_in_settings(course, term, ("due = 2026-09-25T23:59:00\n", ""), ('title = "Fall 2026"\n', ""))
    line = 1 + (term / "term.toml").read_text().splitlines().index('lab = "lab4-single-tile"')
    assert f"  line {line - 1}: labs[2].due: is missing" in said and "\n  title: is missing" in said


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("drop_lowest = 0", "drop_lowest = 2", "drop_lowest: 2 of 2 labs cannot be dropped"),
        ("drop_lowest = 0", "drop_lowest = 3", "drop_lowest: 3 of 2 labs cannot be dropped"),
        ("most_for_a_lab = 0", "most_for_a_lab = 1", "late.most_for_a_lab: 1 for a lab are more than late_days = 0"),
        ("late_days = 0", "late_days = 2", "late.late_days: 2 are of no use with most_for_a_lab = 0"),
    ],
)
def test_numbers_that_do_not_go_together_are_refused_with_a_reason(
    course: Course, term: Path, old: str, new: str, words: str
) -> None:
    assert words in mistakes_in_settings(course, term, (old, new))


def test_a_term_without_labs_drops_none(course: Course, term: Path) -> None:
    (term / "term.toml").write_text('title = "T"\ntime_zone = "UTC"\nlabs = []\n')
    assert read_settings(term, course.labs).labs == ()


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("name", ["roster.csv", "term.toml"])
def test_a_file_that_is_not_in_utf_8_is_named_with_what_to_do(
    course: Course, term: Path, name: str, encoding: str
) -> None:
    text = (term / name).read_text() + "# Bj\xf8rn\n"
    (term / name).write_bytes(text.encode(encoding))
    with pytest.raises(UsageError) as error:
        open_term(term, course.labs)
    shows = f"as line {text.count(chr(10))} shows" if encoding == "latin-1" else "but most likely in UTF-16"
    assert f"{name} is not in UTF-8, {shows}: save it anew: in Excel as `CSV UTF-8" in str(error.value)


@pytest.mark.parametrize("name", ["roster.csv", "term.toml"])
def test_the_mark_that_some_programs_set_ahead_of_utf_8_is_no_mistake(course: Course, term: Path, name: str) -> None:
    (term / name).write_bytes((term / name).read_text().encode("utf-8-sig"))
    assert open_term(term, course.labs) is not None


def test_a_lab_that_is_none_or_stands_there_twice_is_told(course: Course, term: Path) -> None:
    assert "labs[2].lab: there is no lab 'lab7'" in mistakes_in_settings(course, term, ("lab4-single-tile", "lab7"))
    twice = mistakes_in_settings(course, term, ('"lab7"', '"lab3"'))
    assert "labs[2].lab: lab3-bulk-copy stands there twice" in twice


def test_a_time_with_an_offset_is_told(course: Course, term: Path) -> None:
    said = mistakes_in_settings(course, term, ("2026-09-18T23:59:00", "2026-09-18T23:59:00Z"))
    assert "labs[1].due: " in said and "leave out the offset" in said


def test_every_mistake_in_the_roster_has_its_place(term: Path) -> None:
    (term / "roster.csv").write_text('id,name,email\nada,"A\nda",a@a.edu\n# Ben\n\n../up,Ben,A@a.edu\nada,,c@a.edu\n')
    with pytest.raises(UsageError) as error:
        read_roster(term)
    said = str(error.value)
    assert "  line 6: the id '../up' must be letters" in said
    assert "  line 7: id and name are needed" in said
    assert "  line 6: email 'a@a.edu' is that of line 2, too" in said
    assert "  line 7: id 'ada' is that of line 2, too" in said


def test_a_name_with_a_comma_outside_of_quotes_is_told(term: Path) -> None:
    (term / "roster.csv").write_text("id,name,email\nben,Ben Bell,,\nada,Lovelace, Ada,ada@a.edu\n")
    with pytest.raises(UsageError, match="line 3: has 4 cells, the first line 3: a cell with a comma"):
        read_roster(term)


def test_a_quote_that_does_not_end_has_its_line(term: Path) -> None:
    (term / "roster.csv").write_text('id,name\nada,Ada\nben,"Ben\n')
    with pytest.raises(UsageError, match="line 3: unexpected end of data"):
        read_roster(term)


def test_a_column_that_is_none_is_told(term: Path) -> None:
    (term / "roster.csv").write_text("id,name,mail\nada,Ada,a@a.edu\n")
    with pytest.raises(UsageError, match="there is no column 'mail'"):
        read_roster(term)


@pytest.mark.parametrize(
    ("platform", "called", "people"),
    [
        ("canvas", "lovelaceada_101", ["ada"]),
        ("canvas", "lovelaceada_999", []),
        ("canvas", "ada", []),
        ("moodle", "Ada King_5512", ["ada"]),
        ("moodle", "Ada Lovelace_5513", ["adam"]),
        ("moodle", "Ben  bell_5514", ["ben"]),
        ("gradescope", "B.Bell@b.org", ["ben"]),
        ("gradescope", "eve@a.edu", ["eve"]),
        ("gradescope", "s1", ["ada"]),
        ("github", "Ada-L", ["ada"]),
        ("github", "ada", []),
        ("github", "Pair 1", ["ada", "ben"]),
        ("plain", "ada", ["ada"]),
        ("plain", "ben@a.edu", ["ben"]),
        ("plain", "Ada Lovelace", []),  # two are called so
        ("plain", "ad", []),
    ],
)
def test_nobody_is_guessed(roster: Roster, platform: str, called: str, people: list[str]) -> None:
    assert [person.id for person in roster.who(platform, called)] == people


TEAMS = """id,name,group
ada,Ada Lovelace,Pair_1
conan,Conan O'Brien,Pair_1
jl,Jean-Luc Picard,
luc,Luc Picard,
w1,Wei Zhang,
w2,Wei Zhang,
"""


@pytest.mark.parametrize(
    ("called", "people"),
    [
        ("Conan OBrien_903", ["conan"]),  # Moodle leaves out what a file's name may not have
        ("Pair 1-Ada Lovelace_901", ["ada"]),
        ("Pair 1-Conan OBrien_903", ["conan"]),
        ("Pair 2-Ada Lovelace_901", []),
        ("Pair 1_17", ["ada", "conan"]),  # newer versions: the team's own number
        ("Default group-Luc Picard_904", ["luc"]),
        ("Default group-Ada Lovelace_901", []),
        ("Default group", []),
        ("Jean-Luc Picard_905", ["jl"]),
        ("Anne-Luc Picard_906", []),
        ("Wei Zhang_907", []),
        ("w2_907", ["w2"]),  # as a teacher names it then
    ],
)
def test_moodle_names_people_and_teams_its_own_way(term: Path, called: str, people: list[str]) -> None:
    (term / "roster.csv").write_text(TEAMS)
    assert [person.id for person in read_roster(term).who("moodle", called)] == people


@pytest.mark.parametrize("statement", ["DELETE FROM decisions", "UPDATE decisions SET value = '100'"])
def test_what_happened_is_never_changed(term: Path, statement: str) -> None:
    store = Store(term)
    decision = Decision("2026-09-18T12:00:00+00:00", "me", "ada", "lab3-bulk-copy", "override", "80", "an appeal")
    store.add([decision])
    with sqlite3.connect(store.path) as connection, pytest.raises(sqlite3.IntegrityError, match="never changed"):
        connection.execute(statement)
    assert store.read(Decision) == [decision]


def test_on_a_full_disk_nothing_is_decided_and_what_to_do_is_said(term: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(term)
    store.add([EARLIER])
    fill_disk(monkeypatch)
    with pytest.raises(GraderFault, match=r"cannot write .*term.sqlite: No space left .* the same command goes on"):
        store.add([replace(EARLIER, reason="x" * 100_000)])
    monkeypatch.undo()
    assert store.read(Decision) == [EARLIER]


EARLIER = Decision("2025-09-18T12:00:00+00:00", "me", "ada", "lab3-bulk-copy", "override", "80", "an appeal")


def test_a_store_of_an_earlier_version_is_kept_and_read(term: Path) -> None:
    """As one was whose decisions had no reasons, with the tables' own refusals."""
    names = [field.name for field in fields(Decision) if field.name != "reason"]
    with closing(sqlite3.connect(Store(term).path)) as connection, connection:
        connection.executescript(definition_of("decisions", names))
        values = [getattr(EARLIER, name) for name in names]
        connection.execute(f"INSERT INTO decisions VALUES ({', '.join('?' for _ in names)})", values)
    store = Store(term)
    store.add([EARLIER])
    assert store.read(Decision) == [replace(EARLIER, reason=""), EARLIER]


def test_a_store_of_a_later_version_is_not_written_to(term: Path) -> None:
    store = Store(term)
    store.add([EARLIER])
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("ALTER TABLE decisions ADD COLUMN witness NOT NULL DEFAULT ''")
    said = r"was written by a later version of the course \(decisions: witness\)"
    with pytest.raises(UsageError, match=said):
        store.add([EARLIER])
    with pytest.raises(UsageError, match=said):
        store.read(Decision)


# The first roster


def rows_of(export: str) -> list[dict[str, str]]:
    return list(csv.DictReader(roster_from(export.encode()).splitlines()))


def known(row: dict[str, str]) -> dict[str, str]:
    return {column: value for column, value in row.items() if value}


def test_a_roster_comes_from_canvas_grade_book(tmp_path: Path) -> None:
    ada, ben, cy = rows_of(CANVAS)
    assert known(ada) == {"id": "ada", "name": "Ada Lovelace", "section": 'Fall "A"', "canvas": "101", "sis": "s1"}
    assert (ben["id"], cy["id"], cy["name"]) == ("ben", "Young_Cy", "Young Cy")
    (tmp_path / "roster.csv").write_text(roster_from(CANVAS.encode()))
    assert len(read_roster(tmp_path).people) == 3


def test_a_roster_comes_from_moodles_worksheet() -> None:
    assert known(rows_of(MOODLE)[0]) == {
        "id": "ada",
        "name": "Ada Lovelace",
        "email": "ada@a.edu",
        "participants": "901",
    }


def test_a_team_assignments_worksheet_says_who_is_in_which_team() -> None:
    teams = ("Pair 1", "Pair 1", "Default group", "Not a member of any group", "Member of more than one group")
    people = [f"Participant {number},S{number},s{number}@a.edu,{team}" for number, team in enumerate(teams)]
    rows = rows_of("\n".join(["Identifier,Full name,Email address,Group", *people]))
    assert [row["group"] for row in rows] == ["Pair 1", "Pair 1", "", "", ""]


def test_a_roster_comes_from_gradescopes() -> None:
    [ada] = rows_of("Name,SID,Email,Role,Sections\nAda Lovelace,s1,ada@a.edu,Student,B\n")
    assert known(ada) == {"id": "ada", "name": "Ada Lovelace", "email": "ada@a.edu", "section": "B", "sis": "s1"}


def test_two_of_one_login_have_two_ids() -> None:
    ids = {row["id"] for row in rows_of("Name,Email\nAda,ada@a.edu\nAda,ada@b.edu\n")}
    assert len(ids) == 2


def test_what_lists_nobody_by_name_is_refused() -> None:
    with pytest.raises(UsageError, match="this is no platform's list of a class"):
        roster_from(b"one,two\n1,2\n")
