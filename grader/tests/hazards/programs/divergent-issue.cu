// Several threads issue what one is meant to issue, or one issues it twice. Arrivals and bytes are
// announced as often, so that nothing else is wrong.
#include "harness.h"
#include "ptx.h"

//: pair every_lane_loads
template <bool mistaken>
__global__ void every_lane_loads(const int* in, int* out) {
  constexpr unsigned issuers = mistaken ? 32 : 1;
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, issuers);
  if (threadIdx.x < issuers) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &loaded);  //: divergent-issue
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair every_lane_stores
template <bool mistaken>
__global__ void every_lane_stores(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (mistaken ? threadIdx.x / 32 == 0 : threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: divergent-issue
    commit_group();
    wait_group<0>();
  }
}

//: pair first_lanes_store
// The output is a matrix, and the tile's first row is its beginning. The index in the warp where
// the index in the CTA is meant.
template <bool mistaken>
__global__ void first_lanes_store(const __grid_constant__ TensorMaps maps, const int* in, int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  const unsigned index = mistaken ? threadIdx.x % 32 : threadIdx.x;
  if (index == 0) {
    store_tile(&maps.out, 0, 0, tile);  //: divergent-issue
    commit_group();
    wait_group_read<0>();
  }
}

//: pair every_warp_loads
template <bool mistaken>
__global__ void every_warp_loads(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, mistaken ? 4 : 1);
  if (threadIdx.x % (mistaken ? 32 : 128) == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, &maps.in, 0, 0, &loaded);  //: divergent-issue
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair every_lane_adds
// Here the result shows it.
template <bool mistaken>
__global__ void every_lane_adds(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x] + 1;
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x < (mistaken ? 2 : 1)) {
    reduce_add_bulk(out, tile, sizeof(tile));  //: divergent-issue
    commit_group();
    wait_group<0>();
  }
}

//: pair first_stage_twice
// The first stage is filled before the loop; the loop begins with it again.
int sum_of_two_stages(int i) {
  return 2 * (i + 1) + 128;
}
template <bool mistaken>
__global__ void first_stage_twice(const int* in, int* out) {
  __shared__ alignas(128) int stages[2][128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  constexpr int first = mistaken ? 0 : 1;
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(stages[0]) * (1 + 2 - first));
    load_bulk(stages[0], in, sizeof(stages[0]), &loaded);  //: other
    for (int stage = first; stage < 2; ++stage) {
      load_bulk(stages[stage], in + stage * 128, sizeof(stages[0]), &loaded);  //: divergent-issue
    }
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = stages[0][threadIdx.x] + stages[1][threadIdx.x];
}

//: pair both_ctas_multicast
// One CTA sends the tile to both. If both do, each of them gets it twice.
int the_input_twice(int i) {
  return i % 128 + 1;
}
template <bool mistaken>
__global__ void __cluster_dims__(2) both_ctas_multicast(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  constexpr unsigned senders = mistaken ? 2 : 1;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    fence_barrier_init();
    arrive_and_expect(&loaded, senders * sizeof(tile));
  }
  cluster_sync();
  if (threadIdx.x == 0 && cluster_rank() < senders) {
    load_bulk_multicast(tile, in, sizeof(tile), &loaded, 0b11);  //: divergent-issue
  }
  wait_parity_cluster(&loaded, 0);
  out[cluster_rank() * 128 + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

//: pair last_store_twice
// The last tile is stored in the loop and behind it once more.
template <bool mistaken>
__global__ void last_store_twice(const int* in, int* out) {
  __shared__ alignas(128) int tiles[2][64];
  tiles[threadIdx.x / 64][threadIdx.x % 64] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < (mistaken ? 2 : 1); ++i) {
      store_bulk(out + 64 * i, tiles[i], sizeof(tiles[i]));  //: other
      commit_group();
    }
    store_bulk(out + 64, tiles[1], sizeof(tiles[1]));  //: divergent-issue
    commit_group();
    wait_group_read<0>();
  }
}

constexpr Pair pairs[] = {
    pair<every_lane_loads<true>, every_lane_loads<false>>("every_lane_loads"),
    pair<every_lane_stores<true>, every_lane_stores<false>>("every_lane_stores"),
    pair<first_lanes_store<true>, first_lanes_store<false>, the_input, Shape{.checked = 32}>(
        "first_lanes_store"),
    pair<every_warp_loads<true>, every_warp_loads<false>, the_first_tile>("every_warp_loads"),
    pair<every_lane_adds<true>, every_lane_adds<false>>("every_lane_adds"),
    pair<first_stage_twice<true>, first_stage_twice<false>, sum_of_two_stages>("first_stage_twice"),
    pair<both_ctas_multicast<true>, both_ctas_multicast<false>, the_input_twice,
         Shape{.blocks = 2, .threads = 128, .checked = 256}>("both_ctas_multicast"),
    pair<last_store_twice<true>, last_store_twice<false>>("last_store_twice"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
