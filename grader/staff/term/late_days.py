"""Which late days a student spends on which lab: those that bring the most points, whatever the order of the labs."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class LateRule:
    """What lateness costs. A day late costs a late day, as long as there are any, else a share of the points."""

    late_days: int = 0  # of each student, in the whole term
    most_for_a_lab: int = 0
    penalty: Fraction = Fraction(0)  # of the points, for each day that no late day covers
    closed_after: int | None = None  # days; what is later has no points

    def kept(self, days_late: int, late_days: int) -> Fraction:
        """The share of the points that is left to a hand-in that is so late, of which late days cover so many."""
        if self.closed_after is not None and days_late > self.closed_after:
            return Fraction(0)
        return max(1 - self.penalty * (days_late - late_days), Fraction(0))


def best_use(points: Sequence[Fraction], days_late: Sequence[int], rule: LateRule) -> tuple[int, ...]:
    """How many late days go to each lab: the most points together, with as few days as that takes. Of equals the
    earlier labs are spared, whose days are no use any more."""
    best: dict[int, tuple[Fraction, tuple[int, ...]]] = {0: (Fraction(0), ())}  # by days spent
    for worth, days in zip(points, days_late):
        most = min(days, rule.most_for_a_lab, rule.late_days)
        following: dict[int, tuple[Fraction, tuple[int, ...]]] = {}
        for spent, (sum_, used) in best.items():
            for more in range(min(most, rule.late_days - spent) + 1):
                found = (sum_ + worth * rule.kept(days, more), (*used, more))
                if found > following.get(spent + more, (Fraction(-1), ())):
                    following[spent + more] = found
        best = following
    return max((sum_, -spent, used) for spent, (sum_, used) in best.items())[2]
