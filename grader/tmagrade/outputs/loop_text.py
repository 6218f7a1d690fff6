"""What the student's loop prints of the cases that it has run: what is wrong once, and where else it is the same."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from tmagrade.basics.untrusted import visible
from tmagrade.course.labs import is_of_all_cases
from tmagrade.judging.student_loop import CaseUnderPolicies, Tried
from tmagrade.judging.verdicts import Case
from tmagrade.outputs.repeats import Repeats, kind_of
from tmagrade.outputs.wording import MEANING, from_here

INDENT = "    "

# The names of cases that are wrong in the same way; who needs the others mends the first.
MOST_NAMES = 6


@dataclass
class _Wrong:
    """A case that is told whole, and those of its part with which it is the same but for numbers."""

    case: Case
    under: str
    policy: str
    policies: frozenset[str]  # under which it is wrong in whatever way
    also: list[str] = field(default_factory=list)


def lines(tried: Tried, data: str | None) -> Iterator[Text]:
    """A line a case; below one that is wrong, why, and what to type to see it again.

    Beside one that is wrong, right ones that follow one another have a line together.
    """
    if tried.problem:
        yield Text(visible(from_here(tried.problem)), style="red")
        return
    for warning in tried.warnings.splitlines():
        yield Text(visible(from_here(warning)), style="yellow")
    repeats = Repeats()
    groups = _groups(tried)
    talkative = _first_right_to_print(tried.cases)
    names = _names(tried.cases, together=bool(groups))
    both = ((_any(each), name) for each, name in zip(tried.cases, names, strict=True))
    width = max(len(f"{case.part}  {told}") for case, name in both for told in (case.case, name))
    not_run = Counter(case.part for case in tried.not_run)
    parts = [_any(each).part for each in tried.cases]
    for index, each in enumerate(tried.cases):
        case = _worst(each)[1] if each.wrong else _any(each)
        if not each.wrong:
            if names[index]:
                yield _headed(case.part, names[index], width, "OK", "green")
            if each is talkative:
                yield from _printed(case)
        elif (group := groups.get(case)) is not None:
            line = _headed(case.part, names[index], width, case.verdict.upper(), "red")
            yield line.append(f"  {group.under}")
            yield from _why(case, repeats)
            yield from _printed(case)
            yield Text(f"{INDENT}again: {again(case, group.policy, tried.seed, data)}", style="bold")
            if group.also:
                yield Text(f"{INDENT}also wrong: {_few(group.also)} (the same)")
        if case.part not in parts[index + 1 :] and (left := not_run[case.part]):
            yield Text(f"{INDENT}{left} {'case' if left == 1 else 'cases'} not run: this part hung")
    if tried.not_begun:
        yield Text(f"not begun, since a call hung: {', '.join(tried.not_begun)}")


def _any(each: CaseUnderPolicies) -> Case:
    return next(iter(each.verdicts.values()))


def _first_right_to_print(cases: Sequence[CaseUnderPolicies]) -> CaseUnderPolicies | None:
    """Of the right cases, the one whose output is shown: the first, since the judge has the small ones in front."""
    return next((each for each in cases if not each.wrong and _any(each).printed), None)


def _names(cases: Sequence[CaseUnderPolicies], *, together: bool) -> list[str]:
    """What the line of each case calls it; empty where the line of the next one tells of it, too."""
    talkative = _first_right_to_print(cases)
    names = []
    right = 0  # that no line has told of yet
    for index, each in enumerate(cases):
        right = 0 if each.wrong else right + 1
        both = cases[index : index + 2]
        if together and talkative not in both and _goes_on_alike(both):
            names.append("")
            continue
        names.append(f"{right} cases" if right > 1 and together else _any(each).case)
        right = 0
    return names


def _goes_on_alike(both: Sequence[CaseUnderPolicies]) -> bool:
    """Whether two cases of one part are right."""
    cases = [_any(each) for each in both]
    return len({case.part for case in cases}) < len(cases) and not any(each.wrong for each in both)


def _headed(part: str, told: str, width: int, verdict: str, style: str) -> Text:
    return Text(f"{part}  {told}".ljust(width) + "  ").append(verdict, style=style)


def _groups(tried: Tried) -> dict[Case, _Wrong]:
    """By the case to tell: the first, since the judge has the small ones in front."""
    first: dict[object, _Wrong] = {}
    for each in tried.cases:
        if not each.wrong:
            continue
        policy, case = _worst(each)
        under = _under(each, case, all_begun=not tried.not_begun)
        found = {(finding.code, finding.place) for finding in case.findings}
        kind = (case.part, case.verdict, kind_of(case.message), frozenset(found))
        group = first.setdefault(kind, _Wrong(case, under, policy, frozenset(each.wrong)))
        if group.case is not case:
            # Under which of them the values are right by luck is chance.
            group.also.append(case.case if group.policies == each.wrong.keys() else f"{case.case} {under}")
    return {group.case: group for group in first.values()}


def _worst(each: CaseUnderPolicies) -> tuple[str, Case]:
    """The first policy under which the result itself is wrong, and else the first that found a mistake."""
    wrong = [(policy, case) for policy, case in each.wrong.items() if not case.is_right]
    return next(iter([*wrong, *each.wrong.items()]))


def _under(each: CaseUnderPolicies, told: Case, *, all_begun: bool) -> str:
    """Where the case is wrong as `told` is, and where it is wrong in another way: with other words, not with these."""
    policies: dict[str, list[str]] = {told.verdict: []}
    for policy, case in each.wrong.items():
        policies.setdefault(case.verdict, []).append(policy)
    if all_begun and len(policies[told.verdict]) == len(each.verdicts) > 1:
        return "under every timing policy"
    here, *others = ((verdict, f"under {', '.join(names)}") for verdict, names in policies.items())
    return "; ".join([here[1], *(f"{_verdict(verdict)} {names}" for verdict, names in others)])


def _verdict(verdict: str) -> str:
    return f"{verdict.upper()} ({MEANING[verdict]})" if verdict == "hazard" else verdict.upper()


def _few(names: list[str]) -> str:
    more = len(names) - MOST_NAMES
    shown = "; ".join(names[:MOST_NAMES]) if any("," in name for name in names) else ", ".join(names[:MOST_NAMES])
    return f"{shown} and {more} more" if more > 0 else shown


def _why(case: Case, repeats: Repeats) -> Iterator[Text]:
    for message in repeats.message(case.message):
        yield Text(INDENT + visible(message))
    yield from (Text(INDENT).append_text(line) for line in repeats.findings(case.findings))


def _printed(case: Case) -> Iterator[Text]:
    if case.printed:
        yield Text(f"{INDENT}it printed:")
        yield from (Text(f"{INDENT}  {visible(line)}") for line in case.printed.splitlines())


def again(case: Case, policy: str, seed: int, data: str | None) -> str:
    """The command that runs this one case, or all of its part, once more on the emulator, with the same inputs."""
    given = {"PART": case.part} | ({} if is_of_all_cases(case.case) else {"CASE": case.case})
    given |= {"POLICY": policy, "SEED": str(seed)}
    given |= {"DATA": data} if data is not None else {}
    return " ".join(["make", *(f"{name}={shlex.quote(value)}" for name, value in given.items())])
