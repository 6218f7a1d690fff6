"""A class for the review page. `python -m review_class FOLDER STUDENTS` writes its term, hand-ins of lab 3 and their
grades below FOLDER, as gradings leave them. Nobody is judged: every second is right, the others have a mistake each.
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from staff.collecting.kept_texts import REQUEST, keep_text
from staff.outputs.folder import write_outputs
from staff.term.term import open_term
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab, load_labs
from tmagrade.findings.finding import Finding, SourcePlace, Span
from tmagrade.judging.scoring import LabResult, Outcomes, score
from tmagrade.judging.verdicts import Case, Judged
from tmagrade.outputs.grades import Facts, Grades, Student
from tmagrade.submissions.staging import digest_submitted
from tmagrade.submissions.submission import Submission

LAB = "lab3-bulk-copy"
FACTS = Facts("emulator", "13.0.88", "0" * 64, "2026-09-19T08:00:00+00:00", "2026-09-19T09:00:00+00:00")
SETTINGS = f"""
title = "Fall 2026"
time_zone = "UTC"
[[labs]]
lab = "{LAB}"
due = 2026-09-18
"""
CASES = [f"{size} ints" for size in (4, 8, 1024, 1028, 4092, 8192)]
CODES = ("missing-proxy-fence", "read-before-wait", "data-race")
TRICKS = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"
LINE = 41  # of every finding


def name_of(number: int) -> str:
    return TRICKS if number == 7 else f"First{number:03} Last{number:03}"


def finding_of(number: int) -> Finding:
    code = CODES[number % len(CODES)]
    place = SourcePlace("lab3.cu", LINE, 5)
    head = (Span("strong", f"lab3.cu:{LINE}:5: "), Span("error", "error: "), Span("plain", f"a mistake [{code}]"))
    page = (Span("plain", "read: "), Span("page", f"handout/findings/{code}.md"))
    return Finding(code=code, message="a mistake", place=place, text=(head, page))


def run_of(lab: Lab, number: int, engine: str) -> Judged:
    wrong = lab.parts[number % len(lab.parts)].id if number % 2 else ""

    def cases() -> Iterator[Case]:
        for part in lab.parts:
            for case in CASES:
                if part.id == wrong:
                    message = f"4 of 4 elements are wrong: data[0]: expected {number}, got 0"
                    yield Case(part.id, case, "fail", message, findings=(finding_of(number),))
                else:
                    yield Case(part.id, case, "pass", "")

    return Judged("emulator", tuple(cases()), seed="7", seconds=1.5 + number / 100)


def result_of(lab: Lab, number: int) -> LabResult:
    runs = {engine: run_of(lab, number, engine) for engine in ("late", "early")}
    return score(lab, Outcomes(runs["late"], runs))


def hand_in(lab: Lab, number: int) -> Submission:
    folder = HERE.state / "class" / f"s{number:03}" / lab.id
    folder.mkdir(parents=True)
    text = (HERE.labs / lab.id / lab.source).read_text(encoding="utf-8").splitlines()
    text.insert(LINE - 1, f"    copy(tile, {number});  // {TRICKS}")
    (folder / lab.source).write_text("\n".join(text) + "\n")
    if number == 3:
        (folder / REQUEST).write_text(f"My fence is in line {LINE}. {TRICKS}\n")
    return Submission(f"s{number:03}", lab, folder, called=f"s{number:03}", platform="plain")


def write_class(count: int) -> None:
    """Below the folders that TMAGRADE_STATE and TMAGRADE_TERM name."""
    labs = load_labs(HERE.labs)
    lab = next(one for one in labs if one.id == LAB)
    HERE.term.mkdir(parents=True)
    (HERE.term / "term.toml").write_text(SETTINGS)
    rows = [
        f's{number:03},"{name_of(number).replace(chr(34), chr(34) * 2)}",{"AB"[number % 2]}' for number in range(count)
    ]
    (HERE.term / "roster.csv").write_text("\n".join(["id,name,section", *rows, "s999,Absent,A", ""]))
    term = open_term(HERE.term, labs)
    assert term is not None
    graded: list[tuple[Submission, str, LabResult]] = []
    for number in range(count):
        submission = hand_in(lab, number)
        digest = digest_submitted(submission.folder)
        keep_text(HERE.unpacked, submission.folder, digest)
        graded.append((submission, digest, replace(result_of(lab, number), hand_in=digest)))
    term.store.add(term.results_of(graded, FACTS))
    students = tuple(Student(submission.student, (result,)) for submission, _, result in graded)
    write_outputs(HERE.grades, Grades(FACTS, (lab,), students))


if __name__ == "__main__":
    os.environ |= {"TMAGRADE_STATE": str(Path(sys.argv[1], "state")), "TMAGRADE_TERM": str(Path(sys.argv[1], "term"))}
    write_class(int(sys.argv[2]))
