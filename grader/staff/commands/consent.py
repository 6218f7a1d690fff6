"""Asking before what cannot be undone."""

import shlex
import sys
from collections.abc import Sequence

import typer

from tmagrade.basics.errors import UsageError
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import out


def demand_consent(does: str, what: Sequence[str], yes: bool, make: str = "") -> None:
    """UsageError where nobody agrees that this is done; where nobody can be asked, it says what to type. `does`: as
    "remove, for good". `make`: what make users type then."""
    if yes:
        return
    listed = "\n".join(f"  {line}" for line in what)
    if not sys.stdin.isatty():
        words = sys.argv[1:]
        words.insert(words.index("--") if "--" in words else len(words), "--yes")
        again = shlex.join(["tmagrade", *words]) + (f" ({make})" if make else "")
        raise UsageError(f"this would {does}:\n{listed}\nNothing was done. If it is meant: {again}")
    print_line(out, f"This would {does}:\n{listed}")
    if not typer.confirm("Go on?"):
        raise UsageError("nothing was done")
