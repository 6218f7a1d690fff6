"""The order of the site's pages is that of the links in the tables of two pages: index.md, a part of the book for each
of its headings, and findings/index.md. There is no second list to keep."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

INDEXES = ("index", "findings/index")

HEADING = re.compile(r"^## (.+)$")
# A row's first cell is a link, and nothing else, to a page.
ROW = re.compile(r"^\| \[[^\]]+\]\(([^)#]+)\.md\) \|")


@dataclass(frozen=True)
class Part:
    title: str
    pages: list[str]  # relative to the index's folder, without .md


def parts_of(index: str) -> list[Part]:
    """The parts that an index's text lists."""
    parts: list[Part] = []
    for line in index.splitlines():
        if heading := HEADING.match(line):
            parts.append(Part(heading[1], []))
        elif parts and (row := ROW.match(line)) and not row[1].startswith("../"):
            parts[-1].pages.append(row[1])
    return [part for part in parts if part.pages]


def pages_in_order(handout: Path, index: str = "index") -> Iterator[str]:
    """Every page of the book from its first to its last, as `labs/lab0-hello-hopper`."""
    yield index
    for part in parts_of((handout / f"{index}.md").read_text(encoding="utf-8")):
        for page in part.pages:
            name = str(PurePosixPath(index).parent / page)
            if name in INDEXES:
                yield from pages_in_order(handout, name)
            else:
                yield name


def _with_contents(_app: "Sphinx", page: str, source: list[str]) -> None:
    if page not in INDEXES:
        return
    for part in parts_of(source[0]):
        caption = f":caption: {part.title}\n" if page == "index" else ""
        source[0] += f"\n```{{toctree}}\n:hidden:\n{caption}\n" + "\n".join(part.pages) + "\n```\n"


def setup(app: "Sphinx") -> dict[str, bool]:
    app.connect("source-read", _with_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
