// No warp waits for another: each has a tile, a barrier and a lane that speaks to the engine of its
// own.
#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

constexpr int WARPS = 8;
constexpr int LANE_VECTORS = 8;                  // in registers, of each lane
constexpr int WARP_VECTORS = 32 * LANE_VECTORS;  // 4 KiB
constexpr uint32_t VECTOR_BYTES = 16;

struct Shelf {
  int4 vectors[WARP_VECTORS];
};

__global__ void __launch_bounds__(32 * WARPS) by_warps(int* data, size_t count, bool leftovers) {
  __shared__ alignas(128) Shelf shelves[WARPS];
  __shared__ uint64_t bells[WARPS];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const size_t vectors = count / 4;
  Shelf& shelf = shelves[warp];
  uint64_t* bell = bells + warp;
  if (lane == 0) {
    init_barrier(bell, 1);
    async_proxy_fence();
  }
  __syncwarp();

  int ring = 0;
  size_t from = (size_t(blockIdx.x) * WARPS + warp) * WARP_VECTORS;
  for (; from < vectors; from += size_t(gridDim.x) * WARPS * WARP_VECTORS) {
    const uint32_t here = vectors - from < WARP_VECTORS ? uint32_t(vectors - from) : WARP_VECTORS;
    int* const place = data + 4 * from;
    if (lane == 0) {
      tma_store_wait_until_pending_read<0>();
      expect_bytes_and_arrive(bell, here * VECTOR_BYTES);
      cp_async_bulk_global_to_shared(&shelf, place, here * VECTOR_BYTES, bell);
    }
    wait(bell, ring);
    ring ^= 1;
#pragma unroll
    for (int k = 0; k < LANE_VECTORS; ++k) {
      const uint32_t i = 32 * k + lane;
      if (i >= here) break;
      const int4 old = shelf.vectors[i];
      shelf.vectors[i] = int4{old.x + 1, old.y + 1, old.z + 1, old.w + 1};
    }
    async_proxy_fence();
    __syncwarp();
    if (lane == 0) {
      cp_async_bulk_shared_to_global(place, &shelf, here * VECTOR_BYTES);
      tma_store_commit_group();
    }
  }
  if (lane == 0) tma_store_wait_until_pending_read<0>();
  if (leftovers && blockIdx.x == gridDim.x - 1 && threadIdx.x >= 4 * vectors % 4 &&
      threadIdx.x < count - 4 * vectors)
    atomicAdd(data + 4 * vectors + threadIdx.x, 1);
}

namespace {
unsigned grid_for(size_t count, size_t limit) {
  const size_t ints = size_t{4} * WARPS * WARP_VECTORS;
  const size_t needed = count / ints + (count % ints != 0);
  return static_cast<unsigned>(needed < limit ? needed : limit);
}
}  // namespace

void launch_add_one_tile(int* data, int count) {
  by_warps<<<1, 32 * WARPS>>>(data, static_cast<size_t>(count), false);
  cuda_check(cudaGetLastError());
}

void launch_add_one(int* data, size_t count) {
  if (count != 0) by_warps<<<grid_for(count, 1 << 28), 32 * WARPS>>>(data, count, true);
  cuda_check(cudaGetLastError());
}

void launch_add_one_pipeline(int* data, size_t count) {
  if (count != 0) by_warps<<<grid_for(count, 132 * 6), 32 * WARPS>>>(data, count, true);
  cuda_check(cudaGetLastError());
}
