"""The first line of a deadlock says what is missing at the place for which the others wait."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
BINARIES = REPOSITORY / "build/tests/hazards"
TMAEMU = REPOSITORY / "build/bin/tmaemu"
BEGIN = "nothing in the kernel can run any more: "
SECONDS = 20


@pytest.mark.parametrize(
    ("program", "pair", "missing"),
    [
        (
            "deadlock",
            "count_of_the_consumers_too",
            "the mbarrier loaded has got 1 of the 5 arrivals that its phase counts",
        ),
        (
            "deadlock",
            "count_beyond_the_threads",
            "the mbarrier written has got 128 of the 129 arrivals that its phase counts",
        ),
        ("deadlock", "one_lane_releases", "the mbarrier empty has got 1 of the 32 arrivals that its phase counts"),
        ("deadlock", "parity_of_an_empty_ring", "nobody has arrived at the mbarrier empty, for which threads wait"),
        (
            "deadlock",
            "a_phase_for_each_lap",
            "the mbarrier full has ended 1 phase, and nobody arrives for the next one, for which threads wait",
        ),
        (
            "deadlock",
            "copies_add_an_arrival",
            "the mbarrier full counts no arrival of cp.async.mbarrier.arrive without .noinc, which adds one to the "
            "count and takes it away again",
        ),
        ("deadlock", "loader_waits_alone", "32 of 64 threads have come to barrier 1"),
        (
            "deadlock.registers",
            "nobody_gives_back",
            "a warp waits for 200 registers a thread, has 168, and the CTA's pool has 0 more",
        ),
    ],
)
def test_the_first_line_names_the_root(program: str, pair: str, missing: str) -> None:
    command: list[str | Path] = [TMAEMU, "--check=json", BINARIES / program, pair, "mistaken"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    findings = [json.loads(line) for line in ran.stderr.splitlines() if line.startswith("{")]
    messages = [finding["message"] for finding in findings if finding.get("code") == "deadlock"]
    assert messages == [BEGIN + missing]
