"""The course's one GPU, from a student's machine."""

from pathlib import Path
from typing import Annotated

import typer

from tmagrade.commands.command_line import FolderArgument, LabOption, app, reported_errors

SubmitQueueOption = Annotated[
    Path | None,
    typer.Option(
        envvar="TMAGRADE_QUEUE", help="The folder that the course names. With --history: those that it was handed to."
    ),
]


@app.command()
def submit(
    queue: SubmitQueueOption = None,
    folder: FolderArgument = Path(),
    lab: LabOption = None,
    nickname: Annotated[str, typer.Option(help="On the board under this name. Without it: not on the board.")] = "",
    wait: Annotated[bool, typer.Option(help="Wait for the verdict, and say the place in line.")] = True,
    history: Annotated[bool, typer.Option("--history", help="Only say what became of what was submitted.")] = False,
) -> None:
    """Lets the course's server grade a lab's folder, with its bandwidth, and says what it came to. It is no hand-in.

    Examples:

        tmagrade submit labs/lab3-bulk-copy --queue /srv/tma-queue

        tmagrade submit --history
    """
    from tmagrade.commands.submitting import print_submitted, submit_lab

    with reported_errors():
        if history:
            print_submitted(queue)
        else:
            submit_lab(queue, folder, lab, nickname, wait)
