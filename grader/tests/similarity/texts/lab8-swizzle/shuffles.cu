// A warp takes 32 x 32 elements, a row a lane, and transposes them in registers, in five exchanges.
#include <cuda_bf16.h>

#include <cstring>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

static constexpr unsigned ALL = 0xFFFFFFFF;

// Word w of the tile, as four bytes: bits 3 and up of a word's number name its line of 32.
template <int BITS>
__device__ int where(int word) {
  const int line = word >> 5;
  const int mask = (1 << BITS) - 1;
  return word ^ (line & mask) << 2;
}

template <int ROWS, int WIDE, int LINES_BEFORE>
__global__ void words(const __grid_constant__ CUtensorMap tile, unsigned* dest) {
  constexpr int BITS = WIDE == 32 ? 1 : WIDE == 64 ? 2 : 3;
  constexpr int FIRST = LINES_BEFORE * 32;
  __shared__ __align__(1024) unsigned mem[FIRST + ROWS * WIDE / 4];
  __shared__ uint64_t full;
  const int lane = threadIdx.x;
  if (lane == 0) {
    init_barrier(&full, 32);
    async_proxy_fence();
    expect_bytes(&full, ROWS * WIDE);
    cp_async_bulk_tensor_2d_global_to_shared(mem + FIRST, &tile, 0, 0, &full);
  }
  __syncwarp();
  arrive(&full, 1);
  wait(&full, 0);
  for (int w = lane; w < ROWS * WIDE / 4; w += 32) dest[w] = mem[where<BITS>(FIRST + w)];
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  TensorMapOptions options;
  switch (SWIZZLE_BYTES) {
    case 32:
      options.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
      break;
    case 64:
      options.swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
      break;
    default:
      options.swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  }
  words<TILE_M, TILE_N, OFFSET><<<1, 32>>>(
      make_tensor_map<uint8_t, 2>(src, {TILE_N, TILE_M}, {TILE_N}, {TILE_N, TILE_M}, options),
      reinterpret_cast<unsigned*>(dest));
  cuda_check(cudaGetLastError());
}
template <int TILE_M, int TILE_N, int OFFSET>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  launch_tma_swizzle<TILE_M, TILE_N, OFFSET, 64>(src, dest);
}

template <typename T>
struct Block {
  T row[32][32];
};

// Lane l has row l; afterward it has column l.
template <typename T>
__device__ void exchange(T (&mine)[32], int lane) {
#pragma unroll
  for (int s = 16; s > 0; s >>= 1) {
    const bool upper = (lane & s) != 0;
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      if (i & s) continue;
      const T got = __shfl_xor_sync(ALL, upper ? mine[i] : mine[i + s], s);
      (upper ? mine[i] : mine[i + s]) = got;
    }
  }
}

template <typename T>
__global__ void by_registers(const T* src, const __grid_constant__ CUtensorMap map, T* dest,
                             int rows, int columns, bool has_map) {
  __shared__ __align__(128) Block<T> block;
  __shared__ uint64_t full;
  const int lane = threadIdx.x;
  const int left = blockIdx.y * 32, top = blockIdx.x * 32;
  T mine[32] = {};
  if (has_map) {
    if (lane == 0) {
      init_barrier(&full, 1);
      async_proxy_fence();
      expect_bytes_and_arrive(&full, sizeof block);
      cp_async_bulk_tensor_2d_global_to_shared(&block, &map, left, top, &full);
    }
    __syncwarp();
    wait(&full, 0);
    for (int i = 0; i < 32; ++i) mine[i] = block.row[lane][i];
  } else if (top + lane < rows) {
    const T* row = src + size_t(top + lane) * columns;
    for (int i = 0; i < 32 && left + i < columns; ++i) mine[i] = row[left + i];
  }
  exchange(mine, lane);
  if (left + lane < columns) {
    T* row = dest + size_t(left + lane) * rows;
    for (int i = 0; i < 32 && top + i < rows; ++i) row[top + i] = mine[i];
  }
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  if (rows * columns == 0) return;
  const bool has_map = columns * sizeof(T) % 16 == 0;
  CUtensorMap map{};
  if (has_map) map = make_tensor_map<T, 2>(src, {columns, rows}, {columns * sizeof(T)}, {32, 32});
  const dim3 warps((rows + 31) / 32, (columns + 31) / 32);
  by_registers<T><<<warps, 32>>>(src, map, dest, rows, columns, has_map);
  cuda_check(cudaGetLastError());
}
