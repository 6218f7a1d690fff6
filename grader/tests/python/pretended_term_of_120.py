"""A term of 120 whose names are of many scripts: section A on Canvas, by its API, section B on Moodle, and one lab of
both on Gradescope. People come late and leave, groups change twice, six assistants decide at once, the disk is full
once, and two commands are killed. What happens is kept as plain values, too, of which totals_apart.py makes totals.
"""

import os
import random
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
import totals_apart as apart
from conftest import Course, Tmagrade, tmagrade_of
from names_of_the_world import NAMES, moodle_name
from pretended_canvas import COURSE, PretendedCanvas
from pretended_term import DUE, LABS, SETTINGS, ZONE, fill_disk, pretend_four_labs

from tmagrade.basics.paths import HERE

LAB3, LAB4, LAB5, LAB6 = LABS
ASSIGNMENTS = {LAB3: 8, LAB4: 9, LAB6: 11}
BEFORE, LATE_ADDITIONS, GONE = range(118), range(118, 122), (60, 61)
PRESENT = [number for number in (*BEFORE, *LATE_ADDITIONS) if number not in GONE]
FIRST_OF_B = 62  # and of A, who came late
ASSISTANTS = {f"assistant{one}": range(20 + 3 * one, 23 + 3 * one) for one in range(6)}
RULES = apart.Rules(
    ZONE, DUE, dict.fromkeys(LABS, Fraction(100)), grace=15, late_days=2, most_for_a_lab=1, percent=10,
    closed_after=None, drop=1, pending="scale", missing="zero",
)  # fmt: skip
# What is handed in, and the points that it has without a GPU, and those that wait for one.
COPIES = {"// right": (75, 25), "one-tile any fail": (50, 25), "pipeline any fail": (25, 25)}
TILES = {"// right": (100, 0), "load any fail": (0, 0)}
TEXTS = {LAB3: COPIES, LAB4: TILES, LAB5: COPIES, LAB6: TILES}
LATE = (10, 20, 26 * 60, 50 * 60, 80 * 60)  # minutes
# Groups of a lab and of those after it, until the next ones.
GROUPS: dict[str, list[tuple[int, ...]]] = {
    LAB3: [(first, first + 1) for first in (*range(0, 20, 2), *range(70, 80, 2))],
    LAB5: [(first, first + 1) for first in (*range(1, 19, 2), *range(71, 79, 2))],
    LAB6: [(0, 5, 10), (70, 75, 79)],
}
# A command of its own, in the place of the course's `tmagrade`: argv has the course, who types it, and what.
COMMAND = """
import pwd, sys
from pathlib import Path
from types import SimpleNamespace
from staff.commands import term_canvas, term_here, term_publishing, term_work
from tmagrade.basics.paths import Repository
term_here.HERE = term_publishing.HERE = Repository(Path(sys.argv[1]))
pwd.getpwuid = lambda _: SimpleNamespace(pw_name=sys.argv[2])
exec(sys.argv[3])
"""


def id_of(number: int) -> str:
    return f"u{number:03}"


def name_of(number: int) -> str:
    return " ".join(reversed(NAMES[number]))


def is_of_a(number: int) -> bool:
    return number < FIRST_OF_B or number in LATE_ADDITIONS


@dataclass
class TermOf120:
    course: Course
    canvas: PretendedCanvas
    run: Tmagrade
    students: dict[str, apart.Student] = field(default_factory=lambda: {id_of(n): apart.Student() for n in PRESENT})
    draw: random.Random = field(default_factory=lambda: random.Random(120))
    hand_ins: int = 0

    @property
    def folder(self) -> Path:
        return self.course.repository.root / "downloads"

    @property
    def term(self) -> Path:
        return self.course.repository.term

    def do(self, *words: object, status: int = 0) -> str:
        ended, printed = self.run(*words)
        assert ended == status, (words, printed)
        return printed

    def other(self, who: str, what: str) -> subprocess.Popen[bytes]:
        """What somebody types on the same machine."""
        command = [sys.executable, "-c", COMMAND, str(self.course.repository.root), who, what]
        return subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(HERE.grader)}, stdout=subprocess.DEVNULL)

    def killed(self, what: str, place: str, times: int) -> None:
        """kill -9 when Canvas is asked for a place, or one below it, so many times."""
        seen: list[subprocess.Popen[bytes]] = []
        asked: list[str] = []

        def kill(path: str) -> None:
            asked.extend([path] if path.startswith(place) else [])
            if seen and len(asked) == times:
                seen[0].kill()

        self.canvas.at_request = kill
        seen.append(self.other("me", what))
        assert seen[0].wait() == -9
        self.canvas.at_request = lambda _: None

    # What is handed in, where, and when.

    def write_groups(self, until: str) -> None:
        """groups.csv as it is in the week of a lab: what was open before has an end, and what comes is not known."""
        known = [lab for lab in GROUPS if LABS.index(lab) <= LABS.index(until)]
        rows = ["group,id,from,until"]
        for place, lab in enumerate(known):
            is_last = place == len(known) - 1
            end = "" if is_last else LABS[LABS.index(known[place + 1]) - 1]
            rows += [f"{lab[:4]}-{one},{id_of(n)},{lab},{end}" for one, team in enumerate(GROUPS[lab]) for n in team]
        (self.term / "groups.csv").write_text("\n".join(rows) + "\n")
        labs = LABS[LABS.index(known[-1]) :]
        for number, student in ((n, self.students[id_of(n)]) for n in PRESENT):
            of = next((one for one, team in enumerate(GROUPS[known[-1]]) if number in team), None)
            for lab in labs:
                student.groups.pop(lab, None)
                student.groups |= {} if of is None else {lab: f"{known[-1]}-{of}"}

    def units(self, lab: str) -> list[tuple[int, ...]]:
        """Those who hand in together."""
        there = [*BEFORE] if lab == LAB3 else PRESENT
        teams = GROUPS[[one for one in GROUPS if LABS.index(one) <= LABS.index(lab)][-1]]
        return [*teams, *((n,) for n in there if not any(n in team for team in teams))]

    def hand_in(self, lab: str) -> None:
        metadata: list[str] = []
        for team in self.units(lab):
            self.hand_ins += 1
            if self.draw.random() < 0.06:
                continue
            late = self.draw.choice(LATE) if self.draw.random() < 0.3 else -60
            due = DUE[lab].replace(tzinfo=ZONE).astimezone(UTC)
            at = due + timedelta(minutes=late, seconds=self.hand_ins % 50)
            text = self.draw.choice([*TEXTS[lab], "// right", "// right"])
            points, pending = TEXTS[lab][text]
            one = apart.HandIn(lab, at, Fraction(points), Fraction(pending))
            for number in team:
                if id_of(number) in self.students and (number == team[0] or self.is_on_canvas(team, lab)):
                    self.students[id_of(number)].hand_ins.append(one)
            self._put(lab, team, at, text, late > 0, metadata)
        if metadata:
            (self.folder / lab / "submission_metadata.yml").write_text("".join(metadata))

    def is_on_canvas(self, team: tuple[int, ...], lab: str) -> bool:
        return lab in ASSIGNMENTS and is_of_a(team[0])

    def _put(self, lab: str, team: tuple[int, ...], at: datetime, text: str, late: bool, metadata: list[str]) -> None:
        source = f"{lab[:4]}.cu"
        if self.is_on_canvas(team, lab):  # which knows the group, so all of it have handed in
            users = [1000 + number for number in team]
            self.canvas.hand_in(ASSIGNMENTS[lab], users, f"{at:%Y-%m-%dT%H:%M:%SZ}", {source: text}, late=late)
            return
        if lab == LAB5:
            place = self.folder / lab / f"submission_{team[0]}"
            who = f"  :submitters:\n  - :name: {name_of(team[0])}\n    :email: {id_of(team[0])}@u.edu\n"
            metadata.append(f"submission_{team[0]}:\n{who}  :created_at: {at.isoformat()}\n")
        else:
            called = f"{moodle_name(*NAMES[team[0]])}_{self.participant(lab, team[0])}_assignsubmission_file"
            place = self.folder / lab / called
        place.mkdir(parents=True)
        (place / source).write_text(text)
        os.utime(place / source, (at.timestamp(), at.timestamp()))

    def participant(self, lab: str, number: int) -> int:
        return 10_000 * (LABS.index(lab) + 1) + number

    def worksheet(self, lab: str) -> Path:
        """Of section B, as Moodle has it: with other numbers in each assignment."""
        path = self.course.repository.root / f"{lab}.csv"
        if not path.exists():
            head = "Identifier,Full name,Email address,Grade,Maximum Grade,Last modified (grade)\n"
            rows = [
                f'Participant {self.participant(lab, n)},"{name_of(n)}",{id_of(n)}@u.edu,,100.00,-\n'
                for n in BEFORE
                if not is_of_a(n)
            ]
            path.write_text(head + "".join(rows))
        return path

    def enroll(self, number: int) -> None:
        self.canvas.enroll(1000 + number, name_of(number), 1, login_id=id_of(number), email=f"{id_of(number)}@u.edu")

    # What is decided.

    def decide(self, what: str, number: int, lab: str, *value: str) -> apart.Student:
        self.do("term", what, id_of(number), lab, *value, "--reason", "as the course has it")
        return self.students[id_of(number)]

    def decide_much(self) -> None:
        for number, lab in ((30, LAB4), (90, LAB5)):
            self.decide("excuse", number, lab).excused.add(lab)
        for number, lab in ((31, LAB4), (95, LAB6), (118, LAB5)):
            self.decide("extend", number, lab, "+2d").extended[lab] = [DUE[lab] + timedelta(days=2)]
        self.decide("override", 40, LAB3, "71.5").overridden[LAB3] = Fraction("71.5")
        self.decide("add", 100, LAB6, "-7.25").added[LAB6] = Fraction("-7.25")
        at = DUE[LAB4] + timedelta(days=1, hours=2)
        self.decide("time", 42, LAB4, at.isoformat()).said_time[LAB4] = at.replace(tzinfo=ZONE).astimezone(UTC)
        typed = "; ".join("term_work.add('{}', 'lab5', '1', 'found a mistake', False)" for _ in range(3))
        running = [self.other(who, typed.format(*map(id_of, those))) for who, those in ASSISTANTS.items()]
        assert [one.wait() for one in running] == [0] * len(ASSISTANTS)
        for number in (number for those in ASSISTANTS.values() for number in those):
            self.students[id_of(number)].added[LAB5] = Fraction(1)

    # The weeks.

    def grade(self, lab: str) -> None:
        """Section A's zip, section B's folder, or both sections' export."""
        if lab in ASSIGNMENTS:
            to = self.folder / f"{lab}.zip"
            self.do("term", "collect", lab, "--out", to)
            self.do("grade", "--submissions", to, "--labs", lab)
        self.do("grade", "--submissions", self.folder / lab, "--labs", lab)

    def publish(self, lab: str) -> None:
        if lab == LAB5:
            to = self.folder / "autograder.zip"
            self.do("term", "publish", lab, "--to", "gradescope", "--out", to, "--yes")
            return
        self.do("term", "publish", lab, "--canvas", "--section", "A", "--yes")
        filled = self.folder / "filled.csv"
        where = ("--book", self.worksheet(lab), "--out", filled)
        self.do("term", "publish", lab, "--to", "moodle", *where, "--section", "B", "--yes")
        filled.replace(self.worksheet(lab))


def begin(course: Course, canvas: PretendedCanvas, patch: pytest.MonkeyPatch) -> TermOf120:
    pretend_four_labs(course, patch)
    term = TermOf120(course, canvas, tmagrade_of(course, patch))
    labs = [
        f'\n[[labs]]\nlab = "{lab}"\ndue = {DUE[lab].isoformat()}\n'
        + (f'canvas = "{lab} ({ASSIGNMENTS[lab]})"\n' if lab in ASSIGNMENTS else "")
        for lab in LABS
    ]
    where = f'\n[canvas]\naddress = "{canvas.address}"\ncourse = {COURSE}\n'
    term.term.mkdir()
    (term.term / "term.toml").write_text(SETTINGS + where + "".join(labs))
    (term.term / "roster.csv").write_text("id,name\n")
    term.folder.mkdir()
    for number in range(FIRST_OF_B):
        term.enroll(number)
    for number in ASSIGNMENTS.values():
        canvas.assign(number)
    term.do("term", "roster", "--canvas", "--yes")
    term.do("term", "roster", "--book", term.worksheet(LAB3), "--section", "B", "--yes")
    return term


def play(term: TermOf120, patch: pytest.MonkeyPatch) -> None:
    # Lab 3: fetching is killed.
    term.write_groups(LAB3)
    term.hand_in(LAB3)
    to = term.folder / f"{LAB3}.zip"
    term.killed(f"term_canvas.collect('lab3', Path({str(to)!r}), False)", "/files/", 20)
    term.grade(LAB3)
    term.publish(LAB3)
    # Four come late, and two leave.
    for number in LATE_ADDITIONS:
        term.enroll(number)
    for number in GONE:
        del term.canvas.users[1000 + number]
    changed = term.do("term", "roster", "--canvas", "--yes")
    assert "added: 4; changed: 0; dropped: 2" in changed
    for number in LATE_ADDITIONS:
        term.decide("excuse", number, LAB3).excused.add(LAB3)
    # Lab 4: publishing is killed.
    term.do("term", "roster", "--book", term.worksheet(LAB4), "--section", "B", "--yes")
    term.hand_in(LAB4)
    term.grade(LAB4)
    term.killed("term_canvas.publish('lab4', 'A', True, False)", "/api/v1/progress/", 2)
    term.publish(LAB4)
    # Lab 5, in other groups: the disk is full.
    term.write_groups(LAB5)
    term.hand_in(LAB5)
    with patch.context() as full:
        fill_disk(full)
        assert "No space left" in term.do("grade", "--submissions", term.folder / LAB5, "--labs", LAB5, status=3)
    term.grade(LAB5)
    # Lab 6, in other groups again.
    term.write_groups(LAB6)
    term.do("term", "roster", "--book", term.worksheet(LAB6), "--section", "B", "--yes")
    term.hand_in(LAB6)
    term.grade(LAB6)
    term.decide_much()
    for lab in LABS:
        term.publish(lab)
