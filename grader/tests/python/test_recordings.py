"""The timelines in the chapters show what the solutions do today. Their ticks are those of one compiler; what they are
to show is not."""

import sys
from pathlib import Path

import pytest
from long_cases import long_but

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

sys.path.insert(0, str(HERE.root / "handout/pictures"))

import record
import timelines


def shape(recording: record.Recording) -> object:
    """Without ticks: who runs, how many tiles go through each stage, whether a stage is wanted twice, the findings."""
    tiles = [(len(loads), len(stores)) for loads, stores in zip(recording.loads, recording.stores, strict=True)]
    return sorted(recording.runs), tiles, bool(timelines.wanted_twice(recording)), recording.findings


@pytest.mark.parametrize("name", long_but({"lab3-no-wait", "lab12-ring"}, record.KERNELS))
def test_a_recording_is_of_todays_solution(tmp_path: Path, name: str) -> None:
    today = record.record(record.KERNELS[name], find_toolkit(HERE).nvcc, tmp_path)
    assert shape(today) == shape(record.read(name))


@pytest.mark.parametrize("name", record.KERNELS)
def test_only_what_is_wrong_wants_a_stage_twice(name: str) -> None:
    recording = record.read(name)
    assert bool(timelines.wanted_twice(recording)) == ("overwrite-before-read-done" in recording.findings)
