"""Removing grades: the one command that does, and what it asks before."""

import os
import shutil
from pathlib import Path

from staff.commands.consent import demand_consent
from staff.outputs.folder import write_outputs
from staff.outputs.merging import Score, in_words, without
from staff.outputs.names import whole_names
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import out
from tmagrade.course.labs import names_lab
from tmagrade.outputs.grades import Grades, read_grades

REMOVE = "remove, for good"
MAKE = "make forget ... YES=yes"


def forget_scores(folder: Path, student: str | None, labs: str | None, yes: bool) -> None:
    """Removes a student's scores, a lab's, or a student's of some labs: from the grades, and what is made of them."""
    grades = read_grades(folder)
    gone = _meant(grades, student, labs)
    if not gone:
        raise UsageError(f"{folder} holds no such score")
    demand_consent(REMOVE, [f"{os.path.relpath(folder)}: {in_words(gone)}"], yes, MAKE)
    write_outputs(folder, without(grades, gone))
    print_line(out, f"removed: {in_words(gone)}")


def forget_all(folder: Path, yes: bool) -> None:
    """Removes everything that grading has kept of anybody: grades, what was handed in, what was built and found."""
    places = [folder, HERE.sample_grades, HERE.unpacked, HERE.state / "libraries", HERE.records, HERE.state / "slurm"]
    there = [place for place in dict.fromkeys(places) if place.exists()]
    if not there:
        raise UsageError("there is nothing to remove")
    demand_consent(REMOVE, [os.path.relpath(place) for place in there], yes, MAKE)
    for place in there:
        shutil.rmtree(place)
        print_line(out, f"removed: {os.path.relpath(place)}")


def _meant(grades: Grades, student: str | None, labs: str | None) -> list[Score]:
    names = None if student is None else whole_names(grades, student)
    wanted = None if labs is None else [name.strip() for name in labs.split(",") if name.strip()]
    return [
        (one.id, result.lab.id)
        for one in grades.students
        for result in one.labs
        if (names is None or one.id in names)
        and (wanted is None or any(names_lab(name, result.lab) for name in wanted))
    ]
