"""Which late days a student spends on which lab: those that bring the most points in all that counts, whatever the
order of the labs, and with the lowest labs dropped."""

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

    def most(self, days_late: int) -> int:
        """How many late days such a hand-in can take."""
        return min(days_late, self.most_for_a_lab, self.late_days)


@dataclass(frozen=True)
class Worth:
    """What a lab counts with none, one, two ... late days; None: there is no score, and it is not dropped either."""

    scores: tuple[Fraction | None, ...]
    max: Fraction

    def share(self, late_days: int) -> Fraction | None:
        score = self.scores[late_days]
        return None if score is None or not self.max else score / self.max


def dropped(worths: Sequence[Worth], used: Sequence[int], lowest: int) -> set[int]:
    """The labs with the smallest shares of their points; the last of equals. One lab at least counts."""
    shares = [(share, -index) for index, one in enumerate(worths) if (share := one.share(used[index])) is not None]
    return {-index for _, index in sorted(shares)[: _number_of_dropped(len(shares), lowest)]}


def _number_of_dropped(labs: int, lowest: int) -> int:
    return min(lowest, max(labs - 1, 0))


Use = tuple[Fraction, tuple[int, ...]]  # the sum of what counts, and the late days of each lab


def best_use(worths: Sequence[Worth], rule: LateRule, lowest: int = 0) -> tuple[int, ...]:
    """How many late days go to each lab: the most points together, with as few days as that takes. Of equals the
    earlier labs are spared, whose days are no use any more."""
    if all(len(one.scores) == 1 for one in worths):
        return (0,) * len(worths)
    shares = [[one.share(used) for used in range(len(one.scores))] for one in worths]
    count = _number_of_dropped(sum(share[0] is not None for share in shares), lowest)
    # Of what is dropped, one is the best: each lab, with each number of its late days, is tried as that.
    lines: list[tuple[Fraction, int] | None] = [None]
    if count:
        lines = [(share, -index) for index, those in enumerate(shares) for share in those if share is not None]
    found = (_best_below(worths, shares, rule.late_days, line, count) for line in dict.fromkeys(lines))
    return max((sum_, -sum(used), used) for use in found for sum_, used in use)[2]


def _best_below(
    worths: Sequence[Worth],
    shares: Sequence[Sequence[Fraction | None]],
    late_days: int,
    line: tuple[Fraction, int] | None,
    count: int,
) -> list[Use]:
    """The best use of each number of late days with which `count` labs are dropped: those up to `line`."""
    best: dict[tuple[int, int], Use] = {(0, 0): (Fraction(0), ())}  # by the days spent and the labs dropped
    for index, one in enumerate(worths):
        following: dict[tuple[int, int], Use] = {}
        dropped_with = [line is not None and share is not None and (share, -index) <= line for share in shares[index]]
        for (spent, below), (sum_, used) in best.items():
            for more, score in enumerate(one.scores[: late_days - spent + 1]):
                now = (spent + more, below + dropped_with[more])
                use = (sum_ + (0 if dropped_with[more] or score is None else score), (*used, more))
                if now[1] <= count and use > following.get(now, (Fraction(-1), ())):
                    following[now] = use
        best = following
    return [use for (_, below), use in best.items() if below == count]
