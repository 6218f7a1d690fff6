// Part pipeline as a program of its own, for whole tiles.
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

constexpr int TILE = 4096;  // elements
constexpr int STAGES = 4;
constexpr int CTAS = 128;

__global__ void copy_in_a_ring(bf16* dest, const bf16* src, int tiles) {
  __shared__ alignas(128) bf16 ring[STAGES][TILE];
  __shared__ uint64_t full[STAGES], empty[STAGES];
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      init_barrier(&full[stage], 1);
      init_barrier(&empty[stage], 1);
    }
    async_proxy_fence();
  }
  __syncthreads();
  int lap = 0;  // tiles of this CTA so far
  if (threadIdx.x == 0) {
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, ++lap) {
      const int stage = lap % STAGES;
      wait(&empty[stage], lap / STAGES % 2 ^ 1);
      expect_bytes_and_arrive(&full[stage], sizeof(ring[0]));
      cp_async_bulk_global_to_shared(ring[stage], src + size_t{TILE} * tile, sizeof(ring[0]),
                                     &full[stage]);
    }
  } else if (threadIdx.x == 32) {
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, ++lap) {
      const int stage = lap % STAGES;
      wait(&full[stage], lap / STAGES % 2);
      cp_async_bulk_shared_to_global(dest + size_t{TILE} * tile, ring[stage], sizeof(ring[0]));
      tma_store_commit_group();
      tma_store_wait_until_pending<0>();
      arrive(&empty[stage], 1);
    }
  }
}

void launch_multiwarp_pipeline(bf16* dest, bf16* src, const int N) {
  copy_in_a_ring<<<CTAS, 64>>>(dest, src, N / TILE);
}

int main() {
  constexpr int N = 1 << 21;
  bf16 *src, *dest;
  CUDA_CHECK(cudaMallocManaged(&src, N * sizeof(bf16)));
  CUDA_CHECK(cudaMallocManaged(&dest, N * sizeof(bf16)));
  for (int i = 0; i < N; ++i) src[i] = __float2bfloat16(static_cast<float>(i % 200));
  launch_multiwarp_pipeline(dest, src, N);
  CUDA_CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += __bfloat162float(dest[i]) != static_cast<float>(i % 200);
  std::printf("%d elements are wrong\n", wrong);
  return wrong != 0;
}
