"""make hazard-table: which mistakes a GPU shows, compute-sanitizer reports and tmaemu finds.

hazard_table.py                       measures on this machine's sm_90 GPU, runs tmaemu, and writes the page
hazard_table.py --merge A.json ...    the same with what measure.py wrote on other machines
hazard_table.py --emulator            runs tmaemu again, and keeps what was measured
hazard_table.py --from-json           writes the page again, and runs nothing
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "grader")]

import measure  # noqa: E402

from tmagrade.findings.finding import codes  # noqa: E402

DATA = Path(__file__).parent / "h200.json"
PAGE = ROOT / "handout/reference/hazards.md"
INSTRUCTORS = ROOT / "handout/instructors.md"
MEASURED = ROOT / "build/hazards.json"  # until all of it is there
TMAEMU = ROOT / "build/bin/tmaemu"
EMULATOR = "tmaemu"
EMULATOR_SECONDS = 120.0

HEAD = """\
# Which mistakes a GPU shows

<!-- BEGIN INSTRUCTORS -->
Written by `make hazard-table`, from the programs in `grader/tests/hazards`.
<!-- END INSTRUCTORS -->

The rows are about small programs with one mistake each. Every one of them compares its result with what is right.

- **On hardware**: {repeat} runs alone on the GPU, and {repeat} while other kernels read shared memory with bank
  conflicts on every SM (*busy*); the result was wrong at least once, or there was a CUDA error, or the program hung.
- **compute-sanitizer**: one of memcheck, racecheck, initcheck and synccheck reported anything at all, whatever it was.
- **tmaemu**: there is a finding with the code of the mistake. Another code does not count; but an access where
  nothing is mapped is called illegal-address, as on hardware.

{machine}

The programs were written by those who wrote the emulator, so this table says what the emulator is meant to find. It
says nothing about programs that nobody has thought of.
"""

# How the hardware calls some of what the program is about: an access where nothing is mapped, too.
ALSO_CALLED = {"out-of-bounds": "illegal-address"}

NOBODY = "The programs have not been run on a GPU yet: a dash stands for what is not known."


@dataclass(frozen=True)
class Program:
    """A pair of the file `program`: what is known of its mistaken variant, by tool, and of the right one."""

    program: str
    pair: str
    mistaken: dict[str, Any]
    right: dict[str, Any]

    @property
    def code(self) -> str:
        """The mistake that the file is about: its name, up to a dot."""
        return self.program.partition(".")[0]

    @property
    def on_hardware(self) -> bool | None:
        outcomes = [self.mistaken[tool] for tool in measure.ON_HARDWARE if tool in self.mistaken]
        return any(map(measure.is_wrong, outcomes)) if outcomes else None

    @property
    def by_sanitizer(self) -> bool | None:
        told = [reports(self.mistaken, tool) for tool in measure.TOOLS]
        if any(told):
            return True
        return False if is_measured(self.mistaken) and False in told else None

    @property
    def by_emulator(self) -> bool | None:
        codes = self.mistaken.get(EMULATOR)
        return None if codes is None else bool({self.code, ALSO_CALLED.get(self.code)} & {*codes})


def reports(outcomes: dict[str, Any], tool: str) -> bool | None:
    outcome = outcomes.get(tool)
    return None if outcome is None or "failed" in outcome else outcome["reports"] > 0


def is_measured(outcomes: dict[str, Any]) -> bool:
    """Under every tool, even if not every tool runs there."""
    return all(tool in outcomes for tool in measure.TOOLS)


def programs_of(data: dict[str, Any]) -> list[Program]:
    return [
        Program(program, pair, found.get("mistaken", {}), found.get("right", {}))
        for program, pairs in sorted(data["results"].items())
        for pair, found in sorted(pairs.items())
    ]


# The page


def count(answers: list[bool | None]) -> str:
    known = [answer for answer in answers if answer is not None]
    if not known:
        return "–"
    return str(sum(known)) if len(known) == len(answers) else f"{sum(known)} of {len(known)}"


def summary_row(name: str, programs: list[Program]) -> str:
    columns = [
        [each.on_hardware for each in programs],
        [each.by_sanitizer for each in programs],
        [each.by_emulator for each in programs],
    ]
    return f"| {name} | {len(programs)} | " + " | ".join(map(count, columns)) + " |"


def hardware_cell(outcome: dict[str, Any] | None) -> str:
    if outcome is None:
        return "–"
    if outcome.get("hung"):
        return "hangs"
    if "failed" in outcome or outcome["error"]:
        return "CUDA error"
    runs = outcome["ok"] + outcome["wrong"]
    return f"{outcome['wrong']} of {runs} wrong" if outcome["wrong"] else "right"


def hardware_cells(outcomes: dict[str, Any]) -> str:
    """Alone, and on a busy GPU where that shows something else."""
    alone, busy = (hardware_cell(outcomes.get(tool)) for tool in measure.ON_HARDWARE)
    return alone if busy in (alone, "–") else f"{alone}; busy: {busy}"


def sanitizer_cell(outcomes: dict[str, Any]) -> str:
    names = [tool for tool in measure.TOOLS if reports(outcomes, tool)]
    return ", ".join(names) or ("nothing" if is_measured(outcomes) else "–")


def emulator_cell(codes: list[str] | None) -> str:
    return "–" if codes is None else ", ".join(codes) or "nothing"


def program_rows(programs: list[Program]) -> Iterator[str]:
    for each in programs:
        cells = [
            f"{each.program}: {each.pair}",
            hardware_cells(each.mistaken),
            sanitizer_cell(each.mistaken),
            emulator_cell(each.mistaken.get(EMULATOR)),
        ]
        yield "| " + " | ".join(cells) + " |"


def right_rows(programs: list[Program]) -> Iterator[str]:
    """Right programs that somebody blames."""

    def row(name: str, blamed: list[bool | None]) -> str:
        known = [answer for answer in blamed if answer is not None]
        return f"| {name} | {len(known) or '–'} | {sum(known) if known else '–'} |"

    for name, tool in (("on hardware", measure.HARDWARE), ("on busy hardware", measure.BUSY)):
        outcomes = [each.right.get(tool) for each in programs]
        yield row(name, [None if outcome is None else measure.is_wrong(outcome) for outcome in outcomes])
    for tool in measure.TOOLS:
        yield row(tool, [reports(each.right, tool) for each in programs])
    codes = [each.right.get(EMULATOR) for each in programs]
    yield row(EMULATOR, [None if found is None else bool(found) for found in codes])


def machine_text(machine: dict[str, str]) -> str:
    if not machine.get("gpu"):
        return NOBODY
    text = f"The GPU: {machine['gpu']}, driver {machine['driver']}."
    return text + (f" compute-sanitizer {machine['sanitizer']}." if machine["sanitizer"] else "")


def rendered(data: dict[str, Any]) -> str:
    everything = programs_of(data)
    mistakes = [each for each in everything if not each.program.startswith(measure.ALL_RIGHT)]
    codes = sorted({each.code for each in mistakes})
    by_code = [
        summary_row(f"[{code}](../findings/{code}.md)", [each for each in mistakes if each.code == code])
        for code in codes
    ]
    return "\n".join(
        [
            HEAD.format(repeat=data["repeat"], machine=machine_text(data.get("machine", {}))),
            "## By mistake\n",
            "| mistake | programs | wrong on hardware | reported by compute-sanitizer | found by tmaemu |",
            "|---|---|---|---|---|",
            *by_code,
            summary_row("**all**", mistakes),
            "\n## Right programs\n",
            "Each program has a right twin, and some have no mistake at all. *Blamed* are those that were wrong or of",
            "which something was reported.\n",
            "| who | right programs | blamed |",
            "|---|---|---|",
            *right_rows(everything),
            "\n## By program\n",
            "| program | on hardware | compute-sanitizer | tmaemu |",
            "|---|---|---|---|",
            *program_rows(mistakes),
            "",
        ]
    )


# What takes hygiene alone, on the instructors' page

BEGIN_LETTER = "<!-- The rows are written by `make hazard-table`. -->\n"
END_LETTER = "<!-- Here they end. -->"


def letter_rows(data: dict[str, Any]) -> str:
    """The codes that cost hygiene alone, and what was measured of their programs."""
    of_letter = [code for code, entry in codes().items() if entry.cost == "hygiene"]
    programs = {code: [each for each in programs_of(data) if each.code == code] for code in of_letter}
    rows = (summary_row(f"[{code}](findings/{code}.md)", programs[code]) for code in of_letter)
    head = "| finding | programs | wrong on hardware | reported by compute-sanitizer | found by tmaemu |"
    return "\n".join([head, "|---|---|---|---|---|", *rows, ""])


def with_letter_rows(page: str, data: dict[str, Any]) -> str:
    before, rest = page.split(BEGIN_LETTER)
    return before + BEGIN_LETTER + letter_rows(data) + END_LETTER + rest.split(END_LETTER)[1]


# The emulator, and what was measured elsewhere


def codes_of(stderr: str) -> list[str]:
    """The codes of the findings, each once, the first one first."""
    lines = [json.loads(line) for line in stderr.splitlines() if re.match(r"\{.*\}$", line)]
    return list(dict.fromkeys(line["code"] for line in lines if "code" in line))


def under_emulator(tmaemu: Path, program: Path, pair: str, variant: str) -> list[str]:
    command = [str(tmaemu), "--check=json", str(program), pair, variant]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=EMULATOR_SECONDS)
    return codes_of(ran.stderr)


def run_emulator(data: dict[str, Any], binaries: Path, tmaemu: Path) -> None:
    """All programs there are, whatever was measured; those that are gone leave the table."""
    programs = measure.programs_in(binaries, [])
    tasks = [
        measure.Task(program.name, pair, variant, EMULATOR)
        for program in programs
        for pair in measure.pairs_of(program, tmaemu)
        for variant in (["right"] if program.name.startswith(measure.ALL_RIGHT) else ["mistaken", "right"])
    ]
    there = {(task.program, task.pair) for task in tasks}
    data["results"] = {
        program: {pair: found for pair, found in pairs.items() if (program, pair) in there}
        for program, pairs in data["results"].items()
    }
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda task: under_emulator(tmaemu, binaries / task.program, task.pair, task.variant), tasks)
        for task, codes in zip(tasks, answers):
            task.of(data["results"])[EMULATOR] = codes


def merged(files: list[Path]) -> dict[str, Any]:
    """What several files hold; a later one counts where two have the same."""
    data: dict[str, Any] = {"repeat": measure.REPEAT, "results": {}}
    for file in files:
        more = json.loads(file.read_text())
        data.update({name: value for name, value in more.items() if name != "results"})
        for program, pairs in more["results"].items():
            for pair, variants in pairs.items():
                for variant, outcomes in variants.items():
                    measure.Task(program, pair, variant, "").of(data["results"]).update(outcomes)
    return data


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--merge", type=Path, nargs="+", default=[], metavar="JSON", help="what measure.py has written")
    parser.add_argument("--emulator", action="store_true", help="run only the emulator")
    parser.add_argument("--from-json", action="store_true", help="run nothing")
    parser.add_argument("--data", type=Path, default=DATA, help="the file that keeps what was measured")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to write")
    parser.add_argument("--tmaemu", type=Path, default=TMAEMU)
    measure.add_options(parser)
    options = parser.parse_args()
    if not (options.from_json or options.emulator or options.merge):
        options.measure = MEASURED
        measure.measure(options)
        options.merge = [MEASURED]
    kept = [options.data] if options.data.exists() else []
    data = merged([*kept, *options.merge])
    if not options.from_json:
        run_emulator(data, options.binaries, options.tmaemu)
        options.data.write_text(measure.text_of(data))
    options.page.write_text(rendered(data))
    if options.page == PAGE:
        INSTRUCTORS.write_text(with_letter_rows(INSTRUCTORS.read_text(), data))
    if options.merge == [MEASURED]:
        MEASURED.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
