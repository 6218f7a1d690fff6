"""Writes a class of any size for one lab, in which no two submissions are the same text.

    generate.py LAB STUDENTS FOLDER

One half hands in the reference solution, the other half what the sample class hands in, in turn: right in another
way, wrong in every way, endless, and what does not compile. Each gets comments of its own, whose number differs
too, so that every submission is built and judged by itself.
"""

import shutil
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


def texts_of(lab: str) -> list[Path]:
    """The folders that the class is made from: the solution, and each of the sample class's for this lab."""
    sample = sorted(path for path in (REPOSITORY / "grader/tests/class").glob(f"*/{lab}") if path.is_dir())
    return [REPOSITORY / "solutions" / lab, *sample]


def generate(lab: str, students: int, into: Path) -> None:
    solution, *sample = texts_of(lab)
    if not solution.is_dir():
        raise SystemExit(f"there is no lab {lab!r} in solutions/")
    for number in range(students):
        source = sample[number // 2 % len(sample)] if number % 2 and sample else solution
        folder = into / f"student-{number:04}" / lab
        shutil.copytree(source, folder, dirs_exist_ok=True)
        for path in sorted(folder.glob("*.cu")):
            comments = "".join(f"// Student {number}, note {note}.\n" for note in range(1 + number % 7))
            path.write_text(comments + path.read_text())


if __name__ == "__main__":
    generate(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
