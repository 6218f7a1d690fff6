"""What the host code of a submission may call, read from launcher_calls.txt."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("launcher_calls.txt")
SHOWN = 5


@dataclass(frozen=True)
class Rule:
    pattern: str
    allows: bool
    known_as: str  # what a message calls it; empty: by its own name


@cache
def rules() -> tuple[Rule, ...]:
    lines = (line.split() for line in FILE.read_text().splitlines() if line and not line.startswith("#"))
    return tuple(Rule(words[0].removeprefix("!"), not words[0].startswith("!"), " ".join(words[1:])) for words in lines)


def refused_call(name: str) -> str | None:
    """What a student knows the function `name` as, if no launcher may call it."""
    rule = next((rule for rule in rules() if fnmatchcase(name, rule.pattern)), None)
    if rule is None:
        return name
    return None if rule.allows else rule.known_as or name


def refused_calls(symbols: str) -> list[str]:
    """Of the output of `nm --dynamic --undefined-only`."""
    return sorted({refused for name in _names(symbols) if (refused := refused_call(name)) is not None})


def cuda_calls(symbols: str) -> set[str]:
    """Of the same: what is called by names that only CUDA gives."""
    return {name for name in _names(symbols) if re.match(r"(__)?cuda|cu[A-Z]", name)}


def _names(symbols: str) -> Iterator[str]:
    return (line.split()[-1].split("@")[0] for line in symbols.splitlines() if line.strip())


def complaint(refused: list[str]) -> str:
    more = f" and {len(refused) - SHOWN} more" if len(refused) > SHOWN else ""
    named = ", ".join(f"`{name}`" for name in refused[:SHOWN])
    return f"host code calls {named}{more}; what a launcher may call stands in handout/inside/sandbox.md"
