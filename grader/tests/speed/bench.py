"""Prints how fast the emulator is beside what it must reach: `make bench-emulator`.

Rates are per core: of the processor's time that one host thread takes, so that what else the machine
does counts little; only the rows in seconds and milliseconds are of the clock. Instructions are counted
by the emulator. Bytes moved are bytes read + bytes written. The hazard checker is off but in the rows that say so.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from labs import costs
from rich.console import Console
from rich.table import Table
from rich.text import Text

BUILD = Path(__file__).parents[3] / "build"
TMAEMU = BUILD / "bin/tmaemu"
PROGRAMS = BUILD / "tests/speed"
RUNS = 9


@dataclass(frozen=True)
class Row:
    what: str
    measured: float
    target: float
    unit: str
    less_is_better: bool = False

    @property
    def met(self) -> bool:
        return self.measured <= self.target if self.less_is_better else self.measured >= self.target


@dataclass(frozen=True)
class Run:
    """One case of the program `speed`: the launch that took least."""

    seconds: float
    cpu_seconds: float
    instructions: int
    bytes: int
    products: int  # of tensor cores
    peak_bytes: int  # of the whole process


def emulate(*command: str, threads: int, check: str = "off", tells: bool = True) -> tuple[str, int]:
    """What a program prints under the emulator, and the most memory it had. `tells`: what is found, on stderr."""
    environment = {**os.environ, "TMAEMU_THREADS": str(threads), "TMAEMU_CHECK": check}
    process = subprocess.Popen(
        [TMAEMU, PROGRAMS / command[0], *command[1:]],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=None if tells else subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"bench-emulator: {' '.join(command)} failed")
    return output, usage.ru_maxrss * 1024


def run(case: str, threads: int = 1, runs: int = RUNS, check: str = "off") -> Run:
    output, peak_bytes = emulate("speed", case, str(runs), threads=threads, check=check)
    return Run(**json.loads(output), peak_bytes=peak_bytes)


def instructions(what: str, case: str, target: float) -> Row:
    measured = run(case)
    return Row(what, measured.instructions / measured.cpu_seconds / 1e9, target, "G thread-instructions/s")


def products(what: str, case: str, target: float, check: str = "off") -> Row:
    measured = run(case, check=check)
    return Row(what, measured.products / measured.cpu_seconds / 1e9, target, "G multiply-adds/s")


def bandwidth(what: str, case: str, target: float) -> Row:
    measured = run(case)
    return Row(what, measured.bytes / measured.cpu_seconds / 1e9, target, "GB/s moved")


def measure_products(case: str, threads: int = 1, runs: int = 3, check: str = "off") -> dict[str, float]:
    """One case of the program `products`: multiply-adds, and what the launch that took least took."""
    output, _ = emulate("products", case, str(runs), threads=threads, check=check)
    measured: dict[str, float] = json.loads(output)
    return measured


def product_rate(what: str, target: float, check: str) -> Row:
    measured = measure_products("alone", check=check)
    return Row(what, measured["products"] / measured["cpu_seconds"] / 1e9, target, "G multiply-adds/s")


def checked_product(what: str, case: str, target: float) -> Row:
    return Row(what, measure_products(case, threads=2, runs=1, check="on")["seconds"], target, "s", True)


def scaling(what: str, case: str) -> Row:
    """What two host threads gain. They take the same work from one queue until it is empty, so they end
    together, and the gain is 2 but for what sharing costs them: more of the processors' time in all."""
    one = min(run(case, threads=1).cpu_seconds for _ in range(3))
    two = min(run(case, threads=2).cpu_seconds for _ in range(3))
    return Row(what, 2 * one / two, 1.8, "times as fast")


def checked_labs() -> Iterator[Row]:
    """What the hazard checker costs where students meet it: in the labs' tests, of the solutions."""
    by_lab = costs()
    off, on = (sum(pair[i].cpu_seconds for pair in by_lab.values()) for i in (0, 1))
    yield Row("checked, by unchecked: the tests of all labs", on / off, 3, "times", True)
    slowest = max(by_lab, key=lambda lab: by_lab[lab][1].seconds)
    yield Row(f"checked: the slowest lab's tests, {slowest}", by_lab[slowest][1].seconds, 20, "s", True)


def checked(what: str, case: str, target: float = 3) -> Row:
    """The same of one kernel: the processor's time with the checker, by that without it in the same minute. Kernels
    that do nothing but move bytes are the worst case."""
    return checked_by(what, target, lambda check: run(case, check=check, runs=3).cpu_seconds)


def checked_by(what: str, target: float, seconds: Callable[[str], float]) -> Row:
    least = min(seconds("on") / seconds("off") for _ in range(3))
    return Row(f"checked, by unchecked: {what}", least, target, "times", True)


def by_bound(what: str, case: str, target: float) -> Row:
    """The emulator's time by that of the same kernel as loops that a compiler has made, in the same minute."""

    def bound() -> float:
        output = subprocess.run([PROGRAMS / "bound", case, "5"], check=True, stdout=subprocess.PIPE, text=True).stdout
        return float(json.loads(output)["cpu_seconds"])

    least = min(run(case, runs=3).cpu_seconds / bound() for _ in range(3))
    return Row(f"unchecked, by a compiler's loops: {what}", least, target, "times", True)


def start_up() -> Row:
    def once() -> float:
        start = time.perf_counter()
        emulate("nothing", threads=2)
        return 1e3 * (time.perf_counter() - start)

    return Row("start, launch of an empty kernel, end", min(once() for _ in range(RUNS)), 50, "ms", True)


def rows() -> Iterator[Row]:
    yield instructions("loop of FMAs", "fma", 2.0)
    yield instructions("vector copy, 16 bytes a thread", "vectors", 0.8)
    yield instructions("transpose through shared memory", "transpose", 0.5)
    yield products("mma.sync m16n8k16 of f16", "mma", 2.0)
    yield bandwidth("TMA copy in tiles of 512 bytes", "tiles-512", 2.0)
    yield bandwidth("TMA copy in tiles of 4 KiB", "tiles-4096", 2.0)
    yield bandwidth("TMA copy in tiles of 16 KiB", "tiles-16384", 2.0)
    yield scaling("two cores: loop of FMAs", "fma-long")
    yield scaling("two cores: vector copy", "vectors")
    yield scaling("two cores: TMA copy in tiles of 512 bytes", "tiles-512")
    yield product_rate("wgmma m64n256k16 of bf16", 5.0, "off")
    yield product_rate("checked: wgmma m64n256k16 of bf16", 3.0, "on")
    yield checked_product("checked: 1024 x 1024 x 1024 by TMA and wgmma, on two cores", "square", 4)
    yield checked_product("checked: 4096 x 4096 x 64 by TMA and wgmma, on two cores", "flat", 5)
    yield start_up()
    vectors = run("many-vectors", threads=2, runs=1)
    yield Row("1.38 GB copied by vectors, on two cores", vectors.seconds, 6, "s", True)
    tiles = run("many-tiles", threads=2, runs=1)
    yield Row("1.38 GB copied by TMA in tiles of 512 bytes, on two cores", tiles.seconds, 10, "s", True)
    beyond = (tiles.peak_bytes - tiles.bytes) / 1e6
    yield Row("memory that this takes beyond the two arrays", beyond, 256, "MB", True)
    yield by_bound("one lane counts", "alone", 12)
    yield by_bound("Collatz, each thread a number", "collatz", 6)
    yield by_bound("copy of words in a loop", "words", 4)
    yield by_bound("sums in shared memory", "sums", 20)
    yield from checked_labs()
    yield checked("one lane counts", "alone")
    yield checked("Collatz, each thread a number", "collatz")
    yield checked("vector copy, 16 bytes a thread", "vectors")
    yield checked("copy of words in a loop", "words")
    yield checked("sums in shared memory", "sums")
    yield checked("plain matrix product: inputs that nobody writes", "reference", target=4)
    yield checked_by("wgmma m64n8k16 of bf16", 3, lambda check: measure_products("small", check=check)["cpu_seconds"])
    yield checked("transpose through shared memory", "transpose", target=10)
    yield checked("TMA copy in tiles of 512 bytes", "tiles-512", target=10)
    yield checked("TMA copy in tiles of 4 KiB", "tiles-4096", target=10)
    watched = run("many-vectors", threads=2, runs=1, check="on")
    shadow = (watched.peak_bytes - vectors.peak_bytes) / vectors.bytes
    yield Row("memory of the checker, by byte of global memory touched", shadow, 2, "bytes", True)


def main() -> None:
    table = Table("what", "measured", "target", "", title="Speed of the emulator; rates are per core")
    table.columns[1].justify = "right"
    table.columns[2].justify = "right"
    console = Console()
    all_met = True
    with console.status("measuring"):
        for row in rows():
            target = f"{'≤' if row.less_is_better else '≥'} {row.target:g} {row.unit}"
            verdict = Text("met", "green") if row.met else Text("not met", "red")
            table.add_row(row.what, f"{row.measured:.3g}", target, verdict)
            all_met = all_met and row.met
    console.print(table)
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > cores + 1:
        console.print(
            f"The machine has other work (load {load:.1f} on {cores} cores): the rows in s and ms say little."
        )
    sys.exit(0 if all_met else 1)


if __name__ == "__main__":
    main()
