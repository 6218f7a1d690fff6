"""How a score came about, from what grades.json holds."""

from collections.abc import Collection, Iterator

from tmagrade.course.labs import Group, Part
from tmagrade.findings.finding import Finding, Place
from tmagrade.findings.finding_text import plain_text
from tmagrade.judging.scoring import GPU, LabResult, Outcomes, PartResult, decisive_cases, for_correctness
from tmagrade.judging.verdicts import Case, Judged, cases_in
from tmagrade.outputs.arithmetic import bandwidth_points, bandwidth_rule
from tmagrade.outputs.grades import Facts, Student
from tmagrade.outputs.wording import points, score_text

_MOST_CASES = 4
_MOST_CHARACTERS = 110


def explanation(student: Student, result: LabResult, facts: Facts) -> Iterator[str]:
    lab = result.lab
    yield f"{student.id}, {lab.id} ({lab.title}): {score_text(result)}"
    yield f"graded {facts.finished[:16].replace('T', ' ')} UTC, nvcc {facts.toolkit}, grader {facts.grader[:12]}"
    yield ""
    if result.outcomes is None:
        yield from _never_judged(result)
    else:
        parts = {part.id: part for part in result.parts}
        yield from _correctness(result, result.outcomes, parts)
        yield from _hygiene(result, result.outcomes, parts["hygiene"])
        if "bandwidth" in parts:
            yield from _bandwidth(result, parts["bandwidth"])
    terms = [points(part.score) for part in result.parts if not part.pending]
    yield f"sum: {' + '.join(terms) or '0'} = {points(result.score)}"


def _never_judged(result: LabResult) -> Iterator[str]:
    first = result.parts[0]
    yield f"every part: {first.verdict}, so that nothing could be run"
    yield from _indented(first.message)
    yield ""


def _correctness(result: LabResult, outcomes: Outcomes, parts: dict[str, PartResult]) -> Iterator[str]:
    runs = outcomes.runs
    yield f"correctness: {_rule_of_correctness(result)}; judged by {next(iter(runs))}"
    for rule in result.lab.parts:
        part = parts[rule.id]
        decides = outcomes.decides(rule)
        right, count = _right(decides, rule)
        by = next(engine for engine, judged in runs.items() if judged is decides)
        who = f", judged by {by}: its kernels are for sm_{rule.architecture}" if rule.architecture else ""
        yield _row(part.id, part, f"{right} of {count} cases right{who}")
        for group, given in zip(rule.groups, part.groups):
            right, count = _right_in(decides, rule, group)
            share = f"{points(given.score)} of {points(given.max)}"
            yield f"    {group.title:<20} {share:<14} {right} of {count} cases right"
        yield from _failed_cases(runs, rule)
    yield ""


def _rule_of_correctness(result: LabResult) -> str:
    if any(rule.groups for rule in result.lab.parts):
        return "a part has the points of each group of its cases in which every one is right"
    return "a part has its points when every one of its cases is right"


def _failed_cases(runs: dict[str, Judged], rule: Part) -> Iterator[str]:
    """The part's cases that are wrong under any engine, and under which."""
    engines: dict[str, list[str]] = {}
    first: dict[str, Case] = {}
    for engine, judged in runs.items():
        for case in judged.cases:
            if case.part == rule.id and case.verdict != "pass" and not case.was_left_out:
                engines.setdefault(case.case, []).append(engine)
                first.setdefault(case.case, case)
    for name, case in list(first.items())[:_MOST_CASES]:
        yield f"      {name}: {case.verdict} under {_names(engines[name], runs)}"
        if said := case.message.strip().split("\n")[0]:
            yield f"          {_cut(said)}"
    if len(first) > _MOST_CASES:
        yield f"      and {len(first) - _MOST_CASES} more cases"
    yield from _findings(runs, rule)


def _findings(runs: dict[str, Judged], rule: Part) -> Iterator[str]:
    """What the emulator found in the part, whole, and each mistake once, whatever the case and the engine."""
    told: dict[tuple[str, str, Place | None], Finding] = {}
    for judged in runs.values():
        for finding in (finding for case in judged.cases if case.part == rule.id for finding in case.findings):
            told.setdefault((finding.code, finding.message, finding.place), finding)
    for finding in told.values():
        yield from _indented(plain_text(finding))


def _hygiene(result: LabResult, outcomes: Outcomes, hygiene: PartResult) -> Iterator[str]:
    lab, runs = result.lab, outcomes.hygiene
    most, of = points(lab.points.hygiene), points(lab.points.correctness)
    kind = "group of cases" if any(rule.groups for rule in lab.parts) else "part"
    yield f"hygiene: a {kind} that is right under every timing policy brings its points × {most} / {of}"
    right: list[str] = []
    for rule in lab.parts:
        for group in rule.asked:
            wrong = [engine for engine, judged in runs.items() if _is_wrong(judged, rule, group)]
            if not wrong:
                right.append(points(group.points))
            name = f"{rule.id}, {group.title}" if rule.groups else rule.id
            yield f"  {name:<22} {'wrong' if wrong else 'right'} under {_names(wrong or runs, runs)}"
    brought = f"({' + '.join(right)})" if len(right) > 1 else right[0] if right else "0"
    yield _row("hygiene", hygiene, f"{brought} × {most} / {of} = {points(hygiene.score)}")
    if len(runs) == 1:
        yield f"      only {', '.join(runs)} was run: no part is right under it, so no other engine could bring points"
    yield ""


def _bandwidth(result: LabResult, part: PartResult) -> Iterator[str]:
    rule, measured = result.lab.bandwidth, result.measured
    assert rule is not None
    yield f"bandwidth of {rule.part}: by the fraction of {rule.reference}, {bandwidth_rule(rule)}"
    if measured is None:
        yield _row("bandwidth", part, part.message)
    elif measured.fraction is None or measured.gb_per_s is None or measured.roofline_gb_per_s is None:
        yield _row("bandwidth", part, f"nothing measured: {part.verdict}")
        yield from _indented(part.message)
    else:
        speed, roofline = rule.figure(measured.gb_per_s, 1), rule.figure(measured.roofline_gb_per_s, 1)
        yield _row("bandwidth", part, f"{speed} / {roofline} = {measured.fraction:.4f}")
        if part.verdict == "pass":
            yield f"      {measured.fraction:.4f} is {bandwidth_points(rule, measured.fraction)}"
        else:
            yield from _indented(f"{part.verdict}: {part.message}")
    yield ""


def _row(name: str, part: PartResult, why: str) -> str:
    given = "pending" if part.pending else f"{points(part.score)} of {points(part.max)}"
    return f"  {name:<22} {given:<14} {why}".rstrip()


def _right(judged: Judged, rule: Part) -> tuple[int, int]:
    verdicts = [for_correctness(case, rule).verdict for case in judged.cases if case.part == rule.id]
    return verdicts.count("pass"), len(verdicts)


def _right_in(judged: Judged, rule: Part, group: Group) -> tuple[int, int]:
    verdicts = [case.verdict for case in decisive_cases(judged, rule, group)]
    return verdicts.count("pass"), len(verdicts)


def _is_wrong(judged: Judged, rule: Part, group: Group) -> bool:
    return any(case.verdict != "pass" and not case.was_left_out for case in cases_in(judged, rule, group))


def _names(engines: Collection[str], runs: Collection[str]) -> str:
    if not 1 < len(engines) == len(runs):
        return ", ".join(engines)
    return "every engine" if GPU in runs else "every timing policy"


def _cut(line: str) -> str:
    return line if len(line) <= _MOST_CHARACTERS else line[: _MOST_CHARACTERS - 4] + " ..."


def _indented(message: str) -> Iterator[str]:
    return (f"      {line}" for line in message.strip("\n").split("\n"))
