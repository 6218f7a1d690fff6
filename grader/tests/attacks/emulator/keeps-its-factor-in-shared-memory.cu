// Has both products, but takes the second one's factor from shared memory, as in the parts before:
// which elements of it a thread has to give, nobody needs to know.
//
// Fails: what is written has to come out of a product whose factor in registers came out of
// another.
#include "products.h"

__global__ void two_products(const __grid_constant__ CUtensorMap a_map,
                             const __grid_constant__ CUtensorMap b_map,
                             const __grid_constant__ CUtensorMap c_map, float* d) {
  __shared__ alignas(1024) bf16 a_tile[64 * DEPTH];
  __shared__ alignas(1024) bf16 b_tile[64 * DEPTH];
  __shared__ alignas(1024) bf16 c_tile[8 * DEPTH];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, sizeof(a_tile) + sizeof(b_tile) + sizeof(c_tile));
    cp_async_bulk_tensor_2d_global_to_shared(a_tile, &a_map, 0, 0, &loaded);
    cp_async_bulk_tensor_2d_global_to_shared(b_tile, &b_map, 0, 0, &loaded);
    cp_async_bulk_tensor_2d_global_to_shared(c_tile, &c_map, 0, 0, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  float p[4][8] = {};
  warpgroup_arrive();
  for (int k = 0; k < DEPTH; k += 16) {
    wgmma_n64<1, 1, 1, 0, 0>(columns_of(a_tile, k), columns_of(b_tile, k), p);
  }
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(p);
  __syncthreads();
  for (int i = 0; i < 32; ++i) {
    a_tile[swizzled(row_of(i), column_of(i))] = __float2bfloat16(p[i / 8][i % 8]);
  }
  async_proxy_fence();
  __syncthreads();
  float sums[4] = {};
  warpgroup_arrive();
  for (int k = 0; k < DEPTH; k += 16) {
    wgmma_n8<1, 1, 1, 0, 0>(columns_of(a_tile, k), columns_of(c_tile, k), sums);
  }
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(sums);
  for (int i = 0; i < 4; ++i) d[column_of(i) * 64 + row_of(i)] = sums[i];
}

void launch_two_products(bf16* a, bf16* b, bf16* c, float* d) {
  two_products<<<1, 128>>>(map_of(a, 64, DEPTH, 64), map_of(b, 64, DEPTH, 64),
                           map_of(c, 8, DEPTH, 8), d);
}
