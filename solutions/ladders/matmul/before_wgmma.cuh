// What comes before wgmma on the way to a fast matrix product: C = A * B^T, A M x K and B N x K
// row-major, element (m, n) of C at [n * M + m]. M and N are multiples of 64, K of 32.
#pragma once

#include <cuda_bf16.h>
#include <mma.h>

#include <cstddef>

namespace ladder {

using bf16 = __nv_bfloat16;

// A thread an element. Neighboring threads have neighboring m, so that what they write is together.
__global__ void matmul_naive(int m, int n, int k, const bf16* a, const bf16* b, bf16* c) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    sum += __bfloat162float(a[static_cast<size_t>(row) * k + i]) *
           __bfloat162float(b[static_cast<size_t>(column) * k + i]);
  }
  c[static_cast<size_t>(column) * m + row] = __float2bfloat16(sum);
}

inline void launch_matmul_naive(int m, int n, int k, bf16* a, bf16* b, bf16* c) {
  const dim3 threads(32, 8);
  const dim3 ctas((m + threads.x - 1) / threads.x, (n + threads.y - 1) / threads.y);
  matmul_naive<<<ctas, threads>>>(m, n, k, a, b, c);
}

// The same, but a CTA brings tiles to shared memory, 32 rows and 32 elements of k of each matrix,
// and each element that it has read from global memory is used 32 times.
inline constexpr int TILE_SIDE = 32;

__global__ void matmul_tiled(int m, int k, const bf16* a, const bf16* b, bf16* c) {
  __shared__ float a_tile[TILE_SIDE][TILE_SIDE + 1];  // a column of a tile is in 32 banks
  __shared__ float b_tile[TILE_SIDE][TILE_SIDE + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const size_t first_row = blockIdx.x * TILE_SIDE;
  const size_t first_column = blockIdx.y * TILE_SIDE;
  float sum = 0;
  for (int begin = 0; begin < k; begin += TILE_SIDE) {
    a_tile[y][x] = __bfloat162float(a[(first_row + y) * k + begin + x]);
    b_tile[y][x] = __bfloat162float(b[(first_column + y) * k + begin + x]);
    __syncthreads();
    for (int i = 0; i < TILE_SIDE; ++i) sum += a_tile[x][i] * b_tile[y][i];
    __syncthreads();
  }
  c[(first_column + y) * m + first_row + x] = __float2bfloat16(sum);
}

inline void launch_matmul_tiled(int m, int n, int k, bf16* a, bf16* b, bf16* c) {
  const dim3 threads(TILE_SIDE, TILE_SIDE);
  matmul_tiled<<<dim3(m / TILE_SIDE, n / TILE_SIDE), threads>>>(m, k, a, b, c);
}

// mma.sync, as CUDA's wmma API has it: a warp has 32 x 32 elements, a CTA 64 x 64, and reads its
// factors from global memory (that is, from the L1 and L2 caches).
__global__ void matmul_mma_sync(int m, int k, const bf16* a, const bf16* b, bf16* c) {
  using namespace nvcuda::wmma;
  constexpr int size = 16;
  constexpr int tiles = 2;  // of a warp, in each direction
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.x * 64 + warp % 2 * 32;
  const int column = blockIdx.y * 64 + warp / 2 * 32;

  fragment<accumulator, size, size, size, float> sums[tiles][tiles];
  for (auto& of_row : sums) {
    for (auto& one : of_row) fill_fragment(one, 0);
  }
  for (int i = 0; i < k; i += size) {
    fragment<matrix_a, size, size, size, bf16, row_major> as[tiles];
    fragment<matrix_b, size, size, size, bf16, col_major> bs[tiles];
    for (int t = 0; t < tiles; ++t) {
      load_matrix_sync(as[t], a + static_cast<size_t>(row + t * size) * k + i, k);
      load_matrix_sync(bs[t], b + static_cast<size_t>(column + t * size) * k + i, k);
    }
    for (int r = 0; r < tiles; ++r) {
      for (int s = 0; s < tiles; ++s) mma_sync(sums[r][s], as[r], bs[s], sums[r][s]);
    }
  }

  __shared__ float staging[4][size * size];
  for (int r = 0; r < tiles; ++r) {
    for (int s = 0; s < tiles; ++s) {
      store_matrix_sync(staging[warp], sums[r][s], size, mem_col_major);
      __syncwarp();
      for (int i = threadIdx.x % 32; i < size * size; i += 32) {
        const size_t to = static_cast<size_t>(column + s * size + i / size) * m + row + r * size;
        c[to + i % size] = __float2bfloat16(staging[warp][i]);
      }
      __syncwarp();
    }
  }
}

inline void launch_matmul_mma_sync(int m, int n, int k, bf16* a, bf16* b, bf16* c) {
  matmul_mma_sync<<<dim3(m / 64, n / 64), 128>>>(m, k, a, b, c);
}

}  // namespace ladder
