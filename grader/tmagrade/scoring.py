"""Verdicts and lab.toml to points."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tmagrade.findings import Finding
from tmagrade.judging import Case, Judged, Measured, Rehearsal
from tmagrade.labs import Lab, Part

PENDING = "pending"
BUILD_ERROR = "build error"
GRADER_FAULT = "grader fault"

GPU = "gpu"  # what judges where no timing policy of the emulator does

# Of several verdicts the one that explains most stands for all.
SEVERITY = ("cheated", "crash", "timeout", "hazard", "fail", "missing", "pass")


@dataclass(frozen=True)
class PartResult:
    id: str
    verdict: str
    score: float
    max: float
    message: str = ""
    findings: tuple[Finding, ...] = ()  # of the case that decided

    @property
    def pending(self) -> float:
        """Points neither lost nor given: no GPU to measure on, or the grader failed."""
        return self.max if self.verdict in (PENDING, GRADER_FAULT) else 0.0


@dataclass(frozen=True)
class Outcomes:
    """What the judge said of one submission."""

    correctness: Judged
    hygiene: Mapping[str, Judged] = field(default_factory=dict)  # by engine

    def decides(self, part: Part) -> Judged:
        """Who says whether the part is right: for a later architecture than Hopper's always the emulator."""
        return self.correctness if part.architecture is None else next(iter(self.hygiene.values()))

    def objection(self, part: Part) -> Case | None:
        """What the emulator says against a part that passed on a GPU."""
        return self._bypass(part) or self._other_inputs(part)

    def _bypass(self, part: Part) -> Case | None:
        """A case whose right result did not come through TMA, where the part demands that."""
        cases = (case for judged in self.hygiene.values() for case in judged.cases)
        return next((case for case in cases if case.part == part.id and case.bypasses_tma), None)

    def _other_inputs(self, part: Part) -> Case | None:
        """A wrong result under every timing policy: the kernels that ran do not give it, where no host code helps them.

        The emulator repeats what a launcher asks for on inputs that the launcher has not seen; on a GPU it has. A
        result that one engine gives is enough: what the others find costs hygiene.
        """
        wrong = [worst([case for case in _cases(run, part) if not case.is_right]) for run in self.hygiene.values()]
        first = wrong[0] if wrong else None
        if first is None or None in wrong:
            return None
        why = "right on the GPU, but under no timing policy of the emulator, which runs its kernels on other inputs"
        return replace(first, message=f"{why}: {first.message}")

    @property
    def unlike(self) -> Rehearsal | None:
        """What the emulator says where the launches at the timed size are not those that it has judged."""
        rehearsed = (judged.rehearsal for judged in self.hygiene.values())
        return next((said for said in rehearsed if said is not None and said.verdict != "pass"), None)

    @property
    def runs(self) -> dict[str, Judged]:
        """Every run by its engine; the one that judged correctness first."""
        emulated = any(run is self.correctness for run in self.hygiene.values())
        return dict(self.hygiene) if emulated else {GPU: self.correctness, **self.hygiene}

    @staticmethod
    def of_runs(runs: Mapping[str, Judged]) -> "Outcomes | None":
        """The reverse of `runs`."""
        if not runs:
            return None
        hygiene = {engine: judged for engine, judged in runs.items() if engine != GPU}
        return Outcomes(next(iter(runs.values())), hygiene)


@dataclass(frozen=True)
class LabResult:
    lab: Lab
    parts: tuple[PartResult, ...]
    outcomes: Outcomes | None = None  # none where the judge never saw the submission

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
        return self.outcomes.correctness.bandwidth if self.outcomes else None

    @property
    def fault(self) -> str | None:
        return next((part.message for part in self.parts if part.verdict == GRADER_FAULT), None)


def score(lab: Lab, outcomes: Outcomes) -> LabResult:
    parts = [_score_part(part, outcomes.decides(part), outcomes.objection(part)) for part in lab.parts]
    correct = {part.id for part in parts if part.verdict == "pass"}
    # Where one of the emulator's runs judged correctness too, what it found is told already.
    runs = outcomes.hygiene.values()
    emulated = {part.id for part in lab.parts if any(run is outcomes.decides(part) for run in runs)}
    told = emulated - correct
    parts.append(_score_hygiene(lab, outcomes.hygiene, told))
    if lab.bandwidth is not None:
        parts.append(_score_bandwidth(lab, outcomes, correct))
    return LabResult(lab, tuple(parts), outcomes)


def worst(cases: list[Case]) -> Case | None:
    """The first of the most severe cases."""
    return min(cases, key=lambda case: SEVERITY.index(case.verdict), default=None)


def _cases(judged: Judged, part: Part) -> list[Case]:
    return [case for case in judged.cases if case.part == part.id]


def _score_part(part: Part, judged: Judged, objection: Case | None) -> PartResult:
    """All points of a part or none: a part is right when every one of its cases is, and nothing speaks against it."""
    cases = _cases(judged, part)
    decisive = worst(cases)
    if decisive is not None and decisive.verdict == "pass":
        decisive = objection or decisive
    if decisive is None:
        return PartResult(part.id, GRADER_FAULT, 0, part.points, "the judge has no case of this part")
    if decisive.verdict == "pass":
        return PartResult(part.id, "pass", part.points, part.points)
    message = f"{decisive.case}: {decisive.message}"
    if len(cases) > 1 and decisive in cases and decisive.verdict != "missing":
        passed = sum(case.verdict == "pass" for case in cases)
        message += f"\n({passed} of {len(cases)} cases pass)"
    return PartResult(part.id, decisive.verdict, 0, part.points, message, decisive.findings)


def _score_hygiene(lab: Lab, by_engine: Mapping[str, Judged], told: set[str]) -> PartResult:
    """A part's share of the hygiene points is given when the part is right under every timing policy."""
    points = 0.0
    failed: list[tuple[str, Case]] = []
    for part in lab.parts:
        wrong = [
            (engine, decisive)
            for engine, judged in by_engine.items()
            if (decisive := worst(_cases(judged, part))) is not None and decisive.verdict != "pass"
        ]
        failed += wrong
        if not wrong:
            points += lab.points.hygiene * part.points / lab.points.correctness
    if not failed:
        return PartResult("hygiene", "pass", lab.points.hygiene, lab.points.hygiene)
    news = [(engine, case) for engine, case in failed if case.part not in told]
    decisive = worst([case for _, case in news or failed])
    assert decisive is not None
    engines = [engine for engine, case in failed if case.part == decisive.part]
    message = f"under the timing policy {', '.join(engines)}: {decisive.part}, {decisive.case}: {decisive.message}"
    findings = decisive.findings
    if not news:
        parts = ", ".join(dict.fromkeys(case.part for _, case in failed))
        message, findings = f"not to be had before these are right: {parts}", ()
    return PartResult("hygiene", decisive.verdict, round(points, 2), lab.points.hygiene, message, findings)


def _score_bandwidth(lab: Lab, outcomes: Outcomes, correct: set[str]) -> PartResult:
    assert lab.bandwidth is not None
    most = lab.points.bandwidth
    measured, unlike = outcomes.correctness.bandwidth, outcomes.unlike
    if (measured is None or measured.verdict == "pass") and unlike is not None and unlike.part in correct:
        return PartResult("bandwidth", unlike.verdict, 0, most, unlike.message)
    if measured is None:
        return PartResult("bandwidth", PENDING, 0, most, "measured on an sm_90 GPU only")
    if measured.verdict != "pass" or measured.fraction is None or measured.gb_per_s is None:
        return PartResult("bandwidth", measured.verdict, 0, most, measured.message)
    figures = f"{measured.gb_per_s:.0f} GB/s, {measured.fraction:.3f} of this GPU's copy roofline"
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
