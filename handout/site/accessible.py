"""What a keyboard and a screen reader need of a page and the theme leaves out: `make test-site` asks axe.

The theme's templates are its own, so what they lack is put into the pages when they are written.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MENDED = {
    # The parts of the table of contents are headings, of no level.
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    # Two places of one kind are told apart by their names.
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="the book">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="this page">',
    # A table without headings has cells in their place.
    '<th class="head"><p></p></th>': "<td></td>",
    # The search page has no heading of its own.
    '<div id="search-results"></div>': '<h1>Search</h1>\n<div id="search-results"></div>',
}


def mended(page: str) -> str:
    for lacking, whole in MENDED.items():
        if lacking not in whole or whole not in page:
            page = page.replace(lacking, whole)
    return page


def _mend(app: "Sphinx", exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    for file in Path(app.outdir).rglob("*.html"):
        page = file.read_text(encoding="utf-8")
        if (better := mended(page)) != page:
            file.write_text(better, encoding="utf-8")


def setup(app: "Sphinx") -> dict[str, bool]:
    app.add_js_file("scrolling.js", loading_method="defer")
    app.connect("build-finished", _mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
