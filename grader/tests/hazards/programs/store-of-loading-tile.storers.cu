// A thread that stores what another one loads, and that never waits for the load. Where it is
// faster, it stores what nobody has written yet, and the load overwrites what is being stored.
#include "harness.h"
#include "ptx.h"

//: pair first_warp_stores
template <bool mistaken>
__global__ void first_warp_stores(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    if (!mistaken) wait_parity(&full, 0);
    store_bulk(out, tile, sizeof(tile));  //: store-of-loading-tile
    commit_group();
    wait_group<0>();
  } else if (threadIdx.x == 32) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
    wait_parity(&full, 0);
  }
}

//: pair last_warp_stores
template <bool mistaken>
__global__ void last_warp_stores(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 32) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
    wait_parity(&full, 0);
  } else if (threadIdx.x == 96) {
    if (!mistaken) wait_parity(&full, 0);
    store_bulk(out, tile, sizeof(tile));  //: store-of-loading-tile
    commit_group();
    wait_group<0>();
  }
}

// Boxes of two tensors.
//: pair boxes
template <bool mistaken>
__global__ void boxes(const __grid_constant__ TensorMaps maps, const int*, int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 64) {
    arrive_and_expect(&full, sizeof(tile));
    load_tile(tile, &maps.in, 0, 0, &full);  //: other
    wait_parity(&full, 0);
  } else if (threadIdx.x == 0) {
    if (!mistaken) wait_parity(&full, 0);
    store_tile(&maps.out, 0, 0, tile);  //: store-of-loading-tile
    commit_group();
    wait_group<0>();
  }
}

// The storer hands stages back to the loader, and takes them unasked.
//: pair ring_of_a_loader_and_a_storer
template <bool mistaken>
__global__ void ring_of_a_loader_and_a_storer(const int* in, int* out) {
  constexpr int laps = 4;
  __shared__ alignas(128) int ring[2][32];
  __shared__ uint64_t full[2], empty[2];
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 1);
    prepare_barrier(&empty[stage], 1);
  }
  if (threadIdx.x == 0) {
    for (int lap = 0; lap < laps; ++lap) {
      const int stage = lap % 2;
      if (!mistaken) wait_parity(&full[stage], lap / 2);
      store_bulk(out + 32 * lap, ring[stage], sizeof(ring[0]));  //: store-of-loading-tile
      commit_group();
      wait_group_read<0>();
      arrive(&empty[stage]);
    }
    wait_group<0>();
  } else if (threadIdx.x == 32) {
    for (int lap = 0; lap < laps; ++lap) {
      const int stage = lap % 2;
      if (lap >= 2) wait_parity(&empty[stage], lap / 2 - 1);
      if (lap >= 2) wait_parity(&full[stage], lap / 2 - 1);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      load_bulk(ring[stage], in + 32 * lap, sizeof(ring[0]), &full[stage]);  //: other
    }
    wait_parity(&full[0], 1);
    wait_parity(&full[1], 1);
  }
}

// The peer's thread adds what CTA 0 sends it.
//: pair storer_in_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) storer_in_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    if (cluster_rank() == 0) {
      load_bulk_multicast(tile, in, sizeof(tile), &full, 0b11);  //: other
    } else {
      if (!mistaken) wait_parity_cluster(&full, 0);
      store_bulk(out, tile, sizeof(tile));  //: store-of-loading-tile
      commit_group();
      wait_group<0>();
    }
    wait_parity_cluster(&full, 0);
  }
  cluster_sync();
}

// A reduction of a part of the tile.
//: pair adds_the_second_half
template <bool mistaken>
__global__ void adds_the_second_half(const int* in, int* out, int* sums) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    if (!mistaken) wait_parity(&full, 0);
    reduce_add_bulk(sums, tile + 64, 256);  //: store-of-loading-tile
    commit_group();
    wait_group<0>();
  } else if (threadIdx.x == 64) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
    wait_parity(&full, 0);
  }
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = sums[threadIdx.x];
}
int second_half(int i) {
  return i + 65;
}

constexpr Pair pairs[] = {
    pair<first_warp_stores<true>, first_warp_stores<false>>("first_warp_stores"),
    pair<last_warp_stores<true>, last_warp_stores<false>>("last_warp_stores"),
    pair<boxes<true>, boxes<false>, the_first_tile, Shape{.checked = TILE_COLUMNS}>("boxes"),
    pair<ring_of_a_loader_and_a_storer<true>, ring_of_a_loader_and_a_storer<false>>(
        "ring_of_a_loader_and_a_storer"),
    pair<storer_in_the_peer<true>, storer_in_the_peer<false>, the_input, Shape{.blocks = 2}>(
        "storer_in_the_peer"),
    pair<adds_the_second_half<true>, adds_the_second_half<false>, second_half,
         Shape{.checked = 64}>("adds_the_second_half"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
