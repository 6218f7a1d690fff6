"""A hand-in whose .cu files are programs of their own: each is a library."""

from dataclasses import dataclass
from pathlib import Path

# Each of them is compiled by itself, and judged by itself under every timing policy.
MOST_PIECES = 8


@dataclass(frozen=True)
class Piece:
    """The library of one .cu file."""

    source: str
    library: Path
    digest: str


@dataclass(frozen=True)
class Refused:
    """A .cu file of which there is no library, and why."""

    source: str
    message: str
