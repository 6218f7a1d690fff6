"""A link from a page to a file of the repository (a header, a skeleton, a schema) leads to a page with that file's
text: highlighted, with numbered lines. A browser would otherwise download it, or have nothing to show."""

import posixpath
from collections.abc import Iterator
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

FOLDER = "sources"
KEY = "linked_files"  # of a page's metadata
LANGUAGES = {
    ".cu": "cuda",
    ".cuh": "cuda",
    ".cpp": "cpp",
    ".h": "cpp",
    ".def": "cpp",
    ".py": "python",
    ".json": "json",
    ".ts": "typescript",
    ".md": "markdown",
    ".toml": "toml",
}


def _is_file(node: nodes.Element) -> bool:
    """A file that is no page of the handout: MyST takes it for a download, or for a page that it does not find."""
    if node.get("reftype") != "myst":
        return False
    return isinstance(node, addnodes.download_reference) or (
        node.get("refdomain") == "doc" and posixpath.isabs(node["reftarget"])
    )


class LinkedFiles(SphinxTransform):
    default_priority = 210

    def apply(self) -> None:
        env = self.env
        repository = Path(env.srcdir).parent
        for node in list(self.document.findall(nodes.Element)):
            if not isinstance(node, (addnodes.download_reference, addnodes.pending_xref)) or not _is_file(node):
                continue
            if isinstance(node, addnodes.download_reference):
                file = Path(env.srcdir, posixpath.dirname(env.docname), node["reftarget"])
            else:
                file = Path(node["reftarget"] + ".md")
            name = file.resolve().relative_to(repository.resolve()).as_posix()
            env.metadata[env.docname].setdefault(KEY, set()).add(name)
            link = addnodes.pending_xref(refdomain="", reftype="repository", reftarget=name, refdoc=env.docname)
            link.extend(node.children)
            node.replace_self(link)


def _resolve(app: Sphinx, _env: BuildEnvironment, node: nodes.Element, content: nodes.Node) -> nodes.Node | None:
    if node.get("reftype") != "repository":
        return None
    uri = app.builder.get_relative_uri(node["refdoc"], f"{FOLDER}/{node['reftarget']}")
    return nodes.reference("", "", content, internal=True, refuri=uri)


def _pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    builder = app.builder
    if not isinstance(builder, StandaloneHTMLBuilder):
        return
    repository = Path(app.srcdir).parent
    # The list of all pages at the left is the same for all files of a folder, and making it takes longer than the rest.
    contents = cache(lambda folder, **options: builder._get_local_toctree(f"{folder}/any", **options))
    names = {name for metadata in app.env.metadata.values() for name in metadata.get(KEY, ())}
    for name in sorted(names):
        text = (repository / name).read_text(encoding="utf-8")
        language = LANGUAGES.get(Path(name).suffix, "text")
        code = builder.highlighter.highlight_block(text, language, linenos="inline", force=True, location=name)
        body = f'<div class="source-page"><h1><code><span class="pre">{escape(name)}</span></code></h1>\n{code}</div>'
        toctree = partial(contents, posixpath.dirname(f"{FOLDER}/{name}"))
        yield f"{FOLDER}/{name}", {"title": name, "body": body, "toctree": toctree}, "page.html"


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(LinkedFiles)
    app.connect("missing-reference", _resolve)
    app.connect("html-collect-pages", _pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
