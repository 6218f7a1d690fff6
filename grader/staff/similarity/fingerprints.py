"""Runs of tokens that stand for a text."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from staff.similarity.tokens import Token

RUN = 16  # tokens: what is shorter is nobody's own
WINDOW = 8  # of so many runs that follow each other at least one is chosen

Lines = tuple[int, int]  # first and last


def all_runs(tokens: Sequence[Token]) -> list[int]:
    said = [token.said for token in tokens]
    return [_digest(said[first : first + RUN]) for first in range(len(said) - RUN + 1)]


def fingerprints(tokens: Sequence[Token]) -> Mapping[int, Lines]:
    """The chosen runs, and in which lines each stands first."""
    runs = all_runs(tokens)
    chosen: dict[int, Lines] = {}
    for first in range(max(len(runs) - WINDOW + 1, 1 if runs else 0)):
        window = runs[first : first + WINDOW]
        place = first + max(range(len(window)), key=lambda index: (-window[index], index))
        chosen.setdefault(runs[place], (tokens[place].line, tokens[place + RUN - 1].line))
    return chosen


def _digest(said: Sequence[str]) -> int:
    return int.from_bytes(blake2b("\0".join(said).encode(), digest_size=8).digest())
