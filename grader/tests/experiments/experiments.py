"""make experiments: what an sm_90 GPU does where a proxy fence, or a wait at the end, is left out.

experiments.py                    runs the programs on this machine's GPU, and writes what they count and the page
experiments.py --counted FILE     the same with what the programs printed on another machine, a line each
experiments.py --from-json        writes the page again, and runs nothing
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "build/tests/experiments"
DATA = Path(__file__).parent / "gpu.json"
PAGE = ROOT / "handout/reference/experiments.md"
SECONDS = 120  # a program takes a few

HEAD = """\
# What a GPU does without the fence, or the wait

<!-- BEGIN INSTRUCTORS -->
Written by `make experiments`, from `grader/tests/experiments`.
<!-- END INSTRUCTORS -->

Each row is a kernel that runs on
every SM at once, and the share of the words it checked that were wrong. GPU: {gpu}.

- **At the end**: a CTA ends while a bulk copy still reads its shared memory, or is to write there. An H200 starts no
  other CTA in that memory before the copy is done. PTX does not promise it.
- **Hand-over**: how the threads tell the issuing thread that they are done: all of them arrive on an mbarrier that it
  waits for, or they meet at a barrier. Either orders them. None of them is a proxy fence.
- **No barrier**: the warps that multiply have not met after the writes. An H200 multiplies once all four warps of the
  warpgroup have come to the product. PTX has each warp wait for its own lanes alone.
- The **control** has a mistake that must show: the hand-over comes before the accesses. If it counted nothing, the
  experiment would have seen nothing.
- 0 means that none of the words was wrong, not that none can be: what PTX does not promise may change with a compiler,
  a driver or a chip. The [rule](../guide/proxies.md) is the same in every row.
"""


@dataclass(frozen=True)
class Counted:
    """What one kernel has counted, in all of its launches."""

    experiment: str
    case: str
    is_control: bool
    wrong: int
    of: int
    hangs: int


@dataclass(frozen=True)
class Measured:
    gpu: str
    counted: list[Counted]


class NothingSeenError(Exception):
    """A control in which nothing was wrong, or a kernel that gave up waiting."""


def check(counted: Iterable[Counted]) -> None:
    """Raises what makes the others worthless."""
    for each in counted:
        if each.is_control and each.wrong == 0:
            raise NothingSeenError(
                f"{each.experiment}: the control ({each.case}) shows nothing, so neither do the others"
            )
        if each.hangs or each.of == 0:
            raise NothingSeenError(
                f"{each.experiment}: {each.case}: gave up {each.hangs} waits, checked {each.of} words"
            )


def read(lines: Iterable[str]) -> list[Counted]:
    return [Counted(**json.loads(line)) for line in lines if line.startswith("{")]


def run() -> Measured:
    """Runs each program on this machine's GPU."""
    name = subprocess.run(
        ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], check=True, capture_output=True, text=True
    )
    counted: list[Counted] = []
    for program in sorted(path for path in PROGRAMS.iterdir() if path.is_file()):
        print(f"{program.name} ...", flush=True)
        ran = subprocess.run([program], check=True, capture_output=True, text=True, timeout=SECONDS)
        counted += read(ran.stdout.splitlines())
    return Measured(name.stdout.splitlines()[0].strip(), counted)


def share(counted: Counted) -> str:
    """As a reader takes it in: 45%, 0.2%, 1 in 400 000, 0."""
    if counted.wrong == 0:
        return "0"
    ratio = counted.wrong / counted.of
    if ratio >= 0.995:
        return "100%"
    if ratio >= 0.001:
        return f"{100 * ratio:.2g}%"
    return f"1 in {counted.of // counted.wrong:,}".replace(",", " ")


def page(measured: Measured) -> str:
    parts = [HEAD.format(gpu=measured.gpu)]
    for experiment, cases in groupby(measured.counted, key=lambda each: each.experiment):
        parts.append(f"## {experiment}\n\n| case | wrong |\n|---|---|")
        for case in cases:
            name = f"control: {case.case}" if case.is_control else case.case
            parts[-1] += f"\n| {name} | {share(case)} |"
        parts[-1] += "\n"
    return "\n".join(parts)


def load() -> Measured:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    return Measured(data["gpu"], [Counted(**each) for each in data["counted"]])


def save(measured: Measured) -> None:
    lines = ",\n".join("  " + json.dumps(asdict(each)) for each in measured.counted)
    DATA.write_text(f'{{"gpu": {json.dumps(measured.gpu)}, "counted": [\n{lines}\n]}}\n', encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counted", type=Path, metavar="FILE", help="what the programs printed on another machine")
    parser.add_argument("--gpu", default="", help="the GPU of that machine")
    parser.add_argument("--from-json", action="store_true", help="write the page again")
    given = parser.parse_args(arguments)
    if not given.from_json:
        try:
            if given.counted:
                measured = Measured(given.gpu, read(given.counted.read_text(encoding="utf-8").splitlines()))
            else:
                measured = run()
            check(measured.counted)
        except FileNotFoundError as missing:
            print(f"make experiments needs an sm_90 GPU and its driver: {missing}", file=sys.stderr)
            return 2
        except (NothingSeenError, subprocess.SubprocessError) as wrong:
            print(f"make experiments: {wrong}", file=sys.stderr)
            return 1
        save(measured)
    PAGE.write_text(page(load()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
