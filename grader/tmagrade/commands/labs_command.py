"""What `make` at the top of labs/ prints: what comes next, how far each lab is, and on request each part."""

import locale
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import app, out, reported_errors
from tmagrade.commands.typed_in import from_where_typed
from tmagrade.course.done import Standing, standing
from tmagrade.course.labs import load_labs

# With the longest names of labs, and a part that went wrong, within 80 columns.
BAR = 16


@app.command("labs")
def labs(
    parts: Annotated[bool, typer.Option("--parts", help="List each part, and not only how many are done.")] = False,
) -> None:
    """Says what comes next, and how much of each lab is done, as far as `make` in the labs' folders has seen it.

    Examples:

        tmagrade labs

        tmagrade labs --parts
    """
    with reported_errors():
        of_labs = [standing(HERE, lab) for lab in load_labs(HERE.labs)]
        following = next((part for of_lab in of_labs for part in of_lab if not part.is_done), None)
        for text in _next(following):
            print_line(out, text, "bold" if text.startswith("Next: ") else None)
        for line in _each_part(of_labs) if parts else _each_lab(of_labs, following):
            out.print(line, soft_wrap=True, highlight=False)
        if not parts:
            print_line(out, f"{_make_in(HERE.labs)} parts lists each part.", "dim")


def _next(part: Standing | None) -> Iterator[str]:
    if part is None:
        yield "All parts are done. make in a lab's folder says its score; make bench there measures on a Hopper GPU."
    else:
        chapter = from_where_typed(HERE.root / f"handout/labs/{part.lab.id}.md")
        yield f"Next: part {part.part} of {part.lab.id}"
        yield f"  {part.lab.idea}"
        yield f"  read {chapter}"
        yield f"  {_make_in(HERE.labs / part.lab.id)} PART={part.part}"
    yield ""


def _make_in(folder: Path) -> str:
    relative = from_where_typed(folder)
    return "make" if relative == os.curdir else f"make -C {shlex.quote(relative)}"


def _each_lab(of_labs: Sequence[Sequence[Standing]], following: Standing | None) -> Iterator[Text]:
    width = max(len(parts[0].lab.id) for parts in of_labs)
    for parts in of_labs:
        lab = parts[0].lab
        done = sum(part.is_done for part in parts)
        style = "green" if done == len(parts) else "bold" if following and following.lab.id == lab.id else ""
        line = Text(f"{lab.id:{width}}  ", style=style)
        line.append_text(_bar(done, len(parts))).append(f"  {done:2} of {len(parts)}", style=style)
        wrong = next((part for part in parts if part.verdict and not part.is_done), None)
        if wrong is not None:
            line.append(f"  {wrong.part}: {wrong.verdict}", style="red")
        yield line


def _bar(done: int, of: int) -> Text:
    full, empty = ("█", "░") if out.is_terminal and "utf" in locale.getencoding().lower() else ("#", ".")
    # Full only where all is done, and begun where something is.
    cells = BAR if done == of else min(BAR - 1, max(int(done > 0), round(done * BAR / of)))
    return Text().append(full * cells, style="green").append(empty * (BAR - cells), style="dim")


def _each_part(of_labs: Sequence[Sequence[Standing]]) -> Iterator[Text]:
    width = max(len(part.part) for parts in of_labs for part in parts)
    for parts in of_labs:
        yield Text(parts[0].lab.id, style="bold").append(f"  {parts[0].lab.idea}", style="not bold")
        for part in parts:
            said, style = _in_words(part)
            yield Text(f"  {part.part:{width}}  ").append(said, style=style)


def _in_words(part: Standing) -> tuple[str, str]:
    if not part.verdict:
        return "-", "dim"
    since = "" if part.is_of_today else "; the file has changed since"
    return (f"done{since}", "green") if part.is_done else (f"{part.verdict}{since}", "red")
