"""A tensor map that is refused says where the host asks for it."""

import os
import subprocess
from pathlib import Path

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


def test_a_refused_tensor_map_names_the_line_that_asks_for_it(tmp_path: Path) -> None:
    (tmp_path / "lab.cu").write_text(STRIDE_IN_ELEMENTS)
    command: list[str | Path] = [
        find_toolkit(HERE).nvcc,
        "-cudart",
        "shared",
        "-std=c++20",
        f"-I{HERE.labs / 'common'}",
    ]
    subprocess.run([*command, "-o", "program", "./lab.cu"], cwd=tmp_path, check=True)
    run = subprocess.run(
        [HERE.build / "bin/tmaemu", "./program"], cwd=tmp_path, env=os.environ, capture_output=True, text=True
    )
    assert run.returncode == 1
    assert "\nlab.cu:5:30: error: cuTensorMapEncodeTiled rejected this tensor map (CUresult 1):\n" in run.stderr
