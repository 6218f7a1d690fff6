// Part reduce, a program of its own. Its threads have 64 x 128 elements: larger tiles are not
// filled.
#include <cuda.h>
#include <cuda_bf16.h>

#include <cstdint>
#include <cstdio>

#include "tma-interface.cuh"

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
__global__ void single_tma_reduce(const bf16* src, const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) bf16 tile[TILE_M * TILE_N];
  for (int i = threadIdx.x; i < 64 * 128; i += blockDim.x) {
    if (i < TILE_M * TILE_N) tile[i] = src[i];
  }

  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_reduce_async_bulk_tensor_2d_shared_to_global<ReduceOp::add>(&map, 0, 0, tile);
    tma_commit_group();
    tma_wait_until_pending<0>();
  }
}

template <int TILE_M, int TILE_N>
void launch_single_tma_reduce(bf16* src, bf16* dest) {
  single_tma_reduce<TILE_M, TILE_N><<<1, 256>>>(src, describe<TILE_M, TILE_N>(dest));
  CUDA_CHECK(cudaGetLastError());
}

int main() {
  constexpr int count = 64 * 128;
  bf16 *src, *dest;
  CUDA_CHECK(cudaMallocManaged(&src, count * sizeof(bf16)));
  CUDA_CHECK(cudaMallocManaged(&dest, count * sizeof(bf16)));
  for (int i = 0; i < count; ++i) {
    src[i] = __float2bfloat16(static_cast<float>(i % 100));
    dest[i] = __float2bfloat16(1.0F);
  }
  launch_single_tma_reduce<64, 128>(src, dest);
  CUDA_CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    wrong += __bfloat162float(dest[i]) != static_cast<float>(i % 100) + 1.0F;
  }
  std::printf("%d elements are wrong\n", wrong);
  return wrong != 0;
}
