"""What was judged in pieces, as if it were one library: parts belong to the files with them."""

from collections.abc import Sequence
from dataclasses import replace

from tmagrade.building.pieces import Refused
from tmagrade.course.about import Way
from tmagrade.course.labs import Lab
from tmagrade.judging.verdicts import Case, Judged, Measured, Rehearsal

MISSING = "missing"


def together(lab: Lab, judged: Sequence[tuple[str, Judged]], refused: Sequence[Refused]) -> Judged:
    """What the judge said of the libraries, by the names of their files, as if they were one."""
    cases: list[Case] = []
    ways: dict[str, Way] = {}
    bandwidth: Measured | None = None
    rehearsal: Rehearsal | None = None
    first = judged[0][1]
    for part in lab.parts:
        owners = [(name, run) for name, run in judged if _defines(run, part.id)]
        decides = owners[0][1] if owners else first
        objection = _objection([name for name, _ in owners], refused)
        cases += [_told(case, owners != [], objection) for case in decides.cases if case.part == part.id]
        if not objection and part.id in decides.ways:
            ways[part.id] = decides.ways[part.id]
        if decides.bandwidth is not None and decides.bandwidth.part == part.id:
            bandwidth = decides.bandwidth
            if len(owners) > 1:
                bandwidth = Measured(part.id, "fail", objection, None, None, None)
        if decides.rehearsal is not None and decides.rehearsal.part == part.id:
            rehearsal = decides.rehearsal
    seconds = round(sum(run.seconds for _, run in judged), 2)
    return replace(first, cases=tuple(cases), bandwidth=bandwidth, rehearsal=rehearsal, ways=ways, seconds=seconds)


def _defines(judged: Judged, part: str) -> bool:
    return any(case.part == part and case.verdict != MISSING for case in judged.cases)


def _objection(owners: Sequence[str], refused: Sequence[Refused]) -> str:
    """Why the part is not simply what its file makes of it."""
    if len(owners) > 1:
        names = f"{', '.join(owners[:-1])} and {owners[-1]}"
        return f"{names} each define the launcher of this part; leave it in one of these files"
    if owners or not refused:
        return ""
    return "\n".join(f"{one.source} does not compile by itself: {one.message}" for one in refused)


def _told(case: Case, is_defined: bool, objection: str) -> Case:
    if not objection:
        return case
    if is_defined:
        return Case(case.part, case.case, "fail", objection)
    # In the words of the file: what it would have defined nobody knows. So they are the same for every part, and said
    # once.
    return replace(case, message=objection)
