"""The mutants of grader/tests/mutants: what they change, and that they are found in the sources as they stand."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

MUTANTS = Path(__file__).parents[1] / "mutants"
sys.path.append(str(MUTANTS))

import results  # noqa: E402
from batches import batches  # noqa: E402
from kernels import names_of_kernels  # noqa: E402
from mutations import Region, Source, applied  # noqa: E402
from report import Row, counted, counts_page, counts_row  # noqa: E402
from results import Result, Results  # noqa: E402
from reviewed import read_reviewed  # noqa: E402
from targets import all_targets, only_kernels  # noqa: E402

KERNEL = """
__global__ void copy(int* to) {
  __shared__ uint64_t full[STAGES];  // wait(&full, 0);
  if (threadIdx.x == 0) init_barrier(&full[stage], 1);
  __syncthreads();
  wait(&full[stage], parity);
  to[threadIdx.x] = tile[threadIdx.x];
}
"""
FEWEST = 6000


def texts(kernel: str = KERNEL) -> dict[str, str]:
    """What each mutant is called, and the kernel that it is."""
    return {mutant.what: applied(kernel, list(mutant.edits)) for mutant in Source("a.cu", kernel, []).mutants()}


def test_a_call_is_dropped_with_what_guards_it() -> None:
    dropped = texts()["drop `if (threadIdx.x == 0) init_barrier(&full[stage], 1);`"]
    assert "init_barrier" not in dropped
    assert "if (threadIdx.x" not in dropped
    assert dropped.count("\n") == KERNEL.count("\n")


def test_a_call_is_moved_past_the_next_statement() -> None:
    moved = texts()["move `wait(&full[stage], parity);` past `to[threadIdx.x] = tile[threadIdx.x];`"]
    assert moved.index("to[threadIdx.x]") < moved.index("wait(&full[stage], parity)")


def test_a_call_is_weakened() -> None:
    assert "__syncwarp()" in texts()["`__syncthreads()` → `__syncwarp()`"]
    assert "wait_relaxed(&full[stage], parity)" in "".join(texts().values())


def test_a_stage_and_a_parity_go_one_further() -> None:
    assert "`wait(&full[stage], parity)` → `wait(&full[(stage + 1) % STAGES], parity)`" in texts()
    assert "`wait(&full[stage], parity)` → `wait(&full[stage], (parity) ^ 1)`" in texts()


def test_comments_are_left_alone() -> None:
    assert not any("wait(&full, 0)" in what for what in texts())


def test_what_only_the_mistaken_variant_has_is_left_alone() -> None:
    kernel = "void k() { if constexpr (mistaken) { __syncwarp(); } else { fence_gpu(); } f(x); }"
    assert {mutant.what for mutant in Source("a.cu", kernel, []).mutants() if mutant.kind == "drop"} == {
        "drop `fence_gpu();`"
    }


def test_kernels_that_no_test_runs_are_left_alone() -> None:
    kernels = (
        "__global__ void __launch_bounds__(32) tested(int* a) { fence_gpu(); }\n"
        "template <bool mistaken>\n__global__ void wrong(const __grid_constant__ Map map, int* a) { fence_block(); }\n"
        "__global__ void shown(int* a) { __syncwarp(); }\n"
        "constexpr Pair pairs[] = {pair<wrong, tested>(1)};\n"
        "int main() { shown<<<1, 32>>>(0); }\n"
    )
    assert {mutant.what for mutant in Source("a.cu", kernels, []).mutants() if mutant.kind == "drop"} == {
        "drop `fence_gpu();`"
    }


def test_what_stands_behind_the_end_is_left_alone() -> None:
    source = Source("a.cu", "void k() { fence_gpu(); } void shown() { __syncwarp(); }", [], end=30)
    assert {mutant.what for mutant in source.mutants() if mutant.kind == "drop"} == {"drop `fence_gpu();`"}


def test_a_batch_has_one_mutant_of_a_region() -> None:
    half = len(KERNEL) // 2
    source = Source("a.cu", KERNEL, [Region("first", 0, half), Region("second", half, len(KERNEL))])
    for batch in batches(source.mutants()):
        assert len({mutant.region for mutant in batch}) == len(batch)


def test_kernels_are_known_by_name() -> None:
    assert names_of_kernels("__global__ void __cluster_dims__(2)\n    one(int* a) {} __global__ void two() {}") == {
        "one",
        "two",
    }


def test_only_the_kernels_are_compiled() -> None:
    command = ["nvcc", "-shared", "-Xcompiler", "-fPIC", "-lineinfo", "-Dmain=x", "-o", "a.so", "a.cu", "-lcuda"]
    wanted = ["nvcc", "-lineinfo", "-Dmain=x", "a.cu", "-fatbin", "-o", "b.fatbin"]
    assert only_kernels(command, Path("b.fatbin")) == wanted


def test_a_mutant_that_is_no_program_is_not_counted() -> None:
    mutants = Source("a.cu", KERNEL, []).mutants()
    rows = [Row(mutant, Result("found")) for mutant in mutants[:3]] + [Row(mutants[3], Result("no program"))]
    assert (counted(rows, [])["mutants"], counted(rows, [])["found"]) == (3, 3)


def test_what_another_emulator_found_counts_only_where_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "KEPT", tmp_path)
    yesterday = Results("a.cu", "yesterday", frozenset())
    yesterday.put("mutant", Result("found"))
    yesterday.save()
    assert Results("a.cu", "today", frozenset()).get("mutant") is None
    assert Results("a.cu", "today", frozenset(["found"])).get("mutant") == Result("found")


def test_a_source_that_was_not_run_to_its_end_keeps_its_counts() -> None:
    before = counts_page(
        {"a.cu": Counter(mutants=5, found=5), "b.cu": Counter(mutants=7, survives=7)}, ["a.cu", "b.cu"], ""
    )
    after = counts_page({"b.cu": Counter(mutants=8, found=8)}, ["a.cu", "b.cu"], before).splitlines()
    assert after[-3:] == [
        counts_row("a.cu", Counter(mutants=5, found=5)),
        counts_row("b.cu", Counter(mutants=8, found=8)),
        counts_row("all", Counter(mutants=13, found=13)),
    ]


def test_a_place_is_named_by_its_function_and_its_code() -> None:
    assert {mutant.place for mutant in Source("a.cu", KERNEL, []).mutants()} == {
        "copy: if (threadIdx.x == 0) init_barrier(&full[stage], 1);",
        "copy: __syncthreads();",
        "copy: wait(&full[stage], parity);",
    }


def test_a_place_is_the_same_when_lines_are_added_elsewhere() -> None:
    def places(text: str) -> list[str]:
        return [mutant.place for mutant in Source("a.cu", text, []).mutants()]

    other = "\n__device__ void other() { __syncwarp(); }\n"
    assert [place for place in places(other + KERNEL) if not place.startswith("other: ")] == places(KERNEL)


def test_the_second_line_of_one_text_is_a_place_of_its_own() -> None:
    kernel = "__global__ void k() {\n  fence_gpu();\n  if (x) {\n    fence_gpu();  // again\n  }\n}"
    assert {mutant.place for mutant in Source("a.cu", kernel, []).mutants()} == {
        "k: fence_gpu();",
        "k: fence_gpu(); (2)",
    }


def test_there_are_many_mutants_and_every_reason_fits_one() -> None:
    mutants = [mutant for target in all_targets() for mutant in target.source.mutants()]
    assert len(mutants) > FEWEST
    for reviewed in read_reviewed():
        fitting = [mutant for mutant in mutants if reviewed.fits(mutant)]
        assert fitting, reviewed
        assert set(reviewed.at) <= {mutant.place for mutant in fitting}, reviewed
