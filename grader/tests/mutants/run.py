"""make mutants: changes one synchronization at a time in kernels that are right, and asks what finds it.

What is known is kept in build/mutants, so that it goes on where it was stopped. From it are written mutants.md, with
the counts of each source whose mutants are all known of today's emulator, and build/mutants/mutants.md, with every
mutant, whichever emulator tried it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MUTANTS = Path(__file__).parent
sys.path[:0] = [str(MUTANTS), str(MUTANTS.parents[1])]

from batches import batches  # noqa: E402
from kernels import changed, kernels, names_of_kernels  # noqa: E402
from mutations import Mutant, applied  # noqa: E402
from report import COUNTS, EACH, Row, counted, counts_page, each_page  # noqa: E402
from results import Result, Results, digest, digest_of_emulator  # noqa: E402
from reviewed import read_reviewed  # noqa: E402
from source_text import blanked  # noqa: E402
from targets import HAZARDS, NotCompiled, NotRun, Ran, Target, all_targets  # noqa: E402

from tmagrade.basics.paths import HERE  # noqa: E402

# The last one also starts the warps in another order: which answer a poll gets may hang on that.
ENGINES = ("late", "early", "random:3")
WORK = HERE.build / "mutants/work"


class Work:
    """The mutants of one source."""

    def __init__(self, target: Target, emulator: str, keeps: frozenset[str]) -> None:
        self.target = target
        self.mutants = target.source.mutants()
        self.results = Results(target.name, emulator, keeps)
        headers = sorted([*HAZARDS.glob("*.h"), *HERE.labs.glob("common/**/*.cuh"), MUTANTS / "weaker.cuh"])
        self.headers = digest(*(blanked(header.read_text(encoding="utf-8")) for header in headers))
        self.names = {
            region.name: names_of_kernels(target.source.code[region.begin : region.end])
            for region in target.source.regions
        }
        self.base: dict[str, str] = {}

    def key(self, mutant: Mutant) -> str:
        return digest(applied(self.target.text, list(mutant.edits)), self.headers)

    def open_ones(self) -> list[Mutant]:
        return [mutant for mutant in self.mutants if self.results.get(self.key(mutant)) is None]

    def is_of_this_emulator(self) -> bool:
        return all(self.results.is_of_this_emulator(self.key(mutant)) for mutant in self.mutants)

    def prepare(self) -> None:
        """The source as it is: nothing may be found in it."""
        with tempfile.TemporaryDirectory(dir=WORK) as folder:
            self.target.compile(self.target.text, Path(folder))
            self.base = kernels(Path(folder))
            for engine in ENGINES:
                ran = self.target.run(Path(folder), "", engine)
                if ran.verdict != "survives":
                    print(f"{self.target.name} as it is: {ran}", flush=True)

    def try_batch(self, batch: list[Mutant]) -> None:
        with tempfile.TemporaryDirectory(dir=WORK) as folder:
            edits = [edit for mutant in batch for edit in mutant.edits]
            try:
                self.target.compile(applied(self.target.text, edits), Path(folder))
            except NotCompiled as error:
                if len(batch) == 1:
                    self.results.put(self.key(batch[0]), Result("no program", said=str(error)[:200]))
                    return
            else:
                compiled = kernels(Path(folder))
                for mutant in batch:
                    try:
                        self.results.put(self.key(mutant), self._try_one(mutant, compiled, Path(folder)))
                    except NotRun as fault:  # it stays open for another time
                        print(f"{self.target.name}: {mutant.name}: not run: {fault}", flush=True)
                return
        middle = len(batch) // 2
        self.try_batch(batch[:middle])
        self.try_batch(batch[middle:])

    def _try_one(self, mutant: Mutant, compiled: dict[str, str], folder: Path) -> Result:
        if not changed(self.base, compiled, self.names.get(mutant.region, set())):
            return Result("no program", said="the same PTX")
        ran = Ran("survives")
        for engine in ENGINES:
            ran = self.target.run(folder, mutant.region, engine)
            if ran.verdict != "survives":
                return Result(ran.verdict, ran.codes, ran.said, engine)
        return Result(ran.verdict, ran.codes, ran.said)

    def rows(self) -> list[Row]:
        found = ((mutant, self.results.get(self.key(mutant))) for mutant in self.mutants)
        return [Row(mutant, result) for mutant, result in found if result is not None]


def work_through(work: Work, jobs: int, until: float) -> None:
    pending = list(batches(work.open_ones()))
    count = sum(map(len, pending))
    if not pending or time.monotonic() > until:
        return
    work.prepare()
    begin = time.monotonic()
    done = 0

    def one(batch: list[Mutant]) -> int:
        if time.monotonic() > until:
            return 0
        work.try_batch(batch)
        return len(batch)

    with ThreadPoolExecutor(jobs) as pool:
        for finished in pool.map(one, pending):
            done += finished
            work.results.save()
            seconds = time.monotonic() - begin
            print(f"{work.target.name}: {done}/{count} mutants, {seconds:.0f} s", end="\r", flush=True)
    told = Counter(row.result.verdict for row in work.rows())
    print("; " + ", ".join(f"{number} {verdict}" for verdict, number in told.most_common()), flush=True)


def wanted(target: Target, labs: str, programs: str) -> bool:
    """LABS and PROGRAMS are beginnings of names; if only one is given, the others are left out."""
    is_lab = target.name.startswith("solutions/")
    names = [name for name in (labs if is_lab else programs).split(",") if name]
    if names:
        return any(target.path.stem == name or (not is_lab and target.path.stem.startswith(name)) for name in names)
    return not labs and not programs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labs", default="", help="lab3,lab6")
    parser.add_argument("--programs", default="", help="missing-proxy-fence,read-before-wait")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=24 * 60, help="start nothing after so many")
    parser.add_argument("--keep", default="", help="verdicts of an earlier emulator that still count: found,fails")
    parser.add_argument("--only-report", action="store_true", help="run nothing")
    chosen = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + 60 * chosen.minutes
    emulator = digest(digest_of_emulator(), *ENGINES)
    everything = frozenset(["found", "fails", "hangs", "survives"])
    keeps = frozenset(chosen.keep.split(",")) if not chosen.only_report else everything
    for target in all_targets():
        if wanted(target, chosen.labs, chosen.programs) and not chosen.only_report:
            work_through(Work(target, emulator, keeps), chosen.jobs, until)
    works = [Work(target, emulator, everything) for target in all_targets()]
    write_pages(works)
    told = Counter(row.result.verdict for work in works for row in work.rows())
    print(f"{EACH.relative_to(HERE.root)}: " + ", ".join(f"{number} {verdict}" for verdict, number in told.items()))


def write_pages(works: Sequence[Work]) -> None:
    reviewed = read_reviewed()
    rows = {work.target.name: work.rows() for work in works}
    fresh = {
        work.target.name: counted(rows[work.target.name], reviewed) for work in works if work.is_of_this_emulator()
    }
    EACH.write_text(each_page([row for of_source in rows.values() for row in of_source], reviewed), encoding="utf-8")
    before = COUNTS.read_text(encoding="utf-8")
    COUNTS.write_text(counts_page(fresh, [*rows], before), encoding="utf-8")


if __name__ == "__main__":
    main()
