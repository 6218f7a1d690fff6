"""make skeletons: writes labs/ from solutions/, and what pages tell of labs from each lab.toml.

With --check it only says what differs, and exits with 1 if anything does. What a chapter lacks, its author writes.
"""

import argparse
import sys

from staff.skeletons.lab_pages import lacking
from staff.skeletons.made import all_made, differences, write
from staff.skeletons.skeleton import MarkerError
from tmagrade.basics.errors import GraderFault
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description="Writes labs/ and what pages tell of labs.")
    parser.add_argument("--check", action="store_true", help="only say what differs")
    options = parser.parse_args()
    try:
        made = all_made(HERE)
        lacks = list(lacking(HERE.root, load_labs(HERE.labs)))
    except (MarkerError, GraderFault) as error:
        print(error, file=sys.stderr)
        return 2
    for line in lacks:
        print(line, file=sys.stderr)
    if not options.check:
        write(made)
        return 0
    lines = differences(made, HERE.labs)
    sys.stdout.writelines(lines)
    if lines:
        print("labs/ or a page differs from what is made: run `make skeletons`", file=sys.stderr)
    return 1 if lines or lacks else 0


sys.exit(main())
