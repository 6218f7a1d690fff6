"""The page on which a course's staff reads hand-ins, as the command line has it."""

from pathlib import Path
from typing import Annotated

import typer

from tmagrade.basics.paths import HERE
from tmagrade.commands.command_line import app, reported_errors


@app.command()
def review(
    grades: Annotated[Path, typer.Option(help="Where the grades are.")] = HERE.grades,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 0,
) -> None:
    """Opens a page on this machine: hand-ins with their findings, to be read, commented and given points.

    It prints an address for a browser on this machine, and ends with Ctrl-C. Of a machine elsewhere:
    `ssh -L 8421:127.0.0.1:8421 MACHINE`, with --port 8421 there.

    Examples:

        tmagrade review

        tmagrade review --grades build/sample-grades --port 8421
    """
    from staff.commands.reviewing import serve_page

    with reported_errors():
        serve_page(grades, port)
