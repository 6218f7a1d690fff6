"""A text's statements without those that do nothing, such as `;`, `(void)0;` and `if (0) {}`, and without those that
stand there again and again, as somebody's do who puts one between all others.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from staff.similarity.statements import CLOSING, closing_brackets, statement_ends
from staff.similarity.tokens import Token

IDLE = re.compile(
    r"(?:(?:\( \) )?(?:\( )*\w+(?: \))* )?;"  # as (void)0; and a declaration without its type
    r"|(?:(?:if|switch|while) \( (?:name|number) \) )?(?:;|\{ \})"
    r"|do \{ \} while \( (?:name|number) \) ;"
)
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
    """Without the short statements that go. What stays is looked through for those in it."""
    said = [token.said for token in tokens]
    ends = statement_ends(said, closing_brackets(said))
    kept: list[Token] = []
    opened: list[str] = []
    at, begins = 0, True
    last = -1  # token of the short statements that stayed: a semicolon there is no statement by itself
    while at < len(tokens):
        words = said[at : ends[at]] if begins and at != last and ends[at] - at <= LONGEST_IDLE else []
        if words and words[-1] in (";", "}"):
            if goes(" ".join(words)):
                at = ends[at]
                continue
            last = max(last, ends[at] - 1)
        word = said[at]
        if word in CLOSING:
            opened.append(word)
        elif opened and CLOSING[opened[-1]] == word:
            opened.pop()
        # The semicolons of a `for` end no statement.
        begins = word in (";", "{", "}") and (not opened or opened[-1] == "{")
        kept.append(tokens[at])
        at += 1
    return kept
