"""A text of CUDA C++ as tokens that no renaming, comment or line break changes."""

import re
from dataclasses import dataclass
from itertools import islice

# Names that say what a text does; every other one may be any.
WORDS = """
    alignas auto bool break case char const constexpr continue do double else float for if inline int long return short
    signed sizeof static struct switch template typename unsigned void volatile while
    __global__ __device__ __shared__ __host__ __launch_bounds__ __syncthreads __syncwarp
    threadIdx blockIdx blockDim gridDim asm
"""
KEPT = frozenset(WORDS.split())
# What is not closed ends with its line, or with the text: its end is not looked for again from each beginning.
COMMENT = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
TOKEN = re.compile(
    rf"(?P<comment>{COMMENT})"
    r"|(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)"
    r'|(?P<text>"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?)'
    r"|(?P<number>\.?[0-9](?:[eEpP][+-]|[\w.'])*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><<<|>>>|->|\+\+|--|<<|>>|&&|\|\||::|[-+*/%&|^=!<>]=|[^\s\w])",
    re.DOTALL | re.MULTILINE,
)

MOST_WORDS = 300_000  # of a hand-in; nobody writes a tenth of it


@dataclass(frozen=True)
class Token:
    said: str
    line: int  # from 1


def tokens_of(text: str, known: frozenset[str] = frozenset()) -> list[Token]:
    """`known`: names that the course has given, which nobody renames."""
    found: list[Token] = []
    line, place = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", place, match.start())
        place = match.start()
        kind = match.lastgroup
        if kind == "name":
            found.append(Token(match[0] if match[0] in KEPT or match[0] in known else "name", line))
        elif kind in ("number", "text"):
            found.append(Token(kind, line))
        elif kind == "sign":
            found.append(Token(match[0], line))
    return found


def has_too_many_words(text: str) -> bool:
    return next(islice(TOKEN.finditer(text), MOST_WORDS, None), None) is not None


def names_in(text: str) -> frozenset[str]:
    """Every name that a text of the course's own has."""
    return frozenset(match[0] for match in TOKEN.finditer(text) if match.lastgroup == "name")
