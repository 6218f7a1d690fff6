"""The words of a text of CUDA C++, as they stand there, in the spelling that most people use."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

# What is not closed ends with its line, or with the text: its end is not looked for again from each beginning.
COMMENT = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
WORD = re.compile(
    rf"(?P<comment>{COMMENT})"
    r"|(?P<directive>^[ \t]*(?:\#|%:)(?:\\\n|[^\n])*)"
    r'|(?P<text>"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?)'
    r"|(?P<number>\.?[0-9](?:[eEpP][+-]|[\w.'])*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><%|%>|<:(?!:[^:>])|:>|<<<|>>>|->|\+\+|--|<<|>>|&&|\|\||::|[-+*/%&|^=!<>]=|[^\s\w])",
    re.DOTALL | re.MULTILINE,
)

# A line that ends so goes on in the next one, even within a word.
SPLICE = re.compile(r"\\[ \t\r]*\n")

SPELLED = {"<%": "{", "%>": "}", "<:": "[", ":>": "]"} | {
    "and": "&&", "and_eq": "&=", "bitand": "&", "bitor": "|", "compl": "~", "not": "!", "not_eq": "!=", "or": "||",
    "or_eq": "|=", "xor": "^", "xor_eq": "^=",
}  # fmt: skip


@dataclass(frozen=True)
class Word:
    kind: str
    text: str
    line: int  # from 1


def words_of(text: str) -> Iterator[Word]:
    """All but comments."""
    joined, splices = _without_splices(text)
    line, place = 1, 0
    for match in WORD.finditer(joined):
        line += joined.count("\n", place, match.start())
        place = match.start()
        if match.lastgroup == "comment":
            continue
        spelled = SPELLED.get(match[0], match[0])
        kind = "sign" if match[0] in SPELLED else str(match.lastgroup)
        if kind == "directive":
            spelled = spelled.replace("%:", "#", 1) if spelled.lstrip().startswith("%:") else spelled
        yield Word(kind, spelled, line + bisect_right(splices, place))


def _without_splices(text: str) -> tuple[str, list[int]]:
    """And where they were in what is left."""
    pieces = SPLICE.split(text)
    splices: list[int] = []
    for piece in pieces[:-1]:
        splices.append(len(piece) + (splices[-1] if splices else 0))
    return "".join(pieces), splices


def names_in(text: str) -> frozenset[str]:
    """Every name that a text of the course's own has."""
    return frozenset(word.text for word in words_of(text) if word.kind == "name")
