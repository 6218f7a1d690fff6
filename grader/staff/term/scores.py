"""What a lab counts for a student, step by step: the graded points, lateness, points added, an override, an excuse."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from staff.term.late_days import LateRule


@dataclass(frozen=True)
class Graded:
    """What grading has given."""

    score: Fraction
    max: Fraction
    pending: Fraction  # neither lost nor given

    @property
    def scaled(self) -> Fraction:
        """The points as if those that are pending came in the same proportion."""
        reachable = self.max - self.pending
        return cents(self.score * self.max / reachable) if reachable > 0 else self.score


@dataclass(frozen=True)
class Decided:
    """What a person has decided about one student's lab; the last decision of each kind."""

    override: Fraction | None = None
    added: Fraction = Fraction(0)  # all of them together
    is_excused: bool = False


@dataclass(frozen=True)
class Step:
    said: str
    score: Fraction | None  # after it; None: none


@dataclass(frozen=True)
class Counted:
    """What a lab counts, and each step that led there."""

    score: Fraction | None  # None: nothing was handed in, or it is excused
    max: Fraction  # of the term: 0 where the lab is excused
    pending: Fraction
    steps: tuple[Step, ...]
    is_scaled: bool = False  # to what pending points would bring in proportion


def count(
    graded: Graded | None,
    max_: Fraction,
    days_late: int,
    late_days: int,
    rule: LateRule,
    decided: Decided,
    scales: bool = False,
) -> Counted:
    """Never fewer than no points; more than the lab has only where somebody has added or decided so. `scales`: points
    that are pending count meanwhile as the others do, before anything else is done to them."""
    if decided.is_excused:
        return Counted(None, Fraction(0), Fraction(0), (Step("excused: the lab does not count", None),))
    score = None if graded is None else graded.score
    pending = Fraction(0) if graded is None else graded.pending
    steps = [
        Step("nothing was handed in" if graded is None else f"graded: {shown(graded.score)} of {shown(max_)}", score)
    ]
    is_scaled = scales and graded is not None and 0 < graded.pending < graded.max
    if graded is not None and is_scaled:
        score = graded.scaled
        steps.append(Step(_scaled(graded, score), score))
    if graded is not None and score is not None and days_late:
        kept = rule.kept(days_late, late_days)
        before, score, pending = score, cents(score * kept), cents(graded.pending * kept)
        steps.append(Step(_late(days_late, late_days, kept, before, score), score))
    if decided.added:
        score = max((score or Fraction(0)) + decided.added, Fraction(0))
        sign = "+" if decided.added > 0 else "-"
        steps.append(Step(f"{sign} {shown(abs(decided.added))} points by decision = {shown(score)}", score))
    if decided.override is not None:
        score, pending, is_scaled = decided.override, Fraction(0), False
        steps.append(Step(f"overridden: {shown(score)}", score))
    return Counted(score, max_, pending, tuple(steps), is_scaled)


def _scaled(graded: Graded, score: Fraction) -> str:
    reachable = graded.max - graded.pending
    sum_ = f"{shown(graded.score)} × {shown(graded.max)} / {shown(reachable)} = {shown(score)}"
    return f"{shown(graded.pending)} points are pending, the others are scaled meanwhile: {sum_}"


def _late(days: int, late_days: int, kept: Fraction, before: Fraction, after: Fraction) -> str:
    covered = f", {late_days} of them covered by late days" if late_days else ""
    late = f"{days} {'day' if days == 1 else 'days'} late"
    return f"{late}{covered}: {shown(before)} × {shown(kept * 100)} % = {shown(after)}"


def cents(value: Fraction) -> Fraction:
    """Rounded to two decimals, a half upward."""
    rounded = (Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return Fraction(rounded)


def shown(value: Fraction) -> str:
    """As 75, 12.5 or 33.33."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def points_of(value: float) -> Fraction:
    """Points of grades.json, which have two decimals."""
    return Fraction(str(round(value, 2)))
