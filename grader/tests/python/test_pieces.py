"""Hand-ins of several .cu files that each have their own main and their own helpers."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from tmagrade.basics.paths import HERE
from tmagrade.building.builder import Builder, Built
from tmagrade.building.pieces import Refused
from tmagrade.building.sandbox import sandbox_if_any
from tmagrade.course.about import Way
from tmagrade.course.labs import Lab, load_labs
from tmagrade.judging.pieces_together import together
from tmagrade.judging.scoring import Outcomes, score
from tmagrade.judging.verdicts import Case, Judged, Measured, Rehearsal
from tmagrade.machine.processes import Processes
from tmagrade.machine.toolkit import find_toolkit
from tmagrade.outputs.feedback import mistakes
from tmagrade.outputs.tables import print_parts
from tmagrade.submissions.submission import Submission

LAB6 = next(lab for lab in load_labs(HERE.labs) if lab.id == "lab6-memcpy")
HELPER_AND_MAIN = """
#include "tma-interface.cuh"
static int helper() { return 1; }
struct Options { int count = helper(); };
int main() { CUDA_CHECK(cudaDeviceSynchronize()); return Options{}.count; }
"""
COPY = "void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {}\n"
DRIVER_CALL = """
#include <cuda_bf16.h>
#include "tma-interface.cuh"
void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  CUtensorMap map;
  const cuuint64_t sizes[] = {64}, strides[] = {2};
  const cuuint32_t box[] = {64}, steps[] = {1};
  CUDA_CHECK(cuInit(0));
  CUDA_CHECK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 1, src, sizes, strides, box, steps,
                                    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                    CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  CUDA_CHECK(cudaGetLastError());
}
"""
# A header of the student's own, by the name of the course's, whose functions are not inline.
OWN_HEADER = """
#pragma once
#include <cuda.h>
#include <cstdlib>
void cuda_check(CUresult code, const char* file, int line) { if (code != CUDA_SUCCESS) exit(line); }
void cuda_check(cudaError_t code, const char* file, int line) { if (code != cudaSuccess) exit(line); }
#define CUDA_CHECK(x) do { cuda_check((x), __FILE__, __LINE__); } while (0)
"""
MEMCPY = "void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {}\n"


def judged(one_tile: str, pipeline: str, way: int = 0, measured: str = "missing") -> Judged:
    cases = (Case("one-tile", "a", one_tile, ""), Case("pipeline", "a", pipeline, "no such launcher"))
    figures = (1.0, 2.0, 0.5) if measured == "pass" else (None, None, None)
    return Judged("device", cases, Measured("pipeline", measured, "", *figures), ways={"pipeline": Way(way, way)})


def verdicts(run: Judged) -> dict[str, str]:
    return {case.part: case.verdict for case in run.cases}


def test_a_part_belongs_to_the_file_that_defines_its_launcher(lab3: Lab) -> None:
    first, second = judged("pass", "missing"), judged("missing", "fail", way=7, measured="pass")
    run = together(lab3, [("a.cu", first), ("b.cu", second)], [])
    assert verdicts(run) == {"one-tile": "pass", "pipeline": "fail"}
    assert run.ways == {"pipeline": Way(7, 7)}
    assert run.bandwidth is not None and run.bandwidth.verdict == "pass"


def test_the_timed_size_is_rehearsed_by_the_file_that_defines_its_part(lab3: Lab) -> None:
    other = replace(judged("pass", "missing"), rehearsal=Rehearsal("pipeline", "missing", "no such launcher"))
    owner = replace(judged("missing", "pass"), rehearsal=Rehearsal("pipeline", "pass", ""))
    assert together(lab3, [("a.cu", other), ("b.cu", owner)], []).rehearsal == owner.rehearsal


def test_two_files_that_define_a_launcher_are_both_named(lab3: Lab) -> None:
    run = together(lab3, [("a.cu", judged("pass", "pass", measured="pass")), ("b.cu", judged("missing", "pass"))], [])
    assert verdicts(run) == {"one-tile": "pass", "pipeline": "fail"}
    assert run.cases[1].message.startswith("a.cu and b.cu each define the launcher of this part")
    assert run.bandwidth is not None and run.bandwidth.verdict == "fail"


def test_a_file_that_does_not_compile_is_told_where_a_part_is_missing(lab3: Lab) -> None:
    run = together(lab3, [("a.cu", judged("pass", "missing"))], [Refused("b.cu", "b.cu(3): error: no ;")])
    assert verdicts(run) == {"one-tile": "pass", "pipeline": "missing"}
    assert run.cases[1].message == "b.cu does not compile by itself: b.cu(3): error: no ;"
    assert run.cases[0].message == ""


def test_a_file_that_does_not_compile_is_told_once(lab3: Lab) -> None:
    run = together(lab3, [("a.cu", judged("missing", "missing"))], [Refused("b.cu", "b.cu(3): error: no ;")])
    result = score(lab3, Outcomes(run, {"late": run}))
    text = io.StringIO()
    print_parts(Console(file=text, width=200), result)
    assert text.getvalue().count("b.cu does not compile by itself") == 1
    assert len(mistakes(result)[0]) == 2


def test_a_file_that_does_not_compile_is_told_where_another_has_all_parts() -> None:
    built = Built(Path("a.so"), refused=(Refused("b.cu", "b.cu(3): error: no ;"),), warnings="a.cu(1): warning")
    assert built.remarks == "b.cu does not compile by itself: b.cu(3): error: no ;\na.cu(1): warning"


class Building:
    """Real builds, of files of the given names and texts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        toolkit = find_toolkit(HERE)
        self.builder = Builder(HERE, toolkit, Processes(), sandbox_if_any(HERE, toolkit))

    def build(self, encoding: str = "utf-8", **texts: str) -> Built:
        self.folder.mkdir()
        for name, text in texts.items():
            (self.folder / f"{name}.cu").write_text(text, encoding=encoding)
        submission = Submission("ada", LAB6, self.folder)
        return self.builder.build(submission, self.builder.key(submission), lambda: None)

    def recall(self) -> Built | None:
        return self.builder.recall(self.builder.key(Submission("ada", LAB6, self.folder)))


@pytest.fixture
def building(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Building:
    monkeypatch.setenv("TMAGRADE_STATE", str(tmp_path / "state"))
    return Building(tmp_path / "handed-in")


def test_each_file_with_a_main_is_a_library_and_known_the_next_time(building: Building) -> None:
    built = building.build(copy=HELPER_AND_MAIN + COPY, other="#error unfinished", memcpy=HELPER_AND_MAIN + MEMCPY)
    assert [piece.source for piece in built.pieces] == ["copy.cu", "memcpy.cu"]
    assert [one.source for one in built.refused] == ["other.cu"]
    assert "unfinished" in built.refused[0].message
    assert all(piece.library.is_file() for piece in built.pieces)
    assert building.recall() == built
    built.pieces[1].library.unlink()
    assert building.recall() is None


def test_files_that_go_together_stay_one_library(building: Building) -> None:
    built = building.build(a="static int helper() { return 1; }\n" + COPY, b="static int other = helper();\n" + MEMCPY)
    assert built.library is not None and built.pieces == ()


@pytest.mark.parametrize("header", ["", OWN_HEADER])
def test_calls_of_the_driver_are_checked_like_those_of_the_runtime(building: Building, header: str) -> None:
    building.folder.mkdir()
    if header:
        (building.folder / "tma-interface.cuh").write_text(header)
    (building.folder / "lab6.cu").write_text(DRIVER_CALL)
    submission = Submission("ada", LAB6, building.folder)
    built = building.builder.build(submission, building.builder.key(submission), lambda: None)
    assert built.library is not None, built.message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_in_utf_16_is_told_how_to_be_saved(building: Building, encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    built = building.build(encoding, lab6=mark + COPY)
    assert (built.verdict, built.message) == ("build error", "lab6.cu is UTF-16: save it as UTF-8")


def test_another_file_counts_where_one_is_in_utf_16(building: Building) -> None:
    building.folder.mkdir()
    (building.folder / "copy.cu").write_text(COPY)
    (building.folder / "memcpy.cu").write_text(MEMCPY, encoding="utf-16")
    submission = Submission("ada", LAB6, building.folder)
    built = building.builder.build(submission, building.builder.key(submission), lambda: None)
    assert [piece.source for piece in built.pieces] == ["copy.cu"]
    assert [one.message for one in built.refused] == ["memcpy.cu is UTF-16: save it as UTF-8"]
