"""Which hand-in counts: by which clock it came, of which platform, of which member of a group."""

import os
import struct
import subprocess
import time
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from conftest import Course, Tmagrade
from test_term import begin_term, grade, put, said, sheet

from staff.collecting.archives import CLASS, unpack
from staff.collecting.hand_in_time import time_of_commit, time_of_files
from staff.collecting.zip_times import written_at
from staff.term.roster import Person, Roster
from staff.term.store import Result
from staff.term.which_counts import counting
from tmagrade.basics.moment import handed_in_at

LAB = "lab3-bulk-copy"
BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")


@pytest.fixture
def term(course: Course) -> Path:
    return begin_term(course)


@pytest.fixture
def machines_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


def set_zone(patch: pytest.MonkeyPatch, name: str) -> None:
    patch.setenv("TZ", name)
    time.tzset()


def moodle_zip(course: Course, at: tuple[int, int, int, int, int, int]) -> Path:
    path = course.repository.root / "moodle.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo("Ada Lovelace_901_assignsubmission_file/lab3.cu", at), "// mine")
    return path


def grade_file(tmagrade: Tmagrade, path: Path, *more: object) -> str:
    status, printed = tmagrade("grade", "--submissions", path, "--labs", "lab3", *more)
    assert status == 0, printed
    return printed


# By which clock


@pytest.mark.parametrize("machine", ["UTC", "Asia/Tokyo"])
def test_a_zips_times_are_those_of_the_terms_zone_whatever_the_machines(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path, machines_zone: pytest.MonkeyPatch, machine: str
) -> None:
    set_zone(machines_zone, machine)
    grade_file(tmagrade, moodle_zip(course, (2026, 9, 18, 23, 30, 0)))
    row = sheet(tmagrade, tmp_path / "sheet.csv")["ada"]
    assert (row[LAB], row[f"{LAB}/handed in"], row[f"{LAB}/days late"]) == ("75", "2026-09-18 23:30:00", "")


def test_a_zone_that_is_mended_counts_at_once(course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path) -> None:
    settings = (term / "term.toml").read_text()
    (term / "term.toml").write_text(settings.replace("America/New_York", "Pacific/Honolulu"))
    grade_file(tmagrade, moodle_zip(course, (2026, 9, 18, 23, 30, 0)))
    (term / "term.toml").write_text(settings)
    grade_file(tmagrade, course.repository.root / "moodle.zip")
    assert sheet(tmagrade, tmp_path / "sheet.csv")["ada"][f"{LAB}/handed in"] == "2026-09-18 23:30:00"


def zip_entry(at: tuple[int, int, int, int, int, int], extra: bytes = b"") -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("lab3.cu", at)
    info.extra = extra
    return info


@pytest.mark.parametrize(
    ("local", "moment"),
    [
        ((2026, 9, 18, 23, 30, 0), "2026-09-18T21:30:00Z"),
        ((2026, 10, 25, 2, 30, 0), "2026-10-25T00:30:00Z"),  # comes twice
        ((2026, 3, 29, 2, 30, 0), "2026-03-29T00:30:00Z"),  # comes not at all
    ],
)
def test_of_two_moments_that_a_clock_may_mean_the_earlier_counts(
    local: tuple[int, int, int, int, int, int], moment: str, machines_zone: pytest.MonkeyPatch
) -> None:
    meant = datetime.fromisoformat(moment).timestamp()
    assert written_at(zip_entry(local), BERLIN) == meant
    set_zone(machines_zone, "Europe/Berlin")  # where no term says another
    assert written_at(zip_entry(local), None) == meant
    assert handed_in_at(datetime(*local), BERLIN).timestamp() == meant


def test_a_zip_that_says_the_moment_itself_needs_no_zone() -> None:
    other, seconds = b"\x75\x78\x01\x00\x00", 1_789_000_000
    unix = struct.pack("<HHBi", 0x5455, 5, 1, seconds)
    for zone in (BERLIN, NEW_YORK, None):
        assert written_at(zip_entry((2026, 9, 18, 12, 0, 0), other + unix), zone) == seconds


def test_a_time_in_the_future_is_that_at_which_the_file_came(tmp_path: Path) -> None:
    (tmp_path / "lab3.cu").touch()
    os.utime(tmp_path / "lab3.cu", (4e9, 4e9))
    found = time_of_files(tmp_path, "file")
    assert found is not None and found.at is not None
    assert found.at.timestamp() == pytest.approx((tmp_path / "lab3.cu").stat().st_ctime)


def test_a_commit_is_no_later_than_its_clone(tmp_path: Path) -> None:
    environment = os.environ | {"GIT_COMMITTER_DATE": "2099-09-18T12:00:00+00:00"}
    for words in ("init -q", "-c user.name=Ada -c user.email=ada@tma.example commit -q --allow-empty -m x"):
        subprocess.run(["git", *words.split()], cwd=tmp_path, env=environment, check=True)
    found = time_of_commit(tmp_path)
    assert found is not None and found.at is not None and found.at.timestamp() <= time.time()


def test_an_entry_of_a_zip_is_no_later_than_the_zip(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr(zip_entry((2099, 9, 18, 12, 0, 0)), "")
    (tmp_path / "out").mkdir()
    unpack(tmp_path / "class.zip", tmp_path / "out", CLASS, strict=False)
    [path] = (tmp_path / "out").iterdir()
    assert path.stat().st_mtime == pytest.approx((tmp_path / "class.zip").stat().st_ctime)


@pytest.mark.parametrize(("source", "who"), [("file", "ada"), ("git", "ada"), ("gradescope", "ben")])
def test_what_an_author_says_is_no_later_than_the_first_grading(source: str, who: str) -> None:
    def result(called: str, *days: int) -> Result:
        graded, at = (f"2026-09-{day}T00:00:00+00:00" for day in days)
        return Result(
            graded, "staff", "cy", LAB, called, "plain", "1", "1", "0", "", called, at, source, 0, "emulator", ""
        )

    # Ben's file says a time in the future, so the next download has it with the time of that download.
    results = [result("ben", 10, 10), result("ada", 20, 15), result("ben", 20, 20)]
    [counts] = counting(results, lambda _: Roster((Person("cy", "Cy"),)), {}).values()
    assert counts.called == who


@pytest.mark.parametrize("extra", [b"UT", b"UT\x05\x00\x01", b"UT\xff\xff\x00\x00", b"UT\x05\x00\x01\xff\xff\xff\xff"])
def test_a_damaged_moment_in_a_zip_is_no_harm(extra: bytes) -> None:
    assert written_at(zip_entry((2026, 9, 18, 23, 30, 0), extra), BERLIN) in (None, 1_789_767_000)


def test_a_time_that_is_decided_in_the_hour_that_is_skipped_is_the_earlier(
    course: Course, term: Path, tmagrade: Tmagrade
) -> None:
    assert "time 2026-03-08 01:30:00" in said(tmagrade, "time", "ada", "lab3", "2026-03-08T02:30", "--reason", "log")


# Of which platform

MOODLE, CANVAS = "Ada Lovelace_901_assignsubmission_file/lab3.cu", "lovelaceada_101_11_lab3.cu"
WRONG = "one-tile any fail"  # 50 of 75


def platforms(course: Course) -> tuple[Path, Path]:
    """The same student on two platforms that both say times: wrong first, then right."""
    put(course, MOODLE, WRONG, "2026-09-17T12:00")
    moodle = course.handed_in.rename(course.repository.root / "moodle")
    put(course, "ada/lab3/lab3.cu", "// right", "2026-09-18T12:00")
    return moodle, course.handed_in


@pytest.mark.parametrize("newer_first", [False, True])
def test_the_newer_hand_in_counts_in_whatever_order_they_are_graded(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path, newer_first: bool
) -> None:
    both = platforms(course)
    printed = [grade_file(tmagrade, path) for path in (reversed(both) if newer_first else both)][-1]
    assert sheet(tmagrade, tmp_path / "sheet.csv")["ada"][LAB] == "75"
    assert "Ada Lovelace_901 (moodle), handed in 2026-09-17 12:00:00, with 50 points: the newer one counts" in printed
    history = said(tmagrade, "history", "ada", "lab3").splitlines()
    assert len(history) == 2 and [line for line in history if "; counts" in line] == [
        line for line in history if "ada (plain)" in line
    ]


def test_a_regrade_of_the_older_hand_in_stays_in_the_history_alone(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    moodle, plain = platforms(course)
    grade_file(tmagrade, moodle)
    grade_file(tmagrade, plain)
    assert "counts, not Ada Lovelace_901 (moodle)" in grade_file(tmagrade, moodle, "--dry-run")
    assert "ada, lab3-bulk-copy: ada (plain), handed in 2026-09-18 12:00:00, with 75 points counts, not " in grade_file(
        tmagrade, moodle
    )
    assert sheet(tmagrade, tmp_path / "sheet.csv")["ada"][LAB] == "75"
    assert said(tmagrade, "history", "ada", "lab3").count("graded ") == 3


def test_where_nobody_says_which_is_newer_the_last_graded_counts_and_that_is_said(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    put(course, MOODLE, "// right")
    moodle = course.handed_in.rename(course.repository.root / "moodle")
    put(course, CANVAS, WRONG)
    assert "nobody says" not in grade_file(tmagrade, moodle)
    printed = grade_file(tmagrade, course.handed_in)
    assert "nobody says which is newer, so what is graded last counts" in printed
    assert sheet(tmagrade, tmp_path / "sheet.csv")["ada"][LAB] == "50"


def test_the_same_text_graded_again_by_another_time_has_that_time(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    put(course, MOODLE, "// right", "2026-09-20T12:00")
    grade_file(tmagrade, course.handed_in)
    path = course.handed_in / MOODLE
    moment = datetime(2026, 9, 18, 12, tzinfo=NEW_YORK).timestamp()
    os.utime(path, (moment, moment))
    assert "the newer one counts" not in grade_file(tmagrade, course.handed_in)
    assert sheet(tmagrade, tmp_path / "sheet.csv")["ada"][f"{LAB}/handed in"] == "2026-09-18 12:00:00"


# Of which member of a group


@pytest.mark.parametrize("newer", ["ben", "cy"])
def test_the_newest_hand_in_of_a_group_counts_for_all_of_it(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path, newer: str
) -> None:
    for name in ("ben", "cy"):
        right, at = ("// right", "2026-09-18T12:00") if name == newer else (WRONG, "2026-09-17T12:00")
        put(course, f"{name}/lab3/lab3.cu", right, at)
    printed = grade_file(tmagrade, course.handed_in)
    assert f"the group pair 1 has handed in different texts of {LAB}: " in printed
    assert f"{newer}'s for ben, {newer}'s for cy" in printed
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert (rows["ben"][LAB], rows["cy"][LAB]) == ("75", "75")
    other = {"ben": "cy", "cy": "ben"}[newer]
    assert f"{other} shares what {newer} has handed in\n" in grade_file(tmagrade, course.handed_in, "--only", other)


def test_a_group_that_hands_in_one_text_twice_hears_nothing_of_it(
    course: Course, term: Path, tmagrade: Tmagrade
) -> None:
    for name in ("ben", "cy"):
        put(course, f"{name}/lab3/lab3.cu", "// ours")
    assert "different texts" not in grade_file(tmagrade, course.handed_in)


@pytest.mark.parametrize("together", [True, False])
def test_where_nobody_says_which_is_newer_each_member_has_their_own(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path, together: bool
) -> None:
    put(course, "bellben_102_12_lab3.cu", WRONG)
    if not together:
        grade_file(tmagrade, course.handed_in)
        (course.handed_in / "bellben_102_12_lab3.cu").unlink()
    put(course, "youngcy_103_13_lab3.cu", "// right")
    printed = grade_file(tmagrade, course.handed_in)
    words = "ben's for ben, cy's for cy" if together else "so the student's own counts"
    assert words in printed
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert (rows["ben"][LAB], rows["cy"][LAB]) == ("50", "75")


def test_a_partner_who_later_hands_in_alone_does_it_for_both(
    course: Course, term: Path, tmagrade: Tmagrade, tmp_path: Path
) -> None:
    put(course, "ben/lab3/lab3.cu", WRONG, "2026-09-17T12:00")
    grade(tmagrade, course, "--labs", "lab3")
    (course.handed_in / "ben").rename(course.repository.root / "ben's")
    put(course, "cy/lab3/lab3.cu", "// right", "2026-09-18T12:00")
    printed = grade(tmagrade, course, "--labs", "lab3")
    assert (
        f"ben, {LAB}: cy (plain), handed in 2026-09-18 12:00:00, with 75 points counts now, not ben (plain)" in printed
    )
    rows = sheet(tmagrade, tmp_path / "sheet.csv")
    assert (rows["ben"][LAB], rows["cy"][LAB]) == ("75", "75")
