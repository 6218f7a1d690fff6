#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

inline constexpr int CLUSTER = 4;                           // CTAs
inline constexpr uint16_t ALL_CTAS = (1u << CLUSTER) - 1u;  // a mask: bit i is the CTA of rank i
inline constexpr int THREADS = 128;

// The barrier of the cluster. No thread of it goes on before all have come; then each sees what the
// others did before.
__device__ void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}

// ---------------------------------------------------------------------------------------------
// Part multicast: cluster number c has the tile c of src. Its CTA of rank r writes the tile to the
// place CLUSTER * c + r of dest, with r added to every int.

inline constexpr int TILE_INTS = 1024;
inline constexpr int TILE_BYTES = TILE_INTS * sizeof(int);

__global__ void __cluster_dims__(CLUSTER) multicast_tiles(int* dest, const int* src) {
  __shared__ alignas(16) int tile[TILE_INTS];
  __shared__ uint64_t landed;
  const int rank = static_cast<int>(cluster_rank());

  if (threadIdx.x == 0) {
    init_barrier(&landed, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&landed, TILE_BYTES);
  }
  __syncthreads();

  if (rank == 0 && threadIdx.x == 0) {
    const int* from = src + static_cast<size_t>(blockIdx.x / CLUSTER) * TILE_INTS;
    cp_async_bulk_global_to_shared_multicast(tile, from, TILE_BYTES, &landed, ALL_CTAS);
  }
  wait(&landed, 0);

  int* to = dest + static_cast<size_t>(blockIdx.x) * TILE_INTS;
  for (int i = threadIdx.x; i < TILE_INTS; i += THREADS) to[i] = tile[i] + rank;
}

void launch_multicast(int* dest, const int* src, int tiles) {
  if (tiles == 0) return;  // a grid without CTAs is an error
  multicast_tiles<<<CLUSTER * tiles, THREADS>>>(dest, src);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part row-broadcast: every row of dest becomes a copy of row. `columns` is a multiple of 4.
//
// A cluster has a piece of the row, CLUSTER slices long, and ROWS_OF_A_CTA rows for each of its
// CTAs. Each CTA loads one slice into all of them: so all have the piece, and it was read once.
// Tune the numbers.

inline constexpr int SLICE_INTS = 4096;
inline constexpr int PIECE_INTS = CLUSTER * SLICE_INTS;
inline constexpr int PIECE_BYTES = PIECE_INTS * sizeof(int);
inline constexpr int ROWS_OF_A_CTA = 4;
inline constexpr int ROWS_OF_A_CLUSTER = CLUSTER * ROWS_OF_A_CTA;
inline constexpr int BROADCAST_THREADS = 32;  // one of which works

__global__ void __cluster_dims__(CLUSTER)
    broadcast_row(int* dest, const int* row, int rows, int columns) {
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
                                               ALL_CTAS);
    }
    wait(&landed, 0);

    // The CTAs take rows in turn, so that the cluster writes rows that lie side by side.
    const int first_row = static_cast<int>(blockIdx.x / CLUSTER) * ROWS_OF_A_CLUSTER;
    const int end_row = min(first_row + ROWS_OF_A_CLUSTER, rows);
    for (int r = first_row + rank; r < end_row; r += CLUSTER) {
      int* to = dest + static_cast<size_t>(r) * columns + piece_begin;
      cp_async_bulk_shared_to_global(to, piece, piece_bytes, CACHE_POLICY_EVICT_FIRST);
    }
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();  // the piece must outlive the engine's reading it
    // The end needs no barrier of the cluster. All that is ever written to this CTA has landed, for
    // it has waited for the whole piece; and who its own slice is on its way to, waits for it.
  }
}

void launch_row_broadcast(int* dest, const int* row, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  cuda_check(cudaFuncSetAttribute(broadcast_row, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  PIECE_BYTES));
  const unsigned clusters = (rows + ROWS_OF_A_CLUSTER - 1) / ROWS_OF_A_CLUSTER;
  const unsigned pieces = (columns + PIECE_INTS - 1) / PIECE_INTS;
  const dim3 ctas(CLUSTER * clusters, pieces);
  broadcast_row<<<ctas, BROADCAST_THREADS, PIECE_BYTES>>>(dest, row, rows, columns);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part rotate: a cluster has CLUSTER tiles of src, one a CTA. They go round: with each hop the tile
// of rank r goes on to rank r + 1, and the last one's to rank 0. After `hops` hops each CTA writes
// the tile it has then to its place in dest.

__global__ void __cluster_dims__(CLUSTER) rotate_tiles(int* dest, const int* src, int hops) {
  __shared__ alignas(16) int tiles[2][TILE_INTS];  // one is sent while the other is received
  __shared__ uint64_t landed;                      // a phase for the load, then one a hop
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
}

void launch_rotate(int* dest, const int* src, int tiles, int hops) {
  if (tiles == 0) return;
  rotate_tiles<<<tiles, THREADS>>>(dest, src, hops);  // `tiles` is a multiple of CLUSTER
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part cache-policy: dest = src + row, for every row of src. Each cluster has TILE_INTS columns of
// CLUSTER rows, one row a CTA. `columns` is a multiple of TILE_INTS, `rows` of CLUSTER.
//
// The row is read again by every cluster, src and dest pass by once: who should stay in the cache?

__global__ void __cluster_dims__(CLUSTER)
    add_row_to_tiles(int* dest, const int* src, const int* row, int columns) {
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
}

void launch_add_row(int* dest, const int* src, const int* row, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 ctas(rows, columns / TILE_INTS);
  add_row_to_tiles<<<ctas, THREADS>>>(dest, src, row, columns);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part cta-pair: src is a matrix of PAIR_COLUMNS columns, cut into tiles of PAIR_ROWS rows. Pair
// number p adds up two of them: tile p of dest is tile 2 * p plus tile 2 * p + 1 of src.
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
    const int* other = cooperative_groups::this_cluster().map_shared_rank(tile, 1);
    int* to = dest + static_cast<size_t>(blockIdx.x / PAIR) * PAIR_TILE_INTS;
    for (int i = threadIdx.x; i < PAIR_TILE_INTS; i += THREADS) to[i] = tile[i] + other[i];
  }
  cluster_sync();  // the other CTA stays until its tile has been read
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
