"""How much one student may hand in, and when there is room for more."""

import time
from collections.abc import Callable, Iterator, Reversible
from dataclasses import dataclass

from staff.gpu_queue.history import Entry

HOUR_SECONDS, DAY_SECONDS = 3600, 24 * 3600
MIB = 1 << 20


@dataclass(frozen=True)
class Bounds:
    an_hour: int = 6
    a_day: int = 30
    mib_a_day: int = 32

    def refusal(self, entries: Reversible[Entry], size: int, now: float) -> str | None:
        """Why a student may not hand in so many bytes now, and when that may be. `entries`: the student's, in order."""
        for window, most, weight, words in self._limits():
            used = weight(size)
            for entry in _recent(entries, now - window):
                used += weight(entry.size)
                if used > most:
                    return f"no more than {words}; the next one may come {_when(entry.accepted + window, now)}"
        return None

    def left(self, entries: Reversible[Entry], now: float) -> str:
        def left(window: int, most: int, weight: Callable[[int], int]) -> int:
            return max(most - sum(weight(entry.size) for entry in _recent(entries, now - window)), 0)

        hour, day, size = (left(window, most, weight) for window, most, weight, _ in self._limits())
        return (
            f"left: {hour} of {self.an_hour} hand-ins an hour, {day} of {self.a_day} "
            f"and {size / MIB:.1f} of {self.mib_a_day} MiB a day"
        )

    def _limits(self) -> tuple[tuple[int, int, Callable[[int], int], str], ...]:
        """Within which seconds how much, and what a hand-in of so many bytes is of that."""
        return (
            (HOUR_SECONDS, self.an_hour, lambda size: 1, f"{self.an_hour} hand-ins an hour"),
            (DAY_SECONDS, self.a_day, lambda size: 1, f"{self.a_day} hand-ins a day"),
            (DAY_SECONDS, self.mib_a_day * MIB, lambda size: size, f"{self.mib_a_day} MiB a day"),
        )


def _recent(entries: Reversible[Entry], since: float) -> Iterator[Entry]:
    """The newest first. What the grader did not grade counts for nothing, unless that was the student's own doing."""
    for entry in reversed(entries):
        if entry.accepted <= since:
            return
        if entry.state != "failed":
            yield entry


def _when(at: float, now: float) -> str:
    moment = time.localtime(at)
    is_today = moment[:3] == time.localtime(now)[:3]
    return time.strftime("at %H:%M" if is_today else "on %Y-%m-%d at %H:%M", moment)
