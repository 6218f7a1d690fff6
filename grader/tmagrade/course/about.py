"""What a part is about: which way a right result has to come, as lab.toml asks and as the emulator measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import Field

from tmagrade.basics.errors import GraderFault
from tmagrade.basics.json_form import IF_ANY, Natural, Number
from tmagrade.basics.toml_table import Table

# What grader/emulator/model/measures.h counts, in words that follow a number of bytes.
BYTE_MEASURES = {
    "bulk_loads": "by bulk loads",
    "bulk_stores": "by bulk stores",
    "bulk_reductions": "by bulk reductions",
    "tensor_loads": "by loads through tensor maps",
    "tensor_stores": "by stores through tensor maps",
    "tensor_reductions": "by reductions through tensor maps",
    "swizzle_32": "through tensor maps with the 32-byte swizzle",
    "swizzle_64": "through tensor maps with the 64-byte swizzle",
    "swizzle_128": "through tensor maps with the 128-byte swizzle",
    "element_strides": "through tensor maps with element strides",
    "multicast": "by multicast loads to several CTAs that read them",
    "cta_pairs": "by loads with cta_group::2 that signal the other CTA",
    "cp_async": "by cp.async",
    "through_tma": "through the TMA engine",
    "by_kernels": "by kernels and not by copies",
    "overlapped": "read from shared memory while a load is in flight",
    "distributed_shared_memory": "out of the shared memory of other CTAs alone",
    "handed_over": "from what phases of mbarriers have handed from warp to warp",
    "handed_to_stores": "by stores of warps to which phases of mbarriers handed the bytes",
    "by_wgmma": "out of products of warpgroups (wgmma)",
    "wgmma_chains": "out of products (wgmma) with a factor in registers that came out of a product",
    "by_resident_ctas": "by kernels whose CTAs are on the GPU all at once",
    "stores_read": "read by threads where bulk stores have put them",
    "rank_2": "through tensor maps of at least two dimensions",
    "rank_3": "through tensor maps of at least three dimensions",
    "rank_4": "through tensor maps of at least four dimensions",
    "rank_5": "through tensor maps of five dimensions",
}
# Bytes that were left in global memory and read from there again: such a result has not stayed in shared memory from
# its load to its store, and as many bytes less count as what a part asks for.
DETOURS = ("detoured", "read_back")
# What does not say that anything stays in shared memory: a detour takes nothing from it.
ANY_DETOUR = frozenset({"by_kernels", "by_resident_ctas", "stores_read"})
# Those that count something else, in words around a number.
OTHER_MEASURES = {
    "cluster_ctas": "clusters of at least {} CTAs",
    "grown_warpgroups": "at least {} warpgroups of a CTA that multiply what mbarriers handed them, with more "
    "registers than they began with (setmaxnreg)",
    "split_phases": "at least {} phases of mbarriers that hand something from warp to warp",
    "later_phases": "at least {} phases of mbarriers that hand something from warp to warp, their first ones left out",
    "questions": "at least {} questions whether a phase is over, behind which a warp went on with its work",
}


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
    amount: Number
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
        return max(0, seen - self._detoured(way))

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
            return f"at least {self.amount:g} bytes {ways}"
        share = "half" if self.amount == 0.5 else f"{self.amount:.0%}"
        return f"at least {share} of the {self.share_of} bytes {ways}"


def objections(about: Sequence[Demand], way: Way) -> list[str]:
    """What is not as a part asks."""
    if any("stores_read" in demand.all_measures() for demand in about):
        # The part is about what threads read where bulk stores have put it.
        way = replace(way, measured={name: count for name, count in way.measured.items() if name != "read_back"})
    return [said for demand in about if (said := demand.objection(way)) is not None]


def read_demand(table: Table) -> Demand:
    """One entry of a part's `about`."""
    other = _read_one(table.table("or")) if "or" in table.values else None
    but_for = tuple(table.texts("but_for")) if "but_for" in table.values else ()
    return replace(_read_one(table), other=other, but_for=but_for)


def _read_one(table: Table) -> Demand:
    measures = tuple(table.texts("measure"))
    amounts = {
        key: table.number(key) for key in ("share_of_inputs", "share_of_outputs", "at_least") if key in table.values
    }
    table.end()
    if unknown := [measure for measure in measures if measure not in BYTE_MEASURES | OTHER_MEASURES]:
        known = ", ".join(BYTE_MEASURES | OTHER_MEASURES)
        raise GraderFault(f"{table.where}: there is no measure {unknown[0]!r}; there are {known}")
    if len(amounts) != 1:
        raise GraderFault(f"{table.where}: needs one of share_of_inputs, share_of_outputs and at_least")
    (key, amount), *_ = amounts.items()
    if key == "at_least":
        if len(measures) > 1 and any(measure in OTHER_MEASURES for measure in measures):
            raise GraderFault(f"{table.where}: only measures that count bytes add up")
        return Demand(measures, amount)
    if any(measure in OTHER_MEASURES for measure in measures):
        raise GraderFault(f"{table.where}: {measures[0]} counts no bytes: say at_least")
    if amount > 1:
        raise GraderFault(f"{table.where}: {key} = {amount:g} is more than everything, which is 1")
    return Demand(measures, amount, key.removeprefix("share_of_").removesuffix("s"))
