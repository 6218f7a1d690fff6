"""What a program and all that it has started have had of the processors: less than the clock says on a busy machine."""

import os
from pathlib import Path

SECONDS_PER_TICK = 1 / os.sysconf("SC_CLK_TCK")

# Nobody has this many; a tree that grows while it is looked at must come to an end.
MOST_PROCESSES = 4096


def of_tree(root: int) -> float:
    """Seconds, also of those that have ended and were waited for. What ends meanwhile counts as nothing."""
    tree = [root]
    ticks = 0
    for process in tree:  # which grows
        folder = Path("/proc") / str(process)
        try:
            # Behind the name, which may hold anything: the 14th to the 17th value of proc_pid_stat(5).
            values = (folder / "stat").read_text(errors="replace").rsplit(")", 1)[1].split()
            children = [child for task in (folder / "task").iterdir() for child in _children(task)]
        except OSError:
            continue
        ticks += sum(map(int, values[11:15]))
        tree += children[: MOST_PROCESSES - len(tree)]
    return ticks * SECONDS_PER_TICK


def _children(task: Path) -> list[int]:
    try:
        return [int(child) for child in (task / "children").read_text().split()]
    except OSError:
        return []
