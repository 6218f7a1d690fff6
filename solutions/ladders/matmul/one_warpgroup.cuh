// wgmma by one warpgroup, tiles of 64 x 64 of C: with tiles that its threads copy to shared memory,
// and with tiles that TMA brings. Needs lab12.cu in front of it. M, N and K are multiples of 64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ladder {

inline constexpr int SIDE = 64;                   // rows and columns of a CTA's tile of C
inline constexpr int ROW_CHUNKS = DEPTH / CHUNK;  // of 16 bytes, in a tile's row
inline constexpr int TILE_ELEMENTS = SIDE * DEPTH;

// Starts the products of a stage, and waits until they are done.
__device__ void multiply_tiles_of_64(const bf16* a, const bf16* b, float (&sums)[4][8]) {
  warpgroup_arrive();
  for (int step = 0; step < DEPTH; step += STEP) {
    wgmma_n64<1, 1, 1, 0, 0>(columns_of(a, 0, step), columns_of(b, 0, step), sums);
  }
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(sums);
}

// Each thread writes its sums, two bytes at a time. `c`: the tile's first element.
__device__ void write_sums(bf16* c, int m, const float (&sums)[4][8]) {
  for (int i = 0; i < 32; ++i) {
    c[static_cast<size_t>(column_of(i)) * m + row_of(i)] = __float2bfloat16(sums[i / 8][i % 8]);
  }
}

// Copies 64 rows of 64 elements, as the 128-byte swizzle has them: chunk c of row r at c ^ r % 8.
__device__ void copy_tile(bf16* tile, const bf16* rows, int k) {
  for (int i = threadIdx.x; i < SIDE * ROW_CHUNKS; i += WARPGROUP) {
    const int row = i / ROW_CHUNKS, chunk = i % ROW_CHUNKS;
    reinterpret_cast<Chunk*>(tile)[row * ROW_CHUNKS + (chunk ^ row % 8)] =
        *reinterpret_cast<const Chunk*>(rows + static_cast<size_t>(row) * k + chunk * CHUNK);
  }
}

__global__ __launch_bounds__(WARPGROUP) void copied_matmul(const bf16* a, const bf16* b, bf16* c,
                                                           int m, int k) {
  __shared__ alignas(1024) bf16 a_tile[TILE_ELEMENTS];
  __shared__ alignas(1024) bf16 b_tile[TILE_ELEMENTS];
  const size_t first_row = blockIdx.x * SIDE, first_column = blockIdx.y * SIDE;
  float sums[4][8] = {};
  for (int begin = 0; begin < k; begin += DEPTH) {
    copy_tile(a_tile, a + first_row * k + begin, k);
    copy_tile(b_tile, b + first_column * k + begin, k);
    async_proxy_fence();  // each thread: wgmma reads through the async proxy
    __syncthreads();
    multiply_tiles_of_64(a_tile, b_tile, sums);
    __syncthreads();  // the products of all four warps are done
  }
  write_sums(c + first_column * m + first_row, m, sums);
}

inline void launch_copied_matmul(int m, int n, int k, bf16* a, bf16* b, bf16* c) {
  copied_matmul<<<dim3(m / SIDE, n / SIDE), WARPGROUP>>>(a, b, c, m, k);
  cuda_check(cudaGetLastError());
}

// One thread of the warpgroup loads, as far ahead as there are stages.
template <int STAGES>
__global__ __launch_bounds__(WARPGROUP) void loaded_matmul(
    const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map, bf16* c,
    int m, int k) {
  using Stages = Ring<SIDE, SIDE, STAGES>;  // nobody waits at its `empty`: __syncthreads() does
  Stages& ring = *reinterpret_cast<Stages*>(dynamic_memory);
  const int first_row = blockIdx.x * SIDE, first_column = blockIdx.y * SIDE;
  const int steps = k / DEPTH;
  const auto load = [&](int n) {  // thread 0
    auto& stage = ring.stages[n % STAGES];
    uint64_t* full = &ring.full[n % STAGES];
    expect_bytes_and_arrive(full, sizeof(stage));
    cp_async_bulk_tensor_2d_global_to_shared(stage.a, &a_map, n * DEPTH, first_row, full);
    cp_async_bulk_tensor_2d_global_to_shared(stage.b, &b_map, n * DEPTH, first_column, full);
  };
  if (threadIdx.x == 0) {
    for (uint64_t& full : ring.full) init_barrier(&full, 1);
    async_proxy_fence();
    for (int n = 0; n < min(STAGES, steps); ++n) load(n);
  }
  __syncthreads();

  float sums[4][8] = {};
  for (int n = 0; n < steps; ++n) {
    const auto& stage = ring.stages[n % STAGES];
    wait(&ring.full[n % STAGES], n / STAGES % 2);
    multiply_tiles_of_64(stage.a, stage.b, sums);
    __syncthreads();  // the products of all four warps are done: the stage may be loaded again
    if (threadIdx.x == 0 && n + STAGES < steps) load(n + STAGES);
  }
  write_sums(c + static_cast<size_t>(first_column) * m + first_row, m, sums);
}

template <int STAGES>
void launch_loaded_matmul(int m, int n, int k, bf16* a, bf16* b, bf16* c) {
  constexpr size_t bytes = sizeof(Ring<SIDE, SIDE, STAGES>);
  const CUtensorMap a_map = map_of(a, m, k, SIDE, 128);
  const CUtensorMap b_map = map_of(b, n, k, SIDE, 128);
  cuda_check(cudaFuncSetAttribute(loaded_matmul<STAGES>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  loaded_matmul<STAGES><<<dim3(m / SIDE, n / SIDE), WARPGROUP, bytes>>>(a_map, b_map, c, m, k);
  cuda_check(cudaGetLastError());
}

}  // namespace ladder
