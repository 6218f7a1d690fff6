"""Why points are missing: what is said of each group of cases that lost some, and the same of several but once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tmagrade.findings.finding import Finding, Place
from tmagrade.judging.verdicts import Case


@dataclass(frozen=True)
class Reason:
    """Why some of a part's points are missing."""

    message: str
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Lost:
    """A group of cases that has lost its points."""

    name: str  # empty where it is all of the part's cases
    case: Case  # that decides
    findings: tuple[Finding, ...] = ()  # in any of its cases


Mistake = tuple[str, Place | None]


def reasons_of(lost: Sequence[Lost]) -> tuple[Reason, ...]:
    """In the order given. Groups in which the same went wrong have one reason together."""
    alike: dict[object, list[Lost]] = {}
    for one in lost:
        alike.setdefault(_kind(one), []).append(one)
    told: set[Mistake] = set()
    return tuple(_reason(groups, told) for groups in alike.values())


def all_findings(cases: Iterable[Case]) -> tuple[Finding, ...]:
    """What was found in the cases, each mistake once."""
    return tuple(_first_of_each(finding for case in cases for finding in case.findings))


def _kind(lost: Lost) -> object:
    mistakes = frozenset(map(_mistake, lost.findings))
    return (lost.case.verdict, mistakes or lost.case.message)


def _reason(groups: Sequence[Lost], told: set[Mistake]) -> Reason:
    first = groups[0]
    names = ", ".join(group.name for group in groups if group.name)
    # That something is missing is said of a part, whichever of its cases was tried.
    case = "" if first.case.verdict == "missing" else f"{first.case.case}: "
    message = f"{names + ': ' if names else ''}{case}{first.case.message}"
    fresh = tuple(finding for finding in first.findings if _mistake(finding) not in told)
    if above := dict.fromkeys(finding.code for finding in first.findings if _mistake(finding) in told):
        message += f"\nfound here, too, as above: {', '.join(above)}"
    told.update(map(_mistake, fresh))
    return Reason(message, fresh)


def _first_of_each(findings: Iterable[Finding]) -> Iterator[Finding]:
    known: set[Mistake] = set()
    for finding in findings:
        if _mistake(finding) not in known:
            known.add(_mistake(finding))
            yield finding


def _mistake(finding: Finding) -> Mistake:
    return finding.code, finding.place
