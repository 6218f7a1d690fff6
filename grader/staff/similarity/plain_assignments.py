"""Every assignment to a variable in its longest form: `++i`, `i++` and `i += 1` are `i = i + 1`."""

from collections.abc import Sequence

from staff.similarity.tokens import Token

LONGER = {f"{sign}=": sign for sign in "+-*/%&|^"}
STEPS = {"++": "+", "--": "-"}
# What stands around a variable that is no part of anything else.
BEFORE, BEHIND = frozenset(";{}(),"), frozenset(";),")


def with_longer_assignments(tokens: Sequence[Token]) -> list[Token]:
    said = ["", *(token.said for token in tokens), "", ""]
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        before, this, behind, last = said[at : at + 4]  # `this` is at `at`
        line = tokens[at].line
        if this == "name" and before in BEFORE and behind in LONGER:
            found += _said(line, "name", "=", "name", LONGER[behind])
        elif this == "name" and before in BEFORE and behind in STEPS and last in BEHIND:
            found += _said(line, "name", "=", "name", STEPS[behind], "number")
        elif this in STEPS and before in BEFORE and behind == "name" and last in BEHIND:
            found += _said(line, "name", "=", "name", STEPS[this], "number")
        else:
            found.append(tokens[at])
            at -= 1
        at += 2
    return found


def _said(line: int, *words: str) -> list[Token]:
    return [Token(word, line) for word in words]
