"""What an instructor types about a term."""

from pathlib import Path
from typing import Annotated

import typer

from tmagrade.basics.paths import HERE
from tmagrade.commands.command_line import app

# What does the work is imported when it is asked for: a student's commands start without it.

term_app = typer.Typer(
    help="A term: its roster, deadlines, decisions and grade books.\n\nExample:\n\n    tmagrade term init",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)
app.add_typer(term_app, name="term")

WhoArgument = Annotated[str, typer.Argument(help="The student's id or name, or a part of it that fits no other.")]
LabArgument = Annotated[str, typer.Argument(help="The lab's name, or its beginning.")]
UnusualPointsOption = Annotated[
    bool, typer.Option("--yes", help="More points than the lab has, or the same ones once more, without a question.")
]
CanvasOption = Annotated[
    bool,
    typer.Option("--canvas", help="Ask Canvas itself, by its API. The token is CANVAS_TOKEN in the environment."),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")]
ReasonOption = Annotated[str, typer.Option(help="Why; it is kept, and shown by explain.")]


@term_app.command()
def init(
    title: Annotated[str, typer.Option(help="The term's title.")] = "TMA labs",
    zone: Annotated[str, typer.Option(help="The time zone of all deadlines.")] = "UTC",
    first_due: Annotated[str | None, typer.Option(help="When the first lab is due, as 2026-09-18.")] = None,
    book: Annotated[
        Path | None,
        typer.Option(help="Canvas' grade book, Moodle's worksheet or Gradescope's roster: who is in the course."),
    ] = None,
) -> None:
    """Writes a term.toml that says what each setting does, and a roster.csv, from an export or to be filled in.

    Example:

        tmagrade term init --zone America/New_York --first-due 2026-09-18 --book grades-export.csv
    """
    from staff.commands import term_people

    term_people.begin(title, zone, first_due, book)


@term_app.command()
def roster(
    book: Annotated[
        Path | None,
        typer.Option(help="Canvas' grade book, Moodle's worksheet, or the roster of Gradescope or GitHub Classroom."),
    ] = None,
    canvas: CanvasOption = False,
    section: Annotated[str | None, typer.Option(help="Whose list it is, where it does not say so.")] = None,
    dry_run: DryRunOption = False,
    yes: Annotated[bool, typer.Option("--yes", help="Change the roster without a question.")] = False,
) -> None:
    """Brings roster.csv up to a platform's list of the class: shows who is added, changed and gone, and asks.

    A platform's number or address of a person comes before any name, and nobody is guessed. Moodle has other numbers in
    each assignment, which its worksheets say; they are needed where two have one name.

    Examples:

        tmagrade term roster --book grades-export.csv

        tmagrade term roster --canvas
    """
    from staff.commands import term_people

    _demand_one(canvas, "--book", book)
    term_people.grow(book, section, yes, dry_run)


@term_app.command()
def collect(
    lab: LabArgument,
    out: Annotated[Path, typer.Option(help="The zip to write. One of an earlier time is brought up to date.")],
    dry_run: DryRunOption = False,
) -> None:
    """Fetches what was handed in on Canvas, and when, by its API: a zip as Canvas lets one download it.

    The token is CANVAS_TOKEN in the environment; `[canvas]` in term.toml says where, and a lab's `canvas` which
    assignment. Of a group on Canvas, each member has what was handed in. A second time fetches what is new alone.

    Example:

        tmagrade term collect lab3 --out fall/lab3.zip
    """
    from staff.commands import term_canvas

    term_canvas.collect(lab, out, dry_run)


@term_app.command()
def extensions(lab: LabArgument, dry_run: DryRunOption = False) -> None:
    """Takes over from Canvas, by its API, who has more time: due dates there of a student, a section or a group.

    Each is an extension like those of `extend`, where it gives more time than there is; what Canvas takes back later
    stays until `withdraw`.

    Example:

        tmagrade term extensions lab3 --dry-run
    """
    from staff.commands import term_canvas

    term_canvas.extend(lab, dry_run)


@term_app.command()
def share(group: Annotated[str, typer.Argument(help="A Unix group, of which the course's assistants are.")]) -> None:
    """Lets everybody of a Unix group record decisions in the term.

    Its folder (mode 2770) and files (660) become the group's, and each decision keeps the login of who made it.

    Example:

        tmagrade term share tma-staff
    """
    from staff.commands import term_people

    term_people.share(group)


@term_app.command()
def check() -> None:
    """Reads the term's files and says every mistake, with its place.

    Example:

        tmagrade term check
    """
    from staff.commands import term_work

    term_work.print_term()


@term_app.command()
def extend(
    who: WhoArgument,
    lab: LabArgument,
    until: str,
    reason: ReasonOption,
    yes: Annotated[bool, typer.Option("--yes", help="Also one that gives no time.")] = False,
) -> None:
    """Gives a student more time for a lab: until a local time, or so many days more.

    Example:

        tmagrade term extend ada lab3 2026-09-25T23:59 --reason "ill, with a certificate"
    """
    from staff.commands import term_work

    term_work.extend(who, lab, until, reason, yes)


@term_app.command()
def time(who: WhoArgument, lab: LabArgument, when: str, reason: ReasonOption) -> None:
    """Says when a lab was handed in, where the platform does not, or is wrong.

    Example:

        tmagrade term time ada lab3 2026-09-19T00:10 --reason "Canvas' log"
    """
    from staff.commands import term_work

    term_work.say_time(who, lab, when, reason)


@term_app.command()
def times(
    table: Annotated[
        Path,
        typer.Argument(help="Canvas' submissions as JSON, Gradescope's grades, Moodle's worksheet, or id, lab, time."),
    ],
    lab: Annotated[str | None, typer.Option(help="Which lab it is of, where the table does not say so.")] = None,
) -> None:
    """Says when a whole class has handed in. What was decided by hand stays.

    Canvas' JSON is that of `GET /api/v1/courses/1/assignments/2/submissions`; Moodle's worksheet is read in English.

    Example:

        tmagrade term times submissions.json --lab lab3
    """
    from staff.commands import term_times

    term_times.say_times(table, lab)


# -5 is a number of points and no option.
@term_app.command(context_settings={"ignore_unknown_options": True})
def override(
    who: WhoArgument, lab: LabArgument, points: str, reason: ReasonOption, yes: UnusualPointsOption = False
) -> None:
    """Says what a lab counts, whatever was graded and however late it was; kept through regrades.

    Example:

        tmagrade term override ada lab3 80 --reason "appeal of 28 September"
    """
    from staff.commands import term_work

    term_work.override(who, lab, points, reason, yes)


@term_app.command(context_settings={"ignore_unknown_options": True})
def add(
    who: WhoArgument, lab: LabArgument, points: str, reason: ReasonOption, yes: UnusualPointsOption = False
) -> None:
    """Adds points to what a lab counts; negative ones take away.

    Example:

        tmagrade term add ada lab3 5 --reason "found a mistake in the handout"
    """
    from staff.commands import term_work

    term_work.add(who, lab, points, reason, yes)


@term_app.command()
def excuse(who: WhoArgument, lab: LabArgument, reason: ReasonOption) -> None:
    """Takes a lab out of what counts for a student.

    Example:

        tmagrade term excuse ada lab3 --reason "joined in week 4"
    """
    from staff.commands import term_work

    term_work.excuse(who, lab, reason)


@term_app.command()
def withdraw(who: WhoArgument, lab: LabArgument, kind: str, reason: ReasonOption) -> None:
    """Takes back what was decided: extend, time, override, add or excuse. It stays in the history.

    Example:

        tmagrade term withdraw ada lab3 override --reason "the appeal was another student's"
    """
    from staff.commands import term_work

    term_work.withdraw(who, lab, kind, reason)


@term_app.command()
def history(who: WhoArgument, lab: LabArgument) -> None:
    """Shows every grading and every decision of a student's lab, in order.

    Example:

        tmagrade term history ada lab3
    """
    from staff.commands import term_work

    term_work.print_history(who, lab)


@term_app.command()
def sheet(
    to: Annotated[Path | None, typer.Option(help="A file for it. Without it: the terminal.")] = None,
) -> None:
    """Writes what every student's labs count, with what each is out of and what is pending: a row for everybody.

    Example:

        tmagrade term sheet --to sheet.csv
    """
    from staff.commands import term_work

    term_work.write_sheet(to)


@term_app.command()
def changes(
    lab: LabArgument,
    to: Annotated[str, typer.Option(help="Which: canvas, moodle, gradescope or classroom50.")] = "canvas",
) -> None:
    """Shows each score that is another one than was published, and what has happened since.

    Example:

        tmagrade term changes lab3 --to moodle
    """
    from staff.commands import term_publishing

    term_publishing.print_changes(lab, to)


@term_app.command()
def compare(
    lab: LabArgument,
    book: Annotated[
        Path | None, typer.Option(help="The platform's export of its grades, or Moodle's worksheet.")
    ] = None,
    to: Annotated[str, typer.Option(help="Whose: canvas, moodle or gradescope.")] = "canvas",
    canvas: CanvasOption = False,
) -> None:
    """Reads a grade book as it is on the platform, and says where it has not what counts here. Changes nothing.

    Example:

        tmagrade term compare lab3 --to canvas --book grades-export.csv
    """
    from staff.commands import term_canvas, term_publishing

    _demand_one(canvas, "--book", book, to=to)
    if book is None:
        term_canvas.compare(lab)
    else:
        term_publishing.compare(lab, to, book)


@term_app.command()
def publish(
    lab: LabArgument,
    out: Annotated[Path | None, typer.Option(help="The file to write, which the platform takes.")] = None,
    book: Annotated[
        Path | None,
        typer.Option(
            help="The class's own export of the grade book, Moodle's worksheet, or a folder of NAME/result.json from "
            "Classroom 50. Gradescope needs none."
        ),
    ] = None,
    to: Annotated[str, typer.Option(help="For whom: canvas, moodle, gradescope or classroom50.")] = "canvas",
    canvas: CanvasOption = False,
    section: Annotated[
        str | None, typer.Option(help="Only this section's people. A grade book knows whose it is without it.")
    ] = None,
    dry_run: DryRunOption = False,
    yes: Annotated[bool, typer.Option("--yes", help="Change what was published without a question.")] = False,
) -> None:
    """Writes a lab's scores as a platform takes them, and remembers what was published: its own grade book filled, or
    for Gradescope an autograder that looks the stored result up.

    Of a grade book, nothing but the lab's cells is written. Gradescope has to regrade all once the autograder is there,
    which holds the sections that have handed in there. Classroom 50 takes hundredths of a point (`gh release download
    -p result.json -D results/NAME` fetches what is filled).

    Examples:

        tmagrade term publish lab3 --to canvas --book grades-export.csv --out upload.csv

        tmagrade term publish lab3 --to gradescope --out autograder.zip

        tmagrade term publish lab3 --canvas --dry-run
    """
    from staff.commands import term_canvas, term_publishing

    _demand_one(canvas, "--out", out, book, to=to)
    if out is None:
        term_canvas.publish(lab, section, yes, dry_run)
    else:
        term_publishing.publish(lab, to, book, out, section, yes, dry_run)


@term_app.command()
def feedback(
    download: Annotated[
        Path | None, typer.Option(help="What the platform let you download for the assignment.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The zip to write, which the platform takes.")] = None,
    to: Annotated[str, typer.Option(help="Which platform: canvas, moodle or github.")] = "moodle",
    grades: Annotated[Path, typer.Option(help="Where the grades are.")] = HERE.grades,
    canvas: Annotated[
        str | None, typer.Option(help="A lab, whose feedback becomes comments on Canvas itself, by its API.")
    ] = None,
    dry_run: DryRunOption = False,
) -> None:
    """Packs every student's feedback.md under the names of a platform's own download, which it takes back. Or adds what
    it says of one lab as comments on Canvas, once each.

    Moodle takes it as "Upload multiple feedback files", Canvas as "Upload submissions"; for GitHub it is a script that
    opens issues.

    Examples:

        tmagrade term feedback --to moodle --download fall/lab3-moodle.zip --out feedback.zip

        tmagrade term feedback --canvas lab3
    """
    from staff.commands import term_canvas, term_publishing

    if canvas is not None and download is None and out is None:
        term_canvas.comment(canvas, dry_run)
    elif canvas is not None or download is None or out is None or dry_run:
        raise typer.BadParameter("say --download and --out; or --canvas and a lab, which may be a --dry-run")
    else:
        term_publishing.pack_feedback(to, download, grades, out)


def _demand_one(canvas: bool, option: str, file: Path | None, *others: Path | None, to: str = "canvas") -> None:
    """Either a file or Canvas itself, with which no file goes and no other platform."""
    if (file is None) != canvas or (canvas and (any(others) or to != "canvas")):
        raise typer.BadParameter(f"say {option}, or --canvas alone")
