"""Lateness and what counts, as arithmetic: at deadlines, when clocks change, and in every order of extensions."""

import itertools
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from staff.term.deadlines import Deadline
from staff.term.late_days import LateRule, Worth, best_use, dropped
from staff.term.scores import Decided, Graded, count, points_of

ZONES = ["UTC", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu"]

zones = st.sampled_from([ZoneInfo(name) for name in ZONES])
local_times = st.datetimes(datetime(2025, 1, 1), datetime(2027, 12, 31))
graces = st.timedeltas(timedelta(), timedelta(hours=6))
deadlines = st.builds(Deadline, local_times, zones, graces)
days = st.integers(0, 9)
rules = st.builds(
    LateRule,
    late_days=st.integers(0, 5),
    most_for_a_lab=st.integers(0, 3),
    penalty=st.fractions(0, 1, max_denominator=20),
    closed_after=st.none() | st.integers(0, 8),
)
worths = st.fractions(0, 100, max_denominator=100)


@given(deadlines, days)
def test_the_last_moment_of_a_day_is_no_later_and_the_next_is(deadline: Deadline, late: int) -> None:
    last = deadline.end_of_day(late)
    assert deadline.days_late(last) == late
    assert deadline.days_late(last + timedelta(microseconds=1)) == late + 1


@given(deadlines, st.timedeltas(timedelta(), timedelta(days=60)), st.timedeltas(timedelta(), timedelta(days=60)))
def test_who_hands_in_later_is_no_less_late(deadline: Deadline, after: timedelta, more: timedelta) -> None:
    handed_in = deadline.end_of_day(0) + after
    assert deadline.days_late(handed_in) <= deadline.days_late(handed_in + more)


@given(deadlines, st.lists(local_times, max_size=4), st.datetimes(timezones=st.just(UTC)))
def test_extensions_count_in_every_order_and_make_nobody_later(
    deadline: Deadline, until: list[datetime], handed_in: datetime
) -> None:
    late = {deadline.extended(order).days_late(handed_in) for order in itertools.permutations(until)}
    assert len(late) == 1
    assert late.pop() <= deadline.days_late(handed_in)


def minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


@pytest.mark.parametrize(
    ("day", "hours"),
    [(datetime(2026, 3, 7, 23, 59), 23), (datetime(2026, 10, 31, 23, 59), 25), (datetime(2026, 5, 1, 23, 59), 24)],
)
def test_a_day_late_ends_at_the_same_time_of_the_wall_clock(day: datetime, hours: int) -> None:
    deadline = Deadline(day, ZoneInfo("America/New_York"))
    assert deadline.end_of_day(1) - deadline.end_of_day(0) == timedelta(hours=hours)
    assert minute(deadline.end_of_day(1).astimezone(deadline.zone)).time() == day.time()


def test_a_deadline_in_the_hour_that_comes_twice_is_the_second() -> None:
    deadline = Deadline(datetime(2026, 11, 1, 1, 30), ZoneInfo("America/New_York"))
    assert minute(deadline.end_of_day(0)) == datetime(2026, 11, 1, 6, 30, tzinfo=UTC)


def test_a_deadline_in_the_hour_that_does_not_come_is_after_it() -> None:
    deadline = Deadline(datetime(2026, 3, 8, 2, 30), ZoneInfo("America/New_York"))
    assert minute(deadline.end_of_day(0)) == datetime(2026, 3, 8, 7, 30, tzinfo=UTC)


Lab = tuple[Fraction | None, int, int]  # its score, days late, and what it is out of
labs_of_a_term = st.lists(st.tuples(st.none() | worths, days, st.sampled_from([0, 50, 100])), max_size=4)
lowest = st.integers(0, 3)


def worth_of(labs: list[Lab], rule: LateRule) -> list[Worth]:
    def scores(score: Fraction | None, late: int) -> tuple[Fraction | None, ...]:
        return tuple(score and score * rule.kept(late, used) for used in range(rule.most(late) + 1))

    return [Worth(scores(score, late), Fraction(most)) for score, late, most in labs]


def total(labs: list[Worth], used: tuple[int, ...], drop: int) -> Fraction:
    gone = dropped(labs, used, drop)
    scores = (one.scores[days] for index, (one, days) in enumerate(zip(labs, used)) if index not in gone)
    return sum((score for score in scores if score is not None), Fraction(0))


@given(labs_of_a_term, rules, lowest)
def test_no_other_use_of_late_days_brings_more_whatever_is_dropped(labs: list[Lab], rule: LateRule, drop: int) -> None:
    worth = worth_of(labs, rule)
    used = best_use(worth, rule, drop)
    choices = itertools.product(*(range(len(one.scores)) for one in worth))
    allowed = [choice for choice in choices if sum(choice) <= rule.late_days]
    assert used in allowed
    assert total(worth, used, drop) == max(total(worth, choice, drop) for choice in allowed)


@given(labs_of_a_term, rules, lowest)
def test_no_late_day_is_spent_in_vain(labs: list[Lab], rule: LateRule, drop: int) -> None:
    worth = worth_of(labs, rule)
    used = best_use(worth, rule, drop)
    for index in range(len(used)):
        if used[index]:
            less = (*used[:index], used[index] - 1, *used[index + 1 :])
            assert total(worth, less, drop) < total(worth, used, drop)


def test_a_late_day_is_not_spent_on_a_lab_that_is_dropped() -> None:
    rule = LateRule(late_days=3, most_for_a_lab=2, penalty=Fraction(1, 10), closed_after=7)
    scores = [Fraction("56.25"), Fraction(75), Fraction(100), Fraction(75)]
    labs = worth_of([(score, late, 100) for score, late in zip(scores, (1, 5, 5, 0))], rule)
    used = best_use(labs, rule, 1)
    assert (used, total(labs, used, 1)) == ((1, 0, 2, 0), Fraction("201.25"))


@given(worths, days, days, rules)
def test_lateness_takes_points_and_never_gives_any(score: Fraction, late: int, used: int, rule: LateRule) -> None:
    graded = Graded(score, Fraction(100), Fraction(0))
    counted = count(graded, Fraction(100), late, min(used, late), rule, Decided())
    assert counted.score is not None
    assert 0 <= counted.score <= score + Fraction(1, 100)


@given(worths, days, rules, worths)
def test_an_override_is_what_counts_whatever_was_before(
    score: Fraction, late: int, rule: LateRule, decided: Fraction
) -> None:
    graded = Graded(score, Fraction(100), Fraction(100) - score)
    counted = count(graded, Fraction(100), late, 0, rule, Decided(override=decided))
    assert (counted.score, counted.pending) == (decided, Fraction(0))


def test_every_step_is_written_out() -> None:
    rule = LateRule(late_days=2, most_for_a_lab=1, penalty=Fraction(1, 10))
    graded = Graded(points_of(75), Fraction(100), Fraction(0))
    counted = count(graded, Fraction(100), 3, 1, rule, Decided(added=Fraction(5)))
    assert [step.said for step in counted.steps] == [
        "graded: 75 of 100",
        "3 days late, 1 of them covered by late days: 75 × 80 % = 60",
        "+ 5 points by decision = 65",
    ]


def test_an_excused_lab_counts_for_nothing_and_asks_for_nothing() -> None:
    counted = count(None, Fraction(100), 0, 0, LateRule(), Decided(is_excused=True))
    assert counted.score is None and counted.max == Fraction(0)


def test_what_is_pending_is_scaled_before_lateness_takes_its_share_and_points_are_added() -> None:
    rule = LateRule(penalty=Fraction(1, 10))
    graded = Graded(points_of(75), Fraction(100), Fraction(25))
    counted = count(graded, Fraction(100), 1, 0, rule, Decided(added=Fraction(5)), scales=True)
    assert [step.said for step in counted.steps] == [
        "graded: 75 of 100",
        "25 points are pending, the others are scaled meanwhile: 75 × 100 / 75 = 100",
        "1 day late: 100 × 90 % = 90",
        "+ 5 points by decision = 95",
    ]
    assert (counted.score, counted.is_scaled) == (Fraction(95), True)


@given(worths, days, rules, worths)
def test_who_has_all_points_that_could_be_reached_has_what_lateness_leaves_of_the_lab(
    pending: Fraction, late: int, rule: LateRule, added: Fraction
) -> None:
    graded = Graded(100 - pending, Fraction(100), pending)
    scaled = count(graded, Fraction(100), late, 0, rule, Decided(added=added), scales=True)
    whole = count(Graded(Fraction(100), Fraction(100), Fraction(0)), Fraction(100), late, 0, rule, Decided(added=added))
    assert scaled.score == (whole.score if pending < 100 else max(added, Fraction(0)))
