"""Which late days a student spends on which lab: those that bring the most points in all that counts, whatever the
order of the labs, and with the lowest labs dropped."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm


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


Use = tuple[int, tuple[int, ...]]  # the sum of what counts, and the late days of each lab
# Of a lab with so many late days: its points, as a whole number of small ones, and its place among all shares.
Choice = tuple[int, int]
NEVER_DROPPED = -1


def best_use(worths: Sequence[Worth], rule: LateRule, lowest: int = 0) -> tuple[int, ...]:
    """How many late days go to each lab: the most points together, with as few days as that takes. Of equals the
    earlier labs are spared, whose days are no use any more."""
    if all(len(one.scores) == 1 for one in worths):
        return (0,) * len(worths)
    labs = _choices(worths)
    count = _number_of_dropped(sum(lab[0][1] != NEVER_DROPPED for lab in labs), lowest)
    # Of what is dropped, one is the best: each lab, with each number of its late days, is tried as that.
    lines = sorted({place for lab in labs for _, place in lab} - {NEVER_DROPPED}) if count else [NEVER_DROPPED]
    found = (_best_below(labs, rule.late_days, line, count) for line in lines)
    return max((sum_, -sum(used), used) for uses in found for sum_, used in uses)[2]


def _choices(worths: Sequence[Worth]) -> list[list[Choice]]:
    unit = lcm(*(score.denominator for one in worths for score in one.scores if score is not None))
    shares = [[one.share(used) for used in range(len(one.scores))] for one in worths]
    ordered = sorted({(share, -index) for index, of_lab in enumerate(shares) for share in of_lab if share is not None})
    places = {share: place for place, share in enumerate(ordered)}
    return [
        [
            (0 if score is None else int(score * unit), NEVER_DROPPED if share is None else places[share, -index])
            for score, share in zip(one.scores, shares[index])
        ]
        for index, one in enumerate(worths)
    ]


def _best_below(labs: Sequence[Sequence[Choice]], late_days: int, line: int, count: int) -> list[Use]:
    """The best use of each number of late days with which `count` labs are dropped: those up to `line`."""
    best: dict[tuple[int, int], Use] = {(0, 0): (0, ())}  # by the days spent and the labs dropped
    for choices in labs:
        following: dict[tuple[int, int], Use] = {}
        for (spent, below), (sum_, used) in best.items():
            for more, (points, place) in enumerate(choices[: late_days - spent + 1]):
                is_dropped = NEVER_DROPPED < place <= line
                now = (spent + more, below + is_dropped)
                use = (sum_ if is_dropped else sum_ + points, (*used, more))
                if now[1] <= count and use > following.get(now, (-1, ())):
                    following[now] = use
        best = following
    return [use for (_, below), use in best.items() if below == count]
