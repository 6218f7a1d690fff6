"""What `make` at the top of labs/ prints: all labs and their parts, what is done, and what comes next."""

import os
from collections.abc import Iterator, Sequence

from rich.text import Text

from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import app, out, reported_errors
from tmagrade.course.done import Standing, standing
from tmagrade.course.labs import load_labs


@app.command("labs")
def labs() -> None:
    """Lists all labs and their parts: what is done, as far as `make` in the labs' folders has seen it, and what comes
    next.

    Example:

        tmagrade labs
    """
    with reported_errors():
        parts = [part for lab in load_labs(HERE.labs) for part in standing(HERE, lab)]
        for line in _lines(parts):
            out.print(line, soft_wrap=True, highlight=False)
        following = next((part for part in parts if not part.is_done), None)
        for text in _next(following):
            print_line(out, text)


def _lines(parts: Sequence[Standing]) -> Iterator[Text]:
    width = max(len(part.part) for part in parts)
    lab = ""
    for part in parts:
        if part.lab.id != lab:
            lab = part.lab.id
            yield Text(lab, style="bold").append(f"  {part.lab.idea}", style="not bold")
        said, style = _in_words(part)
        yield Text(f"  {part.part:{width}}  ").append(said, style=style)


def _in_words(part: Standing) -> tuple[str, str]:
    if not part.verdict:
        return "-", "dim"
    since = "" if part.is_of_today else "; the file has changed since"
    return (f"done{since}", "green") if part.is_done else (f"{part.verdict}{since}", "red")


def _next(part: Standing | None) -> Iterator[str]:
    yield ""
    if part is None:
        yield "All parts are done. make in a lab's folder says its score; make bench there measures on a Hopper GPU."
        return
    folder = os.path.relpath(HERE.labs / part.lab.id)
    chapter = os.path.relpath(HERE.root / f"handout/labs/{part.lab.id}.md")
    yield f"Next: part {part.part} of {part.lab.id}"
    yield f"  read {chapter}"
    yield f"  make -C {folder} PART={part.part}"
