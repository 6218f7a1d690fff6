"""Loops and blocks in one form, so that it does not count how somebody has written them.

`for (A; B; C) body` becomes `A; while (B) body C;`, and braces are left out. What is not balanced is left as it is:
hand-ins need not compile.
"""

from collections.abc import Sequence
from dataclasses import replace

from staff.similarity.statements import closing_brackets, statement_ends
from staff.similarity.tokens import Token


def with_plain_loops(tokens: Sequence[Token]) -> list[Token]:
    said = [token.said for token in tokens]
    closed = closing_brackets(said)
    ends = statement_ends(said, closed)
    steps: dict[int, list[list[Token]]] = {}  # by the place that they go ahead of, those of outer loops first
    found: list[Token] = []
    at = 0
    while at <= len(tokens):
        for step in reversed(steps.get(at, [])):
            found += [replace(token, line=found[-1].line) for token in step]
        if at == len(tokens):
            break
        head = _head(tokens, closed, at)
        if head is None:
            found.append(tokens[at])
            at += 1
            continue
        first, condition, step = head
        behind = closed[at + 1] + 1
        loop = replace(tokens[at], said="while")
        condition = condition or [replace(loop, said="name")]  # as in while (true)
        found += [*first, loop, replace(loop, said="("), *condition, replace(loop, said=")")]
        steps.setdefault(ends[behind], []).append(step)
        at = behind
    return [token for token in found if token.said not in ("{", "}")]


def _head(
    tokens: Sequence[Token], closed: dict[int, int], at: int
) -> tuple[list[Token], list[Token], list[Token]] | None:
    """The three parts of a `for`: the first and the last with a semicolon, where there is anything."""
    if tokens[at].said != "for" or at + 1 not in closed or tokens[at + 1].said != "(":
        return None
    parts: list[list[Token]] = [[]]
    place, end = at + 2, closed[at + 1]
    while place < end:
        behind = min(closed.get(place, place), end - 1) + 1
        if tokens[place].said == ";":
            parts.append([])
        else:
            parts[-1] += tokens[place:behind]
        place = behind
    if len(parts) != 3:
        return None  # such as the loop over a range
    first, condition, step = parts
    semicolon = replace(tokens[at], said=";")
    return [*first, semicolon] if first else [], condition, [*step, semicolon] if step else []
