"""Labs: what labs/<lab>/lab.toml says, checked when it is read."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import Field

from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.json_form import IF_ANY, Number, Score
from tmagrade.basics.toml_table import Table, read_table
from tmagrade.course.about import Demand, read_demand

LabId = Annotated[str, Field(json_schema_extra={"pattern": "^[a-z0-9-]+$"})]
PartId = Annotated[str, Field(json_schema_extra={"pattern": "^[a-z0-9-]+$"}, description="A part's id.")]


@dataclass(frozen=True)
class Points:
    """The most points that each kind can bring; together the lab's points."""

    correctness: Score
    """For parts whose every case is right: the sum of the parts' points."""
    hygiene: Score
    """For parts that are right under every timing policy; a part's share is that of its correctness points."""
    bandwidth: Score
    """For the bandwidth; 0 in a lab without a bandwidth part."""

    @property
    def total(self) -> float:
        return self.correctness + self.hygiene + self.bandwidth


# What speaks against all of a part's results at once is a case of every group.
ALL_CASES = "all cases together"


def all_cases(but_for: Sequence[str]) -> str:
    """The name of the case that speaks against every group of a part but those with these titles."""
    return f"{ALL_CASES}, but for {' and '.join(but_for)}" if but_for else ALL_CASES


def is_of_all_cases(name: str) -> bool:
    """Whether the case with this name is one that the judge has not run."""
    return name.startswith(ALL_CASES)


@dataclass(frozen=True)
class Group:
    """Cases of a part that bring points when all of them are right, whatever the part's others are."""

    title: str
    """What the cases have in common."""
    points: Score
    """Points when every case of the group is right."""
    cases: tuple[str, ...] = ()
    """The names of the cases, where * stands for anything; empty in the last group, which has all others."""
    or_cases: Annotated[tuple[str, ...], IF_ANY] = ()
    """The names of cases that bring the points by themselves; absent where there are none."""

    def has_instead(self, case: str) -> bool:
        """Whether the case with this name is one of those that will do as well."""
        return any(fnmatchcase(case, name) for name in self.or_cases)


@dataclass(frozen=True)
class Part:
    """A part that has tests."""

    id: PartId
    title: str
    """What the part asks for."""
    points: Score
    """Points for a part whose every case is right. For fewer there are those of the groups that are right; without
    groups, none."""
    architecture: str | None = None
    """A later architecture than sm_90 for which alone the part's kernels are, as 100a: the emulator judges it. Null:
    sm_90."""
    groups: Annotated[tuple[Group, ...], IF_ANY] = ()
    """Cases that bring points together; absent where all cases of the part are one group."""
    about: Annotated[tuple[Demand, ...], IF_ANY] = ()
    """Which way right results have to come; absent where any way will do."""

    @property
    def asked(self) -> tuple[Group, ...]:
        """What brings the part's points; where lab.toml names no groups, all cases are one."""
        return self.groups or (Group(self.title, self.points),)

    def has_in(self, group: Group, case: str) -> bool:
        """Whether the case with this name is in the group."""
        if is_of_all_cases(case):
            spared = next((but_for for but_for in self.demands if all_cases(but_for) == case), ())
            return group.title not in spared
        return group == next((one for one in self.asked if _names_case(one, case)), None)

    @property
    def demands(self) -> dict[tuple[str, ...], list[Demand]]:
        """What the part is about, by the titles of the groups that do without."""
        found: dict[tuple[str, ...], list[Demand]] = {}
        for demand in self.about:
            found.setdefault(demand.but_for, []).append(demand)
        return found


def _names_case(group: Group, case: str) -> bool:
    return not group.cases or any(fnmatchcase(case, name) for name in group.cases + group.or_cases)


@dataclass(frozen=True)
class Threshold:
    """Where points for the bandwidth change their slope."""

    fraction: Number
    """Bandwidth over this GPU's copy roofline."""
    points: Number
    """Points for just this fraction."""


@dataclass(frozen=True)
class Bandwidth:
    """How fast a part is, by bytes that it moves or, of a matrix product, by floating-point operations."""

    part: PartId
    """The part that is measured."""
    thresholds: tuple[Threshold, ...]
    """Rising. Points are linear between two thresholds, none below the first, all from the last on."""
    unit: Annotated[str, Field(json_schema_extra={"enum": ["GB/s", "TFLOP/s"]})] = "GB/s"
    """What is measured: bandwidth, or floating-point operations."""

    @property
    def reference(self) -> str:
        """What reaches a fraction of 1."""
        return "this GPU's copy roofline" if self.unit == "GB/s" else "cublasLt on the same GPU"

    def in_unit(self, billions_per_second: float) -> float:
        """Bytes or operations, of which the judge gives billions per second."""
        return billions_per_second if self.unit == "GB/s" else billions_per_second / 1000

    def figure(self, billions_per_second: float, digits: int = 0) -> str:
        """The same in words."""
        return f"{self.in_unit(billions_per_second):.{digits}f} {self.unit}"

    def points_at(self, fraction: float) -> float:
        """The points for a speed that is `fraction` of the reference's: linear between thresholds."""
        below = self.thresholds[0]
        if fraction < below.fraction:
            return 0.0
        for above in self.thresholds[1:]:
            if fraction < above.fraction:
                share = (fraction - below.fraction) / (above.fraction - below.fraction)
                return below.points + share * (above.points - below.points)
            below = above
        return below.points


@dataclass(frozen=True)
class Lab:
    """A lab and its rules, as its lab.toml had them when it was graded."""

    id: LabId
    """The name of the lab's folder, as lab3-bulk-copy."""
    title: str
    """The lab's title."""
    idea: str
    """The lab's idea, in a sentence."""
    source: str
    """The file that a student writes."""
    points: Points
    """The most points that each kind can bring."""
    parts: tuple[Part, ...]
    """The parts that have tests."""
    bandwidth: Bandwidth | None
    """How bandwidth becomes points; null in a lab without a bandwidth part."""


def load_lab(path: Path) -> Lab:
    """Reads one lab.toml. A mistake in it is a fault of the grader, and says where it is."""
    table = read_table(path)
    lab = Lab(
        id=table.text("id"),
        title=table.text("title"),
        idea=table.text("idea"),
        source=table.text("source"),
        points=_points(table.table("points")),
        parts=tuple(_part(row) for row in table.tables("parts")),
        bandwidth=_bandwidth(table.table("bandwidth")) if "bandwidth" in table.values else None,
    )
    table.end()
    _check(lab, path)
    return lab


def _points(table: Table) -> Points:
    points = Points(table.number("correctness"), table.number("hygiene"), table.number_or_zero("bandwidth"))
    table.end()
    return points


def _part(table: Table) -> Part:
    part = Part(
        id=table.text("id"),
        title=table.text("title"),
        points=table.number("points"),
        architecture=table.text_if_any("architecture"),
        about=tuple(read_demand(row) for row in table.tables("about")) if "about" in table.values else (),
        groups=tuple(_group(row) for row in table.tables("groups")) if "groups" in table.values else (),
    )
    table.end()
    _check_groups(part, table.where)
    titles = {group.title for group in part.groups}
    if unknown := [title for demand in part.about for title in demand.but_for if title not in titles]:
        raise GraderFault(f"{table.where}: about: but_for: there is no group {unknown[0]!r}")
    return part


def _group(table: Table) -> Group:
    cases = tuple(table.texts("cases")) if "cases" in table.values else ()
    or_cases = tuple(table.texts("or_cases")) if "or_cases" in table.values else ()
    group = Group(table.text("title"), table.number("points"), cases, or_cases)
    table.end()
    return group


def _check_groups(part: Part, where: str) -> None:
    if not part.groups:
        return
    if len({group.title for group in part.groups}) != len(part.groups):
        raise GraderFault(f"{where}: two groups have the same title")
    *before, last = part.groups
    if last.cases or last.or_cases or not all(group.cases for group in before):
        raise GraderFault(f"{where}: every group but the last says its cases; the last has all others")
    of_groups = sum(group.points for group in part.groups)
    if abs(of_groups - part.points) > 1e-9:
        raise GraderFault(f"{where}: the groups have {of_groups:g} points together, the part has {part.points:g}")


def _bandwidth(table: Table) -> Bandwidth:
    part = table.text("part")
    unit = table.text("unit") if "unit" in table.values else "GB/s"
    if unit not in ("GB/s", "TFLOP/s"):
        raise GraderFault(f"{table.where}: unit is GB/s or TFLOP/s, not {unit}")
    rows = table.tables("thresholds")
    thresholds = tuple(Threshold(row.number("fraction"), row.number("points")) for row in rows)
    for row in rows:
        row.end()
    table.end()
    for below, above in itertools.pairwise(thresholds):
        if below.fraction >= above.fraction or below.points > above.points:
            raise GraderFault(f"{table.where}: thresholds must rise")
    return Bandwidth(part, thresholds, unit)


def _check(lab: Lab, path: Path) -> None:
    ids = [part.id for part in lab.parts]
    if lab.id != path.parent.name:
        raise GraderFault(f"{path}: id = {lab.id!r}, but its folder is {path.parent.name}")
    if len(set(ids)) != len(ids):
        raise GraderFault(f"{path}: two parts have the same id")
    of_parts = sum(part.points for part in lab.parts)
    if abs(of_parts - lab.points.correctness) > 1e-9:
        raise GraderFault(
            f"{path}: the parts have {of_parts:g} points together, correctness has {lab.points.correctness:g}"
        )
    if (lab.bandwidth is None) != (lab.points.bandwidth == 0):
        raise GraderFault(f"{path}: bandwidth points and a [bandwidth] table belong together")
    if lab.bandwidth is not None:
        if any(part.id == lab.bandwidth.part and part.architecture is not None for part in lab.parts):
            raise GraderFault(f"{path}: no Hopper GPU can measure the bandwidth part {lab.bandwidth.part!r}")
        if lab.bandwidth.part not in ids:
            raise GraderFault(f"{path}: bandwidth part {lab.bandwidth.part!r} is no part of this lab")
        if lab.bandwidth.thresholds[-1].points != lab.points.bandwidth:
            raise GraderFault(f"{path}: the last threshold must give all {lab.points.bandwidth:g} bandwidth points")


def load_labs(folder: Path) -> list[Lab]:
    """Every lab below `folder`, in the order of their numbers."""
    found = [load_lab(path) for path in folder.glob("*/lab.toml")]
    if not found:
        raise GraderFault(f"no labs in {folder}")
    return sorted(found, key=lambda lab: (number_of(lab.id), lab.id))


def labs_with(folder: Path, name: str) -> list[Lab]:
    """The lab below `folder` that has exactly this name, or all of them where none has it."""
    exact = folder / name / "lab.toml"
    return [load_lab(exact)] if exact.is_file() else load_labs(folder)


def number_of(lab: str) -> int:
    """3 for lab3-bulk-copy."""
    return int("".join(filter(str.isdigit, lab.split("-")[0])) or 0)


def names_lab(name: str, lab: Lab) -> bool:
    """Whether `name` stands for the lab: its id or the id's beginning, as lab3 for lab3-bulk-copy."""
    return name == lab.id or lab.id.startswith(name + "-")


def select_labs(labs: list[Lab], names: str | None) -> list[Lab]:
    """The labs of a comma-separated list of names; all of them where there is none."""
    if names is None:
        return labs
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if not wanted:
        raise UsageError("LABS names no lab")
    for name in wanted:
        if not any(names_lab(name, lab) for lab in labs):
            raise UsageError(f"there is no lab {name!r}; there are " + ", ".join(lab.id for lab in labs))
    return [lab for lab in labs if any(names_lab(name, lab) for name in wanted)]
