"""Where two accesses race although a flag lies between them, or an mbarrier's initialization is not visible behind
one, the finding shows the flag's line and what it lacks."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from test_policies import TMAEMU, compiled

SOURCE = """#include <cstdint>
#include <cstdlib>
#include "memory_order.h"
#include "ptx.h"
__global__ void polls_as_a_warp(int* data, int* flag) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 1;
      atomicExch(flag, 1);  // the flag
    }
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    data[64 + threadIdx.x] = data[0];
  }
}
__global__ void loads_behind_a_flag(int* data, int* flag) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 1;
      store_relaxed(flag, 1);  // the flag
    }
  } else if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    while (load_relaxed(flag) == 0) {
    }
    fence_proxy_async();
    arrive_and_expect(&full, 256);
    load_bulk(tile, data, 256, &full);
    wait_parity(&full, 0);
    data[64] = tile[0];
  }
}
__global__ void sets_it_once_more(int* data, int* flag) {
  if (blockIdx.x == 0) {
    data[0] = 1;
    store_release(flag, 1);  // the flag
  } else {
    while (load_acquire(flag) == 0) {
    }
    data[64] = data[0];
  }
}
__global__ void initializes_an_mbarrier_in_front_of_a_flag(int* data, int* flag) {
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    store_relaxed(flag, 1);  // the flag
  } else if (threadIdx.x == 32) {
    while (load_relaxed(flag) == 0) {
    }
    arrive(&full);
    wait_parity(&full, 0);
    data[64] = 1;
  }
}
int main(int, char** arguments) {
  int* data;
  cudaMalloc(&data, 4096);
  cudaMemset(data, 0, 4096);
  int* const flag = data + 512;
  if (atoi(arguments[1]) == 0) polls_as_a_warp<<<2, 32>>>(data, flag);
  if (atoi(arguments[1]) == 1) loads_behind_a_flag<<<2, 32>>>(data, flag);
  if (atoi(arguments[1]) == 2) {
    for (int launch = 0; launch < 2; ++launch) sets_it_once_more<<<2, 1>>>(data, flag);
  }
  if (atoi(arguments[1]) == 3) initializes_an_mbarrier_in_front_of_a_flag<<<1, 64>>>(data, flag);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("flags") / "flags.cu"
    source.write_text(SOURCE)
    return compiled(source, source.with_suffix(""))


KERNELS = (
    "polls_as_a_warp",
    "loads_behind_a_flag",
    "sets_it_once_more",
    "initializes_an_mbarrier_in_front_of_a_flag",
)


@pytest.mark.parametrize("kernel", range(len(KERNELS)), ids=KERNELS)
def test_a_race_behind_a_flag_that_orders_nothing_shows_its_line(program: Path, kernel: int) -> None:
    flags = [i for i, line in enumerate(SOURCE.splitlines(), 1) if line.endswith("// the flag")]
    command: list[str | Path] = [TMAEMU, "--check=json", program, str(kernel)]
    told = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=60, check=False).stderr
    findings = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    notes = [note["place"]["line"] for each in findings for note in each["notes"] if "place" in note]
    assert flags[kernel] in notes, told
