// Part store, a program of its own, with a CUDA_CHECK of its own.
#include <cuda.h>
#include <cuda_bf16.h>

#include <cstdint>
#include <cstdio>

#include "tma-interface.cuh"

#define CUDA_CHECK(call)                                                      \
  do {                                                                        \
    const cudaError_t error = (call);                                         \
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error)); \
  } while (false)

using bf16 = __nv_bfloat16;

// The same helper stands in each of the three files.
template <int TILE_M, int TILE_N>
CUtensorMap describe(bf16* matrix) {
  const cuuint64_t sizes[] = {TILE_N, TILE_M};
  const cuuint64_t strides[] = {TILE_N * sizeof(bf16)};
  const cuuint32_t tile[] = {TILE_N, TILE_M};
  const cuuint32_t steps[] = {1, 1};
  CUtensorMap map;
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, matrix, sizes, strides, tile,
                         steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                         CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

template <int TILE_M, int TILE_N>
__global__ void single_tma_store(const bf16* src, const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) bf16 tile[TILE_M * TILE_N];
  for (int i = threadIdx.x; i < TILE_M * TILE_N; i += blockDim.x) tile[i] = src[i];

  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&map, 0, 0, tile);
    tma_commit_group();
    tma_wait_until_pending<0>();
  }
}

template <int TILE_M, int TILE_N>
void launch_single_tma_store(bf16* src, bf16* dest) {
  single_tma_store<TILE_M, TILE_N><<<1, 256>>>(src, describe<TILE_M, TILE_N>(dest));
  CUDA_CHECK(cudaGetLastError());
}

int main() {
  constexpr int count = 64 * 128;
  bf16 *src, *dest;
  CUDA_CHECK(cudaMallocManaged(&src, count * sizeof(bf16)));
  CUDA_CHECK(cudaMallocManaged(&dest, count * sizeof(bf16)));
  for (int i = 0; i < count; ++i) {
    src[i] = __float2bfloat16(static_cast<float>(i % 100));
    dest[i] = __float2bfloat16(0.0F);
  }
  launch_single_tma_store<64, 128>(src, dest);
  CUDA_CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    wrong += __bfloat162float(dest[i]) != static_cast<float>(i % 100);
  }
  std::printf("%d elements are wrong\n", wrong);
  return wrong != 0;
}
