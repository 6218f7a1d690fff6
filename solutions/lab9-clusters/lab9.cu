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
  // BEGIN SOLUTION
  //: // TODO: the CTA of rank 0 loads the tile for all.
  //: //   1. Every CTA: a tile and a barrier of its own. fence_barrier_init() makes the barrier
  //: //      known to the cluster and to the engine; then cluster_sync(). Why is __syncthreads()
  //: //      not enough?
  //: //   2. In every CTA one thread expects the bytes that land *there*.
  //: //   3. In one CTA one thread loads (cp_async_bulk_global_to_shared_multicast, ALL_CTAS).
  //: //   4. Every CTA waits on its own barrier, and writes.
  __shared__ alignas(16) int tile[TILE_INTS];
  __shared__ uint64_t landed;
  const int rank = static_cast<int>(cluster_rank());

  if (threadIdx.x == 0) {
    init_barrier(&landed, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&landed, TILE_BYTES);
  }
  cluster_sync();  // the barriers of all CTAs are ready; nothing may land before

  if (rank == 0 && threadIdx.x == 0) {
    const int* from = src + static_cast<size_t>(blockIdx.x / CLUSTER) * TILE_INTS;
    cp_async_bulk_global_to_shared_multicast(tile, from, TILE_BYTES, &landed, ALL_CTAS);
  }
  wait(&landed, 0);

  int* to = dest + static_cast<size_t>(blockIdx.x) * TILE_INTS;
  for (int i = threadIdx.x; i < TILE_INTS; i += THREADS) to[i] = tile[i] + rank;
  // END SOLUTION
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
  // BEGIN SOLUTION
  //: // TODO: the piece is PIECE_BYTES of dynamic shared memory.
  //: //   * blockIdx.y says which piece; the last one may be shorter, and so may a row's last unit.
  //: //   * Every CTA receives the whole piece: expect that many bytes, whoever loads them.
  //: //   * Each CTA loads the slice of its rank into all CTAs, if the piece is that long.
  //: //   * Then the CTA stores its units, each from its place in the piece. There may be none.
  //: //   * When may a CTA leave? What may still be on its way to it, and out of it?
  //: (void)unit_ints;
  alignas(128) extern __shared__ int piece[];  // 16 would be right; 128 is fast
  __shared__ uint64_t landed;
  const int rank = static_cast<int>(cluster_rank());
  const int piece_begin = static_cast<int>(blockIdx.y) * PIECE_INTS;
  const int piece_ints = min(columns - piece_begin, PIECE_INTS);
  const int piece_bytes = piece_ints * static_cast<int>(sizeof(int));

  if (threadIdx.x == 0) {
    init_barrier(&landed, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&landed, piece_bytes);  // from all CTAs together
  }
  cluster_sync();

  if (threadIdx.x == 0) {
    const int slice_begin = rank * SLICE_INTS;
    const int slice_ints = min(piece_ints - slice_begin, SLICE_INTS);
    if (slice_ints > 0) {
      cp_async_bulk_global_to_shared_multicast(&piece[slice_begin], &row[piece_begin + slice_begin],
                                               slice_ints * static_cast<int>(sizeof(int)), &landed,
                                               ALL_SHARERS);
    }
    wait(&landed, 0);

    const unsigned units_of_row = (piece_ints + unit_ints - 1) / unit_ints;
    const unsigned rows_on = gridDim.x / units_of_row;  // from one unit of this CTA to its next
    const unsigned units_on = gridDim.x % units_of_row;
    unsigned r = blockIdx.x / units_of_row;
    unsigned unit = blockIdx.x % units_of_row;
    while (r < static_cast<unsigned>(rows)) {
      const int begin = static_cast<int>(unit) * unit_ints;
      const int ints = min(piece_ints - begin, unit_ints);
      int* to = dest + static_cast<size_t>(r) * columns + piece_begin + begin;
      cp_async_bulk_shared_to_global(to, &piece[begin], ints * static_cast<int>(sizeof(int)));
      tma_store_commit_group();
      // Who is far ahead writes to places of memory far from where the others do: wait for them.
      tma_store_wait_until_pending<STORES_UNDER_WAY - 1>();
      r += rows_on;
      unit += units_on;
      if (unit >= units_of_row) {
        unit -= units_of_row;
        ++r;
      }
    }
    tma_store_wait_until_pending_read<0>();  // the piece must stay until the engine has read it
    // No barrier of the cluster is needed here. Everything that is written to this CTA has landed,
    // since it has waited for the whole piece; and the CTAs that its own slice goes to wait for it.
  }
  // END SOLUTION
}

inline Broadcast broadcast_of(int rows, int columns) {
  // BEGIN SOLUTION
  //: // A piece of a row for each CTA: simple, but is it fast?
  //: (void)columns;
  //: return {PIECE_INTS, rows};
  // DRAM is fastest in order. On an H200 it is, if each SM writes a little at a time, in step with
  // the others. On an H100, whose memory is slower, nothing is faster than CTAs that come in order,
  // if there is enough to write for each.
  const bool is_h200 = memory_bytes_per_s() > 4e12;
  if (!is_h200 && columns >= PIECE_INTS / 2) return {PIECE_INTS, rows};
  return {1024, sm_count()};
  // END SOLUTION
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
  // BEGIN SOLUTION
  //: // TODO:
  //: //   * Two tiles in shared memory: one is sent while the other is received. Load this CTA's
  //: //     tile, tile blockIdx.x, into the first with a bulk copy.
  //: //   * Each hop: expect a tile; send the one you have to the next CTA
  //: //     (cp_async_bulk_shared_to_remote_shared, map_to_cta), where the *other* tile and the
  //: //     barrier are its own; wait until yours has arrived.
  //: //   * Before the next hop, or the end: whose reading of your tile must be over? What do you
  //: //     know of it, and what does the next CTA know?
  __shared__ alignas(16) int tiles[2][TILE_INTS];  // one is sent while the other is received
  __shared__ uint64_t landed;                      // a phase for the load, then one per hop
  const size_t begin = static_cast<size_t>(blockIdx.x) * TILE_INTS;
  const uint32_t next = (cluster_rank() + 1) % CLUSTER;

  if (threadIdx.x == 0) {
    init_barrier(&landed, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&landed, TILE_BYTES);
    cp_async_bulk_global_to_shared(tiles[0], src + begin, TILE_BYTES, &landed);
  }
  __syncthreads();  // the barrier is ready, for this CTA
  wait(&landed, 0);
  for (int hop = 0; hop < hops; ++hop) {
    const int* have = tiles[hop % 2];
    const int* get = tiles[(hop + 1) % 2];
    if (threadIdx.x == 0) expect_bytes_and_arrive(&landed, TILE_BYTES);
    // All barriers expect their tile, and what was sent with the last hop has landed everywhere: so
    // it has been read, and may be overwritten.
    cluster_sync();
    if (threadIdx.x == 0) {
      cp_async_bulk_shared_to_remote_shared(map_to_cta(get, next), have, TILE_BYTES,
                                            map_to_cta(&landed, next));
    }
    wait_cluster(&landed, (hop + 1) % 2);
  }

  for (int i = threadIdx.x; i < TILE_INTS; i += THREADS) dest[begin + i] = tiles[hops % 2][i];
  cluster_sync();  // my tile has landed, but has the one I sent? The engine reads it from this CTA
  // END SOLUTION
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
  // BEGIN SOLUTION
  //: // TODO: a multicast for the row's piece, an ordinary load for each CTA's own tile, a store.
  //: //   * The tile is in row blockIdx.x, at column blockIdx.y * TILE_INTS.
  //: //   * One barrier per CTA can count both. How many bytes?
  //: //   * Every load and store has a form with a cache policy as its last argument
  //: //     (cache-policy.cuh).
  //: //   * Between adding and storing: who must do what (lab 3)?
  __shared__ alignas(16) int tile[TILE_INTS];
  __shared__ alignas(16) int added[TILE_INTS];  // this CTA's copy of the row's piece
  __shared__ uint64_t landed;
  const size_t column = static_cast<size_t>(blockIdx.y) * TILE_INTS;
  const size_t begin = static_cast<size_t>(blockIdx.x) * columns + column;  // of the tile

  if (threadIdx.x == 0) {
    init_barrier(&landed, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&landed, 2 * TILE_BYTES);
    cp_async_bulk_global_to_shared(tile, src + begin, TILE_BYTES, &landed,
                                   CACHE_POLICY_EVICT_FIRST);  // read once
  }
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    cp_async_bulk_global_to_shared_multicast(added, row + column, TILE_BYTES, &landed, ALL_CTAS,
                                             CACHE_POLICY_EVICT_LAST);  // read again and again
  }
  wait(&landed, 0);

  for (int i = threadIdx.x; i < TILE_INTS; i += THREADS) tile[i] += added[i];
  async_proxy_fence();  // each thread: my sums, for the engine to see
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_shared_to_global(dest + begin, tile, TILE_BYTES,
                                   CACHE_POLICY_EVICT_FIRST);  // not read again
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
  // END SOLUTION
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
  // BEGIN SOLUTION
  //: // TODO:
  //: //   * The leader's barrier expects both tiles. When may the loads begin?
  //: //   * Each CTA loads its own tile, tile blockIdx.x, with
  //: //     cp_async_bulk_tensor_2d_global_to_shared_cta_group<PAIR>; the barrier that it names is
  //: //     the leader's (map_to_cta).
  //: //   * The leader waits, and adds. The peer's tile is at
  //: //     pointer_in_cta(tile, 1).
  //: //   * The other CTA has nothing to wait for. When may it leave?
  __shared__ alignas(128) int tile[PAIR_TILE_INTS];
  __shared__ uint64_t landed;  // the leader's is used
  const bool is_leader = cluster_rank() == 0;

  if (threadIdx.x == 0 && is_leader) {
    init_barrier(&landed, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&landed, PAIR * sizeof tile);
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    const int row = static_cast<int>(blockIdx.x) * PAIR_ROWS;
    cp_async_bulk_tensor_2d_global_to_shared_cta_group<PAIR>(tile, &src_map, 0, row,
                                                             map_to_cta(&landed, 0));
  }
  if (is_leader) {
    wait_cluster(&landed, 0);
    const int* other = pointer_in_cta(tile, 1);
    int* to = dest + static_cast<size_t>(blockIdx.x / PAIR) * PAIR_TILE_INTS;
    for (int i = threadIdx.x; i < PAIR_TILE_INTS; i += THREADS) to[i] = tile[i] + other[i];
  }
  cluster_sync();  // the other CTA stays until its tile has been read
  // END SOLUTION
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
