"""tmagrade: the command line."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line

# Imported for the commands that they add. What only one command needs is imported there: a student waits for none of
# it between two edits.
from tmagrade.commands import (  # noqa: F401
    actions_command,
    class_commands,
    hand_in_command,
    labs_command,
    serve_commands,
    similarity_command,
    student_commands,
    term_commands,
)
from tmagrade.commands.command_line import app, out, reported_errors
from tmagrade.course.labs import load_labs

__all__ = ["app"]


@app.command()
def explain(
    student: Annotated[str, typer.Argument(help="The student's name, or a part of it that fits no other.")],
    lab: Annotated[str | None, typer.Argument(help="The lab's name, or its beginning. Without it: the sum.")] = None,
    grades: Annotated[Path, typer.Option(help="Where the grades are.")] = HERE.grades,
) -> None:
    """Shows how a score came about: from the grades.json of the last grading, and from the term where there is one.

    Examples:

        tmagrade explain ada lab3

        tmagrade explain ada
    """
    from tmagrade.commands.explaining import explain_scores

    with reported_errors():
        explain_scores(student, lab, grades)


@app.command()
def release(
    out_folder: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write, new or empty.")],
    force: Annotated[bool, typer.Option("--force", help="Replace what is in the folder, save .git.")] = False,
    binaries: Annotated[
        bool,
        typer.Option("--binaries", help="With the emulator, the runner and the judges that `make` has built for it."),
    ] = False,
    leave_untracked: Annotated[
        bool, typer.Option("--leave-untracked", help="Without the files that git does not track.")
    ] = False,
) -> None:
    """Writes what students receive: no solutions, no sample class, none of the checks that the course keeps.

    Example:

        tmagrade release ../tma-labs-students
    """
    with reported_errors():
        _demand_solutions("there is nothing to hold back here")
        from tmagrade.release.contents import demand_tracked  # students do not have it
        from tmagrade.release.write import write_release

        if not leave_untracked:
            demand_tracked(HERE.root)
        count = write_release(HERE, out_folder, force=force, binaries=binaries)
        programs = ", and the programs that they need, built" if binaries else ""
        print_line(out, f"What students receive is in {out_folder}: {count} files{programs}")


@app.command("new-lab")
def new_lab(
    name: Annotated[str, typer.Argument(help="lab, its number, and words: lab14-two-words.")],
    title: Annotated[str | None, typer.Option(help="Without it: the words of the name.")] = None,
    idea: Annotated[str | None, typer.Option(help="What the lab teaches, in a sentence.")] = None,
) -> None:
    """Writes a small lab that can be built, graded and tested as it stands, to be made into your own.

    Example:

        tmagrade new-lab lab14-two-words --idea "Two words say more than one."
    """
    with reported_errors():
        _demand_solutions("nobody can add a lab here")
        from tmagrade.new_lab.name import name_lab  # students do not have it
        from tmagrade.new_lab.write import write_new_lab  # students do not have it

        lab = name_lab(name, title, idea, load_labs(HERE.labs))
        for file in write_new_lab(HERE, lab):
            print_line(out, file)
        print_line(
            out, f"\n{lab.id} works as it stands: `make grade LABS=lab{lab.number}` grades its solution and a wrong"
        )
        print_line(out, "student. handout/inside/add-a-lab.md says how to make it your own.")


def _demand_solutions(said: str) -> None:
    if not HERE.solutions.is_dir():
        raise UsageError(f"{said}: this is what students received")


@app.command()
def doctor() -> None:
    """Says what this machine has and what to do about what it lacks.

    Exits 0 when nothing is lacking, 1 otherwise.
    """
    from tmagrade.commands.doctor import examine

    findings = examine(HERE)
    for finding in findings:
        line = Text(f"{finding.what:<16}")
        line.append("ok    " if finding.fine else "lacks ", style="green" if finding.fine else "red")
        line.append(finding.detail)
        out.print(line, soft_wrap=True, highlight=False)
        if not finding.fine:
            print_line(out, f"{'':<22}{finding.remedy}", "yellow")
    if not all(finding.fine for finding in findings):
        raise typer.Exit(1)
