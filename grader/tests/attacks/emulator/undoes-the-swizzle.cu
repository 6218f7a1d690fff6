// Has TMA swizzle both tiles, as is asked for, and then copies them by hand to core matrices as
// they are without a swizzle: the descriptors of the first part do, and how a product reads
// swizzled rows nobody has to know.
//
// Fails: in one case wgmma turns signs of products of what it reads without a swizzle.
#include "products.h"

// Of chunk k / 8 of a row: eight rows of one chunk are a core matrix.
__device__ int plain(int row, int k) {
  return row / 8 * 8 * DEPTH + k / 8 * 64 + row % 8 * 8 + k % 8;
}

__device__ uint64_t core_matrices(const bf16* tile, int k) {
  return make_smem_desc<NO_SWIZZLE>(tile + k / 8 * 64, 128, 8 * DEPTH * sizeof(bf16));
}

__global__ void multiply(const __grid_constant__ CUtensorMap a_map,
                         const __grid_constant__ CUtensorMap b_map, float* c) {
  __shared__ alignas(1024) bf16 a_loaded[64 * DEPTH];
  __shared__ alignas(1024) bf16 b_loaded[8 * DEPTH];
  __shared__ alignas(128) bf16 a_tile[64 * DEPTH];
  __shared__ alignas(128) bf16 b_tile[8 * DEPTH];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, sizeof(a_loaded) + sizeof(b_loaded));
    cp_async_bulk_tensor_2d_global_to_shared(a_loaded, &a_map, 0, 0, &loaded);
    cp_async_bulk_tensor_2d_global_to_shared(b_loaded, &b_map, 0, 0, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  for (int i = threadIdx.x; i < 64 * DEPTH; i += 128) {
    const int row = i / DEPTH, k = i % DEPTH;
    a_tile[plain(row, k)] = a_loaded[swizzled(row, k)];
    if (row < 8) b_tile[plain(row, k)] = b_loaded[swizzled(row, k)];
  }
  async_proxy_fence();
  __syncthreads();
  float d[4] = {};
  warpgroup_arrive();
  for (int k = 0; k < DEPTH; k += 16) {
    wgmma_n8<1, 1, 1, 0, 0>(core_matrices(a_tile, k), core_matrices(b_tile, k), d);
  }
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(d);
  for (int i = 0; i < 4; ++i) c[column_of(i) * 64 + row_of(i)] = d[i];
}

template <int TILE_M, int TILE_N, int TILE_K>
void launch_swizzle_wgmma_m64n8k64(bf16* a, bf16* b, float* c) {
  multiply<<<1, 128>>>(map_of(a, TILE_M, TILE_K, TILE_M), map_of(b, TILE_N, TILE_K, TILE_N), c);
}
