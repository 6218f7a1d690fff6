"""`make bench`: measures the solutions and their peers on this machine's sm_90 GPU and prints what they reach.

Each program build/bench/<lab> races a lab's solution against its peers; beside it, solutions/bench/<lab>.py
measures peers that are Python's, where there is a python3 with torch. Both print lines of five fields between
tabs: lab, case, role, name, figure. The roles are `target` (whose name says what the solution is measured against,
and whose figure is the fraction of it to reach), `unit` (whose name it is), `roofline`, `solution`, `rung` and `peer`
(whose figures are in that unit, or GB/s where none is named). A case may have several targets; the table's fractions
are of the first one's. A case of rungs is a ladder: the steps to a solution, in the order in which they are climbed,
and then the best peer.

`--ladder --write` measures the ladders alone and writes what they reached to solutions/ladders/<lab>.<gpu>.json and,
from there, to the lab's chapter.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILT = HERE.parents[1] / "build" / "bench"
LADDERS = HERE.parent / "ladders"
WITH_LADDER = {"lab12-matmul"}  # whose programs take the word `ladder`
BEST_PEER = "best peer"


@dataclass
class Race:
    """What was measured of one case of one lab."""

    lab: str
    case: str
    targets: list[tuple[str, float]] = field(default_factory=list)  # against what, and which fraction of it
    unit: str = "GB/s"
    rooflines: list[float] = field(default_factory=list)
    solutions: dict[str, float] = field(default_factory=dict)
    rungs: dict[str, float] = field(default_factory=dict)
    peers: dict[str, float] = field(default_factory=dict)

    def reference(self, against: str) -> float:
        return max(self.peers.values()) if against == BEST_PEER else max(self.rooflines)

    def verdict(self, against: str, fraction: float) -> str:
        """Of one target, which is the first solution's."""
        reached = next(iter(self.solutions.values())) / self.reference(against)
        verdict = "reached" if reached >= fraction else f"missed by {fraction - reached:.3f}"
        return f"Target: {fraction:.2f} × the {against}; the solution has {reached:.3f} ({verdict})."

    def lines(self) -> list[str]:
        """A table in Markdown: the best first, everything as a fraction of what it is to be measured against."""
        if self.rungs:
            return self.lines_of_ladder()
        against = self.targets[0][0]
        reference = self.reference(against)
        rows = [(value, f"**{name}**") for name, value in self.solutions.items()]
        rows += [(value, name) for name, value in self.peers.items()]
        if self.rooflines:
            rows.append((max(self.rooflines), "copy roofline"))
        return [
            f"### {self.lab}: {self.case}",
            "",
            *(self.verdict(*target) for target in self.targets),
            "",
            f"| | {self.unit} | of the {against} |",
            "|---|---|---|",
            *(f"| {name} | {value:.0f} | {value / reference:.3f} |" for value, name in sorted(rows, reverse=True)),
            "",
        ]

    def lines_of_ladder(self) -> list[str]:
        """A table in Markdown: the rungs from the lowest, then the best peer."""
        best = max(self.peers, key=self.peers.__getitem__)
        rows = [*self.rungs.items(), (best, self.peers[best])]
        return [
            f"### {self.lab}: {self.case}",
            "",
            f"| | {self.unit} | of the {BEST_PEER} |",
            "|---|---|---|",
            *(f"| {name} | {value:.1f} | {value / self.peers[best]:.3f} |" for name, value in rows),
            "",
        ]


def read(lines: Iterable[str]) -> list[Race]:
    """The races that the programs' lines tell of, in their order."""
    races: dict[tuple[str, str], Race] = {}
    for line in lines:
        lab, case, role, name, figure = line.rstrip("\n").split("\t")
        race = races.setdefault((lab, case), Race(lab, case))
        value = float(figure)
        if role == "target":
            race.targets.append((name, value))
        elif role == "unit":
            race.unit = name
        elif role == "roofline":
            race.rooflines.append(value)
        elif role in ("solution", "rung", "peer"):
            {"solution": race.solutions, "rung": race.rungs, "peer": race.peers}[role][name] = value
        else:
            raise ValueError(f"unknown role {role!r}: {line!r}")
    return list(races.values())


def gpu() -> str | None:
    """Name and driver of this machine's sm_90 GPU."""
    query = ["nvidia-smi", "--query-gpu=compute_cap,name,driver_version", "--format=csv,noheader"]
    try:
        rows = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        return None
    fields = (row.split(", ") for row in rows)
    return next((f"{name}, driver {driver}" for capability, name, driver in fields if capability == "9.0"), None)


def python_with_torch() -> str | None:
    for python in ("python3", sys.executable):
        try:
            subprocess.run([python, "-c", "import torch"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return python
    return None


def measure(wanted: list[str], only_ladders: bool = False) -> list[str]:
    """The lines of every wanted lab's programs."""
    names = sorted(path.stem for path in HERE.glob("lab*.cu"))
    chosen = [name for name in names if not wanted or any(name == w or name.startswith(w + "-") for w in wanted)]
    if not chosen:
        sys.exit(f"bench: no such lab; there are: {' '.join(names)}")
    if only_ladders and not (chosen := [name for name in chosen if name in WITH_LADDER]):
        sys.exit(f"bench: these labs have no ladder to measure; {', '.join(sorted(WITH_LADDER))} has one")
    python = None if only_ladders else python_with_torch()
    if python is None and not only_ladders:
        print("bench: no python3 here has torch, so its peers are left out", file=sys.stderr)
    lines: list[str] = []
    for name in chosen:
        commands = [[str(BUILT / name), *(["ladder"] if only_ladders else [])]]
        if python and (HERE / f"{name}.py").exists():
            commands.append([python, str(HERE / f"{name}.py")])
        for command in commands:
            print(f"bench: {' '.join(command)}", file=sys.stderr)
            lines += subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return lines


def record(races: list[Race], machine: str, date: str) -> list[Path]:
    """Writes what the ladders of `races` reached, a file for each ladder and GPU; these files."""
    written = []
    model = machine.split(",")[0].split()[1].lower()  # "NVIDIA H100 80GB HBM3, driver 580.1": h100
    for race in races:
        if not race.rungs:
            continue
        ladder = {"machine": machine, "date": date, "case": race.case, "unit": race.unit}
        path = LADDERS / f"{race.lab}.{model}.json"
        figures = {"rungs": race.rungs, "peer": race.reference(BEST_PEER)}
        path.write_text(json.dumps({**ladder, **figures}, indent=2) + "\n", encoding="utf-8")
        written.append(path)
    return written


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the solutions and their peers.")
    parser.add_argument("--labs", default="", help="only these, as in lab3,lab6")
    parser.add_argument("--ladder", action="store_true", help="only the ladders: what each step to a solution buys")
    parser.add_argument(
        "--write", action="store_true", help="write the ladders' figures to solutions/ladders and chapters"
    )
    options = parser.parse_args()
    wanted = [name for name in options.labs.split(",") if name]
    machine = gpu()
    if machine is None:
        sys.exit("bench: this machine has no sm_90 GPU, and the emulator's time says nothing about bandwidth")
    races = read(measure(wanted, options.ladder))
    text = "\n".join(line for race in races for line in race.lines())
    date = datetime.date.today()
    heading = f"{date}, {machine}\n"
    (BUILT / "results.md").write_text(f"{heading}\n{text}", encoding="utf-8")
    print(f"{heading}\n{text}")
    if options.write:
        for path in record(races, machine, str(date)):
            print(f"bench: wrote {path}", file=sys.stderr)
        subprocess.run([sys.executable, LADDERS / "speeds.py"], check=True)


if __name__ == "__main__":
    main()
