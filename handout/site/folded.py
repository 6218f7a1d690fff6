"""`<details>` in Markdown is two pieces of HTML with Markdown in between. Where that has headings, the end would stand
inside the section that the last of them begins. This makes it a node that holds what is folded."""

import re
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

BEGIN = re.compile(r"\s*<details>\s*<summary>(.*?)</summary>\s*", re.DOTALL)
# A comment may follow in the same piece.
END = re.compile(r"\s*</details>\s*(<!--.*-->\s*)?")


class folded(nodes.General, nodes.Element):
    """What `<details>` holds; `summary` is the HTML that is always shown."""


class Fold(SphinxTransform):
    # Before the sections' titles and links are collected.
    default_priority = 200

    def apply(self) -> None:
        for begin in list(self.document.findall(nodes.raw)):
            if "<details" in begin.astext():
                self._fold(begin)

    def _fold(self, begin: nodes.raw) -> None:
        summary = BEGIN.fullmatch(begin.astext())
        later = (node for node in self.document.findall(nodes.raw) if _stands_after(begin, node))
        end = next((node for node in later if END.fullmatch(node.astext())), None)
        if summary is None or end is None:
            logging.getLogger(__name__).warning(
                "a folded part is <details>, <summary> with its text, an empty line, Markdown, </details>",
                location=begin,
            )
            return
        outside = cast(nodes.Element, begin.parent)
        first = outside.index(begin)
        rest = _split_after(outside, end)
        inside = outside.children[first + 1 :]
        node = folded(summary=summary[1].strip())
        outside.children = outside.children[:first]
        outside.append(node)
        node.extend(inside)
        outside.extend(rest)
        end.parent.remove(end)


def _stands_after(begin: nodes.Node, node: nodes.Node) -> bool:
    """Whether `node` follows `begin` in the text, in the same section or one inside it."""
    child = node
    while child is not None and child.parent is not begin.parent:
        child = child.parent
    return child is not None and begin.parent.index(child) > begin.parent.index(begin)


def _split_after(outside: nodes.Element, end: nodes.Node) -> list[nodes.Node]:
    """Takes away what follows `end` in `outside`, at any depth."""
    rest: list[nodes.Node] = []
    node: nodes.Node = end
    while node is not outside:
        parent = cast(nodes.Element, node.parent)
        place = parent.index(node) + 1
        rest += parent.children[place:]
        del parent.children[place:]
        node = parent
    return rest


def _visit(translator: HTML5Translator, node: folded) -> None:
    translator.body.append(f"<details>\n<summary>{node['summary']}</summary>\n")


def _depart(translator: HTML5Translator, _node: folded) -> None:
    translator.body.append("</details>\n")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_node(folded, html=(_visit, _depart))
    app.add_transform(Fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
