"""What the emulator found, as the judge hands it on: what machines know of a finding, and its text in styled spans.

The judge makes both (contract/rendering/json_line.h), grades.json keeps them, and who prints a finding prints its text.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, ConfigDict, Field

from tmagrade.basics.json_form import IF_ANY, Count, Flag, Natural, from_json

REGISTRY = Path(__file__).parent / "finding_codes.json"

# Nothing is passed over: whoever writes a finding and whoever reads it are of one version.
CLOSED = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Code:
    """A row of the emulator's registry of findings."""

    code: str
    kind: str  # "finding", "fault", "deadlock" or "not-modeled"
    cuda_error: str | None
    page: str  # of the handout
    cost: str  # "correctness", "hygiene" alone, or "nothing"


@cache
def codes() -> Mapping[str, Code]:
    """The registry, as `tmaemu --findings=json` prints it."""
    rows = json.loads(REGISTRY.read_text(encoding="utf-8"))["codes"]
    return {row["code"]: Code(**row) for row in rows}


FirstIsOne = Annotated[Natural, Field(description="The first is 1.")]
Coordinates = Annotated[
    tuple[Natural, Natural, Natural], Field(description="Of a block in its grid, or a thread in its block: x, y, z.")
]


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A place in the source."""

    __pydantic_config__ = CLOSED
    file: str
    """The file's name, without its folder. Any text."""
    line: FirstIsOne
    column: FirstIsOne


@dataclass(frozen=True, slots=True)
class PtxPlace:
    """Where a program has no line information: a place in the PTX of a function."""

    __pydantic_config__ = CLOSED
    function: str
    """The kernel's name. Any text."""
    ptx_line: Natural
    """A line of the PTX."""


Place = SourcePlace | PtxPlace


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The line of a place, of the student's file or of the PTX."""

    __pydantic_config__ = CLOSED
    line: FirstIsOne
    column: Natural
    """Where a caret stands, in bytes of the text; the first is 1."""
    text: str
    """The line. Any text."""


ExcerptIfAny = Annotated[Excerpt | None, IF_ANY, Field(description="The line there.")]


@dataclass(frozen=True, slots=True)
class Bytes:
    """What the thread does with which bytes."""

    __pydantic_config__ = CLOSED
    use: Literal["reads", "writes", "loads into"]
    """What it does."""
    of: str
    """A shared variable, or `shared memory`."""
    first: Natural
    """The first byte, from where that begins."""
    count: Natural
    """How many bytes."""


@dataclass(frozen=True, slots=True)
class Note:
    """Another place that has to do with a finding."""

    __pydantic_config__ = CLOSED
    message: str
    """What is there."""
    place: Place
    """Where that is."""
    excerpt: ExcerptIfAny = None


Parity = Literal[0, 1]
WHAT = Field(description="What this is.")


@dataclass(frozen=True, slots=True)
class MbarrierWait:
    """A phase of an mbarrier."""

    __pydantic_config__ = CLOSED
    kind: Annotated[Literal["mbarrier"], WHAT]
    name: str
    """The variable, or where in shared memory it is."""
    initialized: Flag
    """Whether it is one at all."""
    parity: Parity
    """Of the phase that is waited for."""
    current_parity: Parity
    """Of the phase that the mbarrier is in."""
    arrivals_missing: Natural
    """In the current phase."""
    arrivals_expected: Natural
    """In a whole phase."""
    bytes_missing: Count
    """Bytes that were expected and have not arrived; negative: so many more arrived than expected."""
    polled: Annotated[Flag, IF_ANY] = False
    """Whether the threads ask again and again and do not sleep."""


@dataclass(frozen=True, slots=True)
class BarrierWait:
    """A barrier of the CTA."""

    __pydantic_config__ = CLOSED
    kind: Annotated[Literal["barrier"], WHAT]
    number: Natural
    """0 is that of __syncthreads()."""
    arrived: Natural
    """Threads that are there."""
    expected: Natural
    """Threads that it waits for."""


@dataclass(frozen=True, slots=True)
class WarpWait:
    """The other lanes of a warp."""

    __pydantic_config__ = CLOSED
    kind: Annotated[Literal["warp"], WHAT]
    members: Natural
    """The member mask."""


@dataclass(frozen=True, slots=True)
class RegistersWait:
    """Registers that other warpgroups are to give back (setmaxnreg.inc)."""

    __pydantic_config__ = CLOSED
    kind: Annotated[Literal["registers"], WHAT]
    wanted: Natural
    """Registers a thread that it asks for."""
    owned: Natural
    """Registers a thread that it has."""
    in_pool: Natural
    """Registers for each thread of one warp that nobody has."""


@dataclass(frozen=True, slots=True)
class OtherWait:
    """The barrier of the cluster; the other warps of a warpgroup; the other lanes of a warp, where no mask names them;
    or something that a thread looks at again and again."""

    __pydantic_config__ = CLOSED
    kind: Literal["cluster barrier", "poll", "warpgroup", "whole warp"]
    """Which of the four."""


@dataclass(frozen=True, slots=True)
class Waiters:
    """Of a deadlock: who waits where, and for what."""

    __pydantic_config__ = CLOSED
    place: Place
    """Where they wait."""
    threads: Natural
    """How many."""
    block: Coordinates
    """The first of them."""
    thread: Coordinates
    """The first of them."""
    waiting_for: Annotated[
        MbarrierWait | BarrierWait | WarpWait | RegistersWait | OtherWait, Field(discriminator="kind")
    ]
    """What they wait for."""


STYLES = ("plain", "strong", "error", "warning", "note", "help", "caret", "page")


class Span(NamedTuple):
    """A style and a text. The text of the style `page` is the path of a page of the handout."""

    style: Annotated[str, Field(json_schema_extra={"enum": [*STYLES]})]
    text: str


StyledLine = tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A mistake that the emulator has seen, at the first thread that made it. Of one of which nothing but the number is
    known there are only code, message, help, text and count."""

    __pydantic_config__ = CLOSED
    code: Annotated[str, Field(json_schema_extra={"pattern": "^[a-z-]+$"})]
    """Which kind of mistake. `tmaemu --findings=json` lists them with their pages of the handout."""
    message: str
    """What is wrong, in a sentence."""
    place: Annotated[Place | None, IF_ANY] = None
    """Where, in the student's own text."""
    excerpt: ExcerptIfAny = None
    block: Annotated[Coordinates | None, IF_ANY] = None
    """The first block that did it."""
    thread: Annotated[Coordinates | None, IF_ANY] = None
    """The first thread that did it."""
    bytes: Annotated[Bytes | None, IF_ANY] = None
    """What the thread does with which bytes."""
    notes: Annotated[tuple[Note, ...], IF_ANY] = ()
    """Other places that have to do with it."""
    waiters: Annotated[tuple[Waiters, ...], IF_ANY] = ()
    """Of a deadlock: who waits where, and for what."""
    waiters_left_out: Annotated[Natural, IF_ANY] = 0
    """How many places more there are, where there are very many."""
    rule: Annotated[str, IF_ANY] = ""
    """The rule of a tensor map, or of an operation with one, that was broken, with the values."""
    help: Annotated[str, IF_ANY] = ""
    """What to write instead."""
    text: Annotated[
        tuple[StyledLine, ...],
        Field(
            min_length=1,
            description="All of it in words, line by line, as tmaemu prints it. A line is a list of pieces.",
        ),
    ]
    count: Annotated[Natural, Field(ge=1)] = 1
    """How often it was found at this line."""

    @property
    def page(self) -> str:
        """Where the handout says more."""
        pages = (span.text for line in self.text for span in line if span.style == "page")
        return next(pages, "handout/reference/emulator.md#findings")


_shared: dict[Finding, Finding] = {}


def _kept_once(finding: Finding) -> Finding:
    """Most of a class's findings are the same: kept once, they take little memory."""
    return _shared.setdefault(finding, finding)


# As a field of what has findings.
Found = Annotated[tuple[Annotated[Finding, AfterValidator(_kept_once)], ...], IF_ANY]


def findings_of(row: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Of a part or a case, as grades.json has it."""
    return from_json(row.get("findings", ()), tuple[Finding, ...])
