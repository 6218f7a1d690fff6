// Lab 12: a matrix product. The tensor cores read what TMA brings, and nothing else is fast enough.
//
//   descriptors     one product whose matrices threads put in shared memory, without a swizzle
//   swizzle-64      matrices that TMA brings with the 64-byte swizzle
//   swizzle-128     the same with 128 bytes
//   fragments       two products in a row: the first one's result is the second one's A
//   ring            tiles of a large product; a ring of stages, one consumer
//   specialized     one producer, two consumers, and registers where they are needed
//   any-shape       any M, N and K that are multiples of 8
//   persistent      the same launcher: CTAs that stay, multicast, results stored by TMA
//
// In all of them A is M x K and B is N x K, both with K along the rows ("K-major"), and element
// (m, n) of the result, the sum over k of A[m][k] * B[n][k], is at [n * M + m].
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
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
inline constexpr int GROUP_ROWS = 64;  // of a product: the M of every wgmma
inline constexpr int STEP = 16;        // of k that one wgmma takes

// ---------------------------------------------------------------------------------------------
// Part descriptors: c = a * b, with tiles of 64 x 16 and 8 x 16.

// Which element of a 64 x N product this thread's accumulator number i is.
__device__ int row_of(int i) {
  // BEGIN SOLUTION
  //: // TODO: the lane is threadIdx.x % WARP; each warp of the warpgroup has 16 rows.
  //: return i;
  const int warp = threadIdx.x % WARPGROUP / WARP;
  const int lane = threadIdx.x % WARP;
  return 16 * warp + lane / 4 + 8 * (i / 2 % 2);
  // END SOLUTION
}
__device__ int column_of(int i) {
  // BEGIN SOLUTION
  //: // TODO: four accumulators for every 8 columns.
  //: return i;
  const int lane = threadIdx.x % WARP;
  return 8 * (i / 4) + 2 * (lane % 4) + i % 2;
  // END SOLUTION
}

inline constexpr int CHUNK = 8;  // elements: 16 bytes of a row
struct alignas(16) Chunk {
  bf16 elements[CHUNK];
};

// In bytes: from one core matrix to the next along k, and to the next 8 rows.
inline constexpr int LEADING_OFFSET = 128;
inline constexpr int STRIDE_OFFSET = 256;

// Copies a matrix of rows of 16 elements to core matrices, 8 rows of one chunk each.
template <int ROWS>
__device__ void copy_to_core_matrices(Chunk* tile, const bf16* matrix) {
  // BEGIN SOLUTION
  //: // TODO: chunk k of row r goes to the core matrix of rows r / 8 and column k, there to row
  //: //   r % 8. Where that is follows from the two offsets.
  const int number = threadIdx.x;
  if (number >= ROWS * 2) return;
  const int row = number / 2, k = number % 2;
  const int place = row / 8 * STRIDE_OFFSET + k * LEADING_OFFSET + row % 8 * sizeof(Chunk);
  tile[place / sizeof(Chunk)] = reinterpret_cast<const Chunk*>(matrix)[number];
  // END SOLUTION
}

template <int TILE_M, int TILE_N, int TILE_K>
__global__ void wgmma_m64n8k16(const bf16* a, const bf16* b, float* c) {
  // BEGIN SOLUTION
  //: // TODO: one warpgroup.
  //: //   1. Put both matrices into shared memory, as core matrices. Who must know of it before
  //: //      the product, and which proxy does it read through?
  //: //   2. Describe them (make_smem_desc<NO_SWIZZLE>), multiply (wgmma_n8), commit, wait.
  //: //   3. Each thread writes its four accumulators to c.
  __shared__ alignas(128) Chunk a_tile[TILE_M * TILE_K / CHUNK];
  __shared__ alignas(128) Chunk b_tile[TILE_N * TILE_K / CHUNK];
  copy_to_core_matrices<TILE_M>(a_tile, a);
  copy_to_core_matrices<TILE_N>(b_tile, b);
  async_proxy_fence();  // every thread: wgmma reads through the async proxy
  __syncthreads();

  float d[4];
  warpgroup_arrive();
  wgmma_n8<0, 1, 1, 0, 0>(make_smem_desc<NO_SWIZZLE>(a_tile, LEADING_OFFSET, STRIDE_OFFSET),
                          make_smem_desc<NO_SWIZZLE>(b_tile, LEADING_OFFSET, STRIDE_OFFSET), d);
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(d);
  for (int i = 0; i < 4; ++i) c[column_of(i) * TILE_M + row_of(i)] = d[i];
  // END SOLUTION
}

template <int TILE_M, int TILE_N, int TILE_K>
void launch_wgmma_m64n8k16(bf16* a, bf16* b, float* c) {
  wgmma_m64n8k16<TILE_M, TILE_N, TILE_K><<<1, WARPGROUP>>>(a, b, c);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Parts swizzle-64 and swizzle-128: c = a * b, with tiles that are as wide as the swizzle.

// The tensor map of a matrix of `rows` rows of `columns` elements, for boxes of box_rows rows, as
// wide as the swizzle.
CUtensorMap map_of(const bf16* matrix, int rows, int columns, int box_rows, int swizzle_bytes) {
  const int row_bytes = columns * static_cast<int>(sizeof(bf16));
  const int box_columns = swizzle_bytes / static_cast<int>(sizeof(bf16));
  const TensorMapOptions options{
      .swizzle = swizzle_bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B : CU_TENSOR_MAP_SWIZZLE_128B,
      .l2_promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_128B};
  return make_tensor_map<bf16, 2>(matrix, {columns, rows}, {row_bytes}, {box_columns, box_rows},
                                  options);
}

template <int TILE_M, int TILE_N, int TILE_K, wgmmaSwizzle SWIZZLE>
__global__ void swizzle_wgmma(const __grid_constant__ CUtensorMap a_map,
                              const __grid_constant__ CUtensorMap b_map, float* c) {
  // BEGIN SOLUTION
  //: // TODO: load both tiles onto one barrier; then TILE_K / STEP products that add up.
  //: //   * Where must a tile begin, so that the swizzle of the engine and that of the descriptor
  //: //     are one?
  //: //   * How far is it from 8 rows to the next? And from 16 columns to the next?
  //: //   * Is a proxy fence needed between the load and the product?
  __shared__ alignas(1024) bf16 a_tile[TILE_M * TILE_K];
  __shared__ alignas(1024) bf16 b_tile[TILE_N * TILE_K];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, sizeof(a_tile) + sizeof(b_tile));
    cp_async_bulk_tensor_2d_global_to_shared(a_tile, &a_map, 0, 0, &loaded);
    cp_async_bulk_tensor_2d_global_to_shared(b_tile, &b_map, 0, 0, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);

  constexpr uint64_t EIGHT_ROWS = 8 * TILE_K * sizeof(bf16);
  float d[4] = {};
  warpgroup_arrive();
  for (int k = 0; k < TILE_K; k += STEP) {
    wgmma_n8<1, 1, 1, 0, 0>(make_smem_desc<SWIZZLE>(a_tile + k, 0, EIGHT_ROWS),
                            make_smem_desc<SWIZZLE>(b_tile + k, 0, EIGHT_ROWS), d);
  }
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(d);
  for (int i = 0; i < 4; ++i) c[column_of(i) * TILE_M + row_of(i)] = d[i];
  // END SOLUTION
}

template <int TILE_M, int TILE_N, int TILE_K>
void launch_swizzle_wgmma_m64n8k32(bf16* a, bf16* b, float* c) {
  const CUtensorMap a_map = map_of(a, TILE_M, TILE_K, TILE_M, 64);
  const CUtensorMap b_map = map_of(b, TILE_N, TILE_K, TILE_N, 64);
  swizzle_wgmma<TILE_M, TILE_N, TILE_K, SWIZZLE_64B><<<1, WARPGROUP>>>(a_map, b_map, c);
  cuda_check(cudaGetLastError());
}

template <int TILE_M, int TILE_N, int TILE_K>
void launch_swizzle_wgmma_m64n8k64(bf16* a, bf16* b, float* c) {
  const CUtensorMap a_map = map_of(a, TILE_M, TILE_K, TILE_M, 128);
  const CUtensorMap b_map = map_of(b, TILE_N, TILE_K, TILE_N, 128);
  swizzle_wgmma<TILE_M, TILE_N, TILE_K, SWIZZLE_128B><<<1, WARPGROUP>>>(a_map, b_map, c);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// From here on every tile is 128 bytes wide, with the 128-byte swizzle.

inline constexpr int DEPTH = 64;  // elements of k in a tile
inline constexpr uint64_t EIGHT_ROWS = 8 * DEPTH * sizeof(bf16);

// Describes the 16 columns that begin at column k of a tile, from this row on (a multiple of 8).
__device__ uint64_t columns_of(const bf16* tile, int row, int k) {
  return make_smem_desc<SWIZZLE_128B>(tile + row * DEPTH + k, 0, EIGHT_ROWS);
}

// ---------------------------------------------------------------------------------------------
// Part fragments: d = p * c, where p = a * b, rounded to bf16. The tiles: a and b have 64 rows, c
// has 8; all have 64 columns. p never leaves the registers.

__global__ void two_products(const __grid_constant__ CUtensorMap a_map,
                             const __grid_constant__ CUtensorMap b_map,
                             const __grid_constant__ CUtensorMap c_map, float* d) {
  // BEGIN SOLUTION
  //: // TODO: p is four wgmma_n64; d is four wgmma_n8_registers, each of which takes 16 columns of
  //: //   p as its A: four words of two elements. Which of this thread's accumulators are these?
  //: //   (Compare the two tables in multiply.cuh and multiply-from-registers.cuh.)
  //: //   __floats2bfloat162_rn rounds two numbers; __nv_bfloat162 has the bits of a word.
  __shared__ alignas(1024) bf16 a_tile[64 * DEPTH];
  __shared__ alignas(1024) bf16 b_tile[64 * DEPTH];
  __shared__ alignas(1024) bf16 c_tile[8 * DEPTH];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, sizeof(a_tile) + sizeof(b_tile) + sizeof(c_tile));
    cp_async_bulk_tensor_2d_global_to_shared(a_tile, &a_map, 0, 0, &loaded);
    cp_async_bulk_tensor_2d_global_to_shared(b_tile, &b_map, 0, 0, &loaded);
    cp_async_bulk_tensor_2d_global_to_shared(c_tile, &c_map, 0, 0, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);

  float p[4][8] = {};
  warpgroup_arrive();
  for (int k = 0; k < DEPTH; k += STEP) {
    wgmma_n64<1, 1, 1, 0, 0>(columns_of(a_tile, 0, k), columns_of(b_tile, 0, k), p);
  }
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(p);

  // A thread has the elements of p that it has to give, in the order in which it has to give them.
  uint32_t words[4][4];
  for (int step = 0; step < 4; ++step) {
    for (int i = 0; i < 4; ++i) {
      const __nv_bfloat162 pair = __floats2bfloat162_rn(p[step][2 * i], p[step][2 * i + 1]);
      words[step][i] = reinterpret_cast<const uint32_t&>(pair);
    }
  }
  float sums[4] = {};
  warpgroup_arrive();
  for (int step = 0; step < 4; ++step) {
    wgmma_n8_registers<1, 1, 1, 0>(words[step], columns_of(c_tile, 0, step * STEP), sums);
  }
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(sums);
  for (int i = 0; i < 4; ++i) d[column_of(i) * 64 + row_of(i)] = sums[i];
  // END SOLUTION
}

void launch_two_products(bf16* a, bf16* b, bf16* c, float* d) {
  const CUtensorMap a_map = map_of(a, 64, DEPTH, 64, 128);
  const CUtensorMap b_map = map_of(b, 64, DEPTH, 64, 128);
  const CUtensorMap c_map = map_of(c, 8, DEPTH, 8, 128);
  two_products<<<1, WARPGROUP>>>(a_map, b_map, c_map, d);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// What the rings have in common.

// A ring in shared memory: stages of a tile of A and one of B.
template <int ROWS, int COLUMNS, int STAGES>
struct Ring {
  struct Stage {
    alignas(1024) bf16 a[ROWS * DEPTH];
    alignas(1024) bf16 b[COLUMNS * DEPTH];
  };
  Stage stages[STAGES];
  uint64_t full[STAGES];   // the producer's arrival, and the bytes
  uint64_t empty[STAGES];  // arrivals of those who multiply, once they are done
};

// Where somebody is in a ring. Everybody has a position of their own; all go through the same
// stages in the same order. `parity` is that of the phase which the current lap completes.
template <int STAGES>
struct Position {
  int stage = 0;
  int parity = 0;

  __device__ void advance() {
    if (++stage == STAGES) {
      stage = 0;
      parity ^= 1;
    }
  }
  __device__ int stage_before() const { return (stage + STAGES - 1) % STAGES; }
};

extern __shared__ __align__(1024) unsigned char dynamic_memory[];

// ---------------------------------------------------------------------------------------------
// Part ring: C = A * B. Each CTA has a tile of 64 x 64 elements of C. M, N and K are multiples of
// 64.

inline constexpr int RING_STAGES = 4;
using SmallRing = Ring<64, 64, RING_STAGES>;
inline constexpr int RING_THREADS = WARPGROUP + WARP;  // the last warp is the producer

__global__ __launch_bounds__(RING_THREADS) void ring_matmul(
    const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map, bf16* c,
    int m, int k) {
  SmallRing& ring = *reinterpret_cast<SmallRing*>(dynamic_memory);
  const int first_row = blockIdx.x * 64;
  const int first_column = blockIdx.y * 64;
  // BEGIN SOLUTION
  //: // TODO: k / DEPTH steps of k, one stage each.
  //: //   * Initialize the barriers. A stage is empty when all four warps have multiplied it.
  //: //   * One lane of the producer: wait until a stage is empty (which parity lets it pass on
  //: //     the first lap?), expect the bytes, load a tile of A and one of B: DEPTH columns.
  //: //   * The consumer: wait until it is full, four wgmma_n64, commit. When may it arrive on
  //: //     "empty"? One lane of each warp does.
  //: //   * At the end each thread writes its 32 sums to c, rounded to bf16.
  //: (void)ring, (void)first_row, (void)first_column;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < RING_STAGES; ++stage) {
      init_barrier(&ring.full[stage], 1);
      init_barrier(&ring.empty[stage], WARPGROUP / WARP);
    }
    async_proxy_fence();
  }
  __syncthreads();  // the last one: from here on the warps go their own ways

  Position<RING_STAGES> at;
  if (threadIdx.x >= WARPGROUP) {
    if (threadIdx.x > WARPGROUP) return;  // one lane loads
    for (int begin = 0; begin < k; begin += DEPTH, at.advance()) {
      SmallRing::Stage& stage = ring.stages[at.stage];
      uint64_t* full = &ring.full[at.stage];
      wait(&ring.empty[at.stage], at.parity ^ 1);  // passes at once on the first lap
      expect_bytes_and_arrive(full, sizeof(stage));
      cp_async_bulk_tensor_2d_global_to_shared(stage.a, &a_map, begin, first_row, full);
      cp_async_bulk_tensor_2d_global_to_shared(stage.b, &b_map, begin, first_column, full);
    }
    return;
  }

  float sums[4][8] = {};
  for (int begin = 0; begin < k; begin += DEPTH, at.advance()) {
    const SmallRing::Stage& stage = ring.stages[at.stage];
    wait(&ring.full[at.stage], at.parity);
    warpgroup_arrive();
    for (int step = 0; step < DEPTH; step += STEP) {
      wgmma_n64<1, 1, 1, 0, 0>(columns_of(stage.a, 0, step), columns_of(stage.b, 0, step), sums);
    }
    wgmma_commit();
    wgmma_wait<0>();  // only now has the stage been read
    accumulators_changed(sums);
    if (threadIdx.x % WARP == 0) arrive(&ring.empty[at.stage], 1);
  }
  for (int i = 0; i < 32; ++i) {
    const size_t column = first_column + column_of(i);
    c[column * m + first_row + row_of(i)] = __float2bfloat16(sums[i / 8][i % 8]);
  }
  // END SOLUTION
}

void launch_ring_matmul(int M, int N, int K, bf16* A, bf16* B, bf16* C) {
  const CUtensorMap a_map = map_of(A, M, K, 64, 128);
  const CUtensorMap b_map = map_of(B, N, K, 64, 128);
  cuda_check(cudaFuncSetAttribute(ring_matmul, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(SmallRing)));
  const dim3 ctas(M / 64, N / 64);
  ring_matmul<<<ctas, RING_THREADS, sizeof(SmallRing)>>>(a_map, b_map, C, M, K);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part specialized: C = A * B. Each CTA has a tile of 128 x 128 elements, each consumer 64 rows of
// it. M and N are multiples of 128, K of 64.

inline constexpr int CONSUMERS = 2;  // warpgroups
inline constexpr int CONSUMER_WARPS = CONSUMERS * WARPGROUP / WARP;
inline constexpr int THREADS = (1 + CONSUMERS) * WARPGROUP;  // the first warpgroup is the producer
inline constexpr int TILE_ROWS = CONSUMERS * GROUP_ROWS;

// A thread starts with 168 registers: 65536 for 384 threads. Together the new numbers are no more.
inline constexpr int PRODUCER_REGISTERS = 40;
inline constexpr int CONSUMER_REGISTERS = 232;
static_assert(PRODUCER_REGISTERS + CONSUMERS * CONSUMER_REGISTERS <= 3 * 168);

inline constexpr int SPECIALIZED_STAGES = 4;
inline constexpr int SPECIALIZED_COLUMNS = 128;
using WideRing = Ring<TILE_ROWS, SPECIALIZED_COLUMNS, SPECIALIZED_STAGES>;

__global__ __launch_bounds__(THREADS,
                             1) void specialized_matmul(const __grid_constant__ CUtensorMap a_map,
                                                        const __grid_constant__ CUtensorMap b_map,
                                                        bf16* c, int m, int k) {
  WideRing& ring = *reinterpret_cast<WideRing*>(dynamic_memory);
  const int first_row = blockIdx.x * TILE_ROWS;
  const int first_column = blockIdx.y * SPECIALIZED_COLUMNS;
  // BEGIN SOLUTION
  //: // TODO: as in part ring, with two consumers and wgmma_n128.
  //: //   * The producer's warpgroup gives registers back (warpgroup_reg_dealloc), the others take
  //: //     them (warpgroup_reg_alloc). All its threads do, before all but one leave.
  //: //   * A consumer need not wait for the products that it has just started: with
  //: //     wgmma_wait<1>() the next ones are started meanwhile. Which stage is empty then?
  //: //   * nvcc says so if ptxas serializes the products. What it wants: the first product sets
  //: //     the sums (wgmma_n128<1, 1, 0, 0>(a, b, sums, begin + step > 0)), nothing else touches
  //: //     them before the last wait, and behind it two at a time are rounded
  //: //     (__floats2bfloat162_rn). The whole shape is in handout/guide/wgmma.md, "A main loop".
  //: (void)ring, (void)first_row, (void)first_column;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < SPECIALIZED_STAGES; ++stage) {
      init_barrier(&ring.full[stage], 1);
      init_barrier(&ring.empty[stage], CONSUMER_WARPS);
    }
    async_proxy_fence();
  }
  __syncthreads();

  Position<SPECIALIZED_STAGES> at;
  if (threadIdx.x < WARPGROUP) {
    warpgroup_reg_dealloc<PRODUCER_REGISTERS>();
    if (threadIdx.x > 0) return;
    for (int begin = 0; begin < k; begin += DEPTH, at.advance()) {
      WideRing::Stage& stage = ring.stages[at.stage];
      uint64_t* full = &ring.full[at.stage];
      wait(&ring.empty[at.stage], at.parity ^ 1);
      expect_bytes_and_arrive(full, sizeof(stage));
      cp_async_bulk_tensor_2d_global_to_shared(stage.a, &a_map, begin, first_row, full);
      cp_async_bulk_tensor_2d_global_to_shared(stage.b, &b_map, begin, first_column, full);
    }
    return;
  }

  warpgroup_reg_alloc<CONSUMER_REGISTERS>();
  const int group_row = (threadIdx.x / WARPGROUP - 1) * GROUP_ROWS;
  float sums[8][8] = {};
  accumulators_changed(sums);  // else ptxas finds zeros among products, and serializes them
  for (int begin = 0; begin < k; begin += DEPTH, at.advance()) {
    const WideRing::Stage& stage = ring.stages[at.stage];
    wait(&ring.full[at.stage], at.parity);
    warpgroup_arrive();
    for (int step = 0; step < DEPTH; step += STEP) {
      wgmma_n128<1, 1, 1, 0, 0>(columns_of(stage.a, group_row, step), columns_of(stage.b, 0, step),
                                sums);
    }
    wgmma_commit();
    wgmma_wait<1>();  // all but the group that was just committed: the stage before has been read
    if (begin > 0 && threadIdx.x % WARP == 0) arrive(&ring.empty[at.stage_before()], 1);
  }
  wgmma_wait<0>();
  accumulators_changed(sums);
  if (threadIdx.x % WARP == 0) arrive(&ring.empty[at.stage_before()], 1);
  for (int i = 0; i < 64; i += 2) {
    // Two at a time: ptxas takes single ones for reads among the products, which it serializes.
    const __nv_bfloat162 both = __floats2bfloat162_rn(sums[i / 8][i % 8], sums[i / 8][i % 8 + 1]);
    const size_t column = first_column + column_of(i);
    bf16* const there = c + column * m + first_row + group_row + row_of(i);
    there[0] = both.x;
    there[m] = both.y;  // the next column
  }
  // END SOLUTION
}

void launch_specialized_matmul(int M, int N, int K, bf16* A, bf16* B, bf16* C) {
  const CUtensorMap a_map = map_of(A, M, K, TILE_ROWS, 128);
  const CUtensorMap b_map = map_of(B, N, K, SPECIALIZED_COLUMNS, 128);
  cuda_check(cudaFuncSetAttribute(specialized_matmul, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(WideRing)));
  const dim3 ctas(M / TILE_ROWS, N / SPECIALIZED_COLUMNS);
  specialized_matmul<<<ctas, THREADS, sizeof(WideRing)>>>(a_map, b_map, C, M, K);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Parts any-shape and persistent: C = A * B, where M, N and K are any multiples of 8.
//
// The two CTAs of a cluster have tiles that are neighbors along M: they need the same tile of B, of
// which each loads one half for both. A cluster computes one pair of tiles after the other.

inline constexpr int CLUSTER = 2;  // CTAs
inline constexpr uint16_t BOTH = (1u << CLUSTER) - 1u;
inline constexpr int TILE_COLUMNS = 256;
inline constexpr int HALF_COLUMNS = TILE_COLUMNS / CLUSTER;
inline constexpr int STAGES = 4;

// The sums leave by way of panels: 64 columns of C, with the 64 rows of one consumer, 128 bytes of
// each column, as the 128-byte swizzle has them. One is filled while the other is stored.
inline constexpr int PANEL_COLUMNS = 64;
inline constexpr int PANELS = 2;

struct Shared {
  Ring<TILE_ROWS, TILE_COLUMNS, STAGES> ring;
  alignas(1024) bf16 panels[CONSUMERS][PANELS][PANEL_COLUMNS * GROUP_ROWS];
};

inline constexpr int BAND = 8;  // pairs of tiles

// The pairs of tiles, in the order in which the clusters take them: down a band of BAND pairs, then
// to the right. So what is in work at a time is about as high as wide, and its rows of A and
// columns of B, which many clusters load, are few enough for the L2 cache.
struct Pairs {
  int columns, band;  // of a tile; pairs
  int along_m, along_n, count;

  __host__ __device__ Pairs(int m, int n, int columns = TILE_COLUMNS, int band = BAND)
      : columns(columns),
        band(band),
        along_m((m + CLUSTER * TILE_ROWS - 1) / (CLUSTER * TILE_ROWS)),
        along_n((n + columns - 1) / columns),
        count(along_m * along_n) {}
  // Of this CTA's tile.
  __device__ int row(int pair) const {
    const int in_band = pair % (band * along_n);
    return ((first_of_band(pair) + in_band % height_of_band(pair)) * CLUSTER +
            static_cast<int>(cluster_rank())) *
           TILE_ROWS;
  }
  __device__ int column(int pair) const {
    return pair % (band * along_n) / height_of_band(pair) * columns;
  }

 private:
  __device__ int first_of_band(int pair) const { return pair / (band * along_n) * band; }
  __device__ int height_of_band(int pair) const { return min(band, along_m - first_of_band(pair)); }
};

// One thread. Loads the tiles of all pairs of this cluster.
template <int COLUMNS>
__device__ void load_tiles(Ring<TILE_ROWS, COLUMNS, STAGES>& ring, const CUtensorMap* a_map,
                           const CUtensorMap* b_map, const Pairs& pairs, int k) {
  // BEGIN SOLUTION
  //: // TODO: as in part specialized. The chapter has the steps of part persistent, one by one:
  //: //   1. Of the pair blockIdx.x / CLUSTER: for each step of k, this CTA's tile of A and all of
  //: //      its tile of B, in two boxes.
  //: //   2. The same for each pair of this cluster; the next one is gridDim.x / CLUSTER further.
  //: //   4. Wait until the stage is empty in *both* CTAs (wait_cluster), expect what lands here,
  //: //      as before, but load only one half of B's tile, for both (multicast).
  const int half = static_cast<int>(cluster_rank()) * (COLUMNS / CLUSTER);
  Position<STAGES> at;
  for (int pair = blockIdx.x / CLUSTER; pair < pairs.count; pair += gridDim.x / CLUSTER) {
    const int row = pairs.row(pair);
    const int column = pairs.column(pair) + half;
    for (int begin = 0; begin < k; begin += DEPTH, at.advance()) {
      auto& stage = ring.stages[at.stage];
      uint64_t* full = &ring.full[at.stage];
      wait_cluster(&ring.empty[at.stage], at.parity ^ 1);
      expect_bytes_and_arrive(full, sizeof(stage));
      cp_async_bulk_tensor_2d_global_to_shared(stage.a, a_map, begin, row, full);
      cp_async_bulk_tensor_2d_global_to_shared_multicast(stage.b + half * DEPTH, b_map, begin,
                                                         column, full, BOTH);
    }
  }
  // END SOLUTION
}

// Rounds sums of 16 columns each to bf16: two to a register.
template <int ROWS>
__device__ void round_sums(uint32_t (&rounded)[ROWS][4], const float (*sums)[8]) {
#pragma unroll
  for (int row = 0; row < ROWS; ++row) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const __nv_bfloat162 both = __floats2bfloat162_rn(sums[row][2 * i], sums[row][2 * i + 1]);
      rounded[row][i] = *reinterpret_cast<const uint32_t*>(&both);
    }
  }
}

// A consumer: writes 64 columns of its rounded sums, 16 in each row of `rounded`, to a panel.
__device__ void fill_panel(bf16* panel, const uint32_t (*rounded)[4]) {
  // BEGIN SOLUTION
  //: // TODO: element (row, column) of the panel is in 16-byte chunk row / 8 of the column's 128
  //: //   bytes; the 128-byte swizzle puts chunk c of column n at c ^ n % 8 (lab 8).
  //: //   1. Element by element is slow, but a start: row_of, column_of.
  //: //   3. store_matrices_transposed writes 16 columns of a warp's 16 rows at once, without a
  //: //      bank conflict: four 8 x 8 matrices, which are the four words of one rounded[i].
  //: (void)panel, (void)rounded;
  const int warp = threadIdx.x % WARPGROUP / WARP;
  const int lane = threadIdx.x % WARP;
  const int chunk = 2 * warp + lane / 8 % 2;
  for (int begin = 0; begin < PANEL_COLUMNS; begin += 16) {
    const int column = begin + lane / 16 * 8 + lane % 8;
    const uint32_t(&words)[4] = rounded[begin / 16];
    store_matrices_transposed(panel + column * GROUP_ROWS + (chunk ^ column % 8) * 8, words[0],
                              words[1], words[2], words[3]);
  }
  // END SOLUTION
}

// BEGIN SOLUTION
//: // TODO, step 4: how a consumer hands a stage back to both CTAs, perhaps in its own function.
// A consumer: it has multiplied the stage, which both CTAs have loaded.
__device__ void hand_back(uint64_t* empty) {
  const int thread = threadIdx.x % WARPGROUP;
  if (thread < CLUSTER) arrive_remote_after_reads(map_to_cta(empty, thread), 1);
}

// A consumer: adds the products of the stage that begins at `begin` of k, and hands back the one
// before it. The products may still run when this returns.
__device__ void multiply_stage(Shared& shared, Position<STAGES>& at, int group, int begin,
                               float (&sums)[16][8]) {
  const auto& stage = shared.ring.stages[at.stage];
  wait(&shared.ring.full[at.stage], at.parity);
  warpgroup_arrive();
  for (int step = 0; step < DEPTH; step += STEP) {
    wgmma_n256<1, 1, 1, 0, 0>(columns_of(stage.a, group * GROUP_ROWS, step),
                              columns_of(stage.b, 0, step), sums);
  }
  wgmma_commit();
  wgmma_wait<1>();
  if (begin > 0) hand_back(&shared.ring.empty[at.stage_before()]);
  at.advance();
}

// A consumer: stores 64 columns of a tile, by way of a panel.
__device__ void store_columns(Shared& shared, const CUtensorMap* c_map, int group,
                              const uint32_t (&rounded)[16][4], int row, int column, int first) {
  const int thread = threadIdx.x % WARPGROUP;
  bf16* panel = shared.panels[group][first / PANEL_COLUMNS % PANELS];
  if (thread == 0) tma_store_wait_until_pending_read<PANELS - 1>();  // it has been read
  warpgroup_sync(1 + group);
  fill_panel(panel, &rounded[first / 16]);
  async_proxy_fence_shared();  // every thread that wrote, before one stores
  warpgroup_sync(1 + group);
  if (thread == 0) {
    // What is outside of C is not written.
    cp_async_bulk_tensor_2d_shared_to_global(c_map, row, column + first, panel);
    tma_store_commit_group();
  }
}
// END SOLUTION

// A consumer: its 64 rows of all tiles of this CTA.
__device__ void multiply_tiles(Shared& shared, const CUtensorMap* c_map, const Pairs& pairs,
                               int k) {
  const int group = threadIdx.x / WARPGROUP - 1;
  // BEGIN SOLUTION
  //: // TODO, by the steps of load_tiles:
  //: //   1. The pair blockIdx.x / CLUSTER: multiply as in part specialized, with wgmma_n256. Then,
  //: //      panel by panel, fill one and store it with one TMA operation. Who must do what before
  //: //      it (lab 4), and before the panel is filled again? warpgroup_sync(1 + group) is the
  //: //      barrier of this consumer alone.
  //: //   2. Each pair of this cluster.
  //: //   3. PANELS in turn: one is filled while the other is stored.
  //: //   4. A stage is empty when the consumers of both CTAs have multiplied it: each consumer
  //: //      arrives at `empty` of both (arrive_remote_after_reads, map_to_cta), once at each.
  //: (void)group;
  Position<STAGES> at;
  // The tile before leaves while this one is multiplied: its sums, rounded, take half the
  // registers, and there are as many free.
  uint32_t rounded[16][4];
  int row = -1, column = 0;  // of the tile before; -1: there is none
  const int clusters = gridDim.x / CLUSTER;
  for (int pair = blockIdx.x / CLUSTER; pair < pairs.count; pair += clusters) {
    float sums[16][8] = {};
    int begin = 0;
#pragma unroll
    for (int first = 0; first < TILE_COLUMNS; first += PANEL_COLUMNS, begin += DEPTH) {
      if (begin < k) multiply_stage(shared, at, group, begin, sums);
      if (row >= 0) store_columns(shared, c_map, group, rounded, row, column, first);
    }
    for (; begin < k; begin += DEPTH) multiply_stage(shared, at, group, begin, sums);
    row = pairs.row(pair) + group * GROUP_ROWS;
    column = pairs.column(pair);
    wgmma_wait<0>();
    accumulators_changed(sums);
    hand_back(&shared.ring.empty[at.stage_before()]);
    round_sums(rounded, sums);
  }
#pragma unroll
  for (int first = 0; first < TILE_COLUMNS; first += PANEL_COLUMNS) {
    store_columns(shared, c_map, group, rounded, row, column, first);
  }
  if (threadIdx.x % WARPGROUP == 0) tma_store_wait_until_pending_read<0>();
  // END SOLUTION
}

// BEGIN SOLUTION
//: // For those who want more: products often come one after the other. How early can the next one
//: // begin? (CUDA C++ Programming Guide, "Programmatic Dependent Launch and Synchronization".)
// A kernel that may begin while the one before it in the stream ends: its CTAs go to the SMs that
// are free already. CUDA C++ Programming Guide, "Programmatic Dependent Launch".
cudaLaunchConfig_t early_launch(int ctas, size_t shared_bytes) {
  static cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = ctas;
  config.blockDim = THREADS;
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = &early;
  config.numAttrs = 1;
  return config;
}
// END SOLUTION

__global__ __cluster_dims__(CLUSTER)
    __launch_bounds__(THREADS, 1) void h100_matmul(const __grid_constant__ CUtensorMap a_map,
                                                   const __grid_constant__ CUtensorMap b_map,
                                                   const __grid_constant__ CUtensorMap c_map, int m,
                                                   int n, int k) {
  Shared& shared = *reinterpret_cast<Shared*>(dynamic_memory);
  if (threadIdx.x == 0) {
    // BEGIN SOLUTION
    //: // TODO: initialize the barriers. `empty` counts an arrival of each consumer: of this CTA,
    //: //   and from step 4 on of both. Who must know of the barriers before the first load?
    for (int stage = 0; stage < STAGES; ++stage) {
      init_barrier(&shared.ring.full[stage], 1);
      init_barrier(&shared.ring.empty[stage], CLUSTER * CONSUMERS);
    }
    fence_barrier_init();
    prefetch_tensor_map(&a_map);
    prefetch_tensor_map(&b_map);
    prefetch_tensor_map(&c_map);
    // END SOLUTION
  }
  cluster_arrive_relaxed();  // the barriers' fence is a release
  cluster_wait();
  // BEGIN SOLUTION
  //: // (A kernel that was launched early would wait here for those before it.)
  // A and B may be what the kernel before this one computes, and C what it reads.
  cudaGridDependencySynchronize();
  // END SOLUTION

  const Pairs pairs(m, n);
  if (threadIdx.x < WARPGROUP) {
    warpgroup_reg_dealloc<PRODUCER_REGISTERS>();
    if (threadIdx.x == 0) {
      load_tiles(shared.ring, &a_map, &b_map, pairs, k);
      // BEGIN SOLUTION
      //: // (And would let the next one begin here.)
      cudaTriggerProgrammaticLaunchCompletion();  // this CTA will soon be over
      // END SOLUTION
    }
  } else {
    warpgroup_reg_alloc<CONSUMER_REGISTERS>();
    multiply_tiles(shared, &c_map, pairs, k);
  }
  __syncwarp();
  cluster_arrive_relaxed();  // the other CTA may still load into this one
  cluster_wait();
}

// BEGIN SOLUTION
//: // Step 5: the tensor cores rest while the sums of a tile are stored. Rounded, they take half
//: // the registers: could they leave while the next tile is multiplied? And for those who want
//: // more: a kernel in which each consumer has tiles for itself ("ping-pong") multiplies
//: // meanwhile, too. When is it slower?
// ---------------------------------------------------------------------------------------------
// Ping-pong. In h100_matmul the tensor cores rest while a tile's last products end and its sums are
// rounded. Here each consumer has every second tile of the CTA for itself, and one multiplies while
// the other rounds and stores. With the sums of 128 rows, a consumer's registers are full at 192
// columns.

inline constexpr int NARROW_COLUMNS = 192;
inline constexpr int HALVES = TILE_ROWS / GROUP_ROWS;         // of a tile's rows: upper, lower
inline constexpr int BOTH_CONSUMERS = CONSUMERS * WARPGROUP;  // threads

struct PingPong {
  Ring<TILE_ROWS, NARROW_COLUMNS, STAGES> ring;
  alignas(1024) bf16 panels[CONSUMERS][PANELS][HALVES][PANEL_COLUMNS * GROUP_ROWS];
};

// Past stages that are the other consumer's.
__device__ void skip(Position<STAGES>& at, int count) {
  const int steps = at.stage + count;
  at.stage = steps % STAGES;
  at.parity ^= steps / STAGES % 2;
}

// A consumer: every second tile of this CTA.
__device__ void multiply_in_turns(PingPong& shared, const CUtensorMap* c_map, const Pairs& pairs,
                                  int k) {
  const int group = threadIdx.x / WARPGROUP - 1;
  const int thread = threadIdx.x % WARPGROUP;
  const int blocks = (k + DEPTH - 1) / DEPTH;
  const int clusters = gridDim.x / CLUSTER;
  const uint64_t not_needed_again = create_policy_evict_first(1.0F);

  Position<STAGES> at;
  skip(at, group * blocks);
  auto turn_of = [](int group) { return 3 + group; };  // a barrier; 1 and 2 are the panels'
  if (group == 1) named_barrier_arrive(turn_of(0), BOTH_CONSUMERS);
  int panel_number = 0;
  for (int pair = blockIdx.x / CLUSTER + group * clusters; pair < pairs.count;
       pair += CONSUMERS * clusters) {
    float upper[12][8], lower[12][8];  // sums of 64 rows each; the first product sets them
    // The tensor cores are for one at a time. And who came early to a stage whose last phase is not
    // over, the other consumer's, would take the one before that for its own: same parity.
    named_barrier_sync(turn_of(group), BOTH_CONSUMERS);
    for (int begin = 0; begin < k; begin += DEPTH, at.advance()) {
      const auto& stage = shared.ring.stages[at.stage];
      wait(&shared.ring.full[at.stage], at.parity);
      warpgroup_arrive();
      for (int step = 0; step < DEPTH; step += STEP) {
        const uint64_t b = columns_of(stage.b, 0, step);
        const int adds = begin + step > 0;
        wgmma_n192<1, 1, 0, 0>(columns_of(stage.a, 0, step), b, upper, adds);
        wgmma_n192<1, 1, 0, 0>(columns_of(stage.a, GROUP_ROWS, step), b, lower, adds);
      }
      wgmma_commit();
      wgmma_wait<1>();
      if (begin > 0) hand_back(&shared.ring.empty[at.stage_before()]);
    }
    if (pair + clusters < pairs.count) named_barrier_arrive(turn_of(1 - group), BOTH_CONSUMERS);
    wgmma_wait<0>();
    accumulators_changed(upper);
    accumulators_changed(lower);
    hand_back(&shared.ring.empty[at.stage_before()]);
    skip(at, blocks);

    const int row = pairs.row(pair);
#pragma unroll
    for (int first = 0; first < NARROW_COLUMNS; first += PANEL_COLUMNS, panel_number ^= 1) {
      const int column = pairs.column(pair) + first;
      auto& panel = shared.panels[group][panel_number];  // a tile has three
      if (thread == 0) tma_store_wait_until_pending_read<PANELS - 1>();
      warpgroup_sync(1 + group);
      uint32_t rounded[2][PANEL_COLUMNS / 16][4];
      round_sums(rounded[0], &upper[first / 16]);
      round_sums(rounded[1], &lower[first / 16]);
      fill_panel(panel[0], rounded[0]);
      fill_panel(panel[1], rounded[1]);
      async_proxy_fence_shared();
      warpgroup_sync(1 + group);
      if (thread == 0) {
        cp_async_bulk_tensor_2d_shared_to_global(c_map, row, column, panel[0], not_needed_again);
        cp_async_bulk_tensor_2d_shared_to_global(c_map, row + GROUP_ROWS, column, panel[1],
                                                 not_needed_again);
        tma_store_commit_group();
      }
    }
  }
  if (thread == 0) tma_store_wait_until_pending_read<0>();
}

__global__ __cluster_dims__(CLUSTER)
    __launch_bounds__(THREADS, 1) void ping_pong_matmul(const __grid_constant__ CUtensorMap a_map,
                                                        const __grid_constant__ CUtensorMap b_map,
                                                        const __grid_constant__ CUtensorMap c_map,
                                                        const Pairs pairs, int k) {
  PingPong& shared = *reinterpret_cast<PingPong*>(dynamic_memory);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      init_barrier(&shared.ring.full[stage], 1);
      init_barrier(&shared.ring.empty[stage], CLUSTER);  // one consumer of each CTA
    }
    fence_barrier_init();
    prefetch_tensor_map(&a_map);
    prefetch_tensor_map(&b_map);
    prefetch_tensor_map(&c_map);
  }
  cluster_arrive_relaxed();
  cluster_wait();
  cudaGridDependencySynchronize();

  if (threadIdx.x < WARPGROUP) {
    warpgroup_reg_dealloc<PRODUCER_REGISTERS>();
    if (threadIdx.x == 0) {
      load_tiles(shared.ring, &a_map, &b_map, pairs, k);
      cudaTriggerProgrammaticLaunchCompletion();
    }
  } else {
    warpgroup_reg_alloc<CONSUMER_REGISTERS>();
    multiply_in_turns(shared, &c_map, pairs, k);
  }
  __syncwarp();
  cluster_arrive_relaxed();
  cluster_wait();
}

// Roughly, in cycles of a CTA: the tensor cores multiply 2,048 pairs of elements in one. From a
// tile of h100_matmul to the next one they rest for 700 (measured on an H100), and with ping-pong
// not at all, but it has smaller tiles and so perhaps a last round with few of them.
bool ping_pong_is_faster(int m, int n, int k, int clusters) {
  const auto tiles = [=](int columns) {
    return (Pairs(m, n, columns).count + clusters - 1) / clusters;
  };
  if (tiles(NARROW_COLUMNS) < CONSUMERS) return false;  // one would have nothing to do
  if (k % DEPTH != 0) return false;                     // rows that begin anywhere are slow to read
  const auto products = [=](int columns) { return TILE_ROWS * columns / 2048.0 * k; };
  const double rest = 700;
  const double ping_pong = tiles(NARROW_COLUMNS) * products(NARROW_COLUMNS);
  // A narrow tile has more to read for each product: what is nearly as fast is slower.
  return ping_pong < 0.99 * tiles(TILE_COLUMNS) * (products(TILE_COLUMNS) + rest);
}

void launch_ping_pong_matmul(int M, int N, int K, bf16* A, bf16* B, bf16* C, int clusters) {
  const CUtensorMap a_map = map_of(A, M, K, TILE_ROWS, 128);
  const CUtensorMap b_map = map_of(B, N, K, NARROW_COLUMNS / CLUSTER, 128);
  const CUtensorMap c_map = map_of(C, N, M, PANEL_COLUMNS, 128);
  cuda_check(cudaFuncSetAttribute(ping_pong_matmul, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(PingPong)));
  // The rows of A of a band take 8 MiB, and stay in the L2 cache while the columns of B go by.
  const Pairs pairs(M, N, NARROW_COLUMNS, std::clamp(16384 / K, BAND, 4 * BAND));
  const int ctas = CLUSTER * std::min(pairs.count, clusters);
  const cudaLaunchConfig_t config = early_launch(ctas, sizeof(PingPong));
  cuda_check(cudaLaunchKernelEx(&config, ping_pong_matmul, a_map, b_map, c_map, pairs, K));
}
// END SOLUTION

void launch_h100_matmul(int M, int N, int K, bf16* A, bf16* B, bf16* C) {
  int device, sms;
  cuda_check(cudaGetDevice(&device));
  cuda_check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  const int clusters = sms / CLUSTER;
  // BEGIN SOLUTION
  //: // (Another kernel for other sizes would be launched here.)
  if (ping_pong_is_faster(M, N, K, clusters)) {
    return launch_ping_pong_matmul(M, N, K, A, B, C, clusters);
  }
  // END SOLUTION
  const CUtensorMap a_map = map_of(A, M, K, TILE_ROWS, 128);
  const CUtensorMap b_map = map_of(B, N, K, HALF_COLUMNS, 128);
  const CUtensorMap c_map = map_of(C, N, M, PANEL_COLUMNS, 128);
  cuda_check(cudaFuncSetAttribute(h100_matmul, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(Shared)));
  const int ctas = CLUSTER * std::min(Pairs(M, N).count, clusters);
  // BEGIN SOLUTION
  //: h100_matmul<<<ctas, THREADS, sizeof(Shared)>>>(a_map, b_map, c_map, M, N, K);
  //: cuda_check(cudaGetLastError());
  const cudaLaunchConfig_t config = early_launch(ctas, sizeof(Shared));
  cuda_check(cudaLaunchKernelEx(&config, h100_matmul, a_map, b_map, c_map, M, N, K));
  // END SOLUTION
}

// ---------------------------------------------------------------------------------------------
// A small self-test. (`make test` runs many more cases; `make bench` measures.)

// Small whole numbers: their sums are exact in whatever order they are added.
std::vector<bf16> numbers(size_t count, int seed) {
  std::vector<bf16> drawn(count);
  uint32_t state = 1 + seed;
  for (bf16& number : drawn) {
    state = state * 1664525 + 1013904223;
    number = __float2bfloat16(static_cast<float>(static_cast<int>(state >> 24) % 9 - 4));
  }
  return drawn;
}

float value(float number) {
  return number;
}
float value(bf16 number) {
  return __bfloat162float(number);
}

// The product, element (m, n) at [n * M + m].
std::vector<float> product(const std::vector<bf16>& a, const std::vector<bf16>& b, int k) {
  const size_t rows = a.size() / k, columns = b.size() / k;
  std::vector<float> c(rows * columns);
  for (size_t i = 0; i < c.size(); ++i) {
    float sum = 0;
    for (int j = 0; j < k; ++j) sum += value(a[i % rows * k + j]) * value(b[i / rows * k + j]);
    c[i] = sum;
  }
  return c;
}

template <typename T>
T* on_device(const std::vector<T>& values) {
  T* array;
  cuda_check(cudaMalloc(&array, values.size() * sizeof(T)));
  cuda_check(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return array;
}

// Calls launch(result) and compares what it gives with `expected`, each rounded to T.
template <typename T, typename Launch>
bool gives(const char* part, const std::vector<float>& expected, Launch launch) {
  std::vector<T> got(expected.size(), T(-1.0F));
  T* const result = on_device(got);
  launch(result);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaMemcpy(got.data(), result, got.size() * sizeof(T), cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(result));
  for (size_t i = 0; i < got.size(); ++i) {
    const float right = value(T(expected[i]));
    if (value(got[i]) == right) continue;
    std::printf("%-12s element %zu of %zu is %g, expected %g\n", part, i, got.size(), value(got[i]),
                right);
    return false;
  }
  std::printf("%-12s all %zu elements are right\n", part, got.size());
  return true;
}

// One product of two small matrices.
template <typename T, typename Launch>
bool test(const char* part, int m, int n, int k, Launch launch) {
  const std::vector<bf16> a = numbers(static_cast<size_t>(m) * k, 1);
  const std::vector<bf16> b = numbers(static_cast<size_t>(n) * k, 2);
  bf16* const a_there = on_device(a);
  bf16* const b_there = on_device(b);
  const bool right = gives<T>(part, product(a, b, k), [&](T* c) { launch(a_there, b_there, c); });
  cuda_check(cudaFree(a_there));
  cuda_check(cudaFree(b_there));
  return right;
}

bool test_two_products() {
  const std::vector<bf16> a = numbers(64 * DEPTH, 1), b = numbers(64 * DEPTH, 2);
  const std::vector<bf16> c = numbers(8 * DEPTH, 3);
  const std::vector<float> first = product(a, b, DEPTH);
  std::vector<bf16> p(first.size());
  for (int m = 0; m < 64; ++m) {
    for (int n = 0; n < 64; ++n) p[m * 64 + n] = __float2bfloat16(first[n * 64 + m]);
  }
  bf16* const there[] = {on_device(a), on_device(b), on_device(c)};
  const bool right = gives<float>("fragments", product(p, c, 64), [&](float* d) {
    launch_two_products(there[0], there[1], there[2], d);
  });
  for (bf16* const array : there) cuda_check(cudaFree(array));
  return right;
}

int main() {
  bool right = test<float>("descriptors", 64, 8, 16, launch_wgmma_m64n8k16<64, 8, 16>);
  right &= test<float>("swizzle-64", 64, 8, 32, launch_swizzle_wgmma_m64n8k32<64, 8, 32>);
  right &= test<float>("swizzle-128", 64, 8, 64, launch_swizzle_wgmma_m64n8k64<64, 8, 64>);
  right &= test_two_products();
  const auto sized = [](auto launch, int m, int n, int k) {
    return [=](bf16* a, bf16* b, bf16* c) { launch(m, n, k, a, b, c); };
  };
  right &= test<bf16>("ring", 128, 64, 640, sized(launch_ring_matmul, 128, 64, 640));
  right &=
      test<bf16>("specialized", 256, 128, 640, sized(launch_specialized_matmul, 256, 128, 640));
  right &= test<bf16>("any-shape", 264, 296, 328, sized(launch_h100_matmul, 264, 296, 328));
  return right ? 0 : 1;
}
