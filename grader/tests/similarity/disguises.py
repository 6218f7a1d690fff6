"""What is done to a text that is not one's own, so that it looks as if it were: each keeps what the text does."""

import re

from tmagrade.similarity.tokens import KEPT, TOKEN, names_in

RENAMED = ("first", "second", "value", "total", "place", "count", "part", "other", "thing", "buffer", "left", "right")


def renamed(text: str, given: frozenset[str]) -> str:
    """Every name but the language's and the course's is another one."""
    names = sorted(names_in(text) - KEPT - given)
    new = {name: f"{RENAMED[number % len(RENAMED)]}{number}" for number, name in enumerate(names)}
    return _with_names(text, new)


def _with_names(text: str, new: dict[str, str]) -> str:
    return TOKEN.sub(lambda match: new.get(match[0], match[0]) if match.lastgroup == "name" else match[0], text)


def without_comments(text: str) -> str:
    return TOKEN.sub(lambda match: "" if match.lastgroup == "comment" else match[0], text)


def reflowed(text: str) -> str:
    """Other blanks and line breaks, wherever the language has none to say."""
    return TOKEN.sub(lambda match: f"{match[0]}\n\n" if match[0] in (";", "{", "}") else match[0], text)


def in_another_order(text: str) -> str:
    """The functions from the last to the first, as far as blank lines divide them; what begins with # stays ahead."""
    head, *pieces = re.split(r"\n\n(?=\S)", text)
    return "\n\n".join([head, *reversed(pieces)])


def padded(text: str) -> str:
    """A statement that does nothing behind every twelfth."""
    ends = list(re.finditer(r";\n", text))[::12]
    for end in reversed(ends):
        text = text[: end.end()] + "  if (false) { return; }\n" + text[end.end() :]
    return text


def all_of_them(text: str, given: frozenset[str]) -> str:
    return reflowed(renamed(without_comments(in_another_order(text)), given))
