"""Small programs with one mistake each: the emulator finds it, at the lines that comments in the sources name, and
finds nothing in the right twins. grader/tests/hazards/harness.h says what the comments mean."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[3]
SOURCES = REPOSITORY / "grader/tests/hazards/programs"
BINARIES = REPOSITORY / "build/tests/hazards"
TMAEMU = REPOSITORY / "build/bin/tmaemu"
ENGINES = ("late", "early", "random:3")
FEWEST_PAIRS = 6
ALL_RIGHT = "unusual-right"  # programs without a mistake: their mistaken variant is the right one once more
SECONDS = 20

COMMENT = re.compile(r"(?P<what>[a-z-]+)(?: x(?P<count>\d+))?(?: (?P<word>\w+))?")


@dataclass
class Expected:
    """What the comments of a pair say: findings by (code, line), needed and possible, and lines that notes point to."""

    source: Path
    pair: str
    findings: Counter[tuple[str, int]] = field(default_factory=Counter)
    possible: set[tuple[str, int]] = field(default_factory=set)
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
                pairs.append(Expected(source, comment["word"]))
            elif what == "other":
                pairs[-1].others.add(about)
            elif comment["word"] == "maybe":
                pairs[-1].possible.add((what, about))
            else:
                pairs[-1].findings[what, about] += int(comment["count"] or 1)
    return pairs


PROGRAMS = sorted(SOURCES.glob("*.cu"))
PAIRS = [pair for source in PROGRAMS for pair in pairs_of(source)]
each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.source.stem}-{pair.pair}")
each_engine = pytest.mark.parametrize("engine", ENGINES)


def knows_json() -> bool:
    asked = subprocess.run([TMAEMU, "--help"], capture_output=True, text=True, check=False)
    return "--check" in asked.stdout + asked.stderr


# The checker is being written.
needs_checker = pytest.mark.skipif(TMAEMU.exists() and not knows_json(), reason="this tmaemu has no --check=json")


def run(pair: Expected, variant: str, *options: str) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [TMAEMU, *options, BINARIES / pair.source.stem, pair.pair, variant]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


def findings_of(stderr: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in stderr.splitlines() if line.startswith("{")]
    return [line for line in lines if "code" in line]


def line_in(place: dict[str, Any], source: Path) -> int | None:
    return place["line"] if Path(place.get("file", "")).name == source.name else None


def code_of(source: Path) -> str:
    """The code that a program is about: its name, up to a dot."""
    return source.name.partition(".")[0]


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: source.stem)
def test_a_comment_stands_where_a_statement_begins(source: Path) -> None:
    # A finding points to a statement's first line, and clang-format moves comments to the last.
    lines = [line.partition("//")[0].rstrip() for line in source.read_text(encoding="utf-8").splitlines()]
    texts = source.read_text(encoding="utf-8").splitlines()
    late = [
        number
        for number, (before, code) in enumerate(itertools.pairwise(lines), start=2)
        if code and "//:" in texts[number - 1] and before and before[-1] not in ";{}:"
    ]
    assert late == []


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: source.stem)
def test_a_program_has_enough_pairs_and_says_what_is_expected_of_each(source: Path) -> None:
    pairs = pairs_of(source)
    assert len(pairs) >= FEWEST_PAIRS
    silent = [pair.pair for pair in pairs if code_of(source) not in {code for code, _ in pair.findings}]
    assert silent == ([pair.pair for pair in pairs] if code_of(source) == ALL_RIGHT else [])
    listed = subprocess.run(
        [TMAEMU, BINARIES / source.stem, "list"], capture_output=True, text=True, timeout=SECONDS, check=True
    )
    assert listed.stdout.splitlines() == [pair.pair for pair in pairs]


@each_engine
@each_pair
def test_the_right_twin_is_right(pair: Expected, engine: str) -> None:
    ran = run(pair, "right", f"--async={engine}")
    assert (ran.stdout, ran.returncode) == ("ok\n", 0), ran.stdout + ran.stderr


@needs_checker
@each_engine
@each_pair
def test_the_right_twin_has_no_finding(pair: Expected, engine: str) -> None:
    assert findings_of(run(pair, "right", "--check=json", f"--async={engine}").stderr) == []


@needs_checker
@each_engine
@each_pair
def test_the_mistake_is_found_where_it_is(pair: Expected, engine: str) -> None:
    ran = run(pair, "mistaken", "--check=json", f"--async={engine}")
    findings = findings_of(ran.stderr)
    places = [(finding["code"], line_in(finding["place"], pair.source)) for finding in findings]
    found = Counter(place for place in places if place not in pair.possible)
    assert found == pair.findings, ran.stderr
    notes = [note["place"] for finding in findings for note in finding.get("notes", [])]
    assert pair.others <= {line_in(place, pair.source) for place in notes}, ran.stderr
