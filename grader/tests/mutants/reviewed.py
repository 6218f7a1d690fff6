"""right.toml: why a mutant that nothing finds is right."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from mutations import Mutant

FILE = Path(__file__).parent / "right.toml"


@dataclass(frozen=True)
class Reviewed:
    source: re.Pattern[str]  # of the source's path
    at: tuple[str, ...]  # the mutant's place is one of these; any, where none is named
    kind: str  # "" is any
    mutation: re.Pattern[str]  # of what it changes
    reason: str

    def fits(self, mutant: Mutant) -> bool:
        if (self.kind and self.kind != mutant.kind) or (self.at and mutant.place not in self.at):
            return False
        return bool(self.source.search(mutant.source)) and bool(self.mutation.search(mutant.what))


def read_reviewed() -> list[Reviewed]:
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [
        Reviewed(
            re.compile(row.get("source", "")),
            tuple(row.get("at", ())),
            row.get("kind", ""),
            re.compile(row.get("mutation", "")),
            row["reason"],
        )
        for row in table["right"]
    ]
