"""Every total of a class of 120, calculated once more from the page: not one differs in its last digit."""

import random
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import totals_apart as apart

from staff.term.groups import ALONE
from staff.term.store import Decision, Result, Store
from staff.term.term import open_term
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs

LABS = load_labs(HERE.labs)[:8]
CLASS = [f"s{number}" for number in range(120)]
SEEDS = range(6)


class Play:
    """A term as files and rows, and the same as plain values."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.draw = random.Random(seed)
        self.folder = folder
        self.rules = self.make_rules()
        self.students = {who: apart.Student() for who in CLASS}
        self.results: list[Result] = []
        self.decisions: list[Decision] = []
        self.seconds = 0

    def make_rules(self) -> apart.Rules:
        draw = self.draw
        late_days = draw.choice([0, 2, 3])
        return apart.Rules(
            zone=ZoneInfo(draw.choice(["Europe/Berlin", "America/New_York", "UTC"])),
            due={lab.id: datetime(2024, 10, 4, 23, 59) + timedelta(weeks=week) for week, lab in enumerate(LABS)},
            points={lab.id: Fraction(str(lab.points.total)) for lab in LABS},
            grace=draw.choice([0, 15]),
            late_days=late_days,
            most_for_a_lab=min(late_days, draw.choice([1, 2])),
            percent=draw.choice([7, 10, 33]),
            closed_after=draw.choice([None, 4, 7]),
            drop=draw.choice([0, 1, 2]),
            pending=draw.choice(["empty", "scale"]),
            missing=draw.choice(["empty", "zero"]),
        )

    def write(self) -> None:
        rules = self.rules
        closed = "" if rules.closed_after is None else f"closed_after_days = {rules.closed_after}\n"
        labs = "".join(f'[[labs]]\nlab = "{lab}"\ndue = {due.isoformat()}\n' for lab, due in rules.due.items())
        (self.folder / "term.toml").write_text(
            f'title = "T"\ntime_zone = "{rules.zone.key}"\npending = "{rules.pending}"\nmissing = "{rules.missing}"\n'
            f"drop_lowest = {rules.drop}\n[late]\ngrace_minutes = {rules.grace}\nlate_days = {rules.late_days}\n"
            f"most_for_a_lab = {rules.most_for_a_lab}\npercent_a_day = {rules.percent}\n{closed}{labs}"
        )
        (self.folder / "roster.csv").write_text("id,name\n" + "".join(f"{who},Name {who}\n" for who in CLASS))
        (self.folder / "groups.csv").write_text("group,id,from,until\n" + "".join(self.make_groups()))
        for who in CLASS:
            for lab in rules.due:
                self.hand_in(who, lab)
                self.decide(who, lab)
        store = Store(self.folder)
        store.add(self.results)
        store.add(self.decisions)

    def make_groups(self) -> list[str]:
        """Of a third of the class: pairs for the first labs, others for those in the middle, and none after that."""
        rows = []
        labs = list(self.rules.due)
        days = [due.date() for due in self.rules.due.values()]
        for name, those, first, last in (("p", labs[:3], "", days[2]), ("q", labs[3:6], labs[3], labs[5])):
            team = CLASS[:40]
            self.draw.shuffle(team)
            for place, who in enumerate(team):
                rows.append(f"{name}{place // 2},{who},{first},{last}\n")
                self.students[who].groups |= dict.fromkeys(those, f"{name}{place // 2}")
        return rows

    def hand_in(self, who: str, lab: str) -> None:
        if self.draw.random() < 0.1:
            return
        points = self.rules.points[lab]
        for _ in range(self.draw.choice([1, 1, 1, 2])):
            due = self.rules.due[lab].replace(tzinfo=self.rules.zone).astimezone(UTC)
            late = (
                self.draw.choice([-2000, -1, 0, 0, 20, 1439, 1440, 3000, 6000, 11000])
                if self.draw.random() < 0.3
                else -60
            )
            self.seconds += 1  # no two are handed in at once
            at = due + timedelta(minutes=late, microseconds=self.seconds)
            pending = points / 4 if self.draw.random() < 0.3 else Fraction(0)
            for grading in range(self.draw.choice([1, 2])):
                score = Fraction(self.draw.randrange(int((points - pending) * 100) + 1), 100)
                self.results.append(self.row(who, lab, at, score, pending, grading))
            self.students[who].hand_ins.append(apart.HandIn(lab, at, score, pending))

    def row(self, who: str, lab: str, at: datetime, score: Fraction, pending: Fraction, grading: int) -> Result:
        max_ = f"{float(self.rules.points[lab]):g}"
        graded = f"2025-01-0{grading + 1}T00:00:00+00:00"
        said = (f"{float(score):.2f}", max_, f"{float(pending):g}", "", f"{who} {lab} {at}", at.isoformat())
        return Result(graded, "me", who, lab, who, "plain", *said, "moodle", 0, "emulator", "", ALONE)

    def decide(self, who: str, lab: str) -> None:
        one, draw = self.students[who], self.draw
        kind = draw.choices(["", "extend", "add", "override", "excuse", "time", "withdraw"], [88, 3, 3, 2, 2, 1, 1])[0]
        if kind == "extend":
            one.extended[lab] = [self.rules.due[lab] + timedelta(days=days) for days in draw.sample(range(4), 2)]
            self.note(who, lab, *((kind, until.isoformat()) for until in one.extended[lab]))
        elif kind == "add":
            one.added[lab] = Fraction(draw.randrange(-2000, 2000), 100)
            self.note(who, lab, (kind, f"{float(one.added[lab]):.2f}"))
        elif kind == "override":
            one.overridden[lab] = Fraction(draw.randrange(10000), 100)
            self.note(who, lab, (kind, "1"), (kind, f"{float(one.overridden[lab]):.2f}"))
        elif kind == "excuse":
            one.excused.add(lab)
            self.note(who, lab, (kind, ""))
        elif kind == "time":
            one.said_time[lab] = datetime(2024, 12, 24, tzinfo=UTC) - timedelta(days=draw.randrange(90))
            self.note(who, lab, (kind, one.said_time[lab].isoformat()))
        elif kind == "withdraw":
            self.note(who, lab, ("excuse", ""), ("add", "5"), ("withdraw", "excuse"), ("withdraw", "add"))

    def note(self, who: str, lab: str, *those: tuple[str, str]) -> None:
        at = "2025-02-01T00:00:00+00:00"
        self.decisions += [Decision(at, "me", who, lab, kind, value, "because") for kind, value in those]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_total_is_what_the_page_says(seed: int, tmp_path: Path) -> None:
    play = Play(seed, tmp_path)
    play.write()
    term = open_term(tmp_path, LABS)
    assert term is not None
    totals = {row.person.id: (row.total, row.max) for row in term.sheet().rows}
    assert len(totals) == 120
    assert totals == {who: apart.total(who, play.students, play.rules) for who in CLASS}
