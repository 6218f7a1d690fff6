"""What a part is about: which way a right result has to come, as lab.toml asks and as the emulator measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import Field

from tmagrade.basics.json_form import IF_ANY, Amount, Natural
from tmagrade.basics.toml_form import SOME, Texts
from tmagrade.course.measures import ALL_READ, ANY_DETOUR, BYTE_MEASURES, DETOURS, LOADS, OTHER_MEASURES


@dataclass(frozen=True)
class Way:
    """How much of the work of a part's right cases was done which way."""

    input_bytes: Natural
    """Of the arrays that come in."""
    output_bytes: Natural
    """Of the arrays that go out."""
    measured: Mapping[str, Natural] = field(default_factory=dict)
    """By measure; absent where it is 0. Of bytes each counts once, however often it moves."""

    @property
    def array_bytes(self) -> int:
        return self.input_bytes + self.output_bytes

    @property
    def detoured(self) -> int:
        return sum(self.measured.get(measure, 0) for measure in DETOURS)


@dataclass(frozen=True)
class Demand:
    """A least amount of what several measures count together, as a number or as a share of a part's arrays."""

    measures: tuple[str, ...]
    """What is counted, added up: the measures of lab.toml."""
    amount: Amount
    """How much there has to be at least: a number, or a share."""
    share_of: Annotated[str | None, Field(json_schema_extra={"enum": ["input", "output", None]})] = None
    """Of which arrays the amount is a share; null: it is a number."""
    other: Annotated["Demand | None", IF_ANY, Field(alias="or")] = None
    """What will do as well, in the same form; absent where nothing else does."""
    but_for: Annotated[tuple[str, ...], IF_ANY] = ()
    """Titles of groups of which it is not asked; absent where it is asked of all."""

    def objection(self, way: Way) -> str | None:
        """What was asked and what was seen, where that is less."""
        demands = [self] if self.other is None else [self, self.other]
        if any(demand._is_met(way) for demand in demands):
            return None
        asked = ", or ".join(demand._in_words() for demand in demands)
        return f"asked: {asked}; seen: {', and '.join(demand._seen(way) for demand in demands)}"

    def all_measures(self) -> tuple[str, ...]:
        return self.measures if self.other is None else self.measures + self.other.all_measures()

    def _amount_seen(self, way: Way) -> int:
        seen = sum(way.measured.get(measure, 0) for measure in self.measures)
        return max(0, self._needed(seen, way) - self._detoured(way))

    def _needed(self, seen: int, way: Way) -> int:
        """Of what loads have brought, what the outputs may need.

        A part that asks for a share of its outputs does not need all of its inputs: what was read of them in other
        ways may be what it needs, and the loads are for show.
        """
        if self.share_of != "output" or not LOADS.issuperset(self.measures):
            return seen
        read_otherwise = max(0, way.measured.get(ALL_READ, 0) - seen)
        return min(seen, max(0, way.output_bytes - read_otherwise))

    def _detoured(self, way: Way) -> int:
        """What counts less, for the way that the bytes have gone."""
        counts_all = any(measure in OTHER_MEASURES or measure in ANY_DETOUR for measure in self.measures)
        return 0 if counts_all else way.detoured

    def _bytes(self, way: Way) -> int:
        return way.input_bytes if self.share_of == "input" else way.output_bytes

    def _is_met(self, way: Way) -> bool:
        least = self.amount if self.share_of is None else self.amount * self._bytes(way)
        return self._amount_seen(way) >= least

    def _seen(self, way: Way) -> str:
        seen = str(self._amount_seen(way))
        if self.share_of is not None:
            seen = f"{seen} of {self._bytes(way)}"
        lost = self._detoured(way)
        return f"{seen}, where {lost} that kernels left in global memory and read again do not count" if lost else seen

    def _in_words(self) -> str:
        if self.measures[0] in OTHER_MEASURES:
            return OTHER_MEASURES[self.measures[0]].format(f"{self.amount:g}")
        ways = " or ".join(BYTE_MEASURES[measure] for measure in self.measures)
        if self.share_of is None:
            return f"at least {self.amount:g} {'byte' if self.amount == 1 else 'bytes'} {ways}"
        share = "half" if self.amount == 0.5 else f"{self.amount:.0%}"
        return f"at least {share} of the {self.share_of} bytes {ways}"


def objections(about: Sequence[Demand], way: Way) -> list[str]:
    """What is not as a part asks."""
    if any("stores_read" in demand.all_measures() for demand in about):
        # The part is about what threads read where bulk stores have put it.
        way = replace(way, measured={name: count for name, count in way.measured.items() if name != "read_back"})
    return [said for demand in about if (said := demand.objection(way)) is not None]


@dataclass(frozen=True)
class Asked:
    """One entry of a part's `about` in lab.toml."""

    measure: Annotated[Texts, SOME]
    share_of_inputs: Amount | None = None
    share_of_outputs: Amount | None = None
    at_least: Amount | None = None
    other: Annotated["Asked | None", Field(alias="or")] = None
    but_for: Texts = ()

    @property
    def amounts(self) -> dict[str, float]:
        names = ("share_of_inputs", "share_of_outputs", "at_least")
        return {name: amount for name in names if (amount := getattr(self, name)) is not None}

    def __post_init__(self) -> None:
        if unknown := [measure for measure in self.measure if measure not in BYTE_MEASURES | OTHER_MEASURES]:
            known = ", ".join(BYTE_MEASURES | OTHER_MEASURES)
            raise ValueError(f"there is no measure {unknown[0]!r}; there are {known}")
        if len(self.amounts) != 1:
            raise ValueError("needs one of share_of_inputs, share_of_outputs and at_least")
        [(key, amount)] = self.amounts.items()
        others = any(measure in OTHER_MEASURES for measure in self.measure)
        if key == "at_least" and others and len(self.measure) > 1:
            raise ValueError("only measures that count bytes add up")
        if key != "at_least" and others:
            raise ValueError(f"{self.measure[0]} counts no bytes: say at_least")
        if key != "at_least" and amount > 1:
            raise ValueError(f"{key} = {amount:g} is more than everything, which is 1")

    def demand(self) -> Demand:
        [(key, amount)] = self.amounts.items()
        share_of = None if key == "at_least" else key.removeprefix("share_of_").removesuffix("s")
        return Demand(self.measure, amount, share_of, self.other.demand() if self.other else None, self.but_for)
