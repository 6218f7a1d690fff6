"""Writes a class of any size for one lab, in which no two submissions are the same text.

    generate.py LAB STUDENTS FOLDER

One half hands in the reference solution, the other half what the sample class hands in, in turn: right in another
way, wrong in every way, endless, and what does not compile. Each gets comments of its own, whose number differs
too, so that every submission is built and judged by itself.
"""

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "grader"))

from staff.sample_class.tables import read_class  # noqa: E402
from tmagrade.basics.paths import HERE  # noqa: E402
from tmagrade.course.labs import load_labs  # noqa: E402


def texts_of(lab: str) -> list[dict[str, str]]:
    """The files that the class is made from: the solution's, and those of each of the sample class for this lab."""
    solution = {path.name: path.read_text() for path in sorted((HERE.solutions / lab).glob("*.cu"))}
    if not solution:
        raise SystemExit(f"there is no lab {lab!r} in solutions/")
    sample = {
        student.name: student.files for student in read_class(HERE, load_labs(HERE.labs)) if student.lab.id == lab
    }
    return [solution, *(sample[name] for name in sorted(sample))]


def text_of(student: int, texts: int) -> int:
    """Which of so many texts the student hands in: 0 is the solution."""
    return 1 + student // 2 % (texts - 1) if student % 2 and texts > 1 else 0


def generate(lab: str, students: int, into: Path) -> None:
    texts = texts_of(lab)
    for number in range(students):
        files = texts[text_of(number, len(texts))]
        folder = into / f"student-{number:04}" / lab
        folder.mkdir(parents=True, exist_ok=True)
        comments = "".join(f"// Student {number}, note {note}.\n" for note in range(1 + number % 7))
        for name, text in files.items():
            (folder / name).write_text(comments + text if name.endswith(".cu") else text)


if __name__ == "__main__":
    generate(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
