// Reductions of integers by the TMA engine meet in one place. Their sum is the same in any order,
// so host threads make them side by side (test_host_threads.py): none may be lost.
#include <cstdint>
#include <vector>

#include "runtime_test.h"
#include "tma-interface.cuh"

namespace {

constexpr unsigned ctas = 60'000;
constexpr int count = 256;

__global__ void add_ones(uint32_t* sums) {
  __shared__ alignas(16) uint32_t own[count];
  for (int i = threadIdx.x; i < count; i += blockDim.x) own[i] = 1;
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x != 0) return;
  cp_reduce_async_bulk_shared_to_global<ReduceOp::add>(sums, own, sizeof own);
  tma_store_commit_group();
  tma_store_wait_until_pending<0>();
}

}  // namespace

int main() {
  uint32_t* sums = nullptr;
  CHECK_OK(cudaMalloc(&sums, count * sizeof *sums));
  CHECK_OK(cudaMemset(sums, 0, count * sizeof *sums));
  add_ones<<<ctas, 32>>>(sums);
  std::vector<uint32_t> found(count);
  CHECK_OK(cudaMemcpy(found.data(), sums, count * sizeof *sums, cudaMemcpyDeviceToHost));
  CHECK(found == std::vector<uint32_t>(count, ctas));
  return runtime_test::result();
}
