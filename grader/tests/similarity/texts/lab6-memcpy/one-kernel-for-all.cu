// One kernel of bytes for both parts. What is not aligned alike goes byte by byte in the same
// kernel.
#include <cuda_bf16.h>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

static const unsigned PIECE = 8192;

__global__ void copy_bytes(char* to, const char* from, size_t n) {
  __shared__ alignas(128) char piece[PIECE];
  __shared__ uint64_t here;
  const size_t step = size_t(PIECE) * gridDim.x;
  const bool alike = ((uintptr_t(to) ^ uintptr_t(from)) & 15) == 0;
  size_t before = (16 - (uintptr_t(to) & 15)) & 15;
  if (!alike || before > n) before = n;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < before;
       i += size_t(gridDim.x) * blockDim.x)
    to[i] = from[i];
  to += before, from += before, n -= before;
  const size_t after = n & 15;
  n -= after;
  if (blockIdx.x == 0 && threadIdx.x < after) to[n + threadIdx.x] = from[n + threadIdx.x];
  if (threadIdx.x) return;
  init_barrier(&here, 1);
  async_proxy_fence();
  int lap = 0;
  for (size_t at = size_t(PIECE) * blockIdx.x; at < n; at += step) {
    const int bytes = n - at < PIECE ? int(n - at) : int(PIECE);
    tma_store_wait_until_pending_read<0>();
    expect_bytes_and_arrive(&here, bytes);
    cp_async_bulk_global_to_shared(piece, from + at, bytes, &here);
    wait(&here, lap++ & 1);
    cp_async_bulk_shared_to_global(to + at, piece, bytes);
    tma_store_commit_group();
  }
  tma_store_wait_until_pending<0>();
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  if (!bytes) return;
  const size_t ctas = (bytes - 1) / PIECE + 1;
  copy_bytes<<<unsigned(ctas < 2112 ? ctas : 2112), 64>>>((char*)dest, (const char*)src, bytes);
  cuda_check(cudaGetLastError());
}

void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  launch_tma_memcpy(dest, src, 2 * size_t(N));
}
