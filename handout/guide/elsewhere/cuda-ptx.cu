// By cuda::ptx of libcu++: a function is a PTX instruction, and its arguments are the modifiers.
#include <cuda/ptx>

#include "try.cuh"

namespace ptx = cuda::ptx;

__global__ void add_one(const __grid_constant__ CUtensorMap map, int tiles) {
  __shared__ alignas(128) int tile[STAGES][TILE_INTS];
  __shared__ uint64_t full[STAGES];
  const int row = blockIdx.x * TILE_ROWS;

  auto load = [&](int n) {
    const int stage = n % STAGES;
    const int32_t corner[] = {n * TILE_COLUMNS, row};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &full[stage], TILE_BYTES);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile[stage], &map, corner,
                              &full[stage]);
  };

  if (threadIdx.x == 0) {
    for (uint64_t& barrier : full) ptx::mbarrier_init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    load(0);
  }
  __syncthreads();

  for (int n = 0; n < tiles; ++n) {
    if (threadIdx.x == 0 && n + 1 < tiles) {
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
      load(n + 1);
    }
    while (!ptx::mbarrier_try_wait_parity(&full[n % STAGES], n / STAGES % 2)) {
    }
    add_one_to_tile(tile[n % STAGES]);
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      const int32_t corner[] = {n * TILE_COLUMNS, row};
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, corner,
                                tile[n % STAGES]);
      ptx::cp_async_bulk_commit_group();
    }
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
}

int main() {
  return try_with_a_map(add_one);
}
