// An asynchronous operation writes in one CTA of the cluster and completes on an mbarrier of
// another one. Boxes (without .cta_group::2) and asynchronous stores have to name a barrier of the
// CTA that gets the bytes. All barriers expect as many bytes as come.
#include "harness.h"
#include "memory_order.h"
#include "ptx.h"

int tile_in_both(int i) {
  return the_first_tile(i % TILE_INTS);
}
int input_in_both(int i) {
  return i % 128 + 1;
}
constexpr Shape two_ctas{.blocks = 2, .threads = 128, .checked = 256};

// One arrival, and the bytes that are announced with it.
__device__ void prepare_cluster_barrier(uint64_t* barrier, unsigned bytes) {
  if (threadIdx.x == 0) {
    init_barrier(barrier, 1);
    fence_barrier_init();
    arrive_and_expect(barrier, bytes);
  }
  cluster_sync();
}

//: pair tile_here_barrier_there
template <bool mistaken>
__global__ void __cluster_dims__(2)
    tile_here_barrier_there(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  const unsigned rank = cluster_rank();
  prepare_cluster_barrier(&loaded, sizeof(tile));
  if (threadIdx.x == 0) {
    const uint32_t barrier = address_in_cta(&loaded, mistaken ? rank ^ 1 : rank);
    load_tile_to(shared_address(tile), &maps.in, 0, 0, barrier);  //: barrier-of-another-cta
  }
  wait_parity_cluster(&loaded, 0);
  out[rank * TILE_INTS + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

//: pair tile_there_barrier_here
template <bool mistaken>
__global__ void __cluster_dims__(2)
    tile_there_barrier_here(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  const unsigned rank = cluster_rank();
  prepare_cluster_barrier(&loaded, sizeof(tile));
  if (threadIdx.x == 0) {
    const uint32_t there = address_in_cta(tile, rank ^ 1);
    const uint32_t barrier = address_in_cta(&loaded, mistaken ? rank : rank ^ 1);
    load_tile_to(there, &maps.in, 0, 0, barrier);  //: barrier-of-another-cta
  }
  wait_parity_cluster(&loaded, 0);
  out[rank * TILE_INTS + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

//: pair barrier_of_the_leader
// As two CTAs of a pair do it with .cta_group::2: the first one's barrier counts both tiles.
template <bool mistaken>
__global__ void __cluster_dims__(2)
    barrier_of_the_leader(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  const unsigned rank = cluster_rank();
  const unsigned tiles = mistaken ? (rank == 0 ? 2 : 0) : 1;
  prepare_cluster_barrier(&loaded, tiles * sizeof(tile));
  if (threadIdx.x == 0) {
    const uint32_t barrier = address_in_cta(&loaded, mistaken ? 0 : rank);
    load_tile_to(shared_address(tile), &maps.in, 0, 0, barrier);  //: barrier-of-another-cta
  }
  if (rank == 0) wait_parity_cluster(&loaded, 0);
  cluster_sync();
  wait_parity_cluster(&loaded, 0);
  out[rank * TILE_INTS + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

//: pair stores_to_the_other_cta
template <bool mistaken>
__global__ void __cluster_dims__(2) stores_to_the_other_cta(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ uint64_t stored;
  const unsigned rank = cluster_rank();
  prepare_cluster_barrier(&stored, sizeof(tile));
  const uint32_t there = address_in_cta(&tile[threadIdx.x], rank ^ 1);
  const uint32_t barrier = address_in_cta(&stored, mistaken ? rank : rank ^ 1);
  store_async(there, in[threadIdx.x], barrier);  //: barrier-of-another-cta
  wait_parity_cluster(&stored, 0);
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

//: pair fours_around_a_ring
// Four CTAs give 16 bytes a thread to the next one; the barrier is that of the one behind it.
template <bool mistaken>
__global__ void __cluster_dims__(4) fours_around_a_ring(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  __shared__ uint64_t stored;
  const unsigned rank = cluster_rank();
  const unsigned next = (rank + 1) % 4;
  prepare_cluster_barrier(&stored, sizeof(tile));
  if (threadIdx.x < 32) {
    const int4 four = reinterpret_cast<const int4*>(in)[threadIdx.x];
    const uint32_t there = address_in_cta(&tile[4 * threadIdx.x], next);
    const uint32_t barrier = address_in_cta(&stored, mistaken ? (rank + 2) % 4 : next);
    store_async_four(there, four, barrier);  //: barrier-of-another-cta
  }
  wait_parity_cluster(&stored, 0);
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

//: pair sums_in_the_first_cta
// All threads of the cluster add to counters of the first CTA.
int sum_of_both(int i) {
  return 2 * (i + 1);
}
template <bool mistaken>
__global__ void __cluster_dims__(2) sums_in_the_first_cta(const int* in, int* out) {
  __shared__ int sums[128];
  __shared__ uint64_t added;
  const unsigned rank = cluster_rank();
  sums[threadIdx.x] = 0;
  fence_proxy_async();
  const unsigned adders = mistaken ? 1 : rank == 0 ? 2 : 0;
  prepare_cluster_barrier(&added, adders * sizeof(sums));
  const uint32_t there = address_in_cta(&sums[threadIdx.x], 0);
  const uint32_t barrier = address_in_cta(&added, mistaken ? rank : 0);
  add_async(there, in[threadIdx.x], barrier);  //: barrier-of-another-cta
  wait_parity_cluster(&added, 0);
  cluster_sync();
  if (rank == 0) out[threadIdx.x] = sums[threadIdx.x];
}

constexpr Pair pairs[] = {
    pair<tile_here_barrier_there<true>, tile_here_barrier_there<false>, tile_in_both, two_ctas>(
        "tile_here_barrier_there"),
    pair<tile_there_barrier_here<true>, tile_there_barrier_here<false>, tile_in_both, two_ctas>(
        "tile_there_barrier_here"),
    pair<barrier_of_the_leader<true>, barrier_of_the_leader<false>, tile_in_both, two_ctas>(
        "barrier_of_the_leader"),
    pair<stores_to_the_other_cta<true>, stores_to_the_other_cta<false>, input_in_both, two_ctas>(
        "stores_to_the_other_cta"),
    pair<fours_around_a_ring<true>, fours_around_a_ring<false>, input_in_both,
         Shape{.blocks = 4, .threads = 128, .checked = 512}>("fours_around_a_ring"),
    pair<sums_in_the_first_cta<true>, sums_in_the_first_cta<false>, sum_of_both,
         Shape{.blocks = 2, .threads = 128, .checked = 128}>("sums_in_the_first_cta"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
