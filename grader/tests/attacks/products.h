// What attacks on lab 12 have in common, and know as everybody does who has done its first parts.
#pragma once

#include <cuda_bf16.h>

#include "tensor-map.cuh"
#include "tma-interface.cuh"
#include "wgmma-interface.cuh"

using bf16 = __nv_bfloat16;

constexpr int DEPTH = 64;  // elements of k in a tile of 128 bytes

__device__ inline int row_of(int i) {
  return threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
}
__device__ inline int column_of(int i) {
  return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
}

__device__ inline uint64_t columns_of(const bf16* tile, int k) {
  return make_smem_desc<SWIZZLE_128B>(tile + k, 0, 8 * DEPTH * sizeof(bf16));
}

// Where an element of such a tile lies.
__device__ inline int swizzled(int row, int k) {
  return row * DEPTH + (k / 8 ^ row % 8) * 8 + k % 8;
}

inline CUtensorMap map_of(const bf16* matrix, int rows, int columns, int box_rows) {
  return make_tensor_map<bf16, 2>(matrix, {columns, rows},
                                  {columns * static_cast<int>(sizeof(bf16))}, {DEPTH, box_rows},
                                  {.swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
}
