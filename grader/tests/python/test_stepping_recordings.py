"""The pages that step through a kernel play what the kernel does today. The order of its warps' steps is that of one
compiler; what becomes of the engine's work and of shared memory is not."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tmagrade.paths import HERE
from tmagrade.toolkit import find_toolkit

sys.path.insert(0, str(HERE.root / "handout/site/stepping"))

import record_findings
import record_steps

KERNELS = {kernel.stem: kernel for kernel in record_steps.KERNELS}
# A version of each kind of ending that the rest does not have.
RECORDED_ANEW = [*((name, record_steps.RIGHT) for name in KERNELS), ("warp-scheduler", "arrive")]


def memory_at_the_end(launch: dict[str, Any]) -> dict[tuple[int, int, int], str]:
    """The last value of each byte that changed, by view, rank and offset."""
    return {
        (view, rank, offset + at): text[2 * at : 2 * at + 2]
        for step in launch["steps"]
        for view, rank, offset, text in step.get("memory", [])
        for at in range(len(text) // 2)
    }


def shape(launch: dict[str, Any]) -> object:
    """Without the order of steps: which warps run, what the engine does, what is left in memory, what is found."""
    steps = launch["steps"]
    moments = sorted(str(moment) for step in steps for moment in step.get("bulks", []))
    found = set(re.findall(r"\[([a-z-]+)\]$", launch["said"], re.MULTILINE))
    warps = {tuple(step["warp"]) for step in steps if "warp" in step}
    return warps, moments, memory_at_the_end(launch), found, launch["variables"]


@pytest.mark.parametrize(("kernel", "name"), RECORDED_ANEW)
def test_a_recording_is_of_todays_kernel(kernel: str, name: str) -> None:
    recorded = record_steps.read(KERNELS[kernel])["versions"][name]
    today = record_steps.record_version(find_toolkit(HERE).nvcc, KERNELS[kernel], name)
    for policy in record_steps.POLICIES:
        assert shape(today[policy]) == shape(recorded[policy])


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_recording_has_todays_source_and_versions(kernel: str) -> None:
    source = KERNELS[kernel].read_text(encoding="utf-8")
    recording = record_steps.read(KERNELS[kernel])
    assert recording["source"] == record_steps.source_of(KERNELS[kernel])
    assert {name: made["without"] for name, made in recording["versions"].items()} == {
        name: record_steps.taken_away(source, name) for name in record_steps.versions_of(source)
    }


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_recording_names_no_place_on_the_machine_that_made_it(kernel: str) -> None:
    text = record_steps.place_of(KERNELS[kernel]).read_text(encoding="utf-8")
    assert not re.search(r"(^|[\s\"'])/\w", text)
    assert str(Path.home()) not in text


@pytest.mark.parametrize("kernel", KERNELS)
def test_nobody_has_to_step_through_hundreds_of_polls(kernel: str) -> None:
    for made in record_steps.read(KERNELS[kernel])["versions"].values():
        assert all(len(made[policy]["steps"]) < 200 for policy in record_steps.POLICIES)


# The pages of findings


def recorded_example(code: str) -> dict[str, Any]:
    recording: dict[str, Any] = json.loads(record_findings.place_of(code).read_text(encoding="utf-8"))
    return recording


@pytest.fixture(scope="module")
def examples_of_today() -> dict[str, dict[str, Any]]:
    return record_findings.record(find_toolkit(HERE).nvcc)


@pytest.mark.parametrize("code", record_findings.CODES)
def test_a_page_of_a_finding_plays_its_example(examples_of_today: dict[str, dict[str, Any]], code: str) -> None:
    recorded, today = recorded_example(code)["versions"], examples_of_today[code]["versions"]
    for kind in record_findings.KINDS:
        assert recorded[kind]["source"] == today[kind]["source"]
        for policy in record_steps.POLICIES:
            assert shape(recorded[kind][policy]) == shape(today[kind][policy])


@pytest.mark.parametrize("code", record_findings.CODES)
def test_the_wrong_kernel_of_a_finding_has_it_and_the_right_one_has_none(code: str) -> None:
    versions = recorded_example(code)["versions"]
    for policy in record_steps.POLICIES:
        assert f"[{code}]" in versions["wrong"][policy]["said"]
        assert versions["right"][policy]["said"] == ""
