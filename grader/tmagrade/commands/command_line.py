"""What all commands share: the program, its consoles, its options, and how it ends when something is wrong."""

import fcntl
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, TextIO

import typer
from rich.console import Console

from tmagrade.basics.cache import NO_ROOM, cannot_write
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.basics.untrusted import visible_line
from tmagrade.machine.backend import Backend
from tmagrade.machine.limits import demand_limits

USAGE_STATUS = 2
FAULT_STATUS = 3
LEFT_OUT_STATUS = 4  # all was graded but what may be a hand-in, and counts for nobody
INTERRUPT_STATUS = 130

# Of what the one at work says of itself.
MOST_CHARACTERS = 200

app = typer.Typer(
    name="tmagrade",
    help="Builds, judges and scores the TMA labs, on an sm_90 GPU or on the emulator.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,
)

out = Console()
err = Console(stderr=True)

BackendOption = Annotated[
    Backend | None,
    typer.Option(help="Who executes. Without it: the GPU where there is an sm_90 one, else the emulator."),
]
LabOption = Annotated[
    str | None,
    typer.Option(help="Which lab the folder holds. Without it: the one that the folder is named after."),
]
FolderArgument = Annotated[Path, typer.Argument(help="The folder with the lab's .cu file.")]
SeedsOption = Annotated[int, typer.Option(min=0, help="How many random engines, beside late and early.")]

PartOption = Annotated[str | None, typer.Option(help="Only this part, without a score.")]
CaseOption = Annotated[str | None, typer.Option(help="Only this case, by the name that the verdict has.")]
PolicyOption = Annotated[
    str | None,
    typer.Option(help="Only this timing policy of the emulator: early, late or random:N."),
]
DataOption = Annotated[
    str | None,
    typer.Option(help="Inputs that show where a kernel puts what: index (0, 1, 2, ...) or ones; else random."),
]
SeedOption = Annotated[int | None, typer.Option(min=0, help="The random inputs of an earlier run.")]
# Of a program that one runs, the emulator's own variable says the policy as well.
RunPolicyOption = Annotated[
    str | None,
    typer.Option(envvar="TMAEMU_ASYNC", help="On the emulator, under this timing policy: early, late or random:N."),
]

NoSandboxOption = Annotated[
    bool, typer.Option("--no-sandbox", help="Compile and run the students' code without bubblewrap around it.")
]


@contextmanager
def reported_errors() -> Iterator[None]:
    """Turns the grader's own errors into a message and an exit status."""
    try:
        yield
    except UsageError as error:
        print_line(err, f"tmagrade: {error}", "red")
        raise typer.Exit(USAGE_STATUS) from error
    except GraderFault as fault:
        print_line(err, f"tmagrade: grader fault: {fault}", "magenta")
        raise typer.Exit(FAULT_STATUS) from fault
    except OSError as error:
        if error.errno in NO_ROOM:
            said = cannot_write(error.filename2 or error.filename or HERE.state, error)
        elif error.filename is None:
            raise
        else:
            said = f"grader fault: {error.filename2 or error.filename}: {error.strerror}"
        print_line(err, f"tmagrade: {said}", "magenta")
        raise typer.Exit(FAULT_STATUS) from error
    except KeyboardInterrupt:
        print_line(err, "tmagrade: interrupted. What is done is kept; the same command goes on from there.", "yellow")
        raise typer.Exit(INTERRUPT_STATUS) from None


@contextmanager
def only_one() -> Iterator[None]:
    """Two gradings at once would build in each other's stages: the second waits, and says so."""
    demand_limits()  # before anything else can fail of them
    with _opened_lock() as lock:
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                print_line(err, f"tmagrade: {_who_is_at_work(lock.read(MOST_CHARACTERS))}", "yellow")
                fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError as error:
            said = (
                f"{HERE.lock} cannot be locked: {error.strerror}; set TMAGRADE_STATE to a folder where that is possible"
            )
            raise UsageError(said) from error
        lock.truncate(0)
        lock.write(f"process {os.getpid()} on {platform.node()}, since {datetime.now():%H:%M}")
        lock.flush()
        yield


def _opened_lock() -> TextIO:
    try:
        HERE.state.mkdir(parents=True, exist_ok=True)
        return open(HERE.lock, "a+", errors="replace")  # what the one at work has written there stays
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        said = f"{HERE.state} is where grading writes, and cannot be written: {error.strerror}"
        raise GraderFault(f"{said}; set TMAGRADE_STATE to a folder of your own") from error


def _who_is_at_work(written: str) -> str:
    who = f" ({visible_line(written)})" if written else ""
    return (
        f"another tmagrade is at work in this repository{who}: this one waits until it has ended, or you type Ctrl-C. "
        "Beside it works one with another TMAGRADE_STATE"
    )
