// One kernel for every shape: each row of a tile is a bulk copy, from the vector that it begins in
// to the vector that it ends in. The patterns of the swizzles are written down as `make run` prints
// them.
#include <cuda_bf16.h>

#include <algorithm>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

__constant__ const unsigned char ORDER_32[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                                   {1, 0, 3, 2, 5, 4, 7, 6}};
__constant__ const unsigned char ORDER_64[4][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                                   {1, 0, 3, 2, 5, 4, 7, 6},
                                                   {2, 3, 0, 1, 6, 7, 4, 5},
                                                   {3, 2, 1, 0, 7, 6, 5, 4}};
__constant__ const unsigned char ORDER_128[8][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5},
    {3, 2, 1, 0, 7, 6, 5, 4}, {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
    {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};

template <int SWIZZLE>
__device__ int order(int line, int chunk) {
  if constexpr (SWIZZLE == 32) return ORDER_32[line % 2][chunk];
  if constexpr (SWIZZLE == 64) return ORDER_64[line % 4][chunk];
  return ORDER_128[line % 8][chunk];
}

struct Line {
  uint8_t chunk[8][16];
};

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE>
__global__ void by_table(const __grid_constant__ CUtensorMap map, uint8_t* dest) {
  constexpr int LINES = (TILE_M * TILE_N + 127) / 128;
  __shared__ alignas(1024) Line lines[OFFSET + LINES];
  __shared__ uint64_t arrived;
  if (threadIdx.x == 0) {
    init_barrier(&arrived, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&arrived, TILE_M * TILE_N);
    cp_async_bulk_tensor_2d_global_to_shared(&lines[OFFSET], &map, 0, 0, &arrived);
  }
  __syncthreads();
  wait(&arrived, 0);
  // A thread a byte of a line.
  for (int line = 0; line < LINES; ++line) {
    const int byte = line * 128 + threadIdx.x;
    if (byte >= TILE_M * TILE_N) break;
    const int chunk = order<SWIZZLE>(OFFSET + line, threadIdx.x / 16);
    dest[byte] = lines[OFFSET + line].chunk[chunk][threadIdx.x % 16];
  }
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE = 64>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  TensorMapOptions how;
  if (SWIZZLE == 32) {
    how.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
  } else if (SWIZZLE == 64) {
    how.swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
  } else {
    how.swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  }
  const std::array<uint32_t, 2> box = {TILE_N, TILE_M};
  const CUtensorMap map = make_tensor_map<uint8_t, 2>(src, {TILE_N, TILE_M}, {TILE_N}, box, how);
  by_table<TILE_M, TILE_N, OFFSET, SWIZZLE><<<1, 128>>>(map, dest);
  cuda_check(cudaGetLastError());
}

constexpr int SIDE = 64;

template <typename T>
__global__ void __launch_bounds__(SIDE)
    rows_by_bulk(const T* src, T* dest, size_t rows, size_t columns) {
  constexpr size_t PER_VECTOR = 16 / sizeof(T);
  __shared__ alignas(16) T held[SIDE][SIDE + 3 * PER_VECTOR];
  __shared__ uint64_t arrived;
  const size_t row = size_t{blockIdx.x} * SIDE + threadIdx.x;
  const size_t column = size_t{blockIdx.y} * SIDE;
  const size_t width = min(columns - column, size_t{SIDE});
  const size_t begin = row * columns + column;
  const size_t first = begin / PER_VECTOR * PER_VECTOR;  // of the row's first vector
  // The array's last vector may be incomplete: its elements are loaded by hand.
  const size_t whole = rows * columns / PER_VECTOR * PER_VECTOR;
  const size_t wanted = (begin + width + PER_VECTOR - 1) / PER_VECTOR * PER_VECTOR;
  const size_t last = max(first, min(wanted, whole));

  if (threadIdx.x == 0) {
    init_barrier(&arrived, SIDE);
    async_proxy_fence();
  }
  __syncthreads();
  if (row < rows && last > first) {
    const uint32_t bytes = (last - first) * sizeof(T);
    expect_bytes_and_arrive(&arrived, bytes);
    cp_async_bulk_global_to_shared(held[threadIdx.x], src + first, bytes, &arrived);
  } else {
    arrive(&arrived, 1);
  }
  if (row < rows) {
    for (size_t i = max(last, begin); i < begin + width; ++i) held[threadIdx.x][i - first] = src[i];
  }
  wait(&arrived, 0);
  __syncthreads();
  if (row >= rows) return;
  for (size_t i = 0; i < width; ++i) {
    dest[(column + i) * rows + row] = held[threadIdx.x][begin - first + i];
  }
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  const dim3 ctas((rows + SIDE - 1) / SIDE, (columns + SIDE - 1) / SIDE);
  if (ctas.x * ctas.y == 0) return;
  rows_by_bulk<<<ctas, SIDE>>>(src, dest, rows, columns);
  cuda_check(cudaGetLastError());
}
