// Part load, a program of its own.
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
__global__ void single_tma_load(const __grid_constant__ CUtensorMap map, bf16* dest) {
  __shared__ alignas(128) bf16 tile[TILE_M * TILE_N];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, sizeof(tile));
    cp_async_bulk_tensor_2d_global_to_shared(tile, &map, 0, 0, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  for (int i = threadIdx.x; i < TILE_M * TILE_N; i += blockDim.x) dest[i] = tile[i];
}

template <int TILE_M, int TILE_N>
void launch_single_tma_load(bf16* src, bf16* dest) {
  single_tma_load<TILE_M, TILE_N><<<1, 256>>>(describe<TILE_M, TILE_N>(src), dest);
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
  launch_single_tma_load<64, 128>(src, dest);
  CUDA_CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    wrong += __bfloat162float(dest[i]) != static_cast<float>(i % 100);
  }
  std::printf("%d elements are wrong\n", wrong);
  return wrong != 0;
}
