"""The words of a text of CUDA C++, as they stand there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# What is not closed ends with its line, or with the text: its end is not looked for again from each beginning.
COMMENT = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
WORD = re.compile(
    rf"(?P<comment>{COMMENT})"
    r"|(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)"
    r'|(?P<text>"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?)'
    r"|(?P<number>\.?[0-9](?:[eEpP][+-]|[\w.'])*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><<<|>>>|->|\+\+|--|<<|>>|&&|\|\||::|[-+*/%&|^=!<>]=|[^\s\w])",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Word:
    kind: str
    text: str
    line: int  # from 1


def words_of(text: str) -> Iterator[Word]:
    """All but comments."""
    line, place = 1, 0
    for match in WORD.finditer(text):
        line += text.count("\n", place, match.start())
        place = match.start()
        if match.lastgroup != "comment":
            yield Word(str(match.lastgroup), match[0], line)


def names_in(text: str) -> frozenset[str]:
    """Every name that a text of the course's own has."""
    return frozenset(word.text for word in words_of(text) if word.kind == "name")
