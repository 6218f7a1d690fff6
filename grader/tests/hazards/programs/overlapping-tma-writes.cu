// Two TMA operations that are in flight together write the same bytes. Which one wins is open.
#include "harness.h"
#include "ptx.h"

int sum_of_two_halves(int i) {
  return 2 * (i + 1) + 128;
}

//: pair two_loads_into_one_stage
template <bool mistaken>
__global__ void two_loads_into_one_stage(const int* in, int* out) {
  __shared__ alignas(128) int stages[2][128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(stages));
    load_bulk(stages[mistaken ? 1 : 0], in, sizeof(stages[0]), &loaded);  //: other
    load_bulk(stages[1], in + 128, sizeof(stages[1]), &loaded);           //: overlapping-tma-writes
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = stages[1][threadIdx.x] - 128;
}

//: pair stages_that_overlap
// 16 bytes too few from one stage to the next.
int first_elements(int i) {
  return 128 * i + 1;
}
template <bool mistaken>
__global__ void stages_that_overlap(const int* in, int* out) {
  constexpr int step = mistaken ? 124 : 128;
  __shared__ alignas(128) int stages[2 * 128];
  __shared__ uint64_t loaded[2];
  prepare_barrier(&loaded[0], 1);
  prepare_barrier(&loaded[1], 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded[0], 512);
    load_bulk(stages, in, 512, &loaded[0]);  //: other
    arrive_and_expect(&loaded[1], 512);
    load_bulk(stages + step, in + 128, 512, &loaded[1]);  //: overlapping-tma-writes
  }
  wait_parity(&loaded[0], 0);
  wait_parity(&loaded[1], 0);
  if (threadIdx.x < 2) out[threadIdx.x] = stages[threadIdx.x * step];
}

//: pair ring_laps_itself
int the_third_tile(int i) {
  return 8 * MAP_COLUMNS + the_first_tile(i);
}
// The third tile goes where the first one is still on its way.
template <bool mistaken>
__global__ void ring_laps_itself(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int stages[2][TILE_INTS];
  __shared__ uint64_t loaded[3];
  for (int tile = 0; tile < 3; ++tile) {
    prepare_barrier(&loaded[tile], 1);
  }
  if (threadIdx.x == 0) {
    for (int tile = 0; tile < 2; ++tile) {
      arrive_and_expect(&loaded[tile], sizeof(stages[0]));
      load_tile(stages[tile], &maps.in, 0, 4 * tile, &loaded[tile]);  //: other
    }
    if constexpr (!mistaken) wait_parity(&loaded[0], 0);
    arrive_and_expect(&loaded[2], sizeof(stages[0]));
    load_tile(stages[0], &maps.in, 0, 8, &loaded[2]);  //: overlapping-tma-writes
  }
  for (int tile = 0; tile < 3; ++tile) {
    wait_parity(&loaded[tile], 0);
  }
  out[threadIdx.x] = stages[0][threadIdx.x];
}

//: pair two_stores_to_one_place
// Groups complete in any order: the second store has to wait for the first one's writes.
template <bool mistaken>
__global__ void two_stores_to_one_place(const int* in, int* out) {
  __shared__ alignas(128) int tiles[2][128];
  tiles[0][threadIdx.x] = -in[threadIdx.x];
  tiles[1][threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tiles[0], sizeof(tiles[0]));  //: other
    commit_group();
    if constexpr (mistaken) {
      wait_group_read<0>();
    } else {
      wait_group<0>();
    }
    store_bulk(out, tiles[1], sizeof(tiles[1]));  //: overlapping-tma-writes
    commit_group();
    wait_group<0>();
  }
}

//: pair boxes_that_overlap
// Two boxes of four rows, three rows apart.
int two_tiles(int i) {
  return i % MAP_COLUMNS < TILE_COLUMNS ? i / MAP_COLUMNS * TILE_COLUMNS + i % MAP_COLUMNS + 1 : -1;
}
template <bool mistaken>
__global__ void boxes_that_overlap(const __grid_constant__ TensorMaps maps, const int* in, int*) {
  __shared__ alignas(128) int tiles[2][TILE_INTS];
  tiles[0][threadIdx.x] = in[threadIdx.x];
  tiles[1][threadIdx.x] = in[TILE_INTS + threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_tile(&maps.out, 0, 0, tiles[0]);                 //: other
    store_tile(&maps.out, 0, mistaken ? 3 : 4, tiles[1]);  //: overlapping-tma-writes
    commit_group();
    wait_group<0>();
  }
}

//: pair store_and_add
// Additions may overlap with each other, but not with a store.
template <bool mistaken>
__global__ void store_and_add(const int* in, int* out) {
  __shared__ alignas(128) int zeros[128];
  __shared__ alignas(128) int tile[128];
  zeros[threadIdx.x] = 0;
  tile[threadIdx.x] = in[threadIdx.x] / 2 + in[threadIdx.x] % 2;
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, zeros, sizeof(zeros));  //: other
    commit_group();
    if constexpr (!mistaken) wait_group<0>();
    reduce_add_bulk(out, tile, sizeof(tile));  //: overlapping-tma-writes
    commit_group();
    wait_group<0>();
  }
}
int rounded_half(int i) {
  return (i + 1) / 2 + (i + 1) % 2;
}

//: pair slices_of_two_ctas
// Each CTA sends its half of the tile to both. The second half begins where the first one ends.
int two_slices(int i) {
  return i % 128 < 64 ? i % 128 + 1 : i % 128 + 65;
}
template <bool mistaken>
__global__ void __cluster_dims__(2) slices_of_two_ctas(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  const unsigned rank = cluster_rank();
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    fence_barrier_init();
    arrive_and_expect(&loaded, mistaken ? 2 * 272 : 2 * 256);
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    if (rank == 0) {
      load_bulk_multicast(tile, in, mistaken ? 272 : 256, &loaded, 0b11);  //: other
    } else {
      int* second = tile + (mistaken ? 60 : 64);
      constexpr unsigned bytes = mistaken ? 272 : 256;
      load_bulk_multicast(second, in + 128, bytes, &loaded, 0b11);  //: overlapping-tma-writes
    }
  }
  wait_parity_cluster(&loaded, 0);
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

constexpr Pair pairs[] = {
    pair<two_loads_into_one_stage<true>, two_loads_into_one_stage<false>>(
        "two_loads_into_one_stage"),
    pair<stages_that_overlap<true>, stages_that_overlap<false>, first_elements,
         Shape{.checked = 2}>("stages_that_overlap"),
    pair<ring_laps_itself<true>, ring_laps_itself<false>, the_third_tile>("ring_laps_itself"),
    pair<two_stores_to_one_place<true>, two_stores_to_one_place<false>>("two_stores_to_one_place"),
    pair<boxes_that_overlap<true>, boxes_that_overlap<false>, two_tiles,
         Shape{.checked = 8 * MAP_COLUMNS}>("boxes_that_overlap"),
    pair<store_and_add<true>, store_and_add<false>, rounded_half>("store_and_add"),
    pair<slices_of_two_ctas<true>, slices_of_two_ctas<false>, two_slices,
         Shape{.blocks = 2, .threads = 128, .checked = 256}>("slices_of_two_ctas"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
