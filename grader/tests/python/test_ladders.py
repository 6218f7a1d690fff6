"""The ladders of the chapters: every version is right, and does what the chapter's table says."""

import importlib.util
import json
import re
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from long_cases import long_but

from staff.skeletons.skeleton import handed_in
from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

TMAEMU = HERE.build / "bin/tmaemu"
SMS = 132
LADDERS = long_but({"lab3-bulk-copy", "lab8-swizzle"}, ["lab3-bulk-copy", "lab8-swizzle", "lab12-matmul"])
ROW = re.compile(r"^\| `([a-z-]+)`[^|]* \| (.+?) ?\|$", re.MULTILINE)
# <!-- step: rung -->, and what `make stats` then counts.
STEP = re.compile(r"^<!-- step: ([a-z-]+) -->\n```\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def in_lab3(launch: dict[str, Any], threads_on_an_sm: int = 2048) -> list[str]:
    """CTAs on an SM, most bytes in flight to a CTA and out of it, atomics."""
    tma = launch["tma"]
    is_persistent = tma["load"]["operations"] > 0
    ctas = launch["grid"][0] // SMS if is_persistent else threads_on_an_sm // launch["block"][0]
    counts = [tma["most_load_bytes_in_flight"], tma["most_store_bytes_in_flight"]]
    counts.append(launch["global"]["atomic"]["accesses"])
    return [str(ctas), *(f"{count:,}" for count in counts)]


def in_lab8(launch: dict[str, Any]) -> list[str]:
    """Sectors stored by what was asked for, wavefronts and conflicts of shared loads."""
    by_threads, by_tma = launch["global"]["store"], launch["tma"]["store"]
    sectors = by_threads["sectors"] + by_tma["global_sectors"]
    asked_for = by_threads["bytes"] + by_tma["global_bytes"]
    loads = launch["shared"]["load"]
    return [f"{32 * sectors / asked_for:.2f}x", f"{loads['wavefronts']:,}", f"{loads['conflicts']:,}"]


def in_lab12(launch: dict[str, Any]) -> list[str]:
    """MiB read, sectors stored by what was asked for, wavefronts and conflicts, products, most bytes in flight."""
    tma, shared = launch["tma"], [launch["shared"][kind] for kind in ("load", "store")]
    read = 32 * launch["global"]["load"]["sectors"] + tma["load"]["global_bytes"]
    stored, by_tma = launch["global"]["store"], tma["store"]
    written = 32 * (stored["sectors"] + by_tma["global_sectors"]) / (stored["bytes"] + by_tma["global_bytes"])
    counts = [f"{read / 2**20:,.2f}", f"{written:.2f}x"]
    counts += [f"{sum(kind[count] for kind in shared):,}" for count in ("wavefronts", "conflicts")]
    products = [f"{of['instructions']:,} of {of['product'].split()[0]}" for of in launch["multiplications"]]
    return [*counts, *(products or ["0"]), f"{tma['most_load_bytes_in_flight']:,}"]


COUNTED = {"lab3-bulk-copy": in_lab3, "lab8-swizzle": in_lab8, "lab12-matmul": in_lab12}
SPEEDS = {"lab12-matmul": 2}  # columns that a GPU measures, at the right


def chapter(lab: str) -> str:
    return (HERE.root / "handout/labs" / f"{lab}.md").read_text(encoding="utf-8")


def table(lab: str) -> dict[str, list[str]]:
    text = chapter(lab).partition(f"<!-- ladder: solutions/ladders/{lab}.cu -->\n")[2].partition("\n\n")[0]
    counts = slice(None, -SPEEDS[lab] if lab in SPEEDS else None)
    return {name: [cell.strip() for cell in cells.split("|")][counts] for name, cells in ROW.findall(text)}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A lab's ladder, compiled."""
    compiled: dict[str, Path] = {}

    def compile_ladder(lab: str) -> Path:
        if lab not in compiled:
            ladder = tmp_path_factory.mktemp(lab) / "ladder"
            command: list[str | Path] = [find_toolkit(HERE).nvcc, "-cudart", "shared", "-lineinfo", "-std=c++20"]
            command += ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"]
            command += [f"-I{HERE.root / 'labs/common'}", f"-I{HERE.solutions}"]
            subprocess.run([*command, "-o", ladder, HERE.solutions / "ladders" / f"{lab}.cu"], check=True)
            compiled[lab] = ladder
        return compiled[lab]

    return compile_ladder


@pytest.mark.parametrize("lab", LADDERS)
def test_a_ladder_is_right_and_does_what_its_chapter_says(
    program: Callable[[str], Path], tmp_path: Path, lab: str
) -> None:
    stats = tmp_path / "stats.json"
    run = subprocess.run(
        [TMAEMU, "--stats=json", f"--stats-file={stats}", program(lab)], capture_output=True, text=True, timeout=300
    )
    steps = [line.split() for line in run.stdout.splitlines()]
    assert (run.stderr, {words[-1] for words in steps}) == ("", {"right"})
    launches = json.loads(stats.read_text())["launches"]
    counted = {words[0]: COUNTED[lab](launch) for words, launch in zip(steps, launches, strict=True)}
    assert counted == table(lab)


@pytest.mark.long
@pytest.mark.parametrize(("rung", "lines"), STEP.findall(chapter("lab12-matmul")))
def test_after_a_step_of_part_persistent_stats_counts_what_its_chapter_says(
    program: Callable[[str], Path], rung: str, lines: str
) -> None:
    shape = ["264", "296", "328"]  # of the lab's own test of any-shape
    run = subprocess.run(
        [TMAEMU, "--stats", program("lab12-matmul"), *shape, rung], capture_output=True, text=True, timeout=120
    )
    assert run.stdout.endswith("right\n")
    assert [line for line in lines.splitlines() if line not in run.stderr.splitlines()] == []


def without_the_loop_over_pairs() -> str:
    """Lab 12's file as it is after step 1 of part persistent: the rung `one-panel`, of which a cluster has one pair."""
    text = handed_in((HERE.solutions / "lab12-matmul/lab12.cu").read_text(encoding="utf-8"))
    rung = (HERE.solutions / "ladders/matmul/wide_tiles.cuh").read_text(encoding="utf-8").replace("#pragma once\n", "")
    loop = "pair += gridDim.x / CLUSTER"
    assert rung.count(loop) == 2
    head = "void launch_h100_matmul(int M, int N, int K, bf16* A, bf16* B, bf16* C) {\n"
    before, _, rest = text.partition(head)
    features = "Ctas::that_stay, BAND, Results::from_one_panel, Stage::of_one_cta"
    body = f"  using namespace ladder;\n  launch_wide_matmul<{features}>(M, N, K, A, B, C);"
    return before + rung.replace(loop, "pair += pairs.count") + head + body + rest[rest.index("\n}\n") :]


@pytest.mark.long
def test_step_1_of_part_persistent_is_right_but_where_a_cluster_has_more_than_one_pair(tmp_path: Path) -> None:
    (tmp_path / "lab12.cu").write_text(without_the_loop_over_pairs(), encoding="utf-8")
    command = ["make", "-s", "student", "LAB=lab12-matmul", "PART=any-shape", f"DIR={tmp_path}", "SETUP=none"]
    said = subprocess.run(command, cwd=HERE.root, capture_output=True, text=True, timeout=600).stdout
    verdicts = re.findall(r"^any-shape +(.+?) +(OK|FAIL)\b", said, re.MULTILINE)
    wrong = {"520 x 568 x 448, on a GPU of 2 SMs", "2056 x 1800 x 40"}
    assert {case for case, verdict in verdicts if verdict == "FAIL"} == wrong, said
    assert {verdict for _, verdict in verdicts} == {"OK", "FAIL"}, said


def test_part_any_shape_says_which_fractions_of_the_library_s_speed_are_worth_how_many_points() -> None:
    bandwidth = tomllib.loads((HERE.labs / "lab12-matmul/lab.toml").read_text(encoding="utf-8"))["bandwidth"]
    first, second, last = bandwidth["thresholds"][1:]
    said = (
        f"{first['fraction']:.2f} of the library's speed is worth {first['points']} points, {second['fraction']:.2f} "
        f"{second['points']}, and {last['fraction']:.2f} all {last['points']}."
    )
    assert said in " ".join(chapter("lab12-matmul").split())


@pytest.fixture(scope="module")
def speeds() -> ModuleType:
    spec = importlib.util.spec_from_file_location("speeds", HERE.solutions / "ladders/speeds.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("lab", SPEEDS)
def test_a_chapter_has_the_speeds_that_were_measured(speeds: ModuleType, lab: str) -> None:
    assert speeds.with_speeds(chapter(lab), lab) == chapter(lab), "run python3 solutions/ladders/speeds.py"


@pytest.mark.parametrize("lab", SPEEDS)
def test_what_was_measured_on_a_gpu_stands_in_its_column_and_nothing_else(
    speeds: ModuleType, tmp_path: Path, lab: str
) -> None:
    rungs = {name: 0.5 if number == 0 else 100.4 + number for number, name in enumerate(table(lab))}
    measured = {"date": "2026-11-28", "case": "8 x 8 x 8, step by step", "rungs": rungs, "peer": 200.0}
    (tmp_path / f"{lab}.h200.json").write_text(json.dumps(measured))
    text = speeds.with_speeds(chapter(lab), lab, tmp_path)
    first, second = list(rungs)[:2]
    assert re.search(rf"^\| `{first}`.*\|  \| 0\.5 \|$", text, re.MULTILINE)
    assert re.search(rf"^\| `{second}`.*\|  \| 101 \|$", text, re.MULTILINE)
    assert re.search(r"^\| cublasLt's best \|.*\|  \| 200 \|$", text, re.MULTILINE)
    assert "TFLOP/s at 8 x 8 x 8, measured by `make bench LABS=lab12` on an H200 on 2026-11-28.\n" in text
    assert f"A good one reaches {rungs['ring']:.0f} TFLOP/s on an H200, 0.53 of cublasLt's best.\n" in text
    assert speeds.with_speeds(text, lab) == chapter(lab), "what is written can be written again"
