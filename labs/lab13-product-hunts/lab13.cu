// Lab 13: bug hunts with tensor cores. Find the mistake, then make the smallest change that mends
// it.
//
// Every kernel here makes c = a * b: A is m x k and B is 8 x k, both bf16 with k along the rows,
// and element (row, column) of the result is at c[column * m + row]. m is a multiple of 16, k one
// of 128. Every kernel has one mistake, and some give the right result all the same. Fourteen
// parts; what they need is in lab 12. Say which mistake it is before you run anything. Then mend
// the kernel; one or two lines are enough.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"
#include "wgmma-interface.cuh"

using bf16 = __nv_bfloat16;

inline constexpr int WARP = 32;
inline constexpr int WARPGROUP = 128;
inline constexpr int WARPS = WARPGROUP / WARP;
inline constexpr int ROWS = 64;    // of A that a warpgroup multiplies
inline constexpr int COLUMNS = 8;  // of c
inline constexpr int STEP = 16;    // of k that one wgmma takes
inline constexpr int DEPTH = 64;   // of k in a tile that TMA brings: 128 bytes

// Which element of its warpgroup's 64 x 8 this thread's sum number i is.
__device__ int row_of(int i) {
  return threadIdx.x % WARPGROUP / WARP * 16 + threadIdx.x % WARP / 4 + i / 2 * 8;
}
__device__ int column_of(int i) {
  return threadIdx.x % 4 * 2 + i % 2;
}

// A warpgroup: writes its sums, which are complete, to c, from this row on.
__device__ void write_sums(float* c, int m, int first_row, float (&sums)[4]) {
  accumulators_changed(sums);
  for (int i = 0; i < 4; ++i) {
    const int row = first_row + row_of(i);
    if (row < m) c[static_cast<size_t>(column_of(i)) * m + row] = sums[i];
  }
}

// A warpgroup: adds sums, which are complete, to the total.
__device__ void add_sums(float (&total)[4], float (&sums)[4]) {
  accumulators_changed(sums);
  for (int i = 0; i < 4; ++i) total[i] += sums[i];
}

// How many CTAs that multiply so many rows each.
int ctas_of(int m, int rows) {
  return (m + rows - 1) / rows;
}

// ---------------------------------------------------------------------------------------------
// Parts without a swizzle: the threads copy 16 columns of A and of B to core matrices, 8 rows of 16
// bytes each. Two of them are neighbors along k, and then come the next 8 rows.

inline constexpr int CORE_BYTES = 8 * 16;
inline constexpr int ALONG_K = CORE_BYTES;         // from a core matrix to the next along k
inline constexpr int EIGHT_ROWS = 2 * CORE_BYTES;  // and to that of the next 8 rows

// All threads of a warpgroup: rows `first_row` to `first_row` + COUNT - 1, columns k to k + 15.
// Rows that the matrix does not have are zeros.
template <int COUNT>
__device__ void copy_to_core_matrices(uint4* tile, const bf16* matrix, int rows, int first_row,
                                      int width, int k) {
  const int row = threadIdx.x / 2, half = threadIdx.x % 2;
  if (row >= COUNT) return;
  uint4 chunk = {};
  if (first_row + row < rows) {
    const bf16* from = matrix + static_cast<size_t>(first_row + row) * width + k + half * 8;
    chunk = *reinterpret_cast<const uint4*>(from);
  }
  const int place = row / 8 * EIGHT_ROWS + half * ALONG_K + row % 8 * sizeof(chunk);
  tile[place / sizeof(chunk)] = chunk;
}

// Part own-hands: the threads write both tiles, the tensor cores read them.

__global__ void own_hands(float* c, const bf16* a, const bf16* b, int m, int k) {
  __shared__ alignas(128) uint4 a_tile[ROWS * STEP / 8];
  __shared__ alignas(128) uint4 b_tile[COLUMNS * STEP / 8];
  const int first_row = blockIdx.x * ROWS;
  float sums[4] = {};
  for (int begin = 0; begin < k; begin += STEP) {
    async_proxy_fence();
    copy_to_core_matrices<ROWS>(a_tile, a, m, first_row, k, begin);
    copy_to_core_matrices<COLUMNS>(b_tile, b, COLUMNS, 0, k, begin);
    __syncthreads();
    warpgroup_arrive();
    wgmma_n8<1, 1, 1, 0, 0>(make_smem_desc<NO_SWIZZLE>(a_tile, ALONG_K, EIGHT_ROWS),
                            make_smem_desc<NO_SWIZZLE>(b_tile, ALONG_K, EIGHT_ROWS), sums);
    wgmma_commit();
    wgmma_wait<0>();
    __syncthreads();  // the tiles have been read
  }
  write_sums(c, m, first_row, sums);
}

void launch_own_hands(float* c, const bf16* a, const bf16* b, int m, int k) {
  own_hands<<<ctas_of(m, ROWS), WARPGROUP>>>(c, a, b, m, k);
  cuda_check(cudaGetLastError());
}

// Part this-way: the same, with another mistake.

__global__ void this_way(float* c, const bf16* a, const bf16* b, int m, int k) {
  __shared__ alignas(128) uint4 a_tile[ROWS * STEP / 8];
  __shared__ alignas(128) uint4 b_tile[COLUMNS * STEP / 8];
  const int first_row = blockIdx.x * ROWS;
  float sums[4] = {};
  for (int begin = 0; begin < k; begin += STEP) {
    copy_to_core_matrices<ROWS>(a_tile, a, m, first_row, k, begin);
    copy_to_core_matrices<COLUMNS>(b_tile, b, COLUMNS, 0, k, begin);
    async_proxy_fence();
    __syncthreads();
    const uint64_t a_matrix = make_smem_desc<NO_SWIZZLE>(a_tile, EIGHT_ROWS, ALONG_K);
    const uint64_t b_matrix = make_smem_desc<NO_SWIZZLE>(b_tile, ALONG_K, EIGHT_ROWS);
    warpgroup_arrive();
    wgmma_n8<1, 1, 1, 0, 0>(a_matrix, b_matrix, sums);
    wgmma_commit();
    wgmma_wait<0>();
    __syncthreads();
  }
  write_sums(c, m, first_row, sums);
}

void launch_this_way(float* c, const bf16* a, const bf16* b, int m, int k) {
  this_way<<<ctas_of(m, ROWS), WARPGROUP>>>(c, a, b, m, k);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// From here on TMA brings the tiles, 128 bytes wide, with the 128-byte swizzle.

template <int GROUPS = 1>  // warpgroups that share the tile of B
struct Tiles {
  alignas(1024) bf16 a[GROUPS * ROWS * DEPTH];
  alignas(1024) bf16 b[COLUMNS * DEPTH];
};

struct Maps {
  CUtensorMap a;
  CUtensorMap b;
};

CUtensorMap map_of(const bf16* matrix, int rows, int k, int box_rows) {
  return make_tensor_map<bf16, 2>(matrix, {k, rows}, {k * sizeof(bf16)}, {DEPTH, box_rows},
                                  {.swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
}

Maps maps_of(const bf16* a, const bf16* b, int m, int k, int groups = 1) {
  return {map_of(a, m, k, groups * ROWS), map_of(b, COLUMNS, k, COLUMNS)};
}

// One thread: makes a barrier ready that completes a phase after so many arrivals.
__device__ void prepare(uint64_t* barrier, int arrivals = 1) {
  init_barrier(barrier, arrivals);
  async_proxy_fence();
}

// One thread: starts the loads of the tiles that begin at this row of A and this k.
template <int GROUPS>
__device__ void load_tiles(Tiles<GROUPS>& tiles, const Maps& maps, int first_row, int k,
                           uint64_t* full) {
  expect_bytes_and_arrive(full, sizeof(tiles));
  cp_async_bulk_tensor_2d_global_to_shared(tiles.a, &maps.a, k, first_row, full);
  cp_async_bulk_tensor_2d_global_to_shared(tiles.b, &maps.b, k, 0, full);
}

// Describes the 16 columns of a tile that begin at column k, from this row on.
__device__ uint64_t columns_of(const bf16* tile, int k, int row = 0) {
  return make_smem_desc<SWIZZLE_128B>(tile + row * DEPTH + k, 0, 8 * DEPTH * sizeof(bf16));
}

// A warpgroup: starts the four products of its 64 rows of the tiles.
template <int GROUPS>
__device__ void start_products(const Tiles<GROUPS>& tiles, float (&sums)[4], int group = 0) {
  for (int k = 0; k < DEPTH; k += STEP) {
    wgmma_n8<1, 1, 1, 0, 0>(columns_of(tiles.a, k, group * ROWS), columns_of(tiles.b, k), sums);
  }
}

// ---------------------------------------------------------------------------------------------
// Part two-swizzles: a tile at a time, which is loaded, then multiplied.

__global__ void two_swizzles(float* c, const __grid_constant__ Maps maps, int m, int k) {
  __shared__ Tiles<> tiles;
  __shared__ uint64_t full;
  const int first_row = blockIdx.x * ROWS;
  if (threadIdx.x == 0) prepare(&full);
  __syncthreads();
  float sums[4] = {};
  for (int begin = 0, parity = 0; begin < k; begin += DEPTH, parity ^= 1) {
    if (threadIdx.x == 0) load_tiles(tiles, maps, first_row, begin, &full);
    wait(&full, parity);
    warpgroup_arrive();
    for (int step = 0; step < DEPTH; step += STEP) {
      constexpr int EIGHT = 8 * DEPTH * sizeof(bf16);
      wgmma_n8<1, 1, 1, 0, 0>(make_smem_desc<SWIZZLE_64B>(tiles.a + step, 0, EIGHT),
                              make_smem_desc<SWIZZLE_128B>(tiles.b + step, 0, EIGHT), sums);
    }
    wgmma_commit();
    wgmma_wait<0>();
    __syncthreads();  // the tiles have been read
  }
  write_sums(c, m, first_row, sums);
}

void launch_two_swizzles(float* c, const bf16* a, const bf16* b, int m, int k) {
  two_swizzles<<<ctas_of(m, ROWS), WARPGROUP>>>(c, maps_of(a, b, m, k), m, k);
  cuda_check(cudaGetLastError());
}

// Part block-by-block: each block of 64 columns has sums of its own, which the threads add up.

__global__ void block_by_block(float* c, const __grid_constant__ Maps maps, int m, int k) {
  __shared__ Tiles<> tiles;
  __shared__ uint64_t full;
  const int first_row = blockIdx.x * ROWS;
  if (threadIdx.x == 0) prepare(&full);
  __syncthreads();
  float total[4] = {};
  warpgroup_arrive();
  for (int begin = 0, parity = 0; begin < k; begin += DEPTH, parity ^= 1) {
    float sums[4] = {};
    if (threadIdx.x == 0) load_tiles(tiles, maps, first_row, begin, &full);
    wait(&full, parity);
    start_products(tiles, sums);
    wgmma_commit();
    wgmma_wait<0>();
    add_sums(total, sums);
    __syncthreads();
  }
  write_sums(c, m, first_row, total);
}

void launch_block_by_block(float* c, const bf16* a, const bf16* b, int m, int k) {
  block_by_block<<<ctas_of(m, ROWS), WARPGROUP>>>(c, maps_of(a, b, m, k), m, k);
  cuda_check(cudaGetLastError());
}

// Part last-rows: where A ends within a CTA's rows, its last warps have none.

__global__ void last_rows(float* c, const __grid_constant__ Maps maps, int m, int k) {
  __shared__ Tiles<> tiles;
  __shared__ uint64_t full;
  const int first_row = blockIdx.x * ROWS;
  if (threadIdx.x == 0) prepare(&full);
  __syncthreads();
  if (first_row + row_of(0) >= m) return;
  float sums[4] = {};
  for (int begin = 0, parity = 0; begin < k; begin += DEPTH, parity ^= 1) {
    if (threadIdx.x == 0) load_tiles(tiles, maps, first_row, begin, &full);
    wait(&full, parity);
    warpgroup_arrive();
    start_products(tiles, sums);
    wgmma_commit();
    wgmma_wait<0>();
    __syncthreads();
  }
  write_sums(c, m, first_row, sums);
}

void launch_last_rows(float* c, const bf16* a, const bf16* b, int m, int k) {
  last_rows<<<ctas_of(m, ROWS), WARPGROUP>>>(c, maps_of(a, b, m, k), m, k);
  cuda_check(cudaGetLastError());
}

// Part all-in-one: a group of products for each tile.

__global__ void all_in_one(float* c, const __grid_constant__ Maps maps, int m, int k) {
  __shared__ Tiles<> tiles;
  __shared__ uint64_t full;
  const int first_row = blockIdx.x * ROWS;
  if (threadIdx.x == 0) prepare(&full);
  __syncthreads();
  float sums[4] = {};
  for (int begin = 0, parity = 0; begin < k; begin += DEPTH, parity ^= 1) {
    if (threadIdx.x == 0) load_tiles(tiles, maps, first_row, begin, &full);
    wait(&full, parity);
    warpgroup_arrive();
    wgmma_commit();
    start_products(tiles, sums);
    wgmma_wait<0>();
    __syncthreads();
  }
  write_sums(c, m, first_row, sums);
}

void launch_all_in_one(float* c, const bf16* a, const bf16* b, int m, int k) {
  all_in_one<<<ctas_of(m, ROWS), WARPGROUP>>>(c, maps_of(a, b, m, k), m, k);
  cuda_check(cudaGetLastError());
}

// Part even-and-odd: two tiles at a time, whose sums are added while the other product runs.

__global__ void even_and_odd(float* c, const __grid_constant__ Maps maps, int m, int k) {
  __shared__ Tiles<> tiles[2];
  __shared__ uint64_t full[2];
  const int first_row = blockIdx.x * ROWS;
  if (threadIdx.x < 2) prepare(&full[threadIdx.x]);
  __syncthreads();
  float total[4] = {};
  for (int begin = 0, parity = 0; begin < k; begin += 2 * DEPTH, parity ^= 1) {
    if (threadIdx.x < 2) {
      const int i = threadIdx.x;
      load_tiles(tiles[i], maps, first_row, begin + i * DEPTH, &full[i]);
    }
    float even[4] = {}, odd[4] = {};
    wait(&full[0], parity);
    warpgroup_arrive();
    start_products(tiles[0], even);
    wgmma_commit();
    wait(&full[1], parity);
    warpgroup_arrive();
    start_products(tiles[1], odd);
    wgmma_commit();
    wgmma_wait<1>();
    add_sums(total, even);
    add_sums(total, odd);
    wgmma_wait<0>();
    __syncthreads();
  }
  write_sums(c, m, first_row, total);
}

void launch_even_and_odd(float* c, const bf16* a, const bf16* b, int m, int k) {
  even_and_odd<<<ctas_of(m, ROWS), WARPGROUP>>>(c, maps_of(a, b, m, k), m, k);
  cuda_check(cudaGetLastError());
}

// Part from-registers: A comes straight from global memory to the registers that are multiplied.

// Two neighboring elements of A, or zeros beyond its last row.
__device__ uint32_t pair_of(const bf16* a, int m, int k, int row, int column) {
  if (row >= m) return 0;
  return *reinterpret_cast<const uint32_t*>(&a[static_cast<size_t>(row) * k + column]);
}

__global__ void from_registers(float* c, const bf16* a, const __grid_constant__ Maps maps, int m,
                               int k) {
  __shared__ alignas(1024) bf16 b_tile[COLUMNS * DEPTH];
  __shared__ uint64_t full;
  const int first_row = blockIdx.x * ROWS;
  if (threadIdx.x == 0) prepare(&full);
  __syncthreads();
  float sums[4] = {};
  for (int begin = 0; begin < k; begin += DEPTH) {
    if (threadIdx.x == 0) {
      expect_bytes_and_arrive(&full, sizeof(b_tile));
      cp_async_bulk_tensor_2d_global_to_shared(b_tile, &maps.b, begin, 0, &full);
    }
    wait(&full, begin / DEPTH % 2);
#pragma unroll 1
    for (int step = 0; step < DEPTH; step += STEP) {
      uint32_t words[4];
      for (int i = 0; i < 4; ++i) {
        const int row = first_row + row_of(2 * (i % 2));
        words[i] = pair_of(a, m, k, row, begin + step + column_of(0) + i / 2 * 8);
      }
      warpgroup_arrive();
      wgmma_n8_registers<1, 1, 1, 0>(words, columns_of(b_tile, step), sums);
      wgmma_commit();
      if (step + STEP == DEPTH) wgmma_wait<0>();
    }
    __syncthreads();
  }
  write_sums(c, m, first_row, sums);
}

void launch_from_registers(float* c, const bf16* a, const bf16* b, int m, int k) {
  from_registers<<<ctas_of(m, ROWS), WARPGROUP>>>(c, a, maps_of(a, b, m, k), m, k);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Parts with a ring of stages, which one thread fills and warpgroups multiply.

template <int STAGES, int GROUPS = 1>
struct Ring {
  Tiles<GROUPS> stages[STAGES];
  uint64_t full[STAGES];
  uint64_t empty[STAGES];  // an arrival by each warp that multiplies
};

// All threads.
template <int STAGES, int GROUPS>
__device__ void prepare(Ring<STAGES, GROUPS>& ring) {
  if (threadIdx.x < STAGES) {
    prepare(&ring.full[threadIdx.x]);
    prepare(&ring.empty[threadIdx.x], GROUPS * WARPS);
  }
  __syncthreads();
}

// One thread, the producer.
template <int STAGES, int GROUPS>
__device__ void fill(Ring<STAGES, GROUPS>& ring, const Maps& maps, int first_row, int k) {
  for (int step = 0; step < k / DEPTH; ++step) {
    const int stage = step % STAGES;
    const int parity = step / STAGES % 2;
    wait(&ring.empty[stage], parity ^ 1);  // passes at once on the first lap
    load_tiles(ring.stages[stage], maps, first_row, step * DEPTH, &ring.full[stage]);
  }
}

// A warp that multiplies: it has read a stage.
__device__ void give_back(uint64_t* empty) {
  if (threadIdx.x % WARP == 0) arrive(empty, 1);
}

// Part one-behind: one group of products stays under way while the warps wait for the next stage.

__global__ void one_behind(float* c, const __grid_constant__ Maps maps, int m, int k) {
  __shared__ Ring<3> ring;
  const int first_row = blockIdx.x * ROWS;
  prepare(ring);
  if (threadIdx.x >= WARPGROUP) {
    if (threadIdx.x == WARPGROUP) fill(ring, maps, first_row, k);
    return;
  }
  float sums[4] = {};
  for (int step = 0; step < k / DEPTH; ++step) {
    const int stage = step % 3;
    wait(&ring.full[stage], step / 3 % 2);
    warpgroup_arrive();
    start_products(ring.stages[stage], sums);
    wgmma_commit();
    wgmma_wait<1>();
    give_back(&ring.empty[stage]);
  }
  wgmma_wait<0>();
  write_sums(c, m, first_row, sums);
}

void launch_one_behind(float* c, const bf16* a, const bf16* b, int m, int k) {
  one_behind<<<ctas_of(m, ROWS), WARPGROUP + WARP>>>(c, maps_of(a, b, m, k), m, k);
  cuda_check(cudaGetLastError());
}

// Part third-stage: a ring that had two stages, and was given a third.

__global__ void third_stage(float* c, const __grid_constant__ Maps maps, int m, int k) {
  __shared__ Ring<3> ring;
  const int first_row = blockIdx.x * ROWS;
  prepare(ring);
  if (threadIdx.x >= WARPGROUP) {
    if (threadIdx.x == WARPGROUP) fill(ring, maps, first_row, k);
    return;
  }
  float sums[4] = {};
  for (int step = 0; step < k / DEPTH; ++step) {
    const int stage = step % 3;
    wait(&ring.full[stage], step / 2 % 2);
    warpgroup_arrive();
    start_products(ring.stages[stage], sums);
    wgmma_commit();
    wgmma_wait<0>();
    give_back(&ring.empty[stage]);
  }
  write_sums(c, m, first_row, sums);
}

void launch_third_stage(float* c, const bf16* a, const bf16* b, int m, int k) {
  third_stage<<<ctas_of(m, ROWS), WARPGROUP + WARP>>>(c, maps_of(a, b, m, k), m, k);
  cuda_check(cudaGetLastError());
}

// Part gives-back: the producer is a warpgroup, which has registers that two consumers need.

inline constexpr int THREE_GROUPS = 3 * WARPGROUP;  // with 168 registers each, to begin with

__global__ __launch_bounds__(THREE_GROUPS, 1) void gives_back(float* c,
                                                              const __grid_constant__ Maps maps,
                                                              int m, int k) {
  __shared__ Ring<2, 2> ring;
  const int first_row = blockIdx.x * 2 * ROWS;
  prepare(ring);
  if (threadIdx.x < WARPGROUP) {
    if (threadIdx.x < WARP) warpgroup_reg_dealloc<40>();
    if (threadIdx.x == 0) fill(ring, maps, first_row, k);
    return;
  }
  warpgroup_reg_alloc<176>();
  const int group = threadIdx.x / WARPGROUP - 1;
  float sums[4] = {};
  for (int step = 0; step < k / DEPTH; ++step) {
    const int stage = step % 2;
    wait(&ring.full[stage], step / 2 % 2);
    warpgroup_arrive();
    start_products(ring.stages[stage], sums, group);
    wgmma_commit();
    wgmma_wait<0>();
    give_back(&ring.empty[stage]);
  }
  write_sums(c, m, first_row + group * ROWS, sums);
}

void launch_gives_back(float* c, const bf16* a, const bf16* b, int m, int k) {
  gives_back<<<ctas_of(m, 2 * ROWS), THREE_GROUPS>>>(c, maps_of(a, b, m, k, 2), m, k);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Parts with two warpgroups, 128 rows of A and one tile of B.

// Part by-turns: each warpgroup brings its own tiles. They start their products by turns.

__global__ void by_turns(float* c, const __grid_constant__ Maps maps, int m, int k) {
  __shared__ Tiles<> tiles[2];
  __shared__ uint64_t full[2];
  __shared__ uint64_t turn[2];
  if (threadIdx.x < 2) {
    prepare(&full[threadIdx.x]);
    prepare(&turn[threadIdx.x], WARPS);
  }
  __syncthreads();
  const int group = threadIdx.x / WARPGROUP;
  const int thread = threadIdx.x % WARPGROUP;
  const int first_row = (blockIdx.x * 2 + group) * ROWS;
  float sums[4] = {};
  for (int begin = 0, parity = 0; begin < k; begin += DEPTH, parity ^= 1) {
    if (thread == 0) load_tiles(tiles[group], maps, first_row, begin, &full[group]);
    wait(&full[group], parity);
    wait(&turn[group], group == 0 ? parity ^ 1 : parity);  // group 0 begins
    warpgroup_arrive();
    start_products(tiles[group], sums);
    wgmma_commit();
    if (thread == 0) arrive(&turn[group ^ 1], WARPS);
    wgmma_wait<0>();
    warpgroup_sync(1 + group);
  }
  write_sums(c, m, first_row, sums);
}

void launch_by_turns(float* c, const bf16* a, const bf16* b, int m, int k) {
  by_turns<<<ctas_of(m, 2 * ROWS), 2 * WARPGROUP>>>(c, maps_of(a, b, m, k), m, k);
  cuda_check(cudaGetLastError());
}

// Both warpgroups: the sums of 128 rows of A.
__device__ void multiply_both(Tiles<2>& tiles, uint64_t* full, const Maps& maps, int first_row,
                              int k, float (&sums)[4]) {
  if (threadIdx.x == 0) prepare(full);
  __syncthreads();
  for (int begin = 0, parity = 0; begin < k; begin += DEPTH, parity ^= 1) {
    if (begin > 0) __syncthreads();  // the tiles have been read
    if (threadIdx.x == 0) load_tiles(tiles, maps, first_row, begin, full);
    wait(full, parity);
    warpgroup_arrive();
    start_products(tiles, sums, threadIdx.x / WARPGROUP);
    wgmma_commit();
    wgmma_wait<0>();
  }
}

// Where the sums of 128 rows are put together, to be stored by one instruction.
using Panel = float[COLUMNS][2 * ROWS];

// Both warpgroups: each thread puts its sums there, as the engine will read them.
__device__ void fill_panel(Panel& panel, float (&sums)[4]) {
  accumulators_changed(sums);
  const int first = threadIdx.x / WARPGROUP * ROWS;
  for (int i = 0; i < 4; ++i) panel[column_of(i)][first + row_of(i)] = sums[i];
  async_proxy_fence();
}

// One thread: stores it. Beyond the last row the engine writes nothing.
__device__ void store_panel(const CUtensorMap& c_map, Panel& panel, int first_row) {
  cp_async_bulk_tensor_2d_shared_to_global(&c_map, first_row, 0, panel);
  tma_store_commit_group();
  tma_store_wait_until_pending_read<0>();
}

CUtensorMap panels_of(const float* c, int m) {
  return make_tensor_map<float, 2>(c, {m, COLUMNS}, {m * sizeof(float)}, {2 * ROWS, COLUMNS});
}

// Part one-panel: the sums go out through shared memory.

__global__ void one_panel(const __grid_constant__ CUtensorMap c_map,
                          const __grid_constant__ Maps maps, int k) {
  __shared__ Tiles<2> tiles;
  __shared__ alignas(128) Panel panel;
  __shared__ uint64_t full;
  const int first_row = blockIdx.x * 2 * ROWS;
  float sums[4] = {};
  multiply_both(tiles, &full, maps, first_row, k, sums);
  fill_panel(panel, sums);
  warpgroup_sync(1 + threadIdx.x / WARPGROUP);
  if (threadIdx.x == 0) store_panel(c_map, panel, first_row);
}

void launch_one_panel(float* c, const bf16* a, const bf16* b, int m, int k) {
  const Maps maps = maps_of(a, b, m, k, 2);
  one_panel<<<ctas_of(m, 2 * ROWS), 2 * WARPGROUP>>>(panels_of(c, m), maps, k);
  cuda_check(cudaGetLastError());
}

// Part same-room: the same, where the sums go into the memory of the tiles.

__global__ void same_room(const __grid_constant__ CUtensorMap c_map,
                          const __grid_constant__ Maps maps, int k) {
  __shared__ Tiles<2> tiles;
  __shared__ uint64_t full;
  const int first_row = blockIdx.x * 2 * ROWS;
  float sums[4] = {};
  multiply_both(tiles, &full, maps, first_row, k, sums);
  Panel& panel = *reinterpret_cast<Panel*>(tiles.a);
  fill_panel(panel, sums);
  __syncthreads();
  if (threadIdx.x == 0) store_panel(c_map, panel, first_row);
}

void launch_same_room(float* c, const bf16* a, const bf16* b, int m, int k) {
  const Maps maps = maps_of(a, b, m, k, 2);
  same_room<<<ctas_of(m, 2 * ROWS), 2 * WARPGROUP>>>(panels_of(c, m), maps, k);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// A small self-test: of the hunt that is named, or of all.

struct Hunt {
  const char* name;
  void (*launch)(float* c, const bf16* a, const bf16* b, int m, int k);
};
constexpr Hunt HUNTS[] = {
    {"own-hands", launch_own_hands},       {"this-way", launch_this_way},
    {"two-swizzles", launch_two_swizzles}, {"block-by-block", launch_block_by_block},
    {"last-rows", launch_last_rows},       {"all-in-one", launch_all_in_one},
    {"even-and-odd", launch_even_and_odd}, {"from-registers", launch_from_registers},
    {"one-behind", launch_one_behind},     {"third-stage", launch_third_stage},
    {"gives-back", launch_gives_back},     {"by-turns", launch_by_turns},
    {"one-panel", launch_one_panel},       {"same-room", launch_same_room},
};

// Small whole numbers: every sum is exact.
int a_of(int row, int k) {
  return (row * 3 + k * 5) % 7 - 3;
}
int b_of(int column, int k) {
  return (column * 2 + k * 3) % 5 - 2;
}

std::vector<bf16> matrix_of(int rows, int k, int (*element)(int row, int k)) {
  std::vector<bf16> matrix;
  for (int i = 0; i < rows * k; ++i) {
    matrix.push_back(__float2bfloat16(static_cast<float>(element(i / k, i % k))));
  }
  return matrix;
}

template <class T>
T* on_device(const std::vector<T>& host) {
  T* device;
  cuda_check(cudaMalloc(&device, host.size() * sizeof(T)));
  cuda_check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

bool multiplies(const Hunt& hunt) {
  constexpr int M = 208, K = 640;
  std::vector<float> result(M * COLUMNS, -1.0f);
  bf16* a = on_device(matrix_of(M, K, a_of));
  bf16* b = on_device(matrix_of(COLUMNS, K, b_of));
  float* c = on_device(result);
  hunt.launch(c, a, b, M, K);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaMemcpy(result.data(), c, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(a));
  cuda_check(cudaFree(b));
  cuda_check(cudaFree(c));
  int wrong = 0;
  for (int i = 0; i < M * COLUMNS; ++i) {
    int sum = 0;
    for (int k = 0; k < K; ++k) sum += a_of(i % M, k) * b_of(i / M, k);
    wrong += result[i] != static_cast<float>(sum);
  }
  std::printf("%-14s  %d of %d sums are right\n", hunt.name, M * COLUMNS - wrong, M * COLUMNS);
  return wrong == 0;
}

int main(int argc, char** argv) {
  bool right = true;
  for (const Hunt& hunt : HUNTS) {
    if (argc < 2 || std::strcmp(argv[1], hunt.name) == 0) right = multiplies(hunt) && right;
  }
  return right ? 0 : 1;
}
