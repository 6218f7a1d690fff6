// By cuda::barrier of libcu++: the barrier is an object, and a token says which phase is meant.
#include <cuda/barrier>
#include <utility>

#include "try.cuh"

namespace tma = cuda::device::experimental;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void add_one(const __grid_constant__ CUtensorMap map, int tiles) {
  __shared__ alignas(128) int tile[STAGES][TILE_INTS];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier full[STAGES];
  const int row = blockIdx.x * TILE_ROWS;

  // Every thread calls it: all arrive, and one of them brings the bytes along.
  auto load = [&](int n) {
    const int stage = n % STAGES;
    if (threadIdx.x != 0) return full[stage].arrive();
    tma::cp_async_bulk_wait_group_read<0>();
    tma::cp_async_bulk_tensor_2d_global_to_shared(tile[stage], &map, n * TILE_COLUMNS, row,
                                                  full[stage]);
    return cuda::device::barrier_arrive_tx(full[stage], 1, TILE_BYTES);
  };

  if (threadIdx.x == 0) {
    for (barrier& stage : full) init(&stage, THREADS);
    tma::fence_proxy_async_shared_cta();
  }
  __syncthreads();

  barrier::arrival_token token = load(0);
  for (int n = 0; n < tiles; ++n) {
    barrier::arrival_token next;
    if (n + 1 < tiles) next = load(n + 1);
    full[n % STAGES].wait(std::move(token));
    token = std::move(next);
    add_one_to_tile(tile[n % STAGES]);
    tma::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
      tma::cp_async_bulk_tensor_2d_shared_to_global(&map, n * TILE_COLUMNS, row, tile[n % STAGES]);
      tma::cp_async_bulk_commit_group();
    }
  }
  if (threadIdx.x == 0) tma::cp_async_bulk_wait_group_read<0>();
}

int main() {
  return try_with_a_map(add_one);
}
