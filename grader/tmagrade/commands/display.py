"""How grading goes on: a bar in a terminal, plain lines elsewhere."""

import time
from collections.abc import Iterable
from types import TracebackType

from rich.console import Console, RenderableType
from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress
from rich.text import Text

from tmagrade.basics.printing import print_line
from tmagrade.basics.untrusted import visible
from tmagrade.grading.progress import Tally, about
from tmagrade.grading.steps import Kind

DONE = {Kind.BUILD: "built", Kind.EMULATE: "emulated", Kind.TIME: "timed on the GPU"}

# How often a log is told the time left.
LINE_SECONDS = 30.0


class _Bar(RichProgress):
    """A bar with a line below it."""

    below = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        yield Text(self.below, style="dim", no_wrap=True, overflow="ellipsis")


class TerminalProgress:
    """A bar; below it what is being done. The bar counts steps, because no two submissions have equally many left."""

    def __init__(self, console: Console) -> None:
        words = TextColumn("{task.fields[counts]}  {task.fields[left]}")
        self._bar = _Bar(BarColumn(20), TimeElapsedColumn(), words, console=console, transient=True)
        self._task: TaskID | None = None
        self._at_first = 0  # steps ahead at the beginning

    def __enter__(self) -> "TerminalProgress":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def note(self, words: str) -> None:
        self._bar.below = visible(words)

    def begin(self, tally: Tally) -> None:
        self._at_first = tally.steps_ahead
        self._task = self._bar.add_task("", total=max(tally.steps_ahead, 1), counts="", left="")
        self.update(tally)

    def update(self, tally: Tally) -> None:
        assert self._task is not None
        self._bar.below = visible(", ".join(tally.running))
        done = self._at_first - tally.steps_ahead
        self._bar.update(self._task, completed=done, counts="  ".join(_counts(tally)), left=about(tally.seconds_left))

    def ended(self, kind: Kind, who: str, tally: Tally) -> None:
        self.update(tally)


class LineProgress:
    """A line for each thing done, and now and then one with the time left; of a folder of one's own without counts."""

    def __init__(self, console: Console, *, own: bool = False) -> None:
        self._console = console
        self._own = own
        self._told = 0.0

    def __enter__(self) -> "LineProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def note(self, words: str) -> None:
        print_line(self._console, words)

    def begin(self, tally: Tally) -> None:
        self._told = time.monotonic()
        if not self._own and any(tally.done.values()):
            print_line(self._console, "done before: " + ", ".join(_counts(tally)))

    def update(self, tally: Tally) -> None:
        pass

    def ended(self, kind: Kind, who: str, tally: Tally) -> None:
        of_many = "" if self._own else f" {tally.done[kind]}/{tally.total}  {who}"
        print_line(self._console, DONE[kind] + of_many)
        if time.monotonic() - self._told >= LINE_SECONDS:
            self._told = time.monotonic()
            print_line(self._console, f"{', '.join(_counts(tally))}; {about(tally.seconds_left)}")


def _counts(tally: Tally) -> list[str]:
    return [f"{DONE[kind]} {done}/{tally.total}" for kind, done in tally.done.items()]


def progress_for(console: Console, *, own: bool = False) -> TerminalProgress | LineProgress:
    return TerminalProgress(console) if console.is_terminal else LineProgress(console, own=own)
