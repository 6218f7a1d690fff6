// By this course's header: a function is a PTX instruction.
#include "tma-interface.cuh"
#include "try.cuh"

__global__ void add_one(const __grid_constant__ CUtensorMap map, int tiles) {
  __shared__ alignas(128) int tile[STAGES][TILE_INTS];
  __shared__ uint64_t full[STAGES];
  const int row = blockIdx.x * TILE_ROWS;

  auto load = [&](int n) {
    const int stage = n % STAGES;
    expect_bytes_and_arrive(&full[stage], TILE_BYTES);
    cp_async_bulk_tensor_2d_global_to_shared(tile[stage], &map, n * TILE_COLUMNS, row,
                                             &full[stage]);
  };

  if (threadIdx.x == 0) {
    for (uint64_t& barrier : full) init_barrier(&barrier, 1);
    async_proxy_fence();
    load(0);
  }
  __syncthreads();

  for (int n = 0; n < tiles; ++n) {
    if (threadIdx.x == 0 && n + 1 < tiles) {
      tma_store_wait_until_pending_read<0>();  // the store of tile n - 1, in the same stage
      load(n + 1);
    }
    wait(&full[n % STAGES], n / STAGES % 2);
    add_one_to_tile(tile[n % STAGES]);
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      cp_async_bulk_tensor_2d_shared_to_global(&map, n * TILE_COLUMNS, row, tile[n % STAGES]);
      tma_store_commit_group();
    }
  }
  if (threadIdx.x == 0) tma_store_wait_until_pending_read<0>();
}

int main() {
  return try_with_a_map(add_one);
}
