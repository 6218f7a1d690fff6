"""What the search shows below each page that it finds: the words around the first place with a word that was asked for.

Sphinx would read the pages found, which a browser does not allow where there is no server. So the texts of all pages
are in one script, which only the search page loads; static/search.js takes the excerpts from it. Which pages come first
is decided in search_scorer.js.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

TEXTS = "search-texts.js"
SCRIPTS = (TEXTS, "search.js")


# Between what does not go on: a cell of a table, or a heading, and what stands behind it.
APART = " · "


def _around(node: nodes.Node, kind: type[nodes.Element]) -> nodes.Element | None:
    """The innermost element of a kind that a node is in."""
    parent = node.parent
    while parent is not None and not isinstance(parent, kind):
        parent = parent.parent
    return parent


def _blocks(document: nodes.document) -> Iterator[nodes.TextElement]:
    """Paragraphs, headings, blocks of code: what holds words, and is in nothing else that does."""
    for block in document.findall(nodes.TextElement):
        if not isinstance(block, nodes.raw | nodes.comment) and _around(block, nodes.TextElement) is None:
            yield block


def _words(block: nodes.TextElement) -> str:
    texts = (text for text in block.findall(nodes.Text) if not isinstance(text.parent, nodes.raw | nodes.comment))
    return " ".join("".join(text.astext() for text in texts).split())


def sections_of(document: nodes.document) -> list[list[str]]:
    """Each section's anchor and its own words, without those of the sections in it."""
    sections: dict[str, str] = {}
    cell_before = None
    is_behind_title = False
    for block in _blocks(document):
        section, cell, words = _around(block, nodes.section), _around(block, nodes.entry), _words(block)
        anchor = section["ids"][0] if section is not None else ""
        between = APART if cell is not cell_before or is_behind_title else " "
        if words:
            sections[anchor] = f"{sections[anchor]}{between}{words}" if anchor in sections else words
            cell_before, is_behind_title = cell, isinstance(block, nodes.title)
    return [[anchor, words] for anchor, words in sections.items()]


def _add_scripts(app: "Sphinx", page: str, _template: str, _context: dict[str, Any], _doctree: object) -> None:
    if page == "search":
        for script in SCRIPTS:
            app.add_js_file(script, loading_method="defer")


def _write(app: "Sphinx", exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    texts = {page: sections_of(app.env.get_doctree(page)) for page in sorted(app.env.found_docs)}
    script = f"globalThis.SEARCH_TEXTS = {json.dumps(texts, ensure_ascii=False)};\n"
    Path(app.outdir, "_static", TEXTS).write_text(script, encoding="utf-8")


def setup(app: "Sphinx") -> dict[str, bool]:
    app.connect("html-page-context", _add_scripts)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
