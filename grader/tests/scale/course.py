"""What grading a course costs of the processors (`make bench-course`): the seconds that each lab's reference solution
takes of them on the emulator, and the hours of one core that a class of such hand-ins takes.

A right hand-in costs the most: what is wrong under `late` is run under no further policy. And no two students are taken
to have handed in the same text, which would be graded once.
"""

import argparse
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from costs import CANARY, COMPILER, costs_of

from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab, load_labs, select_labs


def row_of(lab: str, compiler: float, emulator: float, students: int) -> str:
    """Seconds a hand-in, and hours a class."""
    return f"| {lab} | {compiler:.1f} | {emulator:.1f} | {students * (compiler + emulator) / 3600:.2f} |"


def divided(seconds: Mapping[str, float]) -> tuple[float, float]:
    """What the compiler takes of a hand-in's seconds, and what the emulator takes; the canary is tried once a class."""
    compiler = seconds.get(COMPILER, 0.0)
    return compiler, sum(took for kind, took in seconds.items() if kind not in (COMPILER, CANARY))


def measured(lab: Lab, folder: Path) -> tuple[float, float]:
    """Once before, with a text that costs nothing, what is done once a lab: whether the machine can grade it."""
    folder.mkdir()
    (folder / lab.source).write_text("#error nothing is handed in\n")
    costs_of(lab, folder)
    return divided(costs_of(lab, HERE.solutions / lab.id))


def main() -> None:
    options = argparse.ArgumentParser(description="What grading a course costs of the processors.")
    options.add_argument("--students", type=int, default=120)
    options.add_argument("--labs", default="")
    chosen = options.parse_args()
    labs = load_labs(HERE.labs)
    folder = HERE.build / "scale/course"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ["TMAGRADE_STATE"] = str(folder)
    print("Seconds of the processors that a right hand-in takes, and hours of one core for the class:\n")
    print(f"| lab | compiler | emulator | hours for {chosen.students} |\n|---|---|---|---|", flush=True)
    compiler, emulator = 0.0, 0.0
    for lab in select_labs(labs, chosen.labs) if chosen.labs else labs:
        took = measured(lab, folder / f"nothing-{lab.id}")
        compiler, emulator = compiler + took[0], emulator + took[1]
        print(row_of(lab.id, *took, chosen.students), flush=True)
    print(row_of("all", compiler, emulator, chosen.students))


if __name__ == "__main__":
    main()
