"""The course's one GPU, as the command line has it: `serve` on the machine that has it, `submit` at home."""

from pathlib import Path
from typing import Annotated

import typer

from tmagrade.commands.class_asked import Executor
from tmagrade.commands.command_line import (
    BackendOption,
    FolderArgument,
    LabOption,
    NoSandboxOption,
    SeedsOption,
    app,
    reported_errors,
)

QueueOption = Annotated[
    Path, typer.Option(envvar="TMAGRADE_QUEUE", help="The shared folder, which students and the server both reach.")
]
SubmitQueueOption = Annotated[
    Path | None,
    typer.Option(
        envvar="TMAGRADE_QUEUE", help="The folder that the course names. With --history: those that it was handed to."
    ),
]


@app.command()
def serve(
    queue: QueueOption,
    an_hour: Annotated[int, typer.Option(min=1, help="How many hand-ins of one student an hour.")] = 6,
    backend: BackendOption = None,
    seeds: SeedsOption = 3,
    jobs: Annotated[int | None, typer.Option(min=1, help="How many cores. Without it: all.")] = None,
    no_sandbox: NoSandboxOption = False,
    executor: Annotated[Executor, typer.Option(help="Who does the work: this machine, or a Slurm cluster.")] = (
        Executor.LOCAL
    ),
    slurm: Annotated[str, typer.Option(help="Options for sbatch.")] = "",
    once: Annotated[bool, typer.Option("--once", help="Grade what is there, and end.")] = False,
) -> None:
    """Grades what students put into a shared folder, one after another, until it is ended. Started again, it goes on.

    Examples:

        tmagrade serve --queue /srv/tma-queue

        tmagrade serve --queue /srv/tma-queue --executor slurm --slurm "--gres=gpu:h100:1" --backend gpu
    """
    from tmagrade.commands.serving import Served, serve_queue

    with reported_errors():
        served = Served(backend, seeds, jobs, no_sandbox, slurm if executor is Executor.SLURM else None)
        serve_queue(queue, an_hour, served, once)


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
    from tmagrade.commands.serving import print_submitted, submit_lab

    with reported_errors():
        if history:
            print_submitted(queue)
        else:
            submit_lab(queue, folder, lab, nickname, wait)
