// What the programs here share: a matrix, and what becomes of it. Each program adds one to all its
// elements, in place, by the same kernel, written with another library.
#pragma once

#include <cstdio>
#include <numeric>
#include <vector>

#include "cuda-check.cuh"
#include "tensor-map.cuh"

inline constexpr int TILE_ROWS = 32;
inline constexpr int TILE_COLUMNS = 64;
inline constexpr int TILE_INTS = TILE_ROWS * TILE_COLUMNS;
inline constexpr int TILE_BYTES = TILE_INTS * static_cast<int>(sizeof(int));
inline constexpr int STAGES = 2;
inline constexpr int THREADS = 128;

inline constexpr int ROWS = 4 * TILE_ROWS;        // a CTA for each band of TILE_ROWS rows
inline constexpr int COLUMNS = 6 * TILE_COLUMNS;  // the tiles of a band: each stage three times

__device__ inline void add_one_to_tile(int* tile) {
  for (int i = threadIdx.x; i < TILE_INTS; i += THREADS) tile[i] += 1;
}

// Gives `launch` a matrix on the device; the exit status is 0 if it comes back with the right sums.
template <typename Launch>
int try_on_a_matrix(Launch launch) {
  std::vector<int> matrix(ROWS * COLUMNS);
  std::iota(matrix.begin(), matrix.end(), 0);
  int* device = nullptr;
  const size_t bytes = matrix.size() * sizeof(int);
  cuda_check(cudaMalloc(&device, bytes));
  cuda_check(cudaMemcpy(device, matrix.data(), bytes, cudaMemcpyDefault));
  launch(device);
  cuda_check(cudaGetLastError());
  cuda_check(cudaMemcpy(matrix.data(), device, bytes, cudaMemcpyDefault));
  cuda_check(cudaFree(device));
  int wrong = 0;
  for (int i = 0; i < static_cast<int>(matrix.size()); ++i) wrong += matrix[i] != i + 1;
  std::printf("%d of %zu elements are wrong\n", wrong, matrix.size());
  return wrong != 0;
}

// The kernel gets the map of the matrix, and the number of tiles in a band.
using Kernel = void (*)(CUtensorMap, int);
inline int try_with_a_map(Kernel add_one) {
  return try_on_a_matrix([&](int* device) {
    const CUtensorMap map = make_tensor_map<int, 2>(
        device, {COLUMNS, ROWS}, {COLUMNS * sizeof(int)}, {TILE_COLUMNS, TILE_ROWS});
    add_one<<<ROWS / TILE_ROWS, THREADS>>>(map, COLUMNS / TILE_COLUMNS);
  });
}
