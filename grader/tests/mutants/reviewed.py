"""right.toml: why a mutant that nothing finds is right."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "right.toml"


@dataclass(frozen=True)
class Reviewed:
    source: re.Pattern[str]  # of the source's path
    mutation: re.Pattern[str]  # of "line: what"
    kind: str  # "" is any
    reason: str

    def fits(self, source: str, kind: str, name: str) -> bool:
        if self.kind and self.kind != kind:
            return False
        return bool(self.source.search(source)) and bool(self.mutation.search(name))


def read_reviewed() -> list[Reviewed]:
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [
        Reviewed(re.compile(row.get("source", "")), re.compile(row["mutation"]), row.get("kind", ""), row["reason"])
        for row in table["right"]
    ]
