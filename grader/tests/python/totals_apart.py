"""What a student's labs come to, calculated from "The rules" of handout/instructors.md and by nothing of ours: every
use of late days is tried. It knows a class as plain values, which test_term_totals.py makes up."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import product
from math import floor
from zoneinfo import ZoneInfo


@dataclass
class Rules:
    zone: ZoneInfo
    due: dict[str, datetime]  # by the lab, in order, by the clock on the wall
    points: dict[str, Fraction]
    grace: int
    late_days: int
    most_for_a_lab: int
    percent: int
    closed_after: int | None
    drop: int
    pending: str
    missing: str


@dataclass
class HandIn:
    lab: str
    at: datetime  # in UTC
    score: Fraction  # of its last grading
    pending: Fraction


@dataclass
class Student:
    groups: dict[str, str] = field(default_factory=dict)  # by the lab
    hand_ins: list[HandIn] = field(default_factory=list)
    extended: dict[str, list[datetime]] = field(default_factory=dict)
    said_time: dict[str, datetime] = field(default_factory=dict)
    added: dict[str, Fraction] = field(default_factory=dict)
    overridden: dict[str, Fraction] = field(default_factory=dict)
    excused: set[str] = field(default_factory=set)


def cents(value: Fraction) -> Fraction:
    return Fraction(floor(value * 100 + Fraction(1, 2)), 100)


def total(who: str, students: dict[str, Student], rules: Rules) -> tuple[Fraction, Fraction]:
    """The sum of what counts, and what that is out of."""
    me = students[who]
    counting = {lab: newest(who, lab, students) for lab in rules.due}
    late = [0 if one is None else days_late(me, one, rules) for one in counting.values()]
    found = []
    for use in product(*(range(min(days, rules.most_for_a_lab) + 1) for days in late)):
        if sum(use) <= rules.late_days:
            scores = [
                score(me, lab, one, days, covered, rules)
                for (lab, one), days, covered in zip(counting.items(), late, use)
            ]
            sum_, most = after_dropping(me, scores, rules)
            found.append((sum_, -sum(use), use, most))
    sum_, _, _, most = max(found)
    return sum_, most


def newest(who: str, lab: str, students: dict[str, Student]) -> HandIn | None:
    group = students[who].groups.get(lab)
    team = [one for one in students.values() if group and one.groups.get(lab) == group] or [students[who]]
    found = [one for student in team for one in student.hand_ins if one.lab == lab]
    return max(found, key=lambda one: one.at, default=None)


def days_late(me: Student, one: HandIn, rules: Rules) -> int:
    due = max([rules.due[one.lab], *me.extended.get(one.lab, [])])
    at = me.said_time.get(one.lab, one.at)
    days = 0
    while True:
        last_minute = (due + timedelta(days=days)).replace(tzinfo=rules.zone).astimezone(UTC)
        if at < last_minute + timedelta(minutes=rules.grace + 1):
            return days
        days += 1


def score(me: Student, lab: str, one: HandIn | None, late: int, covered: int, rules: Rules) -> Fraction | None:
    if lab in me.excused:
        return None
    points = rules.points[lab]
    now: Fraction | None = None
    if one is not None:
        now = one.score
        if rules.pending == "scale" and 0 < one.pending < points:
            now = cents(now * points / (points - one.pending))
        if late:
            closed = rules.closed_after is not None and late > rules.closed_after
            share = max(Fraction(100 - rules.percent * (late - covered), 100), Fraction(0))
            now = Fraction(0) if closed else cents(now * share)
    if me.added.get(lab):
        now = max((now or Fraction(0)) + me.added[lab], Fraction(0))
    now = me.overridden.get(lab, now)
    return Fraction(0) if now is None and rules.missing == "zero" else now


def after_dropping(me: Student, scores: list[Fraction | None], rules: Rules) -> tuple[Fraction, Fraction]:
    shares = [
        (one / points, -place, one, points)
        for place, (one, points) in enumerate(zip(scores, rules.points.values()))
        if one is not None
    ]
    kept = sorted(shares)[min(rules.drop, max(len(shares) - 1, 0)) :]
    return sum((one for _, _, one, _ in kept), Fraction(0)), sum((most for *_, most in kept), Fraction(0))
