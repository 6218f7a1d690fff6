#include <cuda_bf16.h>

#include <cstddef>
#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

constexpr int TILE = 4096;  // bytes

__device__ void move_tile(char* to, const char* from, int n) {
  __shared__ alignas(16) char tile[TILE];
  __shared__ uint64_t bar;
  init_barrier(&bar, 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&bar, n);
  cp_async_bulk_global_to_shared(tile, from, n, &bar);
  wait(&bar, 0);
  cp_async_bulk_shared_to_global(to, tile, n);
  tma_store_commit_group();
  tma_store_wait_until_pending_read<0>();
}

__global__ void tma_copy(bf16* dest, const bf16* src, int N) {
  size_t bytes = size_t(N) * 2 / 16 * 16;
  size_t begin = size_t(blockIdx.x) * TILE;
  if (threadIdx.x == 0 && begin < bytes) {
    move_tile((char*)dest + begin, (const char*)src + begin, min(bytes - begin, size_t(TILE)));
  }
}

void launch_tma_copy(bf16* dest, bf16* src, int N) {
  if (N == 0) return;
  size_t tiles = (size_t(N) * 2 + TILE - 1) / TILE;
  tma_copy<<<(unsigned)tiles, 32>>>(dest, src, N);
  cuda_check(cudaGetLastError());
}
