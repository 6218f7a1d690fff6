// Part tma-copy as a program of its own, for whole tiles.
#include <cuda.h>
#include <cuda_bf16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tma-interface.cuh"

#define CUDA_CHECK(call)                                                         \
  do {                                                                           \
    const cudaError_t error = (call);                                            \
    if (error != cudaSuccess) {                                                  \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (false)

using bf16 = __nv_bfloat16;

constexpr int TILE = 2048;  // elements

__global__ void copy_tiles(bf16* dest, const bf16* src) {
  __shared__ alignas(128) bf16 tile[TILE];
  __shared__ uint64_t loaded;
  if (threadIdx.x != 0) return;
  const size_t first = size_t{blockIdx.x} * TILE;
  init_barrier(&loaded, 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&loaded, sizeof(tile));
  cp_async_bulk_global_to_shared(tile, src + first, sizeof(tile), &loaded);
  wait(&loaded, 0);
  cp_async_bulk_shared_to_global(dest + first, tile, sizeof(tile));
  tma_store_commit_group();
  tma_store_wait_until_pending<0>();
}

void launch_tma_copy(bf16* dest, bf16* src, int N) {
  copy_tiles<<<N / TILE, 32>>>(dest, src);
}

int main() {
  constexpr int N = 1 << 20;
  bf16 *src, *dest;
  CUDA_CHECK(cudaMallocManaged(&src, N * sizeof(bf16)));
  CUDA_CHECK(cudaMallocManaged(&dest, N * sizeof(bf16)));
  for (int i = 0; i < N; ++i) src[i] = __float2bfloat16(static_cast<float>(i % 200));
  launch_tma_copy(dest, src, N);
  CUDA_CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += __bfloat162float(dest[i]) != static_cast<float>(i % 200);
  std::printf("%d elements are wrong\n", wrong);
  return wrong != 0;
}
