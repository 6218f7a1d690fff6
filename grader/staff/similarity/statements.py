"""Where the statements and the brackets of a text end. What is not balanced has no end: hand-ins need not compile."""

from collections.abc import Sequence

CLOSING = {"(": ")", "[": "]", "{": "}"}
WITH_HEAD = ("for", "if", "switch", "while")


def closing_brackets(said: Sequence[str]) -> dict[int, int]:
    """For each bracket that is closed, where."""
    closed: dict[int, int] = {}
    opened: list[int] = []
    for place, word in enumerate(said):
        if word in CLOSING:
            opened.append(place)
        elif opened and CLOSING[said[opened[-1]]] == word:
            closed[opened.pop()] = place
    return closed


def statement_ends(said: Sequence[str], closed: dict[int, int]) -> list[int]:
    """For each place: behind the statement that begins there. From the last to the first, since each needs later ones
    alone; calls that call themselves would end with a hand-in of a thousand loops in each other."""
    size = len(said)
    ends = [size] * (size + 1)
    semicolons = [size] * (size + 1)  # behind the next one that is not in brackets
    for at in range(size - 1, -1, -1):
        word = said[at]
        if word in CLOSING:
            semicolons[at] = semicolons[closed[at] + 1] if at in closed else size
        elif word in CLOSING.values():
            semicolons[at] = at
        else:
            semicolons[at] = at + 1 if word == ";" else semicolons[at + 1]
        ends[at] = _end(said, closed, ends, at) or semicolons[at]
    return ends


def _end(said: Sequence[str], closed: dict[int, int], ends: Sequence[int], at: int) -> int | None:
    if said[at] == "{":
        return closed[at] + 1 if at in closed else None
    if said[at] == "do":
        end = ends[at + 1]
        return ends[end] if said[end : end + 1] == ["while"] else None
    head = at + 2 if said[at : at + 2] == ["if", "constexpr"] else at + 1
    if said[at] not in WITH_HEAD or head not in closed or said[head] != "(":
        return None
    end = ends[closed[head] + 1]
    return ends[end + 1] if said[at] == "if" and said[end : end + 1] == ["else"] else end
