"""handout/instructors.md on a term, each command typed as it stands, in order; and the files about use and change."""

import grp
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from archive_maker import make_zip
from conftest import Course, Tmagrade
from pretended_canvas import COURSE, TOKEN, PretendedCanvas, serving
from test_term_books import CANVAS, MOODLE

from staff.commands.term_commands import term_app
from staff.release.contents import is_released
from tmagrade.basics.paths import HERE

PAGE = (HERE.root / "handout/instructors.md").read_text()
SECTION = PAGE.split("\n## A term\n")[1].split("\n## ")[0]
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL) for line in block.splitlines()]
ROSTER = "id,name,email,canvas,github\nada,Ada Lovelace,ada@a.edu,101,ada\nben,Ben Bell,ben@a.edu,102,\n"


def option_of(name: str, value: str) -> tuple[str, ...]:
    return ("--dry-run",) if (name, value) == ("DRY_RUN", "yes") else (f"--{name.lower()}", value)


def words_of(command: str, course: Course) -> list[str]:
    """What reaches tmagrade; the pretended course has its grades elsewhere than this one."""
    command = command.replace("tma-staff", grp.getgrgid(os.getgid()).gr_name)
    program, *words = shlex.split(command)
    if program == "make":
        assert words[0] == "grade"
        pairs = (word.split("=", 1) for word in words[1:])
        return ["grade", *(text for name, value in pairs for text in option_of(name, value))]
    assert program == ".venv/bin/tmagrade"
    if words[1] == "roster":  # which asks
        return [*words, "--yes"]
    reads_grades = words[0] == "explain" or words[1] == "feedback"
    return [*words, "--grades", str(course.repository.grades)] if reads_grades else words


@pytest.fixture
def canvas(monkeypatch: pytest.MonkeyPatch) -> Iterator[PretendedCanvas]:
    monkeypatch.setenv("CANVAS_TOKEN", TOKEN)
    monkeypatch.setattr("staff.platforms.canvas_api.pause", lambda _: None)
    there = PretendedCanvas(sections={1: "A"})
    there.enroll(101, "Ada Lovelace", 1)
    there.enroll(102, "Ben Bell", 1)
    with serving(there):
        there.assign(8)
        there.hand_in(8, [101], "2026-09-18T20:00:00Z", {"lab3.cu": "// ada"})
        there.hand_in(8, [102], "2026-09-18T21:00:00Z", {"lab3.cu": "// ben"})
        yield there


def test_every_command_does_what_it_says(
    course: Course, canvas: PretendedCanvas, tmagrade: Tmagrade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_zip(tmp_path / "fall/lab3-moodle.zip", {"Ada Lovelace_901_assignsubmission_file/lab3.cu": ""})
    (tmp_path / "grades-export.csv").write_bytes(CANVAS.encode())
    (tmp_path / "worksheet.csv").write_text(MOODLE)
    (tmp_path / "section-b.csv").write_text("Name,Email,Role\nDi Day,di@a.edu,Student\n")
    (tmp_path / "submissions.json").write_text('[{"user_id": 102, "submitted_at": "2026-09-19T03:00:00Z"}]')
    printed = ""
    for command in COMMANDS:
        status, said = tmagrade(*words_of(command, course))
        assert status == 0, (command, said)
        printed += said
        if " init " in command:
            settings = course.repository.term / "term.toml"
            text = settings.read_text().replace('# canvas = "lab3-bulk-copy (12345)"', 'canvas = "Lab 3 (8)"')
            settings.write_text(f'{text}\n[canvas]\naddress = "{canvas.address}"\ncourse = {COURSE}\n')
            (course.repository.term / "roster.csv").write_text(ROSTER)
    assert "kept in the term: 2 results" in printed
    assert "counts: 75 -> 80" in printed and "counts: 80 -> 75" in printed
    assert (tmp_path / "moodle-upload.csv").exists() and canvas.score_of(8, 102) == "EX"


def test_every_command_of_a_term_is_on_the_page() -> None:
    names = {command.name or command.callback.__name__ for command in term_app.registered_commands if command.callback}
    assert {name for name in names if not any(f"term {name}" in command for command in COMMANDS)} == set()


def test_the_course_says_how_it_may_be_used_and_cited() -> None:
    license_ = (HERE.root / "LICENSE").read_text()
    assert "MIT License" in license_ and "creativecommons.org/licenses/by/4.0" in license_ and "Notices" in license_
    citation = yaml.safe_load((HERE.root / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert is_released("LICENSE") and not is_released("CHANGELOG.md")


def test_the_changes_say_what_a_course_must_know() -> None:
    newest = (HERE.root / "CHANGELOG.md").read_text().split("\n## ")[1]
    assert {"### Points", "### Schemas", "### Commands"} <= set(newest.splitlines())
