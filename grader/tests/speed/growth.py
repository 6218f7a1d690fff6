"""How the emulator's time grows with what a kernel does: `make bench-growth`.

Each row is a kernel with and without the checker. What is printed beside the time is that of one CTA, by that of one in
the row before: 1 where the cost is linear. Where all CTAs of a grid meet under the checker, each learns of each, so a
CTA costs as many times more as there are more of them.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from bench import emulate
from rich.console import Console
from rich.table import Table

RUNS = 3
CASES = {
    "work": ("CTAs one after another", (100, 1_000, 10_000)),
    "meet": ("CTAs that wait for each other, all resident", (11, 132, 1_056)),
    "race": ("CTAs with a race each, found at one line", (100, 1_000, 10_000)),
}
# So much more may a CTA cost than in the row before: caches hold fewer of them.
MOST = 2


@dataclass(frozen=True)
class Row:
    what: str
    ctas: int
    check: str
    seconds: float
    growth: float | None  # of a CTA's time
    more: float = 1  # times as many CTAs as in the row before

    @property
    def met(self) -> bool:
        meets_all = self.check == "on" and self.what == CASES["meet"][0]
        return self.growth is None or self.growth <= MOST * (self.more if meets_all else 1)


def seconds(case: str, ctas: int, check: str) -> float:
    outputs = (emulate("growth", case, str(ctas), threads=1, check=check, tells=False)[0] for _ in range(RUNS))
    return min(float(json.loads(output)["cpu_seconds"]) for output in outputs)


def rows() -> Iterator[Row]:
    for case, (what, sizes) in CASES.items():
        for check in ("off", "on"):
            before: tuple[int, float] | None = None
            for ctas in sizes:
                each = seconds(case, ctas, check) / ctas
                if before is None:
                    yield Row(what, ctas, check, each * ctas, None)
                else:
                    yield Row(what, ctas, check, each * ctas, each / before[1], ctas / before[0])
                before = ctas, each


def main() -> None:
    table = Table("what", "CTAs", "checks", "s", "a CTA, by the row before", title="How the emulator's time grows")
    for column in (1, 3, 4):
        table.columns[column].justify = "right"
    all_met = True
    with Console().status("measuring"):
        for row in rows():
            growth = "" if row.growth is None else f"{row.growth:.2f}"
            table.add_row(row.what, f"{row.ctas:,}", row.check, f"{row.seconds:.3f}", growth)
            all_met = all_met and row.met
    Console().print(table)
    sys.exit(0 if all_met else 1)


if __name__ == "__main__":
    main()
