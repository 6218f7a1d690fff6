"""`tmaemu --trace` writes what a Chrome trace has to be, always the same, and its sums are those of `--stats`."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import compress, pairwise
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[3]
TMAEMU = REPOSITORY / "build/bin/tmaemu"
PROGRAMS = REPOSITORY / "build/tests"

# Tiles and reductions, multicasts and copies between CTAs, barriers, warps whose lanes part, many launches.
TRACED = [
    *["stats/tma_copies", "stats/tma_shapes", "stats/global_accesses", "stats/shared_accesses"],
    *["programs/device_between_ctas", "programs/device_cta_group", "programs/device_async_copy"],
]
POLICIES = ["late", "early", "random:7"]
MOST_CTAS = 1024
DIRECTIONS = {"load": "load", "store": "store", "reduce": "reduce"}

Event = dict[str, Any]


def run(program: str, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [TMAEMU, *options, PROGRAMS / program]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=120)


def trace_of(program: str, folder: Path, *options: str, **environment: str) -> dict[str, Any]:
    file = folder / "trace.json"
    assert run(program, f"--trace={file}", *options, **environment).returncode == 0
    trace: dict[str, Any] = json.loads(file.read_text())
    assert trace["otherData"]["tmaemu_trace"] == 1
    return trace


def slices(trace: dict[str, Any], category: str = "") -> Iterator[Event]:
    return (e for e in trace["traceEvents"] if e["ph"] == "X" and category in ("", e["cat"]))


def rows(trace: dict[str, Any]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Where each row's slices begin and end."""
    found = defaultdict(list)
    for event in slices(trace):
        found[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    return found


def by_launch(launches: int) -> list[defaultdict[str, Counter[str]]]:
    return [defaultdict(Counter) for _ in range(launches)]


def sums(trace: dict[str, Any]) -> list[dict[str, Any]]:
    """What --stats says of each launch, as far as it can be added up from the trace."""
    launches = trace["otherData"]["launches"]
    launch_of = {launch["pid"] + cta: index for index, launch in enumerate(launches) for cta in range(launch["ctas"])}
    instructions, waits, tma, most = (by_launch(len(launches)) for _ in range(4))
    for event in trace["traceEvents"]:
        index, said = launch_of.get(event["pid"], 0), event.get("args", {})
        if event.get("cat") == "run":
            instructions[index][""].update({n: said[f"{n}_instructions"] for n in ("warp", "thread")})
        elif event.get("cat") == "wait":
            waits[index][said["barrier"]].update({n: said[n] for n in ("waits", "slept")})
        elif event.get("cat") == "tma":
            counts = {"operations": 1} | {n: said[n] for n in ("global_bytes", "shared_bytes")}
            tma[index][DIRECTIONS.get(said["kind"], "between_ctas")].update(counts)
        elif event["ph"] == "C":
            most[index][""] |= Counter({n: said[n] for n in ("in", "out")})
    return [
        {
            "kernel": launch["kernel"],
            "instructions": dict(instructions[index][""]),
            "waits": {barrier: dict(counts) for barrier, counts in waits[index].items()},
            "tma": {way: {n: tma[index][way][n] for n in TMA_COUNTS} for way in TMA_WAYS},
            "most": [most[index][""]["in"], most[index][""]["out"]],
        }
        for index, launch in enumerate(launches)
    ]


TMA_WAYS = ("load", "store", "reduce", "between_ctas")
TMA_COUNTS = ("operations", "global_bytes", "shared_bytes")


def counted(launch: dict[str, Any]) -> dict[str, Any]:
    tma = launch["tma"]
    return {
        "kernel": launch["kernel"],
        "instructions": launch["instructions"],
        "waits": {wait["barrier"]: {n: wait[n] for n in ("waits", "slept")} for wait in launch["waits"]},
        "tma": {way: {n: tma[way][n] for n in TMA_COUNTS} for way in TMA_WAYS},
        "most": [tma["most_load_bytes_in_flight"], tma["most_store_bytes_in_flight"]],
    }


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("program", TRACED)
def test_the_sums_are_those_of_stats(program: str, policy: str, tmp_path: Path) -> None:
    file = tmp_path / "stats.json"
    trace = trace_of(program, tmp_path, f"--async={policy}", "--stats=json", f"--stats-file={file}")
    is_whole = [launch["ctas"] <= MOST_CTAS for launch in trace["otherData"]["launches"]]
    launches = list(compress(json.loads(file.read_text())["launches"], is_whole))
    assert list(compress(sums(trace), is_whole)) == [counted(launch) for launch in launches] != []


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("program", TRACED)
def test_slices_of_a_row_lie_within_each_other_or_apart(program: str, policy: str, tmp_path: Path) -> None:
    for row, spans in rows(trace_of(program, tmp_path, f"--async={policy}")).items():
        open_: list[int] = []
        for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            while open_ and open_[-1] <= begin:
                open_.pop()
            assert not open_ or end <= open_[-1], f"row {row}: {begin} to {end}"
            open_.append(end)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("program", TRACED)
def test_arrows_go_forward_from_slice_to_slice(program: str, policy: str, tmp_path: Path) -> None:
    trace = trace_of(program, tmp_path, f"--async={policy}")
    found = rows(trace)
    arrows: dict[int, list[Event]] = defaultdict(list)
    for event in trace["traceEvents"]:
        if event["ph"] in ("s", "t", "f"):
            arrows[event["id"]].append(event)
    assert len(arrows) == len(list(slices(trace, "tma")))
    for points in arrows.values():
        assert [point["ph"] for point in points] in (["s", "f"], ["s", "t", "f"])
        assert [point["ts"] for point in points] == sorted(point["ts"] for point in points)
        for point in points:
            assert any(begin <= point["ts"] < end for begin, end in found[point["pid"], point["tid"]]), point


def test_a_load_leads_through_its_landing_to_the_wait_that_it_ends(tmp_path: Path) -> None:
    trace = trace_of("stats/tma_copies", tmp_path)
    load = next(slices(trace, "tma"))
    wait = next(event for event in slices(trace, "wait") if event["args"]["slept"])
    phase = next(slices(trace, "phase"))
    start, landing, end = (event for event in trace["traceEvents"] if event.get("id") == 1)
    assert start["ts"] == load["ts"] and landing["ts"] == load["ts"] + load["dur"] - 1
    assert wait["args"]["barrier"] == "loaded" and end["ts"] == wait["ts"] + wait["dur"] - 1
    assert phase["args"] == {"arrivals": 1, "bytes": load["args"]["shared_bytes"]}
    assert phase["ts"] + phase["dur"] == load["ts"] + load["dur"]


def test_of_a_store_it_is_said_when_its_tile_was_read(tmp_path: Path) -> None:
    trace = trace_of("stats/tma_copies", tmp_path, "--async=early")
    for operation in slices(trace, "tma"):
        after = operation["args"]["source_read_after"]
        assert after is None if operation["args"]["kind"] == "load" else 0 < after < operation["dur"]


def test_under_early_a_load_lands_before_its_wait(tmp_path: Path) -> None:
    trace = trace_of("stats/tma_copies", tmp_path, "--async=early")
    assert {load["dur"] for load in slices(trace, "tma") if load["args"]["kind"] == "load"} == {2}


def test_a_group_of_wgmmas_lasts_until_a_wait_covers_it(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    program = PROGRAMS / "hazards/unusual-right.wgmma"
    subprocess.run([TMAEMU, f"--trace={file}", program, "keeps_one_group_pending", "right"], check=True)
    groups = list(slices(json.loads(file.read_text()), "wgmma"))
    assert [(group["name"], group["args"]["finished"]) for group in groups] == [("1 wgmma", True)] * 4
    for group, following in pairwise(groups):
        assert group["ts"] < following["ts"] < group["ts"] + group["dur"], "one group is pending while the next begins"
    assert len({group["tid"] for group in groups}) == 2, "they have rows of their own"


@pytest.mark.parametrize("policy", POLICIES)
def test_one_seed_gives_the_same_bytes_whatever_the_number_of_host_threads(policy: str, tmp_path: Path) -> None:
    texts = set()
    for threads in ("1", "4", "4"):
        trace_of("stats/global_accesses", tmp_path, f"--async={policy}", TMAEMU_THREADS=threads)
        texts.add((tmp_path / "trace.json").read_bytes())
    assert len(texts) == 1


def test_another_seed_gives_another_order(tmp_path: Path) -> None:
    traces = [trace_of("programs/device_between_ctas", tmp_path, f"--schedule={seed}") for seed in (1, 2)]
    assert traces[0] != traces[1]


def test_launches_follow_each_other_and_no_cta_is_in_two(tmp_path: Path) -> None:
    trace = trace_of("stats/global_accesses", tmp_path)
    launches = trace["otherData"]["launches"]
    for before, after in pairwise(launches):
        assert before["end"] == after["begin"] and before["pid"] + before["ctas"] == after["pid"]
    last = max(event["ts"] + event["dur"] for event in slices(trace))
    assert last == launches[-1]["end"]


def test_of_a_large_grid_the_first_ctas_are_there_and_that_is_said(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    ended = run("programs/device_between_ctas", f"--trace={file}")
    assert f"of the 2048 CTAs of (anonymous namespace)::add_in_any_order, {file} has the first 1024" in ended.stderr
    trace = json.loads(file.read_text())
    launch = next(launch for launch in trace["otherData"]["launches"] if launch["ctas"] == 2048)
    ctas = {event["pid"] - launch["pid"] for event in slices(trace)}
    assert {cta for cta in ctas if 0 <= cta < 2048} == set(range(1024))


def test_every_row_has_a_name(tmp_path: Path) -> None:
    trace = trace_of("stats/tma_copies", tmp_path)
    named = {(e["pid"], e["tid"]) for e in trace["traceEvents"] if e["name"] == "thread_name"}
    assert set(rows(trace)) <= named


def test_the_environment_says_the_same_as_the_option(tmp_path: Path) -> None:
    trace = trace_of("stats/tma_copies", tmp_path)
    file = tmp_path / "other.json"
    assert run("stats/tma_copies", TMAEMU_TRACE=str(file)).returncode == 0
    assert json.loads(file.read_text()) == trace


def test_a_file_that_cannot_be_written_ends_the_program_at_once(tmp_path: Path) -> None:
    ended = run("stats/tma_copies", f"--trace={tmp_path}/no/where")
    assert ended.returncode == 64
    assert f"cannot write the trace to '{tmp_path}/no/where': No such file or directory" in ended.stderr


def test_a_trace_needs_a_name() -> None:
    ended = run("stats/tma_copies", "--trace=")
    assert (ended.returncode, ended.stderr) == (2, "tmaemu: --trace= needs a file's name\n")


def test_the_option_is_in_the_help() -> None:
    said = subprocess.run([TMAEMU, "--help"], capture_output=True, text=True).stdout
    assert "--trace=FILE" in said and "TMAEMU_TRACE " in said
