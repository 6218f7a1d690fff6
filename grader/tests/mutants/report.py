"""What became of the mutants: their counts in mutants.md, and each of them in build/mutants/mutants.md."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mutations import Mutant
from results import KEPT, Result
from reviewed import Reviewed

COUNTS = Path(__file__).parent / "mutants.md"
EACH = KEPT.parent / "mutants.md"
VERDICTS = ("found", "fails", "hangs", "survives")
NOT_REVIEWED = "NOT REVIEWED"

HEAD = """# Mutants

Each is a kernel that was right until one call was dropped, moved, weakened, doubled or given the next index.
`make mutants` makes and runs them, and writes {written}.

| verdict | |
|---|---|
| found | the emulator names a mistake: code and line |
| fails | no finding, but a wrong answer, or a fault |
| hangs | no finding, and no end |
| survives | no finding, and the right answer under `late`, `early` and `random:3` |
"""
COUNTS_HEAD = (
    HEAD.format(written="this page; what became of each of them it writes to build/mutants/mutants.md")
    + """
Why those that survive are right stands in [right.toml](right.toml).

| source | mutants | found | fails | hangs | survives | not reviewed |
|---|---|---|---|---|---|---|
"""
)
EACH_HEAD = HEAD.format(written="this page")
TOTAL = "all"


@dataclass(frozen=True)
class Row:
    mutant: Mutant
    result: Result


def reason_for(row: Row, reviewed: Sequence[Reviewed]) -> str:
    return next((r.reason for r in reviewed if r.fits(row.mutant)), NOT_REVIEWED)


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def by_source(rows: Sequence[Row]) -> dict[str, list[Row]]:
    of_sources: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.result.verdict != "no program":
            of_sources[row.mutant.source].append(row)
    return of_sources


def counts_page(fresh: Mapping[str, Counter[str]], sources: Sequence[str], before: str) -> str:
    """The counts of the sources, in this order: the fresh ones, and of the other sources what the page had before."""
    counts = {source: fresh.get(source) or _row_of(before, source) for source in sources}
    known = {source: of_source for source, of_source in counts.items() if of_source}
    total: Counter[str] = sum(known.values(), Counter())
    return COUNTS_HEAD + "".join(counts_row(*row) + "\n" for row in (*known.items(), (TOTAL, total)))


def each_page(rows: Sequence[Row], reviewed: Sequence[Reviewed]) -> str:
    """Each mutant: first those that survive, and why they are right."""
    lines = [EACH_HEAD, "## Survivors", ""]
    for source, of_source in by_source(rows).items():
        survivors = [row for row in of_source if row.result.verdict == "survives"]
        if survivors:
            lines += [f"### {source}", "", "| mutation | why it is right |", "|---|---|"]
            lines += [f"| {cell(row.mutant.name)} | {cell(reason_for(row, reviewed))} |" for row in survivors] + [""]
    lines += ["## All", ""]
    for source, of_source in by_source(rows).items():
        lines += [f"### {source}", "", "| mutation | verdict | by |", "|---|---|---|"]
        for row in of_source:
            by = ", ".join(row.result.codes) or row.result.said
            engine = "" if row.result.engine in ("", "late") else f" ({row.result.engine})"
            lines.append(f"| {cell(row.mutant.name)} | {row.result.verdict}{engine} | {cell(by)} |")
        lines.append("")
    return "\n".join(lines)


def counted(rows: Sequence[Row], reviewed: Sequence[Reviewed]) -> Counter[str]:
    """How many mutants of a source are programs, and what became of these."""
    programs = [row for row in rows if row.result.verdict != "no program"]
    counts = Counter(row.result.verdict for row in programs)
    survivors = (row for row in programs if row.result.verdict == "survives")
    counts[NOT_REVIEWED] = sum(reason_for(row, reviewed) == NOT_REVIEWED for row in survivors)
    counts["mutants"] = len(programs)
    return counts


COLUMNS = ("mutants", *VERDICTS, NOT_REVIEWED)


def counts_row(name: str, counts: Counter[str]) -> str:
    return f"| {name} | " + " | ".join(str(counts[column]) for column in COLUMNS) + " |"


def _row_of(page: str, source: str) -> Counter[str]:
    """The counts that a page has of a source; none where it has none."""
    row = re.search(rf"^\| {re.escape(source)} \|(.*)\|$", page, re.MULTILINE)
    return Counter(dict(zip(COLUMNS, map(int, row[1].split("|"))))) if row else Counter()
