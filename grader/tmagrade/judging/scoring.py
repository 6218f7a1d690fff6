"""Verdicts and lab.toml to points."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import Field

from tmagrade.basics.json_form import Score
from tmagrade.course.labs import Group, Lab, Part
from tmagrade.findings.finding import Finding, codes
from tmagrade.judging.reasons import Lost, Reason, all_findings, reasons_of
from tmagrade.judging.verdicts import Case, Judged, Measured, Rehearsal, cases_in

PENDING = "pending"
BUILD_ERROR = "build error"
GRADER_FAULT = "grader fault"

GPU = "gpu"  # what judges where no timing policy of the emulator does

# Of several verdicts the one that explains most stands for all.
SEVERITY = ("cheated", "crash", "timeout", "hazard", "fail", "missing", "pass")

PartVerdict = Annotated[
    str,
    Field(
        json_schema_extra={"enum": [*SEVERITY, BUILD_ERROR, PENDING, GRADER_FAULT]},
        description="Of several cases the gravest. fail: a wrong result; crash: a signal or a CUDA error; build error: "
        "the compiler refused it; missing: no such launcher; cheated: a rule was broken; hazard: findings of the "
        "checker; pending: needs an sm_90 GPU; grader fault: the grader failed, which costs nobody points.",
    ),
]


@dataclass(frozen=True)
class GroupResult:
    """How a group of a part's cases came out."""

    title: str
    """As in `labs`."""
    verdict: PartVerdict
    score: Score
    """Points given."""
    max: Score
    """The most points."""


@dataclass(frozen=True)
class PartResult:
    id: str
    verdict: str
    score: float
    max: float
    message: str = ""
    findings: tuple[Finding, ...] = ()  # in the group of cases that decided
    groups: tuple[GroupResult, ...] = ()  # where lab.toml names some, and the judge saw the part
    further: tuple[Reason, ...] = ()  # of other groups that lost points

    @property
    def pending(self) -> float:
        """Points neither lost nor given: no GPU to measure on, or the grader failed."""
        return self.max if self.verdict in (PENDING, GRADER_FAULT) else 0.0

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why points are missing, the gravest reason first; or what was measured."""
        return (Reason(self.message, self.findings), *self.further)


@dataclass(frozen=True)
class Outcomes:
    """What the judge said of one submission."""

    correctness: Judged
    hygiene: Mapping[str, Judged] = field(default_factory=dict)  # by engine
    timed: Judged | None = None  # on a GPU, where that only adds bandwidth to what the emulator has judged

    @property
    def bandwidth(self) -> Measured | None:
        return (self.timed or self.correctness).bandwidth

    def decides(self, part: Part) -> Judged:
        """Who says whether the part is right: for a later architecture than Hopper's always the emulator."""
        return self.correctness if part.architecture is None else next(iter(self.hygiene.values()))

    def objection(self, part: Part, group: Group) -> Case | None:
        """What the emulator says against a group that passed on a GPU. All that costs the group's points without a GPU
        costs them with one, so that correctness means the same on both."""
        return self._bypass(part, group) or self._other_inputs(part, group) or self._without_a_gpu(part, group)

    def _bypass(self, part: Part, group: Group) -> Case | None:
        """A case whose right result did not come through TMA, where the part demands that."""
        cases = (case for judged in self.hygiene.values() for case in cases_in(judged, part, group))
        return next((case for case in cases if case.bypasses_tma), None)

    def _other_inputs(self, part: Part, group: Group) -> Case | None:
        """A wrong result under every timing policy: the kernels that ran do not give it, where no host code helps them.

        The emulator repeats what a launcher asks for on inputs that the launcher has not seen; on a GPU it has. A
        result that one engine gives is enough: what the others find costs hygiene.
        """
        runs = self.hygiene.values()
        wrong = [worst([case for case in cases_in(run, part, group) if not case.is_right]) for run in runs]
        first = wrong[0] if wrong else None
        if first is None or None in wrong:
            return None
        why = "right on the GPU, but under no timing policy of the emulator, which runs its kernels on other inputs"
        return replace(first, message=f"{why}: {first.message}")

    def _without_a_gpu(self, part: Part, group: Group) -> Case | None:
        """What is wrong under the timing policy that judges correctness where there is no GPU: by luck alone it was
        right on this one."""
        engine, run = next(iter(self.hygiene.items()), ("", None))
        wrong = worst(_wrong(decisive_cases(run, part, group))) if run is not None else None
        if wrong is None:
            return None
        why = f"right on the GPU, but not on the emulator, under the timing policy {engine}"
        return replace(wrong, message=f"{why}: {wrong.message}" if wrong.message else why)

    @property
    def unlike(self) -> Rehearsal | None:
        """What the emulator says where the launches at the timed size are not those that it has judged."""
        rehearsed = (judged.rehearsal for judged in self.hygiene.values())
        return next((said for said in rehearsed if said is not None and said.verdict != "pass"), None)

    @property
    def runs(self) -> dict[str, Judged]:
        """Every run by its engine; the one that judged correctness first."""
        emulated = any(run is self.correctness for run in self.hygiene.values())
        runs = dict(self.hygiene) if emulated else {GPU: self.correctness, **self.hygiene}
        return runs if self.timed is None else runs | {GPU: self.timed}

    @staticmethod
    def of_runs(runs: Mapping[str, Judged]) -> "Outcomes | None":
        """The reverse of `runs`."""
        if not runs:
            return None
        hygiene = {engine: judged for engine, judged in runs.items() if engine != GPU}
        first = next(iter(runs.values()))
        timed = runs.get(GPU)
        return Outcomes(first, hygiene, None if timed is first else timed)


@dataclass(frozen=True)
class LabResult:
    lab: Lab
    parts: tuple[PartResult, ...]
    outcomes: Outcomes | None = None  # none where the judge never saw the submission
    ignored: tuple[str, ...] = ()  # what of the hand-in counts for nothing, and why
    hand_in: str = ""  # a digest of what was handed in; empty where that could not be read

    @property
    def score(self) -> float:
        return round(sum(part.score for part in self.parts), 2)

    @property
    def max(self) -> float:
        return self.lab.points.total

    @property
    def pending(self) -> float:
        return sum(part.pending for part in self.parts)

    @property
    def measured(self) -> Measured | None:
        """The bandwidth part's run, where there was one."""
        return self.outcomes.bandwidth if self.outcomes else None

    @property
    def fault(self) -> str | None:
        return next((part.message for part in self.parts if part.verdict == GRADER_FAULT), None)


def score(lab: Lab, outcomes: Outcomes) -> LabResult:
    parts = [_score_part(part, outcomes) for part in lab.parts]
    correct = {part.id for part in parts if part.verdict == "pass"}
    # Where one of the emulator's runs judged correctness too, what it found is told already.
    runs = outcomes.hygiene.values()
    emulated = {part.id for part in lab.parts if any(run is outcomes.decides(part) for run in runs)}
    right = {(result.id, group.title) for result in parts for group in result.groups if group.verdict == "pass"}
    right |= {(part.id, group.title) for part in lab.parts for group in part.asked if part.id in correct}
    asked = [(part, group) for part in lab.parts for group in part.asked]
    told = {(part.id, group.title) for part, group in asked if part.id in emulated or _objected(outcomes, part, group)}
    told -= right
    parts.append(_score_hygiene(lab, outcomes.hygiene, told))
    if lab.bandwidth is not None:
        parts.append(_score_bandwidth(lab, outcomes, correct))
    return LabResult(lab, tuple(parts), outcomes)


def worst(cases: list[Case]) -> Case | None:
    """The first of the most severe cases; one that was run rather than one that stood behind it."""
    return min(cases, key=_gravity, default=None)


def _gravity(case: Case) -> tuple[int, bool]:
    return SEVERITY.index(case.verdict), not case.was_run


def decisive_cases(judged: Judged, part: Part, group: Group) -> list[Case]:
    return [for_correctness(case, part) for case in cases_in(judged, part, group)]


def for_correctness(case: Case, part: Part) -> Case:
    """The case as correctness takes it: right where all that is against it are findings that cost hygiene alone."""
    known = codes()
    told = [finding.code for finding in case.findings]
    costs = {known[code].cost if code in known else "correctness" for code in told} - {"nothing"}
    if case.verdict != "hazard" or costs != {"hygiene"} or part.every_finding:
        return case
    return replace(case, verdict="pass", message="", findings=())


def _cases(judged: Judged, part: Part) -> list[Case]:
    return [case for case in judged.cases if case.part == part.id]


def _score_part(part: Part, outcomes: Outcomes) -> PartResult:
    """The points of the groups that are right: those of whose cases every one is, and nothing speaks against it."""
    judged = outcomes.decides(part)
    cases = _cases(judged, part)
    decisive: dict[Group, Case] = {}
    for group in part.asked:
        found = worst(decisive_cases(judged, part, group))
        if found is None:
            what = f"the group {group.title!r} of this part" if part.groups else "this part"
            return PartResult(part.id, GRADER_FAULT, 0, part.points, f"the judge has no case of {what}")
        decisive[group] = (outcomes.objection(part, group) or found) if found.verdict == "pass" else found
    most_severe = worst(list(decisive.values()))
    assert most_severe is not None
    if most_severe.verdict == "cheated":  # who cheats in one case has not earned the others
        decisive = dict.fromkeys(decisive, most_severe)
    groups = tuple(
        GroupResult(group.title, case.verdict, group.points if case.verdict == "pass" else 0.0, group.points)
        for group, case in decisive.items()
    )
    given = sum(group.score for group in groups)
    told = groups if part.groups else ()
    if most_severe.verdict == "pass":
        return PartResult(part.id, "pass", part.points, part.points, groups=told)
    first, *further = reasons_of(_lost(part, judged, decisive))
    message = first.message
    if len(cases) > 1 and most_severe in cases and most_severe.verdict != "missing":
        passed = sum(case.verdict == "pass" for case in cases)
        not_run = sum(not case.was_run for case in cases)
        behind = f"; {not_run} behind those that did not finish were not run" if not_run else ""
        message += f"\n({passed} of {len(cases)} cases pass{behind})"
    if told and most_severe.verdict != "missing":
        message += "\n" + in_words(told)
    return PartResult(part.id, most_severe.verdict, given, part.points, message, first.findings, told, tuple(further))


def _objected(outcomes: Outcomes, part: Part, group: Group) -> bool:
    """Whether it is the emulator that a group has lost its points to."""
    decisive = worst(decisive_cases(outcomes.decides(part), part, group))
    return decisive is not None and decisive.verdict == "pass" and outcomes.objection(part, group) is not None


def _lost(part: Part, judged: Judged, decisive: Mapping[Group, Case]) -> list[Lost]:
    """The groups without their points, the gravest first. A part that is missing is missing in all of them."""
    lost = [(group, case) for group, case in decisive.items() if case.verdict != "pass"]
    lost.sort(key=lambda one: _gravity(one[1]))
    is_named = bool(part.groups) and lost[0][1].verdict != "missing"
    return [
        Lost(group.title if is_named else "", case, all_findings([case, *_wrong(cases_in(judged, part, group))]))
        for group, case in lost[: None if is_named else 1]
    ]


def _wrong(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if case.verdict != "pass"]


def in_words(groups: Sequence[GroupResult]) -> str:
    """As "right: whole tiles (10 points); wrong: any length (10 points)"."""
    said = {
        word: ", ".join(
            f"{group.title} ({group.max:g} points)" for group in groups if (group.verdict == "pass") is right
        )
        for word, right in (("right", True), ("wrong", False))
    }
    return "; ".join(f"{word}: {names}" for word, names in said.items() if names)


def _score_hygiene(lab: Lab, by_engine: Mapping[str, Judged], told: set[tuple[str, str]]) -> PartResult:
    """A group's share of the hygiene points is given when the group is right under every timing policy.

    `told` are the groups, by part and title, of which correctness has said already that they are wrong.
    """
    points = 0.0
    failed: list[_Unclean] = []
    for part, group in [(one, group) for one in lab.parts for group in one.asked]:
        runs = {engine: _wrong(cases_in(judged, part, group)) for engine, judged in by_engine.items()}
        wrong = {engine: cases for engine, cases in runs.items() if cases}
        if wrong:
            failed.append(_Unclean(part, group, wrong))
        else:
            points += lab.points.hygiene * group.points / lab.points.correctness
    if not failed:
        return PartResult("hygiene", "pass", lab.points.hygiene, lab.points.hygiene)
    news = [one for one in failed if (one.part.id, one.group.title) not in told]
    if not news:
        gravest = min(failed, key=lambda one: _gravity(one.case))
        parts = ", ".join(dict.fromkeys(one.part.id for one in failed))
        message = f"not to be had before these are right: {parts}"
        return PartResult("hygiene", gravest.case.verdict, round(points, 2), lab.points.hygiene, message)
    news.sort(key=lambda one: _gravity(one.case))
    first, *further = reasons_of([one.lost for one in news])
    return PartResult(
        "hygiene",
        news[0].case.verdict,
        round(points, 2),
        lab.points.hygiene,
        first.message,
        first.findings,
        further=tuple(further),
    )


@dataclass(frozen=True)
class _Unclean:
    """A group of cases that some timing policies show to be wrong, and which cases of it."""

    part: Part
    group: Group
    wrong: Mapping[str, Sequence[Case]]  # by engine, under which there are any

    @property
    def cases(self) -> list[Case]:
        return [case for cases in self.wrong.values() for case in cases]

    @property
    def case(self) -> Case:
        """That decides."""
        return min(self.cases, key=_gravity)

    @property
    def lost(self) -> Lost:
        group = f" ({self.group.title})" if self.part.groups else ""
        engines = ", ".join(self.wrong)
        case = replace(self.case, case=f"{self.part.id}{group}, {self.case.case}")
        return Lost(f"under the timing policy {engines}", case, all_findings([case, *self.cases]))


def _score_bandwidth(lab: Lab, outcomes: Outcomes, correct: set[str]) -> PartResult:
    assert lab.bandwidth is not None
    most = lab.points.bandwidth
    measured, unlike = outcomes.bandwidth, outcomes.unlike
    if (measured is None or measured.verdict == "pass") and unlike is not None and unlike.part in correct:
        return PartResult("bandwidth", unlike.verdict, 0, most, unlike.message)
    if measured is None:
        where = "an sm_90 GPU" if lab.bandwidth.unit == "GB/s" else "an sm_90 GPU with cublasLt"
        return PartResult("bandwidth", PENDING, 0, most, f"measured on {where} only")
    if measured.verdict != "pass" or measured.fraction is None or measured.gb_per_s is None:
        return PartResult("bandwidth", measured.verdict, 0, most, measured.message)
    wrong = worst([case for case in outcomes.timed.cases if case.part == measured.part]) if outcomes.timed else None
    if wrong is not None and wrong.verdict != "pass":
        return PartResult("bandwidth", wrong.verdict, 0, most, f"wrong on the GPU: {wrong.message}")
    figures = f"{lab.bandwidth.figure(measured.gb_per_s)}, {measured.fraction:.3f} of {lab.bandwidth.reference}"
    if measured.part not in correct:
        return PartResult("bandwidth", "fail", 0, most, f"{figures}; counts once every case of the part passes")
    points = round(lab.bandwidth.points_at(measured.fraction), 2)
    return PartResult("bandwidth", "pass", points, most, figures)


def same_for_all(lab: Lab, verdict: str, message: str) -> LabResult:
    """The result of a submission that the judge never saw, or could not judge."""
    parts = [PartResult(part.id, verdict, 0, part.points, message) for part in lab.parts]
    parts.append(PartResult("hygiene", verdict, 0, lab.points.hygiene, message))
    if lab.bandwidth is not None:
        parts.append(PartResult("bandwidth", verdict, 0, lab.points.bandwidth, message))
    return LabResult(lab, tuple(parts))
