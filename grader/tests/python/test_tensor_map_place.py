"""Tensor maps: where they may be made, and what a refused one says."""

import os
import subprocess
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

STRIDE_IN_ELEMENTS = """\
#include "tensor-map.cuh"
int main() {
  float* matrix;
  cuda_check(cudaMalloc(&matrix, 4096));
  make_tensor_map<float, 2>(matrix, {8, 8}, {8 + 1}, {4, 4});
}
"""


def run_program(folder: Path, text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    (folder / "lab.cu").write_text(text)
    command: list[str | Path] = [
        find_toolkit(HERE).nvcc,
        "-cudart",
        "shared",
        "-std=c++20",
        f"-I{HERE.labs / 'common'}",
        *flags,
    ]
    subprocess.run([*command, "-o", "program", "./lab.cu"], cwd=folder, check=True)
    return subprocess.run(
        [HERE.build / "bin/tmaemu", "./program"], cwd=folder, env=os.environ, capture_output=True, text=True
    )


def test_a_refused_tensor_map_names_the_line_that_asks_for_it(tmp_path: Path) -> None:
    run = run_program(tmp_path, STRIDE_IN_ELEMENTS)
    assert run.returncode == 1
    assert "\nlab.cu:5:30: error: cuTensorMapEncodeTiled rejected this tensor map (CUresult 1):\n" in run.stderr


MAPS_EVERYWHERE = """\
#include <vector>

#include "tensor-map.cuh"

CUtensorMap map_of(float* matrix) { return make_tensor_map<float, 2>(matrix, {8, 8}, {32}, {4, 4}); }

struct Holder {
  char before = 0;
  CUtensorMap map;
  explicit Holder(float* matrix) : map(map_of(matrix)) {}
};

// Without a variable of its own that a compiler would have to align.
void assign(CUtensorMap& to, float* matrix) {
  to = make_tensor_map<float, 2>(matrix, {8, 8}, {32}, {4, 4});
}

// The stack begins at another multiple of 16 in each call.
void assign_at_depth(int depth, CUtensorMap& to, float* matrix) {
  auto* used = static_cast<volatile char*>(__builtin_alloca(16 * depth + 16));
  used[0] = 1;
  assign(to, matrix);
  used[1] = 1;
}

int main() {
  float* matrix;
  cuda_check(cudaMalloc(&matrix, 4096));
  static CUtensorMap elsewhere;
  for (int depth = 0; depth < 16; ++depth) assign_at_depth(depth, elsewhere, matrix);
  CUtensorMap assigned;
  char odd = 1;
  assigned = make_tensor_map<float, 2>(matrix, {8, 8}, {32}, {4, 4});
  assigned = odd ? make_tensor_map<float, 2>(matrix, {8, 8}, {32}, {4, 4}) : map_of(matrix);
  CUtensorMap in_array[3];
  for (CUtensorMap& map : in_array) map = make_tensor_map<float, 2>(matrix, {8, 8}, {32}, {4, 4});
  std::vector<CUtensorMap> in_vector;
  for (int i = 0; i < 3; ++i) in_vector.push_back(make_tensor_map<float, 2>(matrix, {8, 8}, {32}, {4, 4}));
  Holder holder(matrix);
  holder.map = make_tensor_map<float, 2>(matrix, {8, 8}, {32}, {4, 4});
  auto* on_heap = new Holder(matrix);
  on_heap->map = make_tensor_map<float, 2>(matrix, {8, 8}, {32}, {4, 4});
}
"""


@pytest.mark.parametrize("optimize", ["-O0", "-O2"])
def test_a_tensor_map_may_be_made_wherever_one_can_be_kept(tmp_path: Path, optimize: str) -> None:
    run = run_program(tmp_path, MAPS_EVERYWHERE, optimize)
    assert (run.returncode, run.stderr) == (0, "")
