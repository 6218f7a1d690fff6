// What the programs here share: two matrices of small whole numbers, their maps, and their product.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"
#include "wgmma-interface.cuh"

using bf16 = __nv_bfloat16;

inline constexpr int WARP = 32;
inline constexpr int WARPGROUP = 128;
inline constexpr int DEPTH = 64;  // columns of k in a tile: 128 bytes, as wide as the swizzle

// Describes 16 columns of a tile, from `row` (a multiple of 8) and column k on.
__device__ inline uint64_t columns_of(const bf16* tile, int row, int k) {
  return make_smem_desc<SWIZZLE_128B>(tile + row * DEPTH + k, 0, 8 * DEPTH * sizeof(bf16));
}

// A matrix of `rows` x `columns` on the device, for boxes of box_rows x DEPTH.
struct Matrix {
  Matrix(int rows, int columns, int box_rows, int seed) : rows(rows), columns(columns) {
    for (int i = 0; i < rows * columns; ++i) values.push_back((i * 7 + i / columns * seed) % 9 - 4);
    std::vector<bf16> rounded(values.begin(), values.end());
    const size_t bytes = rounded.size() * sizeof(bf16);
    cuda_check(cudaMalloc(&device, bytes));
    cuda_check(cudaMemcpy(device, rounded.data(), bytes, cudaMemcpyDefault));
    map = make_tensor_map<bf16, 2>(device, {columns, rows}, {columns * sizeof(bf16)},
                                   {DEPTH, box_rows}, {.swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
  }

  int rows, columns;
  std::vector<float> values;
  bf16* device = nullptr;
  CUtensorMap map;
};

// Element (row, column) of a * b', at [row * b.rows + column].
inline std::vector<float> product(const Matrix& a, const Matrix& b) {
  std::vector<float> c;
  for (int row = 0; row < a.rows; ++row) {
    for (int column = 0; column < b.rows; ++column) {
      float sum = 0;
      for (int k = 0; k < a.columns; ++k) {
        sum += a.values[row * a.columns + k] * b.values[column * b.columns + k];
      }
      c.push_back(sum);
    }
  }
  return c;
}

// Gives `launch` an array for the product; what it holds then.
template <typename T, typename Launch>
std::vector<float> launched(size_t count, Launch launch) {
  std::vector<T> got(count, T(-1.0F));
  T* device = nullptr;
  cuda_check(cudaMalloc(&device, count * sizeof(T)));
  cuda_check(cudaMemcpy(device, got.data(), count * sizeof(T), cudaMemcpyDefault));
  launch(device);
  cuda_check(cudaGetLastError());
  cuda_check(cudaMemcpy(got.data(), device, count * sizeof(T), cudaMemcpyDefault));
  cuda_check(cudaFree(device));
  return {got.begin(), got.end()};
}

// Says how many elements are wrong; the exit status.
inline int compared(const std::vector<float>& got, const std::vector<float>& expected) {
  int wrong = 0;
  for (size_t i = 0; i < got.size(); ++i) wrong += got[i] != expected[i];
  std::printf("%d of %zu sums are wrong\n", wrong, got.size());
  return wrong != 0;
}
