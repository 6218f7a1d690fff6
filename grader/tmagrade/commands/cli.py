"""tmagrade: the command line."""

import typer
from rich.text import Text

from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line

# Imported for the commands that they add. What only one command needs is imported there: a student waits for none of
# it between two edits.
from tmagrade.commands import (  # noqa: F401
    actions_command,
    hand_in_command,
    labs_command,
    student_commands,
    submit_command,
)
from tmagrade.commands.command_line import app, out

__all__ = ["app"]


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
