"""make attacks: hands in every attack beside honest students, has the class graded, and writes the handout's table.

Without a GPU the attacks of emulator/ and crafted.py, with --backend gpu those of gpu/.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE_IN_TESTS = Path(__file__).parent
sys.path[:0] = [str(HERE_IN_TESTS), str(HERE_IN_TESTS.parents[1])]

from attack_table import TABLE, rendered  # noqa: E402
from attacks import HONEST, HONEST_LABS, Attack, deviations, make_class, read_attacks  # noqa: E402
from traces import changes, files_left, processes_left, shared_memory_left, shared_memory_names, state_of  # noqa: E402

from tmagrade.basics.paths import HERE  # noqa: E402
from tmagrade.commands.command_line import LEFT_OUT_STATUS  # noqa: E402

# Kept from run to run, so that an attack is compiled once; see forget_verdicts().
STATE = HERE.build / "attacks"

# tmagrade as it is, save that a compiler gets 20 s of a processor: three attacks use up all they get.
PROGRAM = """
from tmagrade.building import sandbox
from staff.commands.cli import app

sandbox.COMPILER_LIMITS[:] = [word.replace("--cpu=180", "--cpu=20") for word in sandbox.COMPILER_LIMITS]
assert "--cpu=20" in sandbox.COMPILER_LIMITS
app()
"""

# An attack looks for this name in every environment that it can read.
SECRET = {"TMAGRADE_ATTACK_SECRET": "what only the instructor knows"}


@dataclass(frozen=True)
class Outcome:
    status: int  # of the grader
    printed: str
    grades: dict[str, Any]
    output: Path  # the folder of the grades
    left: list[str]  # of files, processes and changes, a line each

    @property
    def is_graded(self) -> bool:
        """Also where what an attack has packed is no hand-in, and the grader says so."""
        return self.status in (0, LEFT_OUT_STATUS)


def grade(attacks: list[Attack], backend: str, state: Path = STATE) -> Outcome:
    handed_in, output = state / "class", state / "grades"
    make_class(handed_in, attacks)
    forget_verdicts(state)
    before, shared_memory = state_of(handed_in), shared_memory_names()
    options = [
        "--submissions",
        str(handed_in),
        "--output",
        str(output),
        "--backend",
        backend,
        "--seeds",
        "0",
        "--labs",
        ",".join(sorted({*HONEST_LABS, *(attack.lab for attack in attacks)})),
    ]
    environment = os.environ | SECRET | {"PYTHONPATH": str(HERE.grader), "TMAGRADE_STATE": str(state)}
    with somebody_listens():
        grader = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "grade", *options],
            cwd=HERE.root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        printed, _ = grader.communicate()
    changed = changes(before, state_of(handed_in))
    shutil.rmtree(handed_in)  # its paths and links trouble every program that walks through build/
    grades = output / "grades.json"
    return Outcome(
        status=grader.returncode,
        printed=printed,
        grades=json.loads(grades.read_text()) if grades.exists() else {"students": []},
        output=output,
        left=[
            *(f"changed: {path}" for path in changed),
            *(
                f"a file was left: {path}"
                for path in files_left(HERE.build / "bin", HERE.build / "lib", state / "libraries")
            ),
            *(f"a process was left: {line}" for line in processes_left(state)),
            *(f"shared memory was left: {path}" for path in shared_memory_left(grader.pid, shared_memory)),
        ],
    )


def forget_verdicts(state: Path) -> None:
    """What was compiled may be used again; what was run is run again."""
    for record in (state / "records").glob("*/*.json"):
        if record.name != "build.json":
            record.unlink()


@contextlib.contextmanager
def somebody_listens() -> Iterator[None]:
    """Whom attacks try to reach, on this machine's network and by a Unix socket without a file."""
    with socket.socket() as network, socket.socket(socket.AF_UNIX) as abstract:
        network.bind(("127.0.0.1", 0))
        network.listen(64)
        with contextlib.suppress(OSError):  # another run of the attacks listens already
            abstract.bind("\0tma-attack-listener")
            abstract.listen(64)
        yield


def wrong(attacks: list[Attack], outcome: Outcome) -> list[str]:
    """All that is not as it should be, a line each."""
    lines = deviations(attacks, outcome.grades) + outcome.left
    if not outcome.is_graded:
        lines.append(f"the grader ended with status {outcome.status}: {outcome.printed[-1500:]}")
    for student in HONEST:
        lines += [f"{student}: {line}" for line in points_lost(outcome.grades, student)]
    return lines


def points_lost(grades: dict[str, Any], student: str) -> list[str]:
    [labs] = [entry["labs"] for entry in grades["students"] if entry["id"] == student] or [[]]
    parts = [part for lab in labs for part in lab["parts"] if part["id"] != "bandwidth"]
    lost = [f"{part['id']} {part['verdict']}: {part['message']}" for part in parts if part["score"] != part["max"]]
    return lost if parts else ["is not among the graded"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", choices=("emulator", "gpu"), default="emulator")
    parser.add_argument("--only", default="", help="these attacks, comma-separated; the table is left alone")
    options = parser.parse_args()
    known = read_attacks()
    chosen = [attack for attack in known if (attack.place == "gpu") == (options.backend == "gpu")]
    if options.only:
        chosen = [attack for attack in chosen if attack.name in options.only.split(",")]
    outcome = grade(chosen, options.backend)
    print(outcome.printed)
    lines = wrong(chosen, outcome)
    print("\n".join(lines) or f"{len(chosen)} attacks, of which none gained a point")
    if not lines and not options.only and options.backend == "emulator":
        TABLE.write_text(rendered(known))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
