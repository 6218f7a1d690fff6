"""What `tmagrade term init` writes: a term.toml that says what each setting does, and a roster to be filled in."""

from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

from staff.term.roster import COLUMNS, ROSTER_FILE
from staff.term.settings import SETTINGS_FILE, settings_of
from tmagrade.basics.cache import write_atomically
from tmagrade.basics.errors import CannotRecord, UsageError
from tmagrade.course.labs import Lab

TERM_TOML = """# A term of this course. `tmagrade term check` says every mistake here and in {roster}, with its place.

title = "{title}"
time_zone = "{zone}" # of all times below; a change of clocks moves no deadline

# What becomes of points that wait for a GPU: "empty" leaves the cell of a grade book empty, "scale" scales the other
# points to the lab's, here and there, "hold" refuses to publish the lab.
pending = "empty"

# What a lab counts that somebody has not handed in, once it is due: "empty" is no score, "zero" is 0.
missing = "empty"

drop_lowest = 0 # so many labs with the smallest share of their points do not count

[late]
grace_minutes = 15     # so much after the deadline is still in time
late_days = 0          # each student has so many; they go where they bring most
most_for_a_lab = 0
percent_a_day = 10     # off what a hand-in has, for each begun day that no late day covers
# closed_after_days = 7 # what is later has no points

# Canvas is asked by its API (--canvas) where a token is in the environment as CANVAS_TOKEN, and in no file.
# [canvas]
# address = "https://canvas.example.edu"
# course = 1234

# A lab that is not here is graded, but does not count. `canvas` is the column of Canvas' grade book.
{labs}"""

LAB = """[[labs]]
lab = "{lab}"
due = {due}T23:59:00
# canvas = "{lab} (12345)"

"""

NOBODY_YET = ",".join(COLUMNS) + "\n"


def write_term(
    folder: Path, labs: Sequence[Lab], title: str, zone: str, first: date, people: str = NOBODY_YET
) -> list[Path]:
    """Writes both files or none, with `people` as the roster; UsageError where a term is there, or could not be read
    then. The first lab is due on `first`, each other a week later."""
    settings, roster = folder / SETTINGS_FILE, folder / ROSTER_FILE
    if settings.exists() or roster.exists():
        raise UsageError(f"{folder} holds a term already; nothing was written")
    rows = (LAB.format(lab=lab.id, due=first + timedelta(weeks=week)) for week, lab in enumerate(labs))
    text = TERM_TOML.format(roster=ROSTER_FILE, title=title.replace('"', "'"), zone=zone, labs="".join(rows))
    settings_of(text, f"{settings}, which is not written,", labs)
    write_atomically(settings, text.rstrip("\n") + "\n")
    try:
        write_atomically(roster, people)
    except CannotRecord:
        settings.unlink()
        raise
    return [settings, roster]
