"""The tables that a person sees in a terminal, plain where it is none."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from tmagrade.basics.printing import print_line
from tmagrade.basics.untrusted import visible_line
from tmagrade.course.labs import Lab
from tmagrade.judging.scoring import PENDING, LabResult, PartResult
from tmagrade.outputs.grades import Student
from tmagrade.outputs.repeats import Repeats
from tmagrade.outputs.wording import from_here, points, remark, score_text, short_name

# From so many labs a student on, a line a student says more than a line a lab.
_MATRIX_LABS = 3
_SHORTEST_NAME, _LONGEST_NAME = 12, 24
_SHORTEST_REMARK = 12
_LOG_WIDTH = 200  # where no terminal says how wide it is
_GAP = "  "

Cell = tuple[str, str]  # text and style


def print_table(console: Console, students: Sequence[Student]) -> None:
    labs = list({result.lab.id: result.lab for student in students for result in student.labs}.values())
    handed_in = sum(len(student.labs) for student in students)
    if console.is_terminal and len(labs) >= _MATRIX_LABS and handed_in >= _MATRIX_LABS * len(students):
        _print_matrix(console, students, labs)
    else:
        _print_results(console, students)


def _print_results(console: Console, students: Sequence[Student]) -> None:
    """A line a student and lab."""
    narrow = console.is_terminal and console.width < 120
    header = ["student", "lab", "score"] if narrow else ["student", "lab", "correct", "hygiene", "bandwidth", "score"]
    rows: list[list[Cell]] = []
    remarks: list[str] = []
    for student in students:
        for result in student.labs:
            score = (score_text(result), _color(result))
            name = (_name(student, _LONGEST_NAME if console.is_terminal else _LOG_WIDTH), "")
            remarks.append(visible_line(remark(result)))
            if narrow:
                rows.append([name, (short_name(result.lab), ""), score])
            else:
                extras = [(_extra(result, "hygiene"), ""), (_extra(result, "bandwidth"), "")]
                rows.append([name, (result.lab.id, ""), (_correctness(result), ""), *extras, score])
    _print_columns(console, header, rows, remarks, "remark", numbers_from=2)


def _print_matrix(console: Console, students: Sequence[Student], labs: Sequence[Lab]) -> None:
    """A line a student, a column a lab. `+`: points are pending."""
    header = ["student", *(short_name(lab).removeprefix("lab") for lab in labs), "total"]
    scores: list[list[Cell]] = []
    for student in students:
        results = {result.lab.id: result for result in student.labs}
        total = f"{int(student.score)}{'+' if student.pending else ''}"
        scores.append([*(_score_cell(results.get(lab.id)) for lab in labs), (total, "bold")])
    columns = zip(header[1:], zip(*scores))
    taken = sum(max(len(name), *(len(text) for text, _ in column)) + len(_GAP) for name, column in columns)
    room = min(max(console.width - taken - len(_GAP), _SHORTEST_NAME), _LONGEST_NAME)
    rows = [[(_name(student, room), ""), *cells] for student, cells in zip(students, scores)]
    _print_columns(console, header, rows, [], "", numbers_from=1)
    print_line(console, "\ncolumns are labs; +: points are pending; !: grader fault; scores rounded down", "dim")


def _score_cell(result: LabResult | None) -> Cell:
    if result is None:
        return ("·", "dim")
    if result.fault is not None:
        return ("!", _color(result))
    return (f"{int(result.score)}{'+' if result.pending else ''}", _color(result))


def _print_columns(
    console: Console,
    header: list[str],
    rows: list[list[Cell]],
    remarks: Sequence[str],
    about: str,
    numbers_from: int,
) -> None:
    """Columns as wide as their widest cell; the remarks get what is left of the line."""
    widths = [max(cell_len(text) for text in column) for column in zip(header, *([t for t, _ in row] for row in rows))]
    room = (console.width if console.is_terminal else _LOG_WIDTH) - sum(widths) - len(_GAP) * len(widths)
    styled = [[(text, "bold") for text in header], *rows]
    for cells, remark_text in zip_longest(styled, [about, *remarks], fillvalue=""):
        line = Text()
        for index, ((text, style), width) in enumerate(zip(cells, widths)):
            pad = " " * (width - cell_len(text))
            # In a log, numbers stand on the left, where the eye and `cut` look for them.
            right = console.is_terminal and index >= numbers_from
            line.append(pad if right else "").append(text, style).append("" if right else pad).append(_GAP)
        if room >= _SHORTEST_REMARK:
            line.append(_fitted(remark_text, room), "bold" if cells is styled[0] else "")
        line.rstrip()
        console.print(line, soft_wrap=True, highlight=False)


def _fitted(text: str, room: int) -> str:
    return text if cell_len(text) <= room else set_cell_size(text, room - 3).rstrip() + "..."


def _name(student: Student, room: int) -> str:
    return _fitted(visible_line(student.id), room)


def _correctness(result: LabResult) -> str:
    ids = {part.id for part in result.lab.parts}
    return points(sum(part.score for part in result.parts if part.id in ids))


def _extra(result: LabResult, name: str) -> str:
    part = next((part for part in result.parts if part.id == name), None)
    if part is None:
        return "-"
    return "pending" if part.pending else points(part.score)


def _color(result: LabResult) -> str:
    if result.fault is not None:
        return "magenta"
    reachable = result.max - result.pending
    return "green" if result.score >= reachable else "red" if result.score == 0 else "yellow"


def print_parts(console: Console, result: LabResult, with_score: bool = True) -> None:
    """A line a part, its message below, and the score: what a student sees of one lab."""
    width = max([12, *(len(part.id) for part in result.parts)])
    repeats = Repeats()
    parts = _told_once(result)
    for index, part in enumerate(parts):
        mark = {"pass": "green", PENDING: "cyan"}.get(part.verdict, "red")
        line = Text(f"{part.id:<{width}} ")
        line.append(f"{part.verdict.upper() if part.verdict != 'pass' else 'OK':<12}", style=mark)
        line.append(_part_points(part))
        line.rstrip()
        console.print(line, soft_wrap=True, highlight=False)
        if parts[index + 1 : index + 2] and parts[index + 1].reasons == part.reasons:
            continue  # said below the last of those that have the same to say
        for reason in part.reasons:
            for message in repeats.message(reason.message):
                print_line(console, f"    {from_here(message)}")
            for text in repeats.findings(reason.findings):
                console.print(Text("    ").append_text(text), soft_wrap=True, highlight=False)
    if with_score:
        print_line(console, f"Score: {score_text(result)}")


def _told_once(result: LabResult) -> Sequence[PartResult]:
    """The parts; one row for all where no part was ever judged, since each then has the same to say."""
    first = result.parts[0] if result.parts else None
    if first is None or result.outcomes is not None or len({part.message for part in result.parts}) > 1:
        return result.parts
    return [replace(first, id="every part", score=0, max=sum(part.max for part in result.parts))]


def _part_points(part: PartResult) -> str:
    return "" if part.pending else f"{points(part.score)}/{points(part.max)}"
