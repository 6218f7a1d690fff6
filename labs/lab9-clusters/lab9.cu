// Lab 9: clusters. SMs can share.
//
// The CTAs of a cluster run at the same time, on neighboring SMs, and the TMA engine reaches the
// shared memory of them all. Five parts:
//   multicast      one CTA loads a tile into all CTAs of its cluster
//   row-broadcast  a row into every row of a matrix; a cluster reads each byte of it once
//   rotate         tiles go from CTA to CTA, bypassing global memory
//   cache-policy   a row is added to every row of a matrix; the row stays in the L2 cache
//   cta-pair       two CTAs of an sm_100 GPU: one barrier counts the bytes of both
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cuda-check.cuh"
#include "device.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

inline constexpr int CLUSTER = 4;                           // CTAs
inline constexpr uint16_t ALL_CTAS = (1u << CLUSTER) - 1u;  // a mask: bit i is the CTA of rank i
inline constexpr int THREADS = 128;

// The barrier of the cluster. No thread goes on before all have arrived; then each sees what the
// others did before.
__device__ void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}

// ---------------------------------------------------------------------------------------------
// Part multicast: cluster c has tile c of src. Its CTA of rank r writes the tile to place
// CLUSTER * c + r of dest, with r added to every int.

inline constexpr int TILE_INTS = 1024;
inline constexpr int TILE_BYTES = TILE_INTS * sizeof(int);

__global__ void __cluster_dims__(CLUSTER) multicast_tiles(int* dest, const int* src) {
  // TODO: the CTA of rank 0 loads the tile for all.
  //   1. Every CTA: a tile and a barrier of its own. fence_barrier_init() makes the barrier
  //      known to the cluster and to the engine; then cluster_sync(). Why is __syncthreads()
  //      not enough?
  //   2. In every CTA one thread expects the bytes that land *there*.
  //   3. In one CTA one thread loads (cp_async_bulk_global_to_shared_multicast, ALL_CTAS).
  //   4. Every CTA waits on its own barrier, and writes.
}

void launch_multicast(int* dest, const int* src, int tiles) {
  if (tiles == 0) return;  // a grid without CTAs is an error
  multicast_tiles<<<CLUSTER * tiles, THREADS>>>(dest, src);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part row-broadcast: every row of dest becomes a copy of row. `columns` is a multiple of 4.
//
// A cluster has a piece of the row. Each of its CTAs loads one slice into all of them: so all have
// the piece, and it was read once. Then the CTAs of all clusters write it to the rows, unit by
// unit: `unit_ints` ints of one row. CTA b has unit b, then unit b + gridDim.x, and so on, counted
// along the rows. Tune the numbers.

inline constexpr int SHARERS = 2;  // CTAs of such a cluster; at 4, some SMs would have none
inline constexpr uint16_t ALL_SHARERS = (1u << SHARERS) - 1u;
inline constexpr int SLICE_INTS = 8192;
inline constexpr int PIECE_INTS = SHARERS * SLICE_INTS;
inline constexpr int PIECE_BYTES = PIECE_INTS * sizeof(int);
inline constexpr int BROADCAST_THREADS = 32;  // one of which works
inline constexpr int STORES_UNDER_WAY = 16;   // of a CTA

struct Broadcast {
  int unit_ints;
  int ctas;  // that have units of the same piece
};

__global__ void __cluster_dims__(SHARERS)
    broadcast_row(int* dest, const int* row, int rows, int columns, int unit_ints) {
  // TODO: the piece is PIECE_BYTES of dynamic shared memory.
  //   * blockIdx.y says which piece; the last one may be shorter, and so may a row's last unit.
  //   * Every CTA receives the whole piece: expect that many bytes, whoever loads them.
  //   * Each CTA loads the slice of its rank into all CTAs, if the piece is that long.
  //   * Then the CTA stores its units, each from its place in the piece. There may be none.
  //   * When may a CTA leave? What may still be on its way to it, and out of it?
  (void)unit_ints;
}

inline Broadcast broadcast_of(int rows, int columns) {
  // A piece of a row for each CTA: simple, but is it fast?
  (void)columns;
  return {PIECE_INTS, rows};
}

void launch_row_broadcast(int* dest, const int* row, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  cuda_check(cudaFuncSetAttribute(broadcast_row, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  PIECE_BYTES));
  const auto [unit_ints, ctas_of_piece] = broadcast_of(rows, columns);
  const unsigned clusters = (ctas_of_piece + SHARERS - 1) / SHARERS;
  const unsigned pieces = (columns + PIECE_INTS - 1) / PIECE_INTS;
  const dim3 ctas(SHARERS * clusters, pieces);
  broadcast_row<<<ctas, BROADCAST_THREADS, PIECE_BYTES>>>(dest, row, rows, columns, unit_ints);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part rotate: a cluster has CLUSTER tiles of src, one per CTA. They go around: in each hop the
// tile of rank r moves on to rank r + 1, and the last one's to rank 0. After `hops` hops each CTA
// writes the tile that it then has to its place in dest.

__global__ void __cluster_dims__(CLUSTER) rotate_tiles(int* dest, const int* src, int hops) {
  // TODO:
  //   * Two tiles in shared memory: one is sent while the other is received. Load this CTA's
  //     tile, tile blockIdx.x, into the first with a bulk copy.
  //   * Each hop: expect a tile; send the one you have to the next CTA
  //     (cp_async_bulk_shared_to_remote_shared, map_to_cta), where the *other* tile and the
  //     barrier are its own; wait until yours has arrived.
  //   * Before the next hop, or the end: whose reading of your tile must be over? What do you
  //     know of it, and what does the next CTA know?
}

void launch_rotate(int* dest, const int* src, int tiles, int hops) {
  if (tiles == 0) return;
  rotate_tiles<<<tiles, THREADS>>>(dest, src, hops);  // `tiles` is a multiple of CLUSTER
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part cache-policy: dest = src + row, for every row of src. Each cluster has TILE_INTS columns of
// CLUSTER rows, one row per CTA. `columns` is a multiple of TILE_INTS, `rows` of CLUSTER.
//
// Every cluster reads the row again; src and dest pass by once. Which should stay in the cache?

__global__ void __cluster_dims__(CLUSTER)
    add_row_to_tiles(int* dest, const int* src, const int* row, int columns) {
  // TODO: a multicast for the row's piece, an ordinary load for each CTA's own tile, a store.
  //   * The tile is in row blockIdx.x, at column blockIdx.y * TILE_INTS.
  //   * One barrier per CTA can count both. How many bytes?
  //   * Every load and store has a form with a cache policy as its last argument
  //     (cache-policy.cuh).
  //   * Between adding and storing: who must do what (lab 3)?
}

void launch_add_row(int* dest, const int* src, const int* row, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 ctas(rows, columns / TILE_INTS);
  add_row_to_tiles<<<ctas, THREADS>>>(dest, src, row, columns);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part cta-pair: src is a matrix of PAIR_COLUMNS columns, cut into tiles of PAIR_ROWS rows. Pair
// p adds up two of them: tile p of dest is tile 2 * p plus tile 2 * p + 1 of src.
//
// Each CTA loads one of the two tiles into its own shared memory; but the bytes of both are counted
// by one barrier, in the CTA of rank 0, the leader. (On an sm_100 GPU the leader would now start a
// matrix multiplication that reads the shared memory of both CTAs. Here it adds.)

inline constexpr int PAIR = 2;  // CTAs
inline constexpr int PAIR_ROWS = 16;
inline constexpr int PAIR_COLUMNS = 64;
inline constexpr int PAIR_TILE_INTS = PAIR_ROWS * PAIR_COLUMNS;

__global__ void __cluster_dims__(PAIR)
    add_pairs(int* dest, const __grid_constant__ CUtensorMap src_map);

// Compiled for the host, which launches it, and for sm_100a: no Hopper GPU has the instruction.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000
__global__ void __cluster_dims__(PAIR)
    add_pairs(int* dest, const __grid_constant__ CUtensorMap src_map) {
  // TODO:
  //   * The leader's barrier expects both tiles. When may the loads begin?
  //   * Each CTA loads its own tile, tile blockIdx.x, with
  //     cp_async_bulk_tensor_2d_global_to_shared_cta_group<PAIR>; the barrier that it names is
  //     the leader's (map_to_cta).
  //   * The leader waits, and adds. The peer's tile is at
  //     pointer_in_cta(tile, 1).
  //   * The other CTA has nothing to wait for. When may it leave?
}
#endif

void launch_add_pairs(int* dest, int* src, int pairs) {
  if (pairs == 0) return;
  const uint64_t rows = static_cast<uint64_t>(PAIR) * pairs * PAIR_ROWS;
  const CUtensorMap map = make_tensor_map<int, 2>(
      src, {PAIR_COLUMNS, rows}, {PAIR_COLUMNS * sizeof(int)}, {PAIR_COLUMNS, PAIR_ROWS});
  add_pairs<<<PAIR * pairs, THREADS>>>(dest, map);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// A small self-test. (`make test` runs many more cases; `make bench` measures.)

// Calls launch(dest, src) and compares dest with what is expected.
template <typename Launch>
bool gives(const char* part, const std::vector<int>& sent, const std::vector<int>& expected,
           Launch launch) {
  int *src, *dest;
  cuda_check(cudaMalloc(&src, sent.size() * sizeof(int)));
  cuda_check(cudaMalloc(&dest, expected.size() * sizeof(int)));
  cuda_check(cudaMemcpy(src, sent.data(), sent.size() * sizeof(int), cudaMemcpyHostToDevice));
  cuda_check(cudaMemset(dest, 0xFF, expected.size() * sizeof(int)));
  launch(dest, src);
  cuda_check(cudaDeviceSynchronize());
  std::vector<int> got(expected.size());
  cuda_check(cudaMemcpy(got.data(), dest, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(src));
  cuda_check(cudaFree(dest));

  const auto wrong = std::mismatch(expected.begin(), expected.end(), got.begin());
  if (wrong.first == expected.end()) {
    std::printf("%-13s  all %zu ints are right\n", part, expected.size());
    return true;
  }
  std::printf("%-13s  element %td of %zu is %d, expected %d\n", part,
              wrong.first - expected.begin(), expected.size(), *wrong.second, *wrong.first);
  return false;
}

std::vector<int> count_up(size_t count) {
  std::vector<int> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<int>(i);
  return numbers;
}

bool test_multicast(int tiles) {
  const std::vector<int> src = count_up(static_cast<size_t>(tiles) * TILE_INTS);
  std::vector<int> expected(src.size() * CLUSTER);
  for (size_t i = 0; i < expected.size(); ++i) {
    const size_t cta = i / TILE_INTS;
    expected[i] = src[cta / CLUSTER * TILE_INTS + i % TILE_INTS] + static_cast<int>(cta % CLUSTER);
  }
  return gives("multicast", src, expected,
               [=](int* dest, int* from) { launch_multicast(dest, from, tiles); });
}

bool test_row_broadcast(int rows, int columns) {
  const std::vector<int> row = count_up(columns);
  std::vector<int> expected;
  for (int r = 0; r < rows; ++r) expected.insert(expected.end(), row.begin(), row.end());
  return gives("row-broadcast", row, expected,
               [=](int* dest, int* from) { launch_row_broadcast(dest, from, rows, columns); });
}

bool test_rotate(int tiles, int hops) {
  const std::vector<int> src = count_up(static_cast<size_t>(tiles) * TILE_INTS);
  std::vector<int> expected(src.size());
  for (int tile = 0; tile < tiles; ++tile) {
    const int to = tile / CLUSTER * CLUSTER + (tile + hops) % CLUSTER;
    std::copy_n(src.begin() + tile * TILE_INTS, TILE_INTS, expected.begin() + to * TILE_INTS);
  }
  return gives("rotate", src, expected,
               [=](int* dest, int* from) { launch_rotate(dest, from, tiles, hops); });
}

bool test_add_row(int rows, int columns) {
  const std::vector<int> src = count_up(static_cast<size_t>(rows) * columns);
  std::vector<int> expected(src.size());
  for (size_t i = 0; i < src.size(); ++i) expected[i] = src[i] + src[i % columns];
  // The row that is added is the first row of src.
  return gives("cache-policy", src, expected,
               [=](int* dest, int* from) { launch_add_row(dest, from, from, rows, columns); });
}

bool test_add_pairs(int pairs) {
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, add_pairs) != cudaSuccess) {
    std::printf("cta-pair       needs a Blackwell GPU or the emulator: not run\n");
    return true;
  }
  const std::vector<int> src = count_up(static_cast<size_t>(PAIR) * pairs * PAIR_TILE_INTS);
  std::vector<int> expected(static_cast<size_t>(pairs) * PAIR_TILE_INTS);
  for (size_t i = 0; i < expected.size(); ++i) {
    const size_t first = i / PAIR_TILE_INTS * PAIR_TILE_INTS + i;
    expected[i] = src[first] + src[first + PAIR_TILE_INTS];
  }
  return gives("cta-pair", src, expected,
               [=](int* dest, int* from) { launch_add_pairs(dest, from, pairs); });
}

int main() {
  bool right = test_multicast(100);
  right &= test_row_broadcast(100, 20'004);
  right &= test_rotate(100, 3);
  right &= test_add_row(64, 8192);
  right &= test_add_pairs(50);
  return right ? 0 : 1;
}
