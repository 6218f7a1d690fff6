"""mutants.md: what became of each mutant, and those that nothing finds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mutations import Mutant
from results import Result
from reviewed import Reviewed

PAGE = Path(__file__).parent / "mutants.md"
VERDICTS = ("found", "fails", "hangs", "survives")
NOT_REVIEWED = "NOT REVIEWED"

HEAD = """# Mutants

Each is a kernel that was right until one call was dropped, moved, weakened, doubled or given the next index.
`make mutants` makes and runs them, and writes this page.

| verdict | |
|---|---|
| found | the emulator names a mistake: code and line |
| fails | no finding, but a wrong answer, or a fault |
| hangs | no finding, and no end |
| survives | no finding, and the right answer under `late`, `early` and `random:3` |
"""


@dataclass(frozen=True)
class Row:
    mutant: Mutant
    result: Result


def reason_for(row: Row, reviewed: Sequence[Reviewed]) -> str:
    mutant = row.mutant
    return next((r.reason for r in reviewed if r.fits(mutant.source, mutant.kind, mutant.name)), NOT_REVIEWED)


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def page(rows: Sequence[Row], reviewed: Sequence[Reviewed]) -> str:
    by_source: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.result.verdict != "no program":
            by_source[row.mutant.source].append(row)
    lines = [HEAD, "## Counts", "", "| source | mutants | found | fails | hangs | survives | not reviewed |"]
    lines.append("|---|---|---|---|---|---|---|")
    totals: Counter[str] = Counter()
    for source, of_source in by_source.items():
        counts = counted(of_source, reviewed)
        totals += counts
        lines.append(counts_row(source, counts))
    lines += [counts_row("all", totals), "", "## Survivors", ""]
    for source, of_source in by_source.items():
        survivors = [row for row in of_source if row.result.verdict == "survives"]
        if survivors:
            lines += [f"### {source}", "", "| mutation | why it is right |", "|---|---|"]
            lines += [f"| {cell(row.mutant.name)} | {cell(reason_for(row, reviewed))} |" for row in survivors] + [""]
    lines += ["## All", ""]
    for source, of_source in by_source.items():
        lines += [f"### {source}", "", "| mutation | verdict | by |", "|---|---|---|"]
        for row in of_source:
            by = ", ".join(row.result.codes) or row.result.said
            engine = "" if row.result.engine in ("", "late") else f" ({row.result.engine})"
            lines.append(f"| {cell(row.mutant.name)} | {row.result.verdict}{engine} | {cell(by)} |")
        lines.append("")
    return "\n".join(lines)


def counted(rows: Sequence[Row], reviewed: Sequence[Reviewed]) -> Counter[str]:
    counts = Counter(row.result.verdict for row in rows)
    survivors = (row for row in rows if row.result.verdict == "survives")
    counts[NOT_REVIEWED] = sum(reason_for(row, reviewed) == NOT_REVIEWED for row in survivors)
    counts["mutants"] = len(rows)
    return counts


def counts_row(name: str, counts: Counter[str]) -> str:
    numbers = [counts["mutants"], *(counts[verdict] for verdict in VERDICTS), counts[NOT_REVIEWED]]
    return f"| {name} | " + " | ".join(map(str, numbers)) + " |"
