// Has the kernel of the part before, with a ring and one consumer, for the part that asks for two
// and for registers that the producer gives them.
//
// Fails: of one CTA two warpgroups have to multiply what was handed to them, with more registers
// than they began with.
#include "products.h"

constexpr int STAGES = 4;

__global__ void multiply(const __grid_constant__ CUtensorMap a_map,
                         const __grid_constant__ CUtensorMap b_map, bf16* c, int m, int k) {
  extern __shared__ __align__(1024) bf16 tiles[];  // of A and of B, in turn
  __shared__ uint64_t full[STAGES], empty[STAGES];
  const int row = blockIdx.x * 64, column = blockIdx.y * 64;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      init_barrier(&full[stage], 1);
      init_barrier(&empty[stage], 128);
    }
    async_proxy_fence();
  }
  __syncthreads();
  float sums[4][8] = {};
  for (int step = 0; step < k / DEPTH; ++step) {
    const int stage = step % STAGES, parity = step / STAGES % 2;
    bf16* const a = tiles + 2 * stage * 64 * DEPTH;
    bf16* const b = a + 64 * DEPTH;
    if (threadIdx.x >= 128) {
      if (threadIdx.x > 128) return;
      wait(&empty[stage], parity ^ 1);
      expect_bytes_and_arrive(&full[stage], 2 * 64 * DEPTH * sizeof(bf16));
      cp_async_bulk_tensor_2d_global_to_shared(a, &a_map, step * DEPTH, row, &full[stage]);
      cp_async_bulk_tensor_2d_global_to_shared(b, &b_map, step * DEPTH, column, &full[stage]);
      continue;
    }
    wait(&full[stage], parity);
    warpgroup_arrive();
    for (int i = 0; i < DEPTH; i += 16) {
      wgmma_n64<1, 1, 1, 0, 0>(columns_of(a, i), columns_of(b, i), sums);
    }
    wgmma_commit();
    wgmma_wait<0>();
    accumulators_changed(sums);
    arrive(&empty[stage], 1);
  }
  if (threadIdx.x >= 128) return;
  for (int i = 0; i < 32; ++i) {
    c[(column + column_of(i)) * m + row + row_of(i)] = __float2bfloat16(sums[i / 8][i % 8]);
  }
}

void launch_specialized_matmul(int M, int N, int K, bf16* A, bf16* B, bf16* C) {
  constexpr int bytes = STAGES * 2 * 64 * DEPTH * sizeof(bf16);
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  multiply<<<dim3(M / 64, N / 64), 160, bytes>>>(map_of(A, M, K, 64), map_of(B, N, K, 64), C, M, K);
}
