"""What a person sees: a progress bar and a table in a terminal, plain lines elsewhere."""

from collections.abc import Sequence
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from tmagrade.outputs.grades import Student
from tmagrade.outputs.words import points, remark, score_text
from tmagrade.scoring import PENDING, LabResult, PartResult
from tmagrade.untrusted import visible

PHASES = {
    "build": "building",
    "emulator": "running on the emulator",
    "gpu": "running on the GPU",
}


class TerminalProgress:
    """A bar, the current phase and what was finished last."""

    def __init__(self, console: Console) -> None:
        columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
        self._bar = Progress(*columns, TextColumn("{task.fields[last]}"), console=console, transient=True)
        self._task: TaskID | None = None

    def __enter__(self) -> "TerminalProgress":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def phase(self, title: str, steps: int) -> None:
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(PHASES[title], total=steps, last="")

    def step(self, what: str) -> None:
        assert self._task is not None
        self._bar.update(self._task, advance=1, last=what)


class LineProgress:
    """A line for each thing done."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._steps = 0
        self._done = 0
        self._title = ""

    def __enter__(self) -> "LineProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def phase(self, title: str, steps: int) -> None:
        self._title, self._steps, self._done = PHASES[title], steps, 0

    def step(self, what: str) -> None:
        self._done += 1
        print_line(self._console, f"{self._title} {self._done}/{self._steps}  {what}")


def progress_for(console: Console) -> TerminalProgress | LineProgress:
    return TerminalProgress(console) if console.is_terminal else LineProgress(console)


def print_line(console: Console, text: str, style: str | None = None) -> None:
    """Prints text as it is: no markup, no wrapping, no highlighting, and nothing that a terminal would obey."""
    console.print(Text(visible(text), style=style or ""), soft_wrap=True, highlight=False)


def _correctness(result: LabResult) -> str:
    ids = {part.id for part in result.lab.parts}
    return points(sum(part.score for part in result.parts if part.id in ids))


def _extra(result: LabResult, name: str) -> str:
    part = next((part for part in result.parts if part.id == name), None)
    if part is None:
        return "-"
    return "pending" if part.pending else points(part.score)


def _colour(result: LabResult) -> str:
    if result.fault is not None:
        return "magenta"
    reachable = result.max - result.pending
    return "green" if result.score >= reachable else "red" if result.score == 0 else "yellow"


def print_table(console: Console, students: Sequence[Student]) -> None:
    header = ("student", "lab", "correct", "hygiene", "bandwidth", "score", "remark")
    rows = [
        (
            student.id,
            result.lab.id,
            _correctness(result),
            _extra(result, "hygiene"),
            _extra(result, "bandwidth"),
            score_text(result),
            remark(result),
        )
        for student in students
        for result in student.labs
    ]
    if not console.is_terminal:
        widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
        for row in [header, *rows]:
            line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths))
            print_line(console, line.rstrip()[:200])
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in header:
        numeric = column in ("correct", "hygiene", "bandwidth", "score")
        table.add_column(column, justify="right" if numeric else "left", no_wrap=True)
    colours = [_colour(result) for student in students for result in student.labs]
    # The last column gets what the others leave; Rich would take from all of them.
    taken = sum(max(len(row[column]) for row in [header, *rows]) + 2 for column in range(len(header) - 1))
    for row, colour in zip(rows, colours):
        *cells, about = (Text(cell, style=colour if column == 5 else "") for column, cell in enumerate(row))
        about.truncate(max(console.width - taken, 20), overflow="ellipsis")
        table.add_row(*cells, about)
    console.print(table, soft_wrap=True)


def print_parts(console: Console, result: LabResult, with_score: bool = True) -> None:
    """A line a part, its message below, and the score: what a student sees of one lab."""
    width = max([12, *(len(part.id) for part in result.parts)])
    for part in result.parts:
        mark = {"pass": "green", PENDING: "cyan"}.get(part.verdict, "red")
        line = Text(f"{part.id:<{width}} ")
        line.append(f"{part.verdict.upper() if part.verdict != 'pass' else 'OK':<12}", style=mark)
        line.append(_part_points(part))
        console.print(line, soft_wrap=True, highlight=False)
        for message in part.message.strip().splitlines():
            print_line(console, f"    {message}")
    if with_score:
        print_line(console, f"Score: {score_text(result)}")


def _part_points(part: PartResult) -> str:
    return "" if part.pending else f"{points(part.score)}/{points(part.max)}"
