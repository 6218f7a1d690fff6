"""Which of the decisions hold, and what platforms say by them of when something was handed in."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from staff.term.store import Decision

# By the person and the lab: when the platform's table, or Canvas, says that the person's own was handed in.
PlatformsTimes = Mapping[tuple[str, str], datetime]


def in_force(decisions: Sequence[Decision]) -> list[Decision]:
    """Those that nobody has withdrawn since."""
    kept: list[Decision] = []
    for decision in decisions:
        if decision.kind == "withdraw":
            kept = [one for one in kept if one.kind != decision.value]
        else:
            kept.append(decision)
    return kept


def all_in_force(decisions: Iterable[Decision]) -> dict[tuple[str, str], list[Decision]]:
    """Those that hold, by the person and the lab."""
    decided: dict[tuple[str, str], list[Decision]] = {}
    for one in decisions:
        decided.setdefault((one.person, one.lab), []).append(one)
    return {key: in_force(those) for key, those in decided.items()}


def platforms_times(decided: Mapping[tuple[str, str], Sequence[Decision]]) -> PlatformsTimes:
    """Of decisions that hold, what is said last."""
    said = {key: [one.value for one in those if one.is_platforms_time] for key, those in decided.items()}
    return {key: datetime.fromisoformat(times[-1]) for key, times in said.items() if times}
