"""A text's statements without those that do nothing, such as `;` and `(void)0;`, and without those that stand there
again and again, as somebody's do who puts one between all others.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from staff.similarity.plain_loops import CLOSING
from staff.similarity.tokens import Token

IDLE = re.compile(r"(?:\( \) )?(?:\( )*\w+(?: \))*")  # as (void)0; and a declaration without its type
LONGEST_IDLE = 16  # tokens

# So many times, and so large a share of all statements, nobody who has something to say says the same.
OFTEN = 10
OFTEN_SHARE = 1 / 8


def without_idle_statements(tokens: Sequence[Token]) -> list[Token]:
    return _without(tokens, lambda statement: IDLE.fullmatch(statement) is not None)


def without_repeated_statements(tokens: Sequence[Token]) -> list[Token]:
    count: Counter[str] = Counter()

    def counted(statement: str) -> bool:
        count[statement] += 1
        return False

    _without(tokens, counted)
    least = max(OFTEN, OFTEN_SHARE * count.total())
    return _without(tokens, lambda statement: count[statement] >= least)


def _without(tokens: Sequence[Token], goes: Callable[[str], bool]) -> list[Token]:
    """Without the short statements that end with a semicolon and that go, and without empty ones."""
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
        words = [one.said for one in kept[begin : begin + LONGEST_IDLE + 1]]
        if token.said == ";" and words[-1] == ";" and (len(words) == 1 or goes(" ".join(words[:-1]))):
            del kept[begin:]
        begin = len(kept)
    return kept
