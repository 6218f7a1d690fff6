"""How grading's time grows with students and with cores: `make bench-class-growth`.

With students: what the grader itself does, since compiler and judge take no time on a pretended machine. Each class is
graded from nothing, and then once more with nothing changed. With cores: a class as it is handed in, compiled and run
on the emulator, from nothing each time.
"""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from bench import grade
from generate import REPOSITORY, generate
from rich.console import Console
from rich.table import Table

from tmagrade.basics.paths import HERE

sys.path.insert(0, str(REPOSITORY / "grader/tests/python"))

from graded_apart import grade_apart, temporary_course

LAB = "lab3-bulk-copy"
CLASSES = (10, 100, 1000)
MOST_SECONDS = 600  # of the processor, for one grading
# So much more may a student take in a class of ten times as many.
MOST = 1.5


@dataclass(frozen=True)
class OfStudents:
    students: int
    seconds: float
    again: float  # with nothing changed
    peak_bytes: int
    disk_bytes: int

    @property
    def a_student(self) -> float:
        return self.seconds / self.students


@dataclass(frozen=True)
class OfCores:
    cores: int
    seconds: float


def with_students(students: int) -> OfStudents:
    with temporary_course() as course:
        class_folder = course.repository.root / "class"
        for number in range(students):
            folder = class_folder / f"student-{number:04}" / LAB
            folder.mkdir(parents=True)
            (folder / "lab3.cu").write_text(f"// Student {number}\n{'one-tile any fail' if number % 3 == 0 else ''}\n")
        seconds = []
        for _ in range(2):
            began = time.monotonic()
            graded = grade_apart(course, class_folder, "state", most_processor_seconds=MOST_SECONDS)
            seconds.append(time.monotonic() - began)
            if graded.status != 0:
                raise SystemExit(f"the grader ended with status {graded.status}:\n{graded.said}")
        return OfStudents(students, seconds[0], seconds[1], graded.peak_bytes, graded.disk_bytes)


def with_cores(counts: list[int], students: int, folder: Path) -> Iterator[OfCores]:
    cores = sorted(os.sched_getaffinity(0))
    shutil.rmtree(folder, ignore_errors=True)
    generate(LAB, students, folder / "class")
    for count in counts:
        os.sched_setaffinity(0, cores[:count])
        state = folder / f"state-{count}"
        state.mkdir()
        seconds, _ = grade(folder / "class", state, folder / f"{count}.log")
        yield OfCores(count, seconds)
    os.sched_setaffinity(0, cores)


def doubled(most: int) -> list[int]:
    """1, 2, 4 and so on, and as many as there are."""
    return sorted({1 << power for power in range(most.bit_length())} | {most})


def table_of_students(rows: list[OfStudents]) -> Table:
    table = Table(title="The grader's own time, with a compiler and a judge that take none")
    for column in ("students", "s", "ms a student", "again, s", "memory, MB", "on disk, MB"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            f"{row.students:,}",
            f"{row.seconds:.2f}",
            f"{1000 * row.a_student:.1f}",
            f"{row.again:.2f}",
            f"{row.peak_bytes / 1e6:.0f}",
            f"{row.disk_bytes / 1e6:.1f}",
        )
    return table


def table_of_cores(rows: list[OfCores], students: int) -> Table:
    table = Table(title=f"A class of {students} of {LAB}, compiled and run on the emulator")
    for column in ("cores", "s", "times as fast as one"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(str(row.cores), f"{row.seconds:.1f}", f"{rows[0].seconds / row.seconds:.2f}")
    return table


def main() -> None:
    options = argparse.ArgumentParser(description="How grading's time grows with students and with cores.")
    options.add_argument("--students", type=int, default=24, help="in the class that is compiled and run")
    chosen = options.parse_args()
    console = Console()
    with console.status("grading classes on a pretended machine"):
        of_students = [with_students(students) for students in CLASSES]
    console.print(table_of_students(of_students))
    with console.status("grading a class with more and more cores"):
        of_cores = list(with_cores(doubled(len(os.sched_getaffinity(0))), chosen.students, HERE.build / "scale/growth"))
    console.print(table_of_cores(of_cores, chosen.students))
    sys.exit(0 if all(more.a_student <= MOST * less.a_student for less, more in pairwise(of_students)) else 1)


if __name__ == "__main__":
    main()
