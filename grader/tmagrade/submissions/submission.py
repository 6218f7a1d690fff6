"""One lab that one student handed in."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tmagrade.course.labs import Lab


@dataclass(frozen=True)
class HandInTime:
    """When something was handed in, as far as that is known."""

    at: datetime | None  # with a time zone
    source: str  # who says so: "gradescope", "git", "file" ...
    is_late: bool = False  # whether the platform has marked it so


@dataclass(frozen=True)
class Submission:
    student: str  # also the name of this student's folders: names.py makes it safe
    lab: Lab
    folder: Path
    problem: str = ""  # why what was handed in cannot be read: a build error, which costs only this student
    fault: str = ""  # why this machine cannot read it: nobody's points, until somebody has mended it
    ignored: tuple[str, ...] = ()  # names in the hand-in that count for nothing, and why: the student is told
    called: str = ""  # the student, by the class's platform or layout
    platform: str = ""
    time: HandInTime | None = None  # when it was handed in, where anybody says so
