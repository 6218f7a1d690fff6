"""What makes the course: the release that students receive, and a lab of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from staff.new_lab.name import name_lab
from staff.new_lab.write import write_new_lab
from staff.release.contents import demand_tracked
from staff.release.write import write_release
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import app, out, reported_errors
from tmagrade.course.labs import load_labs


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
        lab = name_lab(name, title, idea, load_labs(HERE.labs))
        for file in write_new_lab(HERE, lab):
            print_line(out, file)
        print_line(
            out, f"\n{lab.id} works as it stands: `make grade LABS=lab{lab.number}` grades its solution and a wrong"
        )
        print_line(out, "student. handout/inside/add-a-lab.md says how to make it your own.")
