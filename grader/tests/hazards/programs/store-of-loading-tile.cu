// A TMA operation reads a tile while a load into it is in flight. Everything else waits for the
// load.
#include "harness.h"
#include "ptx.h"

//: pair copies_a_tile
template <bool mistaken>
__global__ void copies_a_tile(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &loaded);  //: other
    if constexpr (!mistaken) wait_parity(&loaded, 0);
    store_bulk(out, tile, sizeof(tile));  //: store-of-loading-tile
    commit_group();
    if constexpr (mistaken) wait_parity(&loaded, 0);
    wait_group<0>();
  }
}

//: pair copies_a_box
template <bool mistaken>
__global__ void copies_a_box(const __grid_constant__ TensorMaps maps, const int*, int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    const uint64_t state = arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, &maps.in, 0, 0, &loaded);  //: other
    if constexpr (!mistaken) wait_state(&loaded, state);
    store_tile(&maps.out, 0, 0, tile);  //: store-of-loading-tile
    commit_group();
    wait_state(&loaded, state);
    wait_group_read<0>();
  }
}

//: pair stores_the_next_stage
// The stage that is stored is the one that is loaded ahead.
template <bool mistaken>
__global__ void stores_the_next_stage(const int* in, int* out) {
  __shared__ alignas(128) int stages[2][32];
  __shared__ uint64_t loaded[2];
  prepare_barrier(&loaded[0], 1);
  prepare_barrier(&loaded[1], 1);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      arrive_and_expect(&loaded[stage], sizeof(stages[0]));
      load_bulk(stages[stage], in + 32 * stage, sizeof(stages[0]), &loaded[stage]);  //: other
    }
    wait_parity(&loaded[0], 0);
    store_bulk(out, stages[mistaken ? 1 : 0], sizeof(stages[0]));  //: store-of-loading-tile
    commit_group();
    wait_parity(&loaded[1], 0);
    wait_group_read<0>();
  }
}

//: pair second_lap
// The wait is for the first lap's load.
int second_tile(int i) {
  return i + 129;
}
template <bool mistaken>
__global__ void second_lap(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded[2];
  prepare_barrier(&loaded[0], 1);
  prepare_barrier(&loaded[1], 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded[0], sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &loaded[0]);
    wait_parity(&loaded[0], 0);
    arrive_and_expect(&loaded[1], sizeof(tile));
    load_bulk(tile, in + 128, sizeof(tile), &loaded[1]);  //: other
    wait_parity(&loaded[mistaken ? 0 : 1], 0);
    store_bulk(out, tile, sizeof(tile));  //: store-of-loading-tile
    commit_group();
    wait_parity(&loaded[1], 0);
    wait_group_read<0>();
  }
}

//: pair another_warp_stores
// A barrier of the threads says nothing about the load.
template <bool mistaken>
__global__ void another_warp_stores(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &loaded);  //: other
  }
  __syncthreads();
  if (threadIdx.x == 32) {
    if constexpr (!mistaken) wait_parity(&loaded, 0);
    store_bulk(out, tile, sizeof(tile));  //: store-of-loading-tile
    commit_group();
    wait_group_read<0>();
  }
  wait_parity(&loaded, 0);
}

//: pair adds_a_part
// Two loads, and the reduction takes the end of the first and the beginning of the second one.
int from_the_middle(int i) {
  return i + 32;
}
template <bool mistaken>
__global__ void adds_a_part(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded[2];
  prepare_barrier(&loaded[0], 1);
  prepare_barrier(&loaded[1], 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded[0], 256);
    load_bulk(tile, in, 256, &loaded[0]);
    arrive_and_expect(&loaded[1], 256);
    load_bulk(tile + 64, in + 64, 256, &loaded[1]);  //: other
    wait_parity(&loaded[0], 0);
    if constexpr (!mistaken) wait_parity(&loaded[1], 0);
    reduce_add_bulk(out, tile + 32, 256);  //: store-of-loading-tile
    commit_group();
    wait_parity(&loaded[1], 0);
    wait_group_read<0>();
  }
}

//: pair passes_a_tile_on
// Through the second CTA's shared memory.
template <bool mistaken>
__global__ void __cluster_dims__(2) passes_a_tile_on(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t arrived;
  const unsigned rank = cluster_rank();
  if (threadIdx.x == 0) {
    init_barrier(&arrived, 1);
    fence_barrier_init();
    arrive_and_expect(&arrived, sizeof(tile));
  }
  cluster_sync();
  if (rank == 0 && threadIdx.x == 0) {
    load_bulk(tile, in, sizeof(tile), &arrived);  //: other
    if constexpr (!mistaken) wait_parity(&arrived, 0);
    const uint32_t remote = address_in_cta(tile, 1);
    const uint32_t remote_barrier = address_in_cta(&arrived, 1);
    copy_bulk_to_cta(remote, tile, sizeof(tile), remote_barrier);  //: store-of-loading-tile
  }
  wait_parity_cluster(&arrived, 0);
  if (rank == 1) out[threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

constexpr Pair pairs[] = {
    pair<copies_a_tile<true>, copies_a_tile<false>>("copies_a_tile"),
    pair<copies_a_box<true>, copies_a_box<false>, the_input, Shape{.checked = TILE_COLUMNS}>(
        "copies_a_box"),
    pair<stores_the_next_stage<true>, stores_the_next_stage<false>, the_input,
         Shape{.checked = 32}>("stores_the_next_stage"),
    pair<second_lap<true>, second_lap<false>, second_tile>("second_lap"),
    pair<another_warp_stores<true>, another_warp_stores<false>>("another_warp_stores"),
    pair<adds_a_part<true>, adds_a_part<false>, from_the_middle, Shape{.checked = 64}>(
        "adds_a_part"),
    pair<passes_a_tile_on<true>, passes_a_tile_on<false>, the_input,
         Shape{.blocks = 2, .threads = 128, .checked = 128}>("passes_a_tile_on"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
