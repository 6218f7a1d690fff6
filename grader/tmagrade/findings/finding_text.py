"""The text of a finding for a terminal, for HTML and for Markdown: its styles become what each of them has.

The words are the emulator's (contract/rendering/styled_text.cpp). Names of files and variables and lines of source in
them are a student's.
"""

import os
from collections.abc import Iterator

from markupsafe import Markup, escape
from rich.text import Text

from tmagrade.basics.paths import HERE
from tmagrade.basics.untrusted import visible
from tmagrade.findings.finding import Finding, Span, StyledLine

# A span's style in a terminal; in HTML those that are here are classes. Any other is plain.
STYLES = {
    "strong": "bold",
    "error": "bold red",
    "warning": "bold magenta",
    "note": "bold cyan",
    "caret": "bold green",
    "help": "bold green",
}


def plain_text(finding: Finding) -> str:
    return "\n".join(map(_plain_line, finding.text))


def headline(finding: Finding) -> str:
    """What is wrong and where, on one line."""
    return _plain_line(finding.text[0])


def _plain_line(line: StyledLine) -> str:
    return "".join(map(_shown, line))


def terminal_lines(finding: Finding) -> Iterator[Text]:
    """The page's path leads from the current folder, so that who is in a lab's can open it."""
    for line in finding.text:
        yield Text.assemble(*((_shown(_from_here(span)), STYLES.get(span.style, "")) for span in line))


def _from_here(span: Span) -> Span:
    return Span(span.style, os.path.relpath(HERE.root / span.text)) if span.style == "page" else span


def html(finding: Finding) -> Markup:
    """For inside of <pre>."""
    return Markup("\n").join(Markup().join(map(_html_span, line)) for line in finding.text)


def _html_span(span: Span) -> Markup:
    if span.style not in STYLES:
        return escape(_shown(span))
    return Markup('<span class="{}">{}</span>').format(span.style, _shown(span))


def _shown(span: Span) -> str:
    """On one line, with nothing in it that a reader's program obeys."""
    return visible(span.text).replace("\n", "␤")
