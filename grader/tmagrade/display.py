"""What a person sees: a progress bar and a table in a terminal, plain lines elsewhere."""

import time
from collections.abc import Sequence
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress
from rich.table import Table
from rich.text import Text

from tmagrade.outputs.grades import Student
from tmagrade.outputs.words import points, remark, score_text
from tmagrade.progress import Tally, about
from tmagrade.scoring import PENDING, LabResult, PartResult
from tmagrade.untrusted import visible
from tmagrade.work import Kind

DONE = {Kind.BUILD: "built", Kind.EMULATE: "emulated", Kind.TIME: "timed on the GPU"}

# How often a log is told the time left.
LINE_SECONDS = 30.0


class TerminalProgress:
    """A bar; below it what is being done. The bar counts steps, because no two submissions have equally many left."""

    def __init__(self, console: Console) -> None:
        columns = [BarColumn(), TextColumn("{task.fields[counts]}  {task.fields[left]}"), TimeElapsedColumn()]
        self._console = console
        self._bar = RichProgress(*columns, TextColumn("\n{task.fields[running]}"), console=console, transient=True)
        self._task: TaskID | None = None
        self._at_first = 0  # steps ahead at the beginning

    def __enter__(self) -> "TerminalProgress":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def begin(self, tally: Tally) -> None:
        self._at_first = tally.steps_ahead
        self._task = self._bar.add_task("", total=max(tally.steps_ahead, 1), counts="", left="", running="")
        self.update(tally)

    def update(self, tally: Tally) -> None:
        assert self._task is not None
        running = ", ".join(tally.running)
        self._bar.update(
            self._task,
            completed=self._at_first - tally.steps_ahead,
            counts="  ".join(_counts(tally)),
            left=about(tally.seconds_left),
            running=running if len(running) < self._console.width else running[: self._console.width - 4] + " ...",
        )

    def ended(self, kind: Kind, who: str, tally: Tally) -> None:
        self.update(tally)


class LineProgress:
    """A line for each thing done, and now and then one with the time left."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told = 0.0

    def __enter__(self) -> "LineProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def begin(self, tally: Tally) -> None:
        self._told = time.monotonic()
        if any(tally.done.values()):
            print_line(self._console, "done before: " + ", ".join(_counts(tally)))

    def update(self, tally: Tally) -> None:
        pass

    def ended(self, kind: Kind, who: str, tally: Tally) -> None:
        print_line(self._console, f"{DONE[kind]} {tally.done[kind]}/{tally.total}  {who}")
        if time.monotonic() - self._told >= LINE_SECONDS:
            self._told = time.monotonic()
            print_line(self._console, f"{', '.join(_counts(tally))}; {about(tally.seconds_left)}")


def _counts(tally: Tally) -> list[str]:
    return [f"{DONE[kind]} {done}/{tally.total}" for kind, done in tally.done.items()]


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
