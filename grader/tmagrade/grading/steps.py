"""One text on its way through grading: what is known of it, and what is still to be done."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tmagrade.building.builder import Built
from tmagrade.course.labs import Group, Lab, Part
from tmagrade.judging.scoring import GRADER_FAULT, LabResult, Outcomes, same_for_all, score, worst
from tmagrade.judging.verdicts import Case, Judged, cases_in, has_hung
from tmagrade.machine.backend import Engine
from tmagrade.submissions.submission import Submission


class Kind(StrEnum):
    BUILD = "build"
    EMULATE = "emulate"
    TIME = "time"  # on a GPU


@dataclass(frozen=True)
class Step:
    kind: Kind
    engine: Engine | None = None  # the emulator's; which GPU times a submission is decided when one is free


@dataclass(frozen=True)
class Plan:
    """Under what every submission is judged."""

    emulator_engines: Sequence[Engine]  # the first judges correctness where there is no GPU
    gpu_engines: Sequence[Engine]  # one for each GPU to use; none: the emulator alone


@dataclass(eq=False)
class Work:
    """What one student handed in for a lab, or several students letter for letter alike."""

    plan: Plan
    submissions: list[Submission]
    key: str
    built: Built | None = None
    emulated: dict[str, Judged] = field(default_factory=dict)  # by engine
    measured: Judged | None = None  # on a GPU
    fault: str | None = None

    @property
    def submission(self) -> Submission:
        return self.submissions[0]

    @property
    def lab(self) -> Lab:
        return self.submission.lab

    @property
    def name(self) -> str:
        more = len(self.submissions) - 1
        return self.submission.student + (f" and {more} more" if more else "") + f" {self.lab.id}"

    @property
    def ahead(self) -> list[Step]:
        """The steps that are still to come, as far as one can know now."""
        if self.fault is not None or (self.built is not None and self.built.library is None):
            return []
        steps = [Step(Kind.BUILD)] if self.built is None else []
        # Decided by the first engine alone: which of the others ends first must make no difference.
        if not self._nothing_right():
            engines = self.plan.emulator_engines
            steps += [Step(Kind.EMULATE, engine) for engine in engines if engine.name not in self.emulated]
        if self.plan.gpu_engines and self.measured is None:
            steps.append(Step(Kind.TIME))
        return steps

    def ready(self, *, alone: bool = False) -> list[Step]:
        """Those of the steps ahead that may be begun.

        The first engine may show that the others need not run, and the second where a part has hung. Who is alone on
        the machine, as a student is who waits for his own verdict, does not wait for that: the other cores would have
        nothing to do.
        """
        ahead = self.ahead
        decides = self.plan.emulator_engines[: 2 if self._have_hung(self.plan.emulator_engines[:1]) else 1]
        waits_for_first = not alone and bool(ahead) and ahead[0].engine in decides
        if not ahead or ahead[0].kind is Kind.BUILD or waits_for_first:
            return ahead[:1]
        return [step for step in ahead if step.kind is ahead[0].kind]

    def _nothing_right(self) -> bool:
        """Whether no group of cases was right under the first engine: then the others cannot give a point any more.

        They can where a GPU judges: a part that passes there needs one engine that agrees.
        """
        if not self.plan.emulator_engines:
            return True
        if self.plan.gpu_engines:
            return False
        judged = self.emulated.get(self.plan.emulator_engines[0].name)
        if judged is None:
            return False
        decisive = (worst(cases_in(judged, part, group)) for part in self.lab.parts for group in part.asked)
        return all(case is not None and case.verdict != "pass" for case in decisive)

    def lost(self, engine: Engine) -> tuple[Case, ...]:
        """What need not be run under this engine: the cases of groups whose points the first engine has taken.

        Where a GPU judges, that is so only of parts for later GPUs: what is wrong under the first engine costs others
        their points, too, but whether it is wrong under every one is said to the student. A group that has hung under
        the first two, though, hangs under no further one. Which are the first the plan says, not which has ended first.
        """
        first = self.plan.emulator_engines[0] if self.plan.emulator_engines else engine
        judged = self.emulated.get(first.name)
        if engine is first or engine.gpu is not None or judged is None:
            return ()
        decided = [part for part in self.lab.parts if not self.plan.gpu_engines or part.architecture is not None]
        groups = [cases_in(judged, part, group) for part in decided for group in part.asked]
        wrong = [cases for cases in groups if any(case.verdict != "pass" for case in cases)]
        tried = self.plan.emulator_engines[:2]
        if engine not in tried:
            wrong += [cases_in(judged, part, group) for part, group in self._have_hung(tried)]
        # What speaks against all of a part's results at once is a case of every group.
        return tuple(dict.fromkeys(case for cases in wrong for case in cases))

    def _have_hung(self, engines: Sequence[Engine]) -> list[tuple[Part, Group]]:
        """The groups of which a case came to no end under each of these engines; none before all of them have run."""
        runs = [run for engine in engines if (run := self.emulated.get(engine.name)) is not None]
        if not self.plan.gpu_engines or len(runs) < len(engines) or not runs:
            return []
        asked = [(part, group) for part in self.lab.parts for group in part.asked]
        return [one for one in asked if all(has_hung(cases_in(run, *one)) for run in runs)]

    @property
    def counted(self) -> dict[str, Judged]:
        """What the emulator's engines judged, as far as it counts; the same whichever ended first."""
        engines = self.plan.emulator_engines[: 1 if self._nothing_right() else None]
        ended = [engine for engine in engines if engine.name in self.emulated]
        return {engine.name: self._without_lost(engine) for engine in ended}

    def _without_lost(self, engine: Engine) -> Judged:
        lost, judged = self.lost(engine), self.emulated[engine.name]
        return judged.without(lost) if lost else judged

    def result(self) -> LabResult:
        lab = self.lab
        if self.fault is not None:
            return same_for_all(lab, GRADER_FAULT, self.fault)
        assert self.built is not None
        if self.built.library is None:
            return same_for_all(lab, self.built.verdict, self.built.message)
        counted = self.counted
        return score(lab, Outcomes(self.measured or next(iter(counted.values())), counted))
