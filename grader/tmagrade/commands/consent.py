"""Asking before what cannot be undone."""

import shlex
import sys
from collections.abc import Sequence

import typer

from tmagrade.basics.errors import UsageError
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import out


def demand_consent(does: str, what: Sequence[str], yes: bool) -> None:
    """UsageError where nobody agrees that this is done; where nobody can be asked, it says what to type. `does`: as
    "remove, for good"."""
    if yes:
        return
    listed = "\n".join(f"  {line}" for line in what)
    if not sys.stdin.isatty():
        again = shlex.join(["tmagrade", *sys.argv[1:], "--yes"])
        raise UsageError(f"this would {does}:\n{listed}\nNothing was done. If it is meant: {again}")
    print_line(out, f"This would {does}:\n{listed}")
    if not typer.confirm("Go on?"):
        raise UsageError("nothing was done")
