"""make skeletons: writes labs/ from solutions/; with --check, says how labs/ differs, and exits with 1 if it does."""

import argparse
import sys
from pathlib import Path

from staff.skeletons.skeleton import MarkerError, differences, write
from tmagrade.basics.paths import HERE


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description="Writes labs/ from solutions/.")
    parser.add_argument("--check", action="store_true", help="only say what differs")
    parser.add_argument("--solutions", type=Path, default=HERE.solutions)
    parser.add_argument("--labs", type=Path, default=HERE.labs)
    options = parser.parse_args(arguments)
    try:
        if not options.check:
            write(options.solutions, options.labs)
            return 0
        lines = differences(options.solutions, options.labs)
    except MarkerError as error:
        print(error, file=sys.stderr)
        return 2
    if lines:
        sys.stdout.writelines(lines)
        print("labs/ differs from solutions/: run `make skeletons`", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
