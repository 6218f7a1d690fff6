"""A text's statements without those that do nothing, such as `;` and `(void)0;`."""

import re
from collections.abc import Sequence

from staff.similarity.plain_loops import CLOSING
from staff.similarity.tokens import Token

IDLE = re.compile(r"(?:\( \) )?(?:\( )*\w+(?: \))*")  # as (void)0; and a declaration without its type
LONGEST_IDLE = 16  # tokens


def without_idle_statements(tokens: Sequence[Token]) -> list[Token]:
    kept: list[Token] = []
    opened: list[str] = []
    begin = 0  # of the statement, in what is kept
    for token in tokens:
        kept.append(token)
        if token.said in CLOSING:
            opened.append(token.said)
        elif opened and CLOSING[opened[-1]] == token.said:
            opened.pop()
        if token.said not in (";", "{", "}") or (opened and opened[-1] != "{"):
            continue  # the semicolons of a `for` end no statement
        if token.said == ";" and _is_idle([one.said for one in kept[begin : begin + LONGEST_IDLE + 1]]):
            del kept[begin:]
        begin = len(kept)
    return kept


def _is_idle(statement: Sequence[str]) -> bool:
    """Of the words up to a semicolon; of a longer statement they are the first ones."""
    *words, last = statement
    return last == ";" and (not words or IDLE.fullmatch(" ".join(words)) is not None)
