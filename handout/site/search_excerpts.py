"""What the search shows below each page that it finds: the words around the first place with a word that was asked for.

Sphinx would read the pages found, which a browser does not allow where there is no server. So the texts of all pages
are in one script, which only the search page loads; static/search.js takes the excerpts from it. Which pages come first
is decided in search_scorer.js.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

TEXTS = "search-texts.js"
SCRIPTS = (TEXTS, "search.js")


def sections_of(document: nodes.document) -> list[list[str]]:
    """Each section's anchor and its own words, without those of the sections in it."""
    sections: dict[str, list[str]] = {}
    for text in document.findall(nodes.Text):
        parent = text.parent
        if isinstance(parent, nodes.raw | nodes.comment):
            continue
        while parent is not None and not isinstance(parent, nodes.section):
            parent = parent.parent
        anchor = parent["ids"][0] if parent is not None else ""
        sections.setdefault(anchor, []).append(text.astext())
    return [[anchor, " ".join(" ".join(words).split())] for anchor, words in sections.items()]


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
