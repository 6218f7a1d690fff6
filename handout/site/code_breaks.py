"""A name such as `cp_async_bulk_global_to_shared` is wider than a column on a phone. Here it may break behind an
underscore, a dot, a slash or `::`, so that it is not cut in the middle of a word. What is copied stays the same."""

import re
from typing import Any

from sphinx.application import Sphinx

# The words of code in running text and in tables, where they are long; blocks of code are not made of these.
LONG_WORD = re.compile(r'(?<=<span class="pre">)[^<]{17,}(?=</span>)')
# Behind what joins two words, and behind the = before a value.
BREAK = re.compile(r"(?<=[a-zA-Z0-9)])(?:_|\.|/|::)(?=[a-zA-Z0-9])|(?<=\w)=")


def with_breaks(body: str) -> str:
    return LONG_WORD.sub(lambda word: BREAK.sub(r"\g<0><wbr>", word[0]), body)


def _add(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    if "body" in context:
        context["body"] = with_breaks(context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
