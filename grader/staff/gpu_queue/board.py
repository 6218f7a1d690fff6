"""The board: each nickname's best bandwidth of a lab, of those who want to be on it."""

from collections.abc import Iterable

from staff.gpu_queue.history import Entry


def board_text(entries: Iterable[Entry]) -> str:
    """A table a lab, the fastest first. A nickname is of who took it first; under another's nobody is shown."""
    owners: dict[str, str] = {}
    best: dict[str, dict[str, Entry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.accepted):
        if not entry.nickname or entry.fraction is None:
            continue
        if owners.setdefault(entry.nickname, entry.student) != entry.student:
            continue
        known = best.setdefault(entry.lab, {}).get(entry.nickname)
        if known is None or entry.fraction > (known.fraction or 0):
            best[entry.lab][entry.nickname] = entry
    lines = ["# Board", ""]
    for lab, rows in sorted(best.items()):
        lines += [f"## {lab}", "", "| nickname | bandwidth | of what the lab compares with |", "|---|---|---|"]
        ranked = sorted(rows.values(), key=lambda entry: (-(entry.fraction or 0), entry.accepted))
        lines += [f"| {one.nickname} | {one.figure} | {one.fraction:.3f} |" for one in ranked]
        lines.append("")
    return "\n".join(lines)
