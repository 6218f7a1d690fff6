// A warp a CTA; each of its lanes moves 1 KiB of its own, and lane by lane the edges.
#include <cuda_bf16.h>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

struct Kib {
  alignas(16) char byte[1024];
};

__global__ void __launch_bounds__(32) lanes(char* d, const char* s, size_t lead, size_t n) {
  __shared__ Kib kib[32];
  __shared__ uint64_t bar[32];
  const unsigned lane = threadIdx.x;
  if (blockIdx.x == 0) {
    if (lane < lead) d[lane] = s[lane];
    const size_t tail = lead + (n - lead) / 16 * 16 + lane;
    if (tail < n) d[tail] = s[tail];
  }
  const size_t vectors = (n - lead) / 16;
  const size_t first = (size_t(blockIdx.x) * 32 + lane) * 64;
  if (first >= vectors) return;
  const int size = 16 * int(vectors - first < 64 ? vectors - first : 64);
  init_barrier(&bar[lane], 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&bar[lane], size);
  cp_async_bulk_global_to_shared(kib[lane].byte, s + lead + 16 * first, size, &bar[lane]);
  while (!test_wait(&bar[lane], 0)) __nanosleep(20);
  cp_async_bulk_shared_to_global(d + lead + 16 * first, kib[lane].byte, size);
  tma_store_commit_group();
  tma_store_wait_until_pending_read<0>();
}

__global__ void bytewise(char* d, const char* s, size_t n) {
  for (size_t i = threadIdx.x + size_t(256) * blockIdx.x; i < n; i += size_t(256) * gridDim.x)
    d[i] = s[i];
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  if (bytes == 0) return;
  const auto a = reinterpret_cast<uintptr_t>(dest), b = reinterpret_cast<uintptr_t>(src);
  size_t lead = (16 - a % 16) % 16;
  if (lead > bytes) lead = bytes;
  if ((a - b) % 16)
    bytewise<<<2048, 256>>>((char*)dest, (const char*)src, bytes);
  else
    lanes<<<unsigned(bytes / 32768 + 1), 32>>>((char*)dest, (const char*)src, lead, bytes);
  cuda_check(cudaGetLastError());
}

void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  launch_tma_memcpy(dest, src, size_t(N) + size_t(N));
}
