"""What `tmaemu --trace` and `make trace` write is what Perfetto's importer of Chrome traces takes, whole."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from chrome_trace import complaints, parsed
from test_timelines import LAB3, LAUNCHES_COPY
from test_trace import POLICIES, PROGRAMS, TMAEMU, TRACED

from tmagrade.basics.paths import HERE
from tmagrade.building.nvcc import target
from tmagrade.machine.toolkit import Toolkit, find_toolkit
from tmagrade.timelines import trace
from tmagrade.timelines.trace import trace_part

Event = dict[str, Any]
Trace = dict[str, Any]


def traced(program: str, file: Path, *options: str) -> Trace:
    command: list[str | Path] = [TMAEMU, f"--trace={file}", *options, PROGRAMS / program]
    subprocess.run(command, env=os.environ, capture_output=True, timeout=120, check=True)
    return parsed(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("program", TRACED)
def test_the_importer_takes_every_event(program: str, policy: str, tmp_path: Path) -> None:
    trace = traced(program, tmp_path / "trace.json", f"--async={policy}")
    assert list(complaints(trace)) == []
    assert {event["ph"] for event in trace["traceEvents"]} >= {"X", "M"}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("part", [None, "one-tile"])
def test_the_importer_takes_every_event_of_a_part(
    part: str | None, policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMAGRADE_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(trace, "build_program", lambda *_: PROGRAMS / "stats/tma_copies")
    (tmp_path / LAB3.source).write_text(LAUNCHES_COPY)
    made = trace_part(HERE, Toolkit(HERE.root / ".venv/cuda"), LAB3, part, tmp_path, policy)
    assert list(complaints(parsed(made.trace.read_text(encoding="utf-8")))) == []


# Lanes 0 and 1 wait apart; when lane 0 waits again, lane 1 still does, and is through first.
LANES_THAT_WAIT_APART = """
#include "tma-interface.cuh"
// Long enough for the other warp to fall asleep.
__device__ void rest() {
  for (volatile int i = 0; i < 300; i = i + 1) {
  }
}
__global__ void apart() {
  __shared__ uint64_t bars[5];
  if (threadIdx.x == 0) for (uint64_t& bar : bars) init_barrier(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    wait(&bars[0], 0);
    arrive(&bars[3], 1);
    wait(&bars[2], 0);
  } else if (threadIdx.x == 1) {
    wait(&bars[1], 0);
    arrive(&bars[4], 1);
  } else if (threadIdx.x == 32) {
    rest();
    arrive(&bars[0], 1);
    wait(&bars[3], 0);
    rest();
    arrive(&bars[1], 1);
    wait(&bars[4], 0);
    rest();
    arrive(&bars[2], 1);
  }
}
int main() {
  apart<<<1, 64>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


@pytest.fixture(scope="module")
def lanes_that_wait_apart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("apart")
    (folder / "apart.cu").write_text(LANES_THAT_WAIT_APART)
    command: list[str | Path] = [find_toolkit(HERE).nvcc, "-cudart", "shared", *target(LAB3)]
    command += [f"-I{HERE.root / 'labs/common'}", "-o", "apart", "apart.cu"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "apart"


# The orders in which both lanes sleep at once.
@pytest.mark.parametrize("policy", ["random:1", "random:2", "random:7"])
def test_lanes_that_wait_at_once_stand_in_rows_of_their_own(
    lanes_that_wait_apart: Path, policy: str, tmp_path: Path
) -> None:
    trace = traced(str(lanes_that_wait_apart), tmp_path / "trace.json", f"--async={policy}")
    assert list(complaints(trace)) == []
    waits = {event["name"]: event for event in trace["traceEvents"] if event.get("cat") == "wait"}
    first, second = (waits[f"waits: bars + {bytes} bytes"] for bytes in (8, 16))
    assert first["ts"] < second["ts"] < first["ts"] + first["dur"] < second["ts"] + second["dur"]
    assert first["tid"] != second["tid"]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    return traced("stats/tma_copies", tmp_path_factory.mktemp("trace") / "trace.json")


def first(trace: Trace, phase: str, category: str = "") -> Event:
    return next(e for e in trace["traceEvents"] if e["ph"] == phase and category in ("", e.get("cat")))


def without(trace: Trace, phase: str, name: str = "") -> None:
    events = trace["traceEvents"]
    events.remove(next(e for e in events if e["ph"] == phase and name in ("", e["name"])))


# What a change to the emulator might do, and a word of the complaint.
SPOILED: dict[str, tuple[Callable[[Trace], object], str]] = {
    "a time that is no whole number": (lambda t: first(t, "X").update(ts=0.5), "ts is not"),
    "a time that is text": (lambda t: first(t, "X").update(ts="0"), "ts is not"),
    "a time before the beginning": (lambda t: first(t, "X").update(ts=-1), "ts is not"),
    "no time": (lambda t: first(t, "X").pop("ts"), "members"),
    "no process": (lambda t: first(t, "s").pop("pid"), "members"),
    "a phase that is not known": (lambda t: first(t, "X").update(ph="Q"), "members"),
    "a slice that never ends": (lambda t: first(t, "X").update(dur=-1), "dur is not"),
    "a row of more than 32 bits": (lambda t: first(t, "X").update(tid=2**32), "tid is not"),
    "slices that cross": (lambda t: first(t, "X", "wait").update(dur=1000), "reaches beyond"),
    "an arrow from nowhere": (lambda t: first(t, "s").update(ts=10_000), "in no slice"),
    "an arrow that binds to the next slice": (lambda t: first(t, "f").update(bp=""), "does not say"),
    "an arrow that does not begin": (lambda t: without(t, "s"), "has not begun"),
    "an arrow that does not end": (lambda t: without(t, "f"), "without an end"),
    "two arrows with one id": (lambda t: [e.update(id=1) for e in t["traceEvents"] if "id" in e], "one id"),
    "an arrow with two names": (lambda t: first(t, "f").update(name="other"), "for another arrow"),
    "a process without a name": (lambda t: without(t, "M", "process_name"), "a process without a name"),
    "a row without a name": (lambda t: without(t, "M", "thread_name"), "a row without a name"),
    "a name that is said twice": (lambda t: t["traceEvents"].append(first(t, "M")), "is said 2 times"),
    "a counter of texts": (lambda t: first(t, "C")["args"].update({"in": "many"}), "values are numbers"),
    "a unit that is not known": (lambda t: t.update(displayTimeUnit="ticks"), "displayTimeUnit"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_the_importer_would_not_take_is_found(sound: Trace, name: str) -> None:
    spoil, complaint = SPOILED[name]
    trace = deepcopy(sound)
    spoil(trace)
    assert any(complaint in said for said in complaints(trace)), list(complaints(trace))


@pytest.mark.parametrize("text", ['{"ts": NaN}', '{"ts": Infinity}', '{"ts": 1, "ts": 2}', "{} {}"])
def test_json_that_only_python_takes_is_found(text: str) -> None:
    with pytest.raises(ValueError):
        parsed(text)
