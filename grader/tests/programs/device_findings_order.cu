// Every CTA makes the same mistake, the first ones later than the rest. Findings are told in the
// grid's order all the same (test_host_threads.py), so the one that is printed is that of block 0.
#include "runtime_test.h"
#include "tma-interface.cuh"

namespace {

constexpr int ctas = 64;

__global__ void forget_the_fence(int* out, int turns) {
  __shared__ alignas(16) int tile[4];
  unsigned number = 1;
  for (int i = 0; i < (blockIdx.x < 8 ? turns : 1); ++i) number = number * 1664525u + 1013904223u;
  tile[threadIdx.x] = static_cast<int>(number);
  __syncwarp();
  if (threadIdx.x != 0) return;
  cp_async_bulk_shared_to_global(out + blockIdx.x * 4, tile, sizeof tile);
  tma_store_commit_group();
  tma_store_wait_until_pending<0>();
}

}  // namespace

int main() {
  int* out = nullptr;
  CHECK_OK(cudaMalloc(&out, ctas * 4 * sizeof(int)));
  forget_the_fence<<<ctas, 4>>>(out, 300'000);
  CHECK_OK(cudaDeviceSynchronize());
  return runtime_test::result();
}
