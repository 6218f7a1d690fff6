"""What the emulator found, as the judge hands it on: what machines know of a finding, and its text in styled spans.

The judge makes both (contract/rendering/json_line.h), grades.json keeps them, and who prints a finding prints its text.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

REGISTRY = Path(__file__).parent / "finding_codes.json"

# What else a finding may have: grades.schema.json says what it is. Nothing here looks at it.
DETAILS = ("excerpt", "block", "thread", "bytes", "notes", "waiters", "waiters_left_out", "rule", "help")


@dataclass(frozen=True)
class Code:
    """A row of the emulator's registry of findings."""

    code: str
    kind: str  # "finding", "fault", "deadlock" or "not-modeled"
    cuda_error: str | None
    page: str  # of the handout
    costs_points: bool


@cache
def codes() -> Mapping[str, Code]:
    """The registry, as `tmaemu --findings=json` prints it."""
    rows = json.loads(REGISTRY.read_text(encoding="utf-8"))["codes"]
    return {row["code"]: Code(**row) for row in rows}


@dataclass(frozen=True, slots=True)
class Place:
    """In the source; without a column, in the PTX of a function."""

    name: str
    line: int
    column: int | None = None

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> "Place":
        if "function" in value:
            return Place(value["function"], value["ptx_line"])
        return Place(value["file"], value["line"], value["column"])

    def to_json(self) -> dict[str, Any]:
        if self.column is None:
            return {"function": self.name, "ptx_line": self.line}
        return {"file": self.name, "line": self.line, "column": self.column}


@dataclass(frozen=True, slots=True)
class Span:
    style: str  # "plain", "strong", "error", "warning", "note", "help", "caret", or "page": the path of a page
    text: str


StyledLine = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    code: str
    message: str
    text: tuple[StyledLine, ...]
    place: Place | None = None  # none of what nothing but the number is known
    details: str = "{}"  # JSON, an object
    count: int = 1

    @property
    def page(self) -> str:
        """Where the handout says more."""
        pages = (span.text for line in self.text for span in line if span.style == "page")
        return next(pages, "handout/reference/emulator.md#findings")

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> "Finding":
        if unknown := value.keys() - {"code", "message", "text", "place", "count", *DETAILS}:
            raise ValueError(f"a finding has no {sorted(unknown)}")
        if not value["text"]:
            raise ValueError("a finding has no text")
        finding = Finding(
            code=value["code"],
            message=value["message"],
            text=tuple(tuple(Span(style, text) for style, text in line) for line in value["text"]),
            place=Place.from_json(value["place"]) if "place" in value else None,
            details=json.dumps({name: value[name] for name in DETAILS if name in value}),
            count=value["count"],
        )
        # Most of a class's findings are the same: kept once, they take little memory.
        return _shared.setdefault(finding, finding)

    def to_json(self) -> dict[str, Any]:
        """What from_json takes; nothing stands for what the finding does not have."""
        place = {} if self.place is None else {"place": self.place.to_json()}
        text = [[[span.style, span.text] for span in line] for line in self.text]
        value = {"code": self.code, "message": self.message, **place, **json.loads(self.details)}
        return value | {"text": text, "count": self.count}


_shared: dict[Finding, Finding] = {}
