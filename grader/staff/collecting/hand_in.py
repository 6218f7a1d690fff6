"""What one student handed in at one time, before anybody has looked into it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from staff.collecting.tree import Tree
from tmagrade.submissions.submission import HandInTime

PLAIN = "plain"


@dataclass(frozen=True)
class HandIn:
    student: str  # as the class' layout names them, not yet safe
    shown: str  # printable: how messages call this hand-in
    read: Callable[[Tree], None]
    age: tuple[float, ...] = ()  # of two hand-ins of one student, the larger is the newer
    time: HandInTime | None = None  # where the platform or the file says it


@dataclass(frozen=True)
class Ignored:
    """What is not graded, and may be somebody's hand-in."""

    said: str  # what it is, and why
    called: str = ""  # whose, by the class's layout; empty: nobody knows


@dataclass(frozen=True)
class ClassOf:
    """The hand-ins of a whole class, and what there was beside them."""

    hand_ins: list[HandIn] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    platform: str = PLAIN  # who names the students: "canvas", "gradescope" ..., or the instructor

    @property
    def is_of_one_assignment(self) -> bool:
        """A platform's is: whoever is in it has handed in for that."""
        return self.platform != PLAIN
