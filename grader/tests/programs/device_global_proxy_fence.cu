// A TMA store behind a proxy fence of global memory: no fence for the shared memory that it reads,
// as the test that runs this knows.
#include "runtime_test.h"
#include "tma-interface.cuh"

constexpr int columns = 64;

__global__ void store_row(int* out) {
  __shared__ alignas(128) int tile[columns];
  for (int i = 0; i < columns; ++i) tile[i] = i;
  async_proxy_fence_global();
  cp_async_bulk_shared_to_global(out, tile, sizeof tile);
  tma_commit_group();
  tma_wait_until_pending<0>();
}

int main() {
  int* out = nullptr;
  CHECK_OK(cudaMallocManaged(&out, columns * sizeof(int)));
  store_row<<<1, 1>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  return runtime_test::result();
}
