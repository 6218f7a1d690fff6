// Every lane, warp or CTA issues the load that one is meant to issue. The bytes are announced once,
// or by each of them on an mbarrier that counts one arrival: so more bytes come than the phase
// expects, and that is a consequence.
#include "harness.h"
#include "ptx.h"

//: pair one_announces_and_every_lane_loads
template <bool mistaken>
__global__ void one_announces_and_every_lane_loads(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) arrive_and_expect(&full, sizeof(tile));
  if (threadIdx.x < (mistaken ? 32 : 1)) {
    load_bulk(tile, in, sizeof(tile), &full);  //: divergent-issue
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// The condition of the announcement is missing at the load.
//: pair every_thread_loads_a_box
template <bool mistaken>
__global__ void every_thread_loads_a_box(const __grid_constant__ TensorMaps maps, const int*,
                                         int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    if (!mistaken) load_tile(tile, &maps.in, 0, 0, &full);
  }
  if constexpr (mistaken) {
    load_tile(tile, &maps.in, 0, 0, &full);  //: divergent-issue
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// The index in the warp where the index in the CTA is meant.
//: pair first_lane_of_every_warp_loads
template <bool mistaken>
__global__ void first_lane_of_every_warp_loads(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) arrive_and_expect(&full, sizeof(tile));
  __syncthreads();
  if (threadIdx.x % (mistaken ? 32 : 128) == 0) {
    load_bulk(tile, in, sizeof(tile), &full);  //: divergent-issue
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// A producing warp that has elected nobody: all lanes announce, and all load.
//: pair warp_without_an_election
template <bool mistaken>
__global__ void warp_without_an_election(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x < (mistaken ? 32 : 1)) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: divergent-issue
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// The same in a ring: two stages, each of which is handed back.
//: pair ring_of_a_whole_warp
template <bool mistaken>
__global__ void ring_of_a_whole_warp(const int* in, int* out) {
  constexpr int stages = 2;
  __shared__ alignas(128) int ring[stages][64];
  __shared__ uint64_t full[stages];
  __shared__ uint64_t empty[stages];
  for (int stage = 0; stage < stages; ++stage) {
    prepare_barrier(&full[stage], 1);
    prepare_barrier(&empty[stage], 64);
  }
  if (threadIdx.x == 64 || (mistaken && threadIdx.x > 64)) {
    for (int lap = 0; lap < 4; ++lap) {
      const int stage = lap % stages;
      wait_parity(&empty[stage], (lap / stages + 1) % 2);
      if (threadIdx.x == 64) arrive_and_expect(&full[stage], sizeof(ring[0]));
      load_bulk(ring[stage], in + 64 * lap, sizeof(ring[0]), &full[stage]);  //: divergent-issue
    }
  } else if (threadIdx.x < 64) {
    for (int lap = 0; lap < 4; ++lap) {
      const int stage = lap % stages;
      wait_parity(&full[stage], lap / stages % 2);
      out[64 * lap + threadIdx.x] = ring[stage][threadIdx.x];
      fence_proxy_async_shared();
      arrive(&empty[stage]);
    }
  }
}

// Each CTA loads for both, and each announces what one of them brings.
//: pair both_ctas_load_for_both
int the_input_twice(int i) {
  return i % 128 + 1;
}
template <bool mistaken>
__global__ void __cluster_dims__(2) both_ctas_load_for_both(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  cluster_sync();
  if (threadIdx.x == 0 && (mistaken || cluster_rank() == 0)) {
    load_bulk_multicast(tile, in, sizeof(tile), &full, 0b11);  //: divergent-issue
  }
  wait_parity_cluster(&full, 0);
  out[128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

constexpr Pair pairs[] = {
    pair<one_announces_and_every_lane_loads<true>, one_announces_and_every_lane_loads<false>>(
        "one_announces_and_every_lane_loads"),
    pair<every_thread_loads_a_box<true>, every_thread_loads_a_box<false>, the_first_tile>(
        "every_thread_loads_a_box"),
    pair<first_lane_of_every_warp_loads<true>, first_lane_of_every_warp_loads<false>>(
        "first_lane_of_every_warp_loads"),
    pair<warp_without_an_election<true>, warp_without_an_election<false>>(
        "warp_without_an_election"),
    pair<ring_of_a_whole_warp<true>, ring_of_a_whole_warp<false>, the_input,
         Shape{.threads = 96, .checked = 256}>("ring_of_a_whole_warp"),
    pair<both_ctas_load_for_both<true>, both_ctas_load_for_both<false>, the_input_twice,
         Shape{.blocks = 2, .checked = 256}>("both_ctas_load_for_both"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
