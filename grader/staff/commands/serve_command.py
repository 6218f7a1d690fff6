"""The course's one GPU, on the machine that has it."""

from pathlib import Path
from typing import Annotated

import typer

from staff.grading.asked import Executor
from tmagrade.commands.command_line import (
    BackendOption,
    NoSandboxOption,
    SeedsOption,
    app,
    reported_errors,
)

QueueOption = Annotated[
    Path, typer.Option(envvar="TMAGRADE_QUEUE", help="The shared folder, which students and the server both reach.")
]


@app.command()
def serve(
    queue: QueueOption,
    an_hour: Annotated[int, typer.Option(min=1, help="How many hand-ins of one student an hour.")] = 6,
    a_day: Annotated[int, typer.Option(min=1, help="How many hand-ins of one student a day.")] = 30,
    mib_a_day: Annotated[int, typer.Option(min=4, help="How many MiB of one student a day.")] = 32,
    minutes: Annotated[float, typer.Option(min=0.01, help="The most that one hand-in may take.")] = 10,
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
    from staff.commands.serving import Served, serve_queue
    from staff.gpu_queue.bounds import Bounds

    with reported_errors():
        served = Served(backend, seeds, jobs, no_sandbox, slurm if executor is Executor.SLURM else None, minutes * 60)
        serve_queue(queue, Bounds(an_hour, a_day, mib_a_day), served, once)
