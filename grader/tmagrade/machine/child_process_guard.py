"""Ends the grader's child processes when the grader has ended, however it did: SIGKILL leaves it no last word.

Started by processes.py as a program of its own, with the reading end of a pipe as standard input. A line `+PID`
there names a process group, a line `-PID` takes it back. The pipe's end is the grader's.
"""

import contextlib
import os
import signal
import sys


def main() -> None:
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        (groups.add if line[0] == "+" else groups.discard)(group)
    for group in groups:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
