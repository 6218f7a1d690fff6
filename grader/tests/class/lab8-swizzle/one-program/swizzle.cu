// Part swizzle-64 as a program of its own, for a tile of one row.
#include <cuda.h>

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

constexpr int LINE = 128;
constexpr int CHUNK = 16;

template <int TILE_M, int TILE_N, int OFFSET>
__global__ void tma_swizzle(const __grid_constant__ CUtensorMap map, uint8_t* dest) {
  __shared__ alignas(1024) uint8_t memory[OFFSET * LINE + TILE_M * TILE_N];
  __shared__ uint64_t loaded;
  uint8_t* tile = memory + OFFSET * LINE;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, TILE_M * TILE_N);
    cp_async_bulk_tensor_2d_global_to_shared(tile, &map, 0, 0, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  // All of the tile is taken to be in the line that it begins in.
  for (int i = threadIdx.x; i < TILE_M * TILE_N; i += blockDim.x) {
    dest[i] = tile[i ^ OFFSET % 4 * CHUNK];
  }
}

template <int TILE_M, int TILE_N, int OFFSET>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  const cuuint64_t sizes[] = {TILE_N, TILE_M};
  const cuuint64_t strides[] = {TILE_N};
  const cuuint32_t box[] = {TILE_N, TILE_M};
  const cuuint32_t steps[] = {1, 1};
  CUtensorMap map;
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, src, sizes, strides, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_64B,
                         CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  tma_swizzle<TILE_M, TILE_N, OFFSET><<<1, 32>>>(map, dest);
}

int main() {
  constexpr int N = 64;
  uint8_t *src, *dest;
  CUDA_CHECK(cudaMallocManaged(&src, N));
  CUDA_CHECK(cudaMallocManaged(&dest, N));
  for (int i = 0; i < N; ++i) src[i] = static_cast<uint8_t>(i);
  launch_tma_swizzle<1, 64, 1>(src, dest);
  CUDA_CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += dest[i] != i;
  std::printf("%d bytes are wrong\n", wrong);
  return wrong != 0;
}
