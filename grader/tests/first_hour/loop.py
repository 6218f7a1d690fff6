"""How long a student waits between an edit and the verdict, beside what nvcc alone takes for the same text.

Each round edits the text once for each of them and runs all, so that what else the machine does strikes all alike; told
are medians, of the times and of each round's ratios. `make bench-loop` runs it, and `make bench-first-hour` does so in
its fresh clone.
"""

import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from students_environment import of_students

from tmagrade.basics.paths import HERE
from tmagrade.building.nvcc import library_command
from tmagrade.course.labs import Lab, load_labs
from tmagrade.machine.toolkit import find_toolkit
from tmagrade.submissions.staging import stage

LAB = "lab3-bulk-copy"
PART = "one-tile"
ROUNDS = 5


@dataclass(frozen=True)
class Row:
    what: str
    most: float  # times nvcc's own time
    seconds: list[float] = field(default_factory=list)

    def told(self, nvcc: "Row") -> str:
        ratio = median(own / nvccs for own, nvccs in zip(self.seconds, nvcc.seconds))
        return f"{self.what:<44}{median(self.seconds):6.2f} s{ratio:8.2f} of nvcc's time; at most {self.most:.1f}"


class Student:
    """A lab's folder with the reference solution in it, apart from the repository's own."""

    def __init__(self, place: Path, lab: Lab) -> None:
        self.lab = lab
        self.folder = place / lab.id
        self.nvccs = place / "alone"
        self.state = place / "state"
        self.folder.mkdir()
        shutil.copy(HERE.labs / lab.id / "lab.toml", self.folder)
        shutil.copy(HERE.solutions / lab.id / lab.source, self.folder)
        (place / "course").symlink_to(HERE.root)  # whose path may have a space, which no makefile can include
        rules = (HERE.labs / "common/lab.mk").read_text()
        (self.folder / "Makefile").write_text(rules.replace("TOP := ../..", "TOP := ../course"))

    def edit(self) -> None:
        """As a student who saves: another text, the same program."""
        with (self.folder / self.lab.source).open("a") as source:
            source.write(f"// {time.monotonic_ns()}\n")

    def nvcc(self) -> float:
        stage(self.folder, self.nvccs)
        return _seconds(library_command(find_toolkit(HERE), HERE, self.lab, self.nvccs), self.nvccs, dict(os.environ))

    def make(self, *words: str) -> float:
        return _seconds(["make", "-s", *words], self.folder, of_students() | {"TMAGRADE_STATE": str(self.state)})


def _seconds(command: list[str], folder: Path, environment: dict[str, str]) -> float:
    began = time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace")
    took = time.monotonic() - began
    if done.returncode != 0:
        raise SystemExit(f"bench-loop: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return took


def main() -> None:
    lab = next(lab for lab in load_labs(HERE.labs) if lab.id == LAB)
    nvcc = Row("nvcc alone", 1.0)
    part, whole = Row(f"edit to verdict, of a part: PART={PART}", 1.2), Row(f"edit to verdict, of the whole {LAB}", 2.0)
    print(f"{ROUNDS} rounds; load before: {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory(prefix="loop-") as place:
        student = Student(Path(place), lab)
        student.make()  # builds what it needs, and tries this machine with the reference solution, once
        for _ in range(ROUNDS):
            student.edit()
            nvcc.seconds.append(student.nvcc())
            part.seconds.append(student.make(f"PART={PART}"))
            student.edit()
            whole.seconds.append(student.make())
    print(f"{nvcc.what:<44}{median(nvcc.seconds):6.2f} s")
    print(part.told(nvcc))
    print(whole.told(nvcc))


if __name__ == "__main__":
    main()
