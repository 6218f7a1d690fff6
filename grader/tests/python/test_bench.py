"""`make bench`: what becomes of the lines that its programs print."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tmagrade.basics.paths import HERE

LINES = """\
lab6\tcopy\ttarget\tbest peer\t1.00
lab6\tcopy\troofline\tcopy roofline\t4200.0
lab6\tcopy\tsolution\ttma_copy\t4158.0
lab6\tcopy\tpeer\tcudaMemcpyAsync\t4200.0
lab6\tcopy\tpeer\ttorch copy_\t4100.0
lab3\tadd\ttarget\tcopy roofline\t0.97
lab3\tadd\troofline\tcopy roofline\t4000.0
lab3\tadd\tsolution\tpipeline\t3920.0
lab3\tadd\tpeer\tplain kernel\t4400.0
"""


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_run", HERE.solutions / "bench/run.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_run"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_a_target_against_peers_is_measured_against_the_best_of_them(bench: ModuleType) -> None:
    text = "\n".join(bench.read(LINES.splitlines())[0].lines())
    assert "Target: 1.00 × the best peer; the solution has 0.990 (missed by 0.010)." in text


def test_a_target_against_the_roofline_is_not_measured_against_peers(bench: ModuleType) -> None:
    text = "\n".join(bench.read(LINES.splitlines())[1].lines())
    assert "Target: 0.97 × the copy roofline; the solution has 0.980 (reached)." in text


def test_a_target_is_that_of_the_first_solution(bench: ModuleType) -> None:
    lines = [*LINES.splitlines(), "lab3\tadd\tsolution\tany-length\t4300.0"]
    assert "the solution has 0.980 (reached)" in "\n".join(bench.read(lines)[1].lines())


def test_a_table_has_the_fastest_first(bench: ModuleType) -> None:
    rows = [line for line in bench.read(LINES.splitlines())[1].lines() if line.startswith("| ")][1:]
    assert rows == [
        "| plain kernel | 4400 | 1.100 |",
        "| copy roofline | 4000 | 1.000 |",
        "| **pipeline** | 3920 | 0.980 |",
    ]


def test_a_line_with_an_unknown_role_is_an_error(bench: ModuleType) -> None:
    with pytest.raises(ValueError, match="unknown role 'guest'"):
        bench.read(["lab6\tcopy\tguest\tme\t1"])


LADDER_LINES = """\
lab12\t8192, step by step\tunit\tTFLOP/s\t0.0
lab12\t8192, step by step\trung\tthread\t0.5
lab12\t8192, step by step\trung\ttma-stores\t650.0
lab12\t8192, step by step\tpeer\tchoice 1\t640.0
lab12\t8192, step by step\tpeer\tchoice 2\t700.0
"""


def test_a_ladder_is_told_from_the_lowest_rung_to_the_best_peer(bench: ModuleType) -> None:
    [race] = bench.read(LADDER_LINES.splitlines())
    rows = [line for line in race.lines() if line.startswith("| ")][1:]
    assert rows == ["| thread | 0.5 | 0.001 |", "| tma-stores | 650.0 | 0.929 |", "| choice 2 | 700.0 | 1.000 |"]


def test_what_a_ladder_reached_is_kept_by_the_gpu_s_model(
    bench: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "LADDERS", tmp_path)
    races = bench.read([*LINES.splitlines(), *LADDER_LINES.splitlines()])
    [written] = bench.record(races, "NVIDIA H100 80GB HBM3, driver 580.1", "2026-11-28")
    assert written.name == "lab12.h100.json"
    assert json.loads(written.read_text()) == {
        "machine": "NVIDIA H100 80GB HBM3, driver 580.1",
        "date": "2026-11-28",
        "case": "8192, step by step",
        "unit": "TFLOP/s",
        "rungs": {"thread": 0.5, "tma-stores": 650.0},
        "peer": 700.0,
    }
