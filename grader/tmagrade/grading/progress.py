"""How far grading is, and how long the rest will take, told from the steps that were measured."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Protocol

from tmagrade.grading.steps import Kind, Step, Work


@dataclass(frozen=True)
class Tally:
    done: Mapping[Kind, int]  # submissions for which this kind of step is done, or not needed
    total: int  # of submissions
    steps_ahead: int
    running: Sequence[str]  # what is being done
    seconds_left: float | None  # None: not known yet


class Progress(Protocol):
    """Told what is being done; the terminal shows a bar, a log gets lines."""

    def note(self, words: str) -> None:
        """What takes time before the first step."""

    def begin(self, tally: Tally) -> None:
        """Before the first step. What is done already an earlier grading has done."""

    def update(self, tally: Tally) -> None: ...

    def ended(self, kind: Kind, who: str, tally: Tally) -> None:
        """A kind of step is now done for a submission."""


class Board:
    """Counts what is done and what is ahead."""

    def __init__(self, lanes: Mapping[Kind, int]) -> None:
        self._estimate = Estimate(lanes)
        self._ahead: dict[Work, list[Step]] = {}
        self._steps_ahead = 0
        self._done = Counter(dict.fromkeys(lanes, 0))
        self._total = 0

    def add(self, work: Work) -> None:
        self._ahead[work] = []
        self._total += len(work.submissions)
        self._done.update({kind: len(work.submissions) for kind in self._done})
        self.note(work)

    def note(self, work: Work) -> set[Kind]:
        """Takes in that the work has gone on. Answers the kinds of step that are done for it now."""
        before, after = self._ahead[work], work.ahead
        self._ahead[work] = after
        self._steps_ahead += len(after) - len(before)
        self._estimate.no_longer(work.lab.id, before)
        self._estimate.expect(work.lab.id, after)
        kinds_before, kinds_after = {step.kind for step in before}, {step.kind for step in after}
        self._done.update({kind: len(work.submissions) for kind in kinds_before - kinds_after})
        self._done.subtract({kind: len(work.submissions) for kind in kinds_after - kinds_before})
        return kinds_before - kinds_after

    def took(self, work: Work, step: Step, seconds: float) -> None:
        self._estimate.took(work.lab.id, step, seconds)

    def tally(self, running: Sequence[str]) -> Tally:
        return Tally(dict(self._done), self._total, self._steps_ahead, running, self._estimate.seconds_left)


class Estimate:
    """Steps of one kind in one lab take about the same time."""

    def __init__(self, lanes: Mapping[Kind, int]) -> None:
        self._lanes = lanes  # how many steps of a kind are done at once
        self._ahead: Counter[tuple[Kind, str]] = Counter()
        self._took: defaultdict[tuple[Kind, str], list[float]] = defaultdict(list)

    def expect(self, lab: str, steps: Iterable[Step]) -> None:
        self._ahead.update((step.kind, lab) for step in steps)

    def no_longer(self, lab: str, steps: Iterable[Step]) -> None:
        self._ahead.subtract((step.kind, lab) for step in steps)

    def took(self, lab: str, step: Step, seconds: float) -> None:
        self._took[step.kind, lab].append(seconds)

    @property
    def seconds_left(self) -> float | None:
        """None as long as a kind of step is ahead of which none was measured, in any lab."""
        seconds = 0.0
        for (kind, lab), count in self._ahead.items():
            if count > 0:
                measured = self._took.get((kind, lab)) or self._of_kind(kind)
                if not measured:
                    return None
                seconds += count * fmean(measured) / self._lanes[kind]
        return seconds

    def _of_kind(self, kind: Kind) -> list[float]:
        return [seconds for (other, _), measured in self._took.items() if other is kind for seconds in measured]


def about(seconds: float | None) -> str:
    """An estimate in words, as exact as one can believe it."""
    if seconds is None:
        return "time left not known yet"
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} s left"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min left"
    return f"about {seconds / 3600:.1f} h left"
