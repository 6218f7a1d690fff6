"""What threads send to another CTA with st.async is called a store, and no load."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from test_policies import TMAEMU, compiled

SOURCE = """#include <cstdint>
#include <cstdlib>
#include "ptx.h"
template <int which>
__global__ void __cluster_dims__(2) sends_words(const int* in, int* out) {
  __shared__ alignas(128) int theirs[64];
  __shared__ uint64_t full;
  const unsigned peer = cluster_rank() ^ 1;
  const int t = threadIdx.x;
  if (t == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
  }
  cluster_sync();
  for (int i = 0; i < 3; ++i) {
    if (t == 0) arrive_and_expect(&full, which == 1 ? 272 : 256);
    store_async(address_in_cta(&theirs[t], peer), in[t] + i, address_in_cta(&full, peer));
    wait_parity_cluster(&full, (i + (which == 0 ? 1 : 0)) % 2);
    out[64 * i + t] = theirs[63 - t];
    if (which != 2 || i == 0) cluster_sync();
  }
  cluster_sync();
}
int main(int, char** arguments) {
  int *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  cudaMemset(in, 1, 4096);
  switch (atoi(arguments[1])) {
    case 0: sends_words<0><<<2, 64>>>(in, out); break;
    case 1: sends_words<1><<<2, 64>>>(in, out); break;
    case 2: sends_words<2><<<2, 64>>>(in, out); break;
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""
FOUND = {
    "waits_for_the_wrong_parity": "wait-wrong-parity",
    "announces_too_much": "expect-too-many",
    "sends_over_what_is_being_read": "load-over-unread-data",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("stores") / "stores.cu"
    source.write_text(SOURCE)
    return compiled(source, source.with_suffix(""))


@pytest.mark.parametrize("kernel", FOUND)
def test_no_finding_speaks_of_a_load_where_there_is_none(program: Path, kernel: str) -> None:
    command: list[str | Path] = [TMAEMU, "--check=json", program, str(list(FOUND).index(kernel))]
    told = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=60, check=False).stderr
    findings = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    assert FOUND[kernel] in {each["code"] for each in findings}, told
    told_of = [each for each in findings if each["code"] == FOUND[kernel]]
    words = [each["message"] for each in told_of]
    words += [note["message"] for each in told_of for note in each["notes"]]
    assert not [said for said in words if " load" in said], told
