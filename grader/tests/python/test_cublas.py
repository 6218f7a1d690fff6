"""A program's calls of cuBLAS under tmaemu: its products are computed on the host. The programs declare what they call,
so that a machine without cuBLAS, its headers and its libraries, builds and runs them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from compile_once import compile_once

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

TMAEMU = HERE.build / "bin/tmaemu"
LIBRARIES = HERE.build / "lib/emulator"

DECLARED = """
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <cstdio>
extern "C" int cublasCreate_v2(void**);
extern "C" int cublasSetStream_v2(void*, cudaStream_t);
extern "C" int cublasGetVersion_v2(void*, int*);
extern "C" int cublasCgemm_v2(...);
extern "C" int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int, const float*, int,
                              const float*, float*, int);
static int square(void* handle, const float* a, float* c, int n) {
  const float one = 1, zero = 0;
  return cublasSgemm_v2(handle, 0, 0, n, n, n, &one, a, n, a, n, &zero, c, n);
}
__global__ void fill(float* to, float value) { to[threadIdx.x] = value; }
"""
SQUARES = (
    DECLARED
    + """
int main() {
  void* handle = nullptr;
  float *a = nullptr, *c = nullptr, result = 0;
  cudaMalloc(&a, 16);
  cudaMalloc(&c, 16);
  fill<<<1, 4>>>(a, 3);
  int status = cublasCreate_v2(&handle);
  for (int i = 0; i < 3; ++i) status += square(handle, a, c, 2);
  cudaMemcpy(&result, c, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d %g\\n", status, result);
}
"""
)
SAID = "tmaemu: cuBLAS's products are computed on the host, with an H200's sums\n"

Built = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path) -> Built:
    def compiled(text: str, *options: str | Path, library: str = "libcublas.so.13") -> Path:
        # The library from its folder: nvcc splits a path at its spaces.
        arguments = ["-cudart", "shared", "-arch=sm_90a", "-lineinfo", "-Xlinker", library, *options]
        return compile_once(text, tmp_path / "program", *arguments, cwd=LIBRARIES)

    return compiled


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([TMAEMU, *command], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("major", [12, 13])
def test_a_program_finds_it_where_the_machine_has_none_and_is_told_once(build: Built, major: int) -> None:
    result = run(build(SQUARES, library=f"libcublas.so.{major}"))
    assert result.stdout == "0 18\n"
    assert result.stderr == SAID


def test_it_stands_in_the_place_of_a_library_that_a_run_path_leads_to(build: Built, tmp_path: Path) -> None:
    (tmp_path / "libcublas.so.13").write_text("NVIDIA's, which would be loaded")
    result = run(build(SQUARES, "-Xlinker", f"--disable-new-dtags,-rpath={tmp_path}"))
    assert result.stdout == "0 18\n"


OPENS = """
#include <dlfcn.h>
#include <cstdio>
int main(int, char** arguments) {
  void* const library = dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) return std::puts(dlerror());
  int version = 0;
  auto* const tell = reinterpret_cast<int (*)(void*, int*)>(dlsym(library, arguments[2]));
  if (tell != nullptr) tell(nullptr, &version);
  std::printf("%d\\n", version);
}
"""


@pytest.mark.parametrize(
    ("name", "version"),
    [("libcublas.so.12", 120901), ("libcublas.so.13.1.0.3", 130100), ("libcublas-1a2b3c.so.13", 130100)],
)
def test_each_name_of_the_library_is_answered(build: Built, tmp_path: Path, name: str, version: int) -> None:
    opened = run(build(OPENS), tmp_path / "nowhere" / name, "cublasGetVersion_v2")
    assert opened.stdout == f"{version}\n"


def test_a_link_without_a_version_has_that_of_the_file_behind_it(build: Built, tmp_path: Path) -> None:
    (tmp_path / "libcublas.so.12").write_text("NVIDIA's")
    (tmp_path / "libcublas.so").symlink_to("libcublas.so.12")
    opened = run(build(OPENS), tmp_path / "libcublas.so", "cublasGetVersion_v2")
    assert opened.stdout == "120901\n"


def test_what_is_not_served_is_refused_by_its_name(build: Built) -> None:
    result = run(build(DECLARED + 'int main() { std::printf("%d\\n", cublasCgemm_v2(1)); }'))
    assert result.stdout == "15\n"
    assert result.stderr.startswith("tmaemu: cublasCgemm_v2 is not modeled: ")
    assert "compute it in a kernel of your own" in result.stderr


HOST_MEMORY = (
    DECLARED
    + """
int main() {
  void* handle = nullptr;
  float a[4] = {}, *c = nullptr;
  cudaMalloc(&c, 16);
  cublasCreate_v2(&handle);
  std::printf("%d\\n", square(handle, a, c, 2));
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
"""
)


def test_memory_that_is_not_the_devices_is_an_illegal_address(build: Built) -> None:
    result = run(build(HOST_MEMORY))
    assert result.stdout == "0\ncudaErrorIllegalAddress\n"
    assert "cublasSgemm_v2: A, 16 bytes at 0x" in result.stderr


# The kernel writes A; {} is what orders the two.
TWO_STREAMS = (
    DECLARED
    + """
int main() {
  void* handle = nullptr;
  float *a = nullptr, *c = nullptr;
  cudaStream_t one, other;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaMalloc(&a, 16);
  cudaMalloc(&c, 16);
  cublasCreate_v2(&handle);
  cublasSetStream_v2(handle, one);
  fill<<<1, 4, 0, other>>>(a, 3);
  ORDER
  square(handle, a, c, 2);
  cudaDeviceSynchronize();
}
"""
)


def test_a_kernel_that_nothing_orders_with_a_product_races_with_it(build: Built) -> None:
    racing = run(build(TWO_STREAMS.replace("ORDER", "")))
    assert "[data-race]" in racing.stderr and "program.cu" in racing.stderr
    ordered = run(build(TWO_STREAMS.replace("ORDER", "cudaStreamSynchronize(other);")))
    assert ordered.stderr == SAID


# The two libraries of CUDA are NVIDIA's own files there.
NVIDIAS = [
    path for name in ("libcublas.so.13", "libcublasLt.so.13") if (path := find_toolkit(HERE).libraries / name).exists()
]


def exported(library: Path) -> set[str]:
    printed = subprocess.run(
        [shutil.which("nm") or "nm", "--dynamic", "--defined-only", library], check=True, capture_output=True, text=True
    ).stdout
    return {line.split()[-1] for line in printed.splitlines()}


def test_every_name_that_nvidias_libraries_export_is_there() -> None:
    assert [exported(path) - exported(LIBRARIES / path.name) for path in NVIDIAS] == [set() for _ in NVIDIAS]
