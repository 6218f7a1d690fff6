"""Labs: what labs/<lab>/lab.toml says, checked when it is read."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.json_form import IF_ANY, Amount, Flag, Score
from tmagrade.basics.toml_form import SOME, Texts, from_toml, toml_of
from tmagrade.course.about import Asked, Demand

LabId = Annotated[str, Field(json_schema_extra={"pattern": "^[a-z0-9-]+$"})]
PartId = Annotated[str, Field(json_schema_extra={"pattern": "^[a-z0-9-]+$"}, description="A part's id.")]


@dataclass(frozen=True)
class Points:
    """The most points that each kind can bring; together the lab's points."""

    correctness: Score
    """For parts whose every case is right: the sum of the parts' points."""
    hygiene: Score
    """For parts that are right under every timing policy; a part's share is that of its correctness points."""
    bandwidth: Score = 0.0
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
    cases: Texts = ()
    """The names of the cases, where * stands for anything; empty in the last group, which has all others."""
    or_cases: Annotated[Texts, IF_ANY] = ()
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
    every_finding: Annotated[Flag, IF_ANY] = False
    """Whether what costs hygiene alone elsewhere costs this part's points: a hunt for it. Absent where it is not."""

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

    fraction: Amount
    """Bandwidth over this GPU's copy roofline."""
    points: Amount
    """Points for just this fraction."""


@dataclass(frozen=True)
class Bandwidth:
    """How fast a part is, by bytes that it moves or, of a matrix product, by floating-point operations."""

    part: PartId
    """The part that is measured."""
    thresholds: Annotated[tuple[Threshold, ...], SOME]
    """Rising. Points are linear between two thresholds, none below the first, all from the last on."""
    unit: Literal["GB/s", "TFLOP/s"] = "GB/s"
    """What is measured: bandwidth, or floating-point operations."""

    def __post_init__(self) -> None:
        for below, above in itertools.pairwise(self.thresholds):
            if below.fraction >= above.fraction or below.points > above.points:
                raise ValueError("thresholds must rise")

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

    @property
    def number(self) -> int:
        return number_of(self.id)

    @property
    def name(self) -> str:
        """The title as it stands behind other words."""
        return within_a_line(self.title)


@dataclass(frozen=True)
class _Part:
    """As lab.toml has it."""

    id: str
    title: str
    points: Score
    architecture: str | None = None
    groups: tuple[Group, ...] = ()
    about: tuple[Asked, ...] = ()
    every_finding: Flag = False

    def __post_init__(self) -> None:
        titles = [group.title for group in self.groups]
        if unknown := [title for asked in self.about for title in asked.but_for if title not in titles]:
            raise ValueError(f"about: but_for: there is no group {unknown[0]!r}")
        if not self.groups:
            return
        if len(set(titles)) != len(titles):
            raise ValueError("two groups have the same title")
        *before, last = self.groups
        if last.cases or last.or_cases or not all(group.cases for group in before):
            raise ValueError("every group but the last says its cases; the last has all others")
        of_groups = sum(group.points for group in self.groups)
        if abs(of_groups - self.points) > 1e-9:
            raise ValueError(f"the groups have {of_groups:g} points together, the part has {self.points:g}")

    def part(self) -> Part:
        about = tuple(asked.demand() for asked in self.about)
        return Part(self.id, self.title, self.points, self.architecture, self.groups, about, self.every_finding)


@dataclass(frozen=True)
class _Lab:
    """As lab.toml has it."""

    id: str
    title: str
    idea: str
    source: str
    points: Points
    parts: Annotated[tuple[_Part, ...], SOME]
    bandwidth: Bandwidth | None = None

    def __post_init__(self) -> None:
        ids = [part.id for part in self.parts]
        if len(set(ids)) != len(ids):
            raise ValueError("two parts have the same id")
        of_parts, of_lab = sum(part.points for part in self.parts), self.points
        if abs(of_parts - of_lab.correctness) > 1e-9:
            raise ValueError(f"the parts have {of_parts:g} points together, correctness has {of_lab.correctness:g}")
        if of_parts == 0:
            raise ValueError("all parts have 0 points, so that nothing is asked for")
        if (self.bandwidth is None) != (of_lab.bandwidth == 0):
            raise ValueError("bandwidth points and a [bandwidth] table belong together")
        if self.bandwidth is None:
            return
        measured = self.bandwidth.part
        if any(part.id == measured and part.architecture is not None for part in self.parts):
            raise ValueError(f"no Hopper GPU can measure the bandwidth part {measured!r}")
        if measured not in ids:
            raise ValueError(f"bandwidth part {measured!r} is no part of this lab")
        if any(part.id == measured and part.points == 0 for part in self.parts):
            raise ValueError(f"bandwidth part {measured!r} has 0 points, so that nobody is asked for it")
        if self.bandwidth.thresholds[-1].points != of_lab.bandwidth:
            raise ValueError(f"the last threshold must give all {of_lab.bandwidth:g} bandwidth points")

    def lab(self) -> Lab:
        """A part with 0 points is one that the course does not ask for: what becomes of it is in no result."""
        parts = tuple(part.part() for part in self.parts if part.points > 0)
        return Lab(self.id, self.title, self.idea, self.source, self.points, parts, self.bandwidth)


def load_lab(path: Path) -> Lab:
    """Reads one lab.toml. A mistake in it is a fault of the grader, and says where it is."""
    lab = from_toml(toml_of(path), _Lab, str(path)).lab()
    if lab.id != path.parent.name:
        raise GraderFault(f"{path}: id = {lab.id!r}, but its folder is {path.parent.name}")
    return lab


def parts_left_out(path: Path) -> list[str]:
    """The parts of a lab.toml that have 0 points: the course does not ask for them."""
    return [part.id for part in from_toml(toml_of(path), _Lab, str(path)).parts if part.points == 0]


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


def within_a_line(title: str) -> str:
    """Without its capital letter, unless it is a name such as RMSNorm."""
    return title if title[1:2].isupper() else title[0].lower() + title[1:]


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
