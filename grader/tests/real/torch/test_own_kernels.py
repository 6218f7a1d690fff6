"""Kernels of one's own under torch: nvcc's library with the runtime in it, which ctypes calls, and an extension."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[4]
NVCC = Path(os.environ["CUDA_HOME"]) / "bin/nvcc"

# Each thread reads what another has written, with the barrier in between or without it.
KERNEL = """
__global__ void reverse(float* out, const float* in, bool is_right) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  if (is_right) __syncthreads();
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
extern "C" int run(float* out, const float* in, bool is_right, cudaStream_t stream) {
  reverse<<<1, 256, 0, stream>>>(out, in, is_right);
  return cudaGetLastError();
}
"""
EXTENSION = """
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>
__global__ void twice(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * 2;
}
torch::Tensor twice_and_one(torch::Tensor x) {
  torch::Tensor out = torch::zeros_like(x);
  const int n = x.numel();
  twice<<<(n + 127) / 128, 128, 0, at::cuda::getCurrentCUDAStream()>>>(
      out.data_ptr<float>(), x.data_ptr<float>(), n);
  return out + 1;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("library")
    (folder / "reverse.cu").write_text(KERNEL)
    options = ["-arch=sm_90a", "-lineinfo", "-shared", "-Xcompiler", "-fPIC"]
    subprocess.run([NVCC, *options, "-o", "libreverse.so", "reverse.cu"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "libreverse.so"))


def reversed_by(library: ctypes.CDLL, x: torch.Tensor, *, is_right: bool) -> torch.Tensor:
    out = torch.empty_like(x)
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    places = ctypes.c_void_p(out.data_ptr()), ctypes.c_void_p(x.data_ptr())
    assert library.run(*places, ctypes.c_bool(is_right), stream) == 0
    return out


def test_a_right_kernel_runs_without_a_finding(library: ctypes.CDLL, capfd: pytest.CaptureFixture[str]) -> None:
    x = torch.randn(256, device="cuda")
    assert torch.equal(reversed_by(library, x, is_right=True), x.flip(0))
    assert "error" not in capfd.readouterr().err


def test_a_race_is_told_at_its_line(library: ctypes.CDLL, capfd: pytest.CaptureFixture[str]) -> None:
    reversed_by(library, torch.randn(256, device="cuda"), is_right=False)
    torch.cuda.synchronize()
    assert "reverse.cu:6:3: error: shared memory is read here and written by another thread" in capfd.readouterr().err


def test_an_extension_that_torch_builds_runs(tmp_path: Path) -> None:
    from torch.utils.cpp_extension import load_inline

    module = load_inline(
        "twice_and_one",
        cpp_sources="torch::Tensor twice_and_one(torch::Tensor x);",
        cuda_sources=EXTENSION,
        functions=["twice_and_one"],
        build_directory=str(tmp_path),
    )
    x = torch.randn(1000, device="cuda")
    torch.testing.assert_close(module.twice_and_one(x), x * 2 + 1)
    with torch.device("cuda"):  # what the extension calls sees the default device, too
        torch.testing.assert_close(module.twice_and_one(x), x * 2 + 1)


def test_a_script_finds_what_is_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("import torch\nones = torch.ones(3, device='cuda')\n")
    (tmp_path / "script.py").write_text("import sys, beside\nprint(sys.argv[1], beside.ones.sum().item())\n")
    command = [sys.executable, "-m", "tmaemu_torch", str(tmp_path / "script.py"), "word"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "word 3.0\n"), done.stderr
