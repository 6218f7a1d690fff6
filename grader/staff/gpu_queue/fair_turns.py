"""Whose turn it is: start-time fair queueing (Goyal, Vin, Cheng: SIGCOMM 1996), charged by the seconds that each
student's work has held the queue.

It need not know beforehand how long anything takes. A run's start tag is the later of the virtual time, which is the
start tag of what was begun last, and its student's finish tag, which is the start tag of the student's last run and
the seconds that it took; the least start tag is next. So while a hand-in waits, each other student has at most as many
seconds as its own student's last run took (and those ahead of it in that student's own line), and one run.
"""

from collections import Counter
from collections.abc import Iterable

from tmagrade.gpu_queue.places import Waiting

# What a run is thought to take while nobody knows, for the place in line that is said.
ASSUMED_SECONDS = 60.0


class FairTurns:
    def __init__(self) -> None:
        self._now = 0.0
        self._finish: dict[str, float] = {}

    def start(self, student: str) -> float:
        return max(self._now, self._finish.get(student, 0.0))

    def charge(self, student: str, start: float, seconds: float) -> None:
        self._now = max(self._now, start)
        self._finish[student] = max(self._finish.get(student, 0.0), start + seconds)

    def in_order(self, line: Iterable[Waiting]) -> list[Waiting]:
        """The first is next, whatever the others take. `line`: in the order in which they came."""
        ahead: Counter[str] = Counter()
        tagged: list[tuple[float, int, Waiting]] = []
        for one in line:
            tagged.append((self.start(one.student) + ahead[one.student] * ASSUMED_SECONDS, one.number, one))
            ahead[one.student] += 1
        return [one for *_, one in sorted(tagged, key=lambda tag: tag[:2])]
