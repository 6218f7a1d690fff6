"""Small programs with one mistake each: the emulator finds it, at the lines that comments in the sources name, and
finds nothing in the right twins. grader/tests/hazards/harness.h says what the comments mean."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[3]
SOURCES = REPOSITORY / "grader/tests/hazards/programs"
BINARIES = REPOSITORY / "build/tests/hazards"
TMAEMU = REPOSITORY / "build/bin/tmaemu"
# When the TMA engine acts and, in all but the first two, in which order warps run.
ORDERS = (
    ("--async=late",),
    ("--async=early",),
    *((f"--async=random:{seed}",) for seed in range(1, 11)),
    ("--async=late", "--schedule=1"),
    ("--async=early", "--schedule=2"),
    ("--async=random:3", "--schedule=3"),
)
HOST_THREADS = (1, 2)
# `make hazard-engines` tries all combinations of every pair, `make test-aarch64` one of each third pair; else it is a
# few of every pair.
ENGINES = os.environ.get("HAZARD_ENGINES", "few")
FEWEST_PAIRS = 6
ALL_RIGHT = "unusual-right"  # programs without a mistake: their mistaken variant is the right one once more
SECONDS = 20 if ENGINES != "one" else 200  # under qemu

# How a launch ends is told beside what led to it.
ENDINGS = {"deadlock", "illegal-instruction"}
# Codes that a program may be about beside the one that it is called after: the hardware's word for the same mistake.
ALSO_ABOUT = {"out-of-bounds": {"illegal-address"}}

COMMENT = re.compile(r"(?P<what>[a-z-]+)(?:(?<=pair) (?P<name>\w+))?")

Places = set[tuple[str, int | None]]


@dataclass
class Expected:
    """What the comments of a pair say: findings by (code, line), and lines that notes point to."""

    source: Path
    pair: str
    findings: Places = field(default_factory=set)
    others: set[int] = field(default_factory=set)


def pairs_of(source: Path) -> list[Expected]:
    pairs: list[Expected] = []
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), start=1):
        code, *comments = line.split("//:")
        about = number if code.strip() else number + 1
        for text in comments:
            comment = COMMENT.fullmatch(text.strip())
            assert comment, f"{source.name}:{number}: not a comment that harness.h knows"
            what = comment["what"]
            if what == "pair":
                pairs.append(Expected(source, comment["name"]))
            elif what == "other":
                pairs[-1].others.add(about)
            else:
                pairs[-1].findings.add((what, about))
    return pairs


PROGRAMS = sorted(SOURCES.glob("*.cu"))
EVERY_PAIR = [pair for source in PROGRAMS for pair in pairs_of(source)]
PAIRS = EVERY_PAIR[::3] if ENGINES == "one" else EVERY_PAIR
each_program = pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: source.stem)
each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.source.stem}-{pair.pair}")


def run(
    pair: Expected, variant: str, *options: str, host_threads: int | None = None
) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [TMAEMU, *options, BINARIES / pair.source.stem, pair.pair, variant]
    environment = os.environ if host_threads is None else os.environ | {"TMAEMU_THREADS": str(host_threads)}
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, env=environment)


def findings_of(stderr: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in stderr.splitlines() if line.startswith("{")]
    return [line for line in lines if "code" in line]


def line_in(place: dict[str, Any], source: Path) -> int | None:
    return place["line"] if Path(place.get("file", "")).name == source.name else None


def places_of(findings: list[dict[str, Any]], source: Path) -> Places:
    return {(finding["code"], line_in(finding["place"], source)) for finding in findings}


def code_of(source: Path) -> str:
    """The code that a program is about: its name, up to a dot."""
    return source.name.partition(".")[0]


@each_program
def test_a_comment_stands_where_a_statement_begins(source: Path) -> None:
    # A finding points to a statement's first line, and clang-format moves comments to the last.
    texts = source.read_text(encoding="utf-8").splitlines()
    lines = [line.partition("//")[0].rstrip() for line in texts]
    late = [
        number
        for number, (before, code) in enumerate(itertools.pairwise(lines), start=2)
        if code and "//:" in texts[number - 1] and before and before[-1] not in ";{}:"
    ]
    assert late == []


@each_program
def test_a_program_has_enough_pairs_and_says_what_is_expected_of_each(source: Path) -> None:
    pairs = pairs_of(source)
    assert len(pairs) >= FEWEST_PAIRS
    about = {code_of(source)} | ALSO_ABOUT.get(code_of(source), set())
    silent = [pair.pair for pair in pairs if not about & {code for code, _ in pair.findings}]
    assert silent == ([pair.pair for pair in pairs] if code_of(source) == ALL_RIGHT else [])
    listed = subprocess.run(
        [TMAEMU, BINARIES / source.stem, "list"], capture_output=True, text=True, timeout=SECONDS, check=True
    )
    assert listed.stdout.splitlines() == [pair.pair for pair in pairs]


def combinations(pair: Expected) -> list[tuple[tuple[str, ...], int]]:
    """Orders and numbers of host threads: all, or the two plain engines and one more that differs between pairs, or one
    that does."""
    all_of_them = list(itertools.product(ORDERS, HOST_THREADS))
    if ENGINES == "all":
        return all_of_them
    if ENGINES == "one":
        return [all_of_them[PAIRS.index(pair) % len(all_of_them)]]
    return [(ORDERS[0], 2), (ORDERS[1], 1), all_of_them[4 + PAIRS.index(pair) % (len(all_of_them) - 4)]]


@each_pair
def test_the_right_twin_is_right_and_has_no_finding(pair: Expected) -> None:
    for order, host_threads in combinations(pair):
        ran = run(pair, "right", "--check=json", *order, host_threads=host_threads)
        assert (ran.stdout, ran.returncode) == ("ok\n", 0), f"{order}: {ran.stdout}{ran.stderr}"
        assert findings_of(ran.stderr) == [], order


@each_pair
def test_one_program_has_one_set_of_findings_whatever_happens(pair: Expected) -> None:
    needed = {code for code, _ in pair.findings}
    for order, host_threads in combinations(pair):
        ran = run(pair, "mistaken", "--check=json", *order, host_threads=host_threads)
        findings = findings_of(ran.stderr)
        told = places_of(findings, pair.source)
        told = {(code, line) for code, line in told if code in needed or code not in ENDINGS}
        assert told == pair.findings, f"{order}, {host_threads} host threads: {ran.stderr}"
        notes = [note["place"] for finding in findings for note in finding.get("notes", [])]
        assert pair.others <= {line_in(place, pair.source) for place in notes}, f"{order}: {ran.stderr}"
