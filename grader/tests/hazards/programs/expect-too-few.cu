// More bytes arrive at an mbarrier than were announced. Many of these hang, on the emulator and on
// a chip: the phase cannot end. Others go on too soon.
#include "harness.h"
#include "ptx.h"

// An array's elements, taken for its bytes.
//: pair elements_for_bytes
template <bool mistaken>
__global__ void elements_for_bytes(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, mistaken ? 128 : sizeof(tile));  //: other
    load_bulk(tile, in, sizeof(tile), &full);                 //: expect-too-few
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// What lies outside of the matrix is filled with zeros, and these bytes count.
//: pair tile_over_the_edge
template <bool mistaken>
__global__ void tile_over_the_edge(const __grid_constant__ TensorMaps maps, const int* in,
                                   int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, mistaken ? sizeof(tile) / 2 : sizeof(tile));  //: other
    load_tile(tile, &maps.in, 0, MAP_ROWS - 2, &full);                     //: expect-too-few
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
int last_two_rows_and_zeros(int i) {
  const int row = i / TILE_COLUMNS;
  return row < 2 ? (MAP_ROWS - 2 + row) * MAP_COLUMNS + i % TILE_COLUMNS + 1 : 0;
}

// A load behind the others, for which nobody has announced anything: the phase may end before it.
//: pair one_load_more
template <bool mistaken>
__global__ void one_load_more(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, mistaken ? 3 * 128 : 4 * 128);  //: other
    for (int part = 0; part < 4; ++part) {
      load_bulk(tile + 32 * part, in + 32 * part, 128, &full);  //: expect-too-few
    }
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// An arrival alone announces no bytes.
//: pair no_announcement
template <bool mistaken>
__global__ void no_announcement(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 128);
  if (threadIdx.x == 0) {
    load_bulk(tile, in, sizeof(tile), &full);  //: expect-too-few
    if constexpr (!mistaken) {
      expect(&full, sizeof(tile));
    }
  }
  arrive(&full);
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair announced_behind_its_own_arrival
// All arrivals may come before the announcement: then the phase was over without the load.
template <bool mistaken>
__global__ void announced_behind_its_own_arrival(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 128);
  if constexpr (mistaken) arrive(&full);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));  //: expect-too-few
    load_bulk(tile, in, sizeof(tile), &full);
  }
  if constexpr (!mistaken) arrive(&full);
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// Each CTA loads a half and gives it to both: two halves arrive at each barrier.
//: pair both_halves_by_multicast
template <bool mistaken>
__global__ void __cluster_dims__(2) both_halves_by_multicast(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    expect(&full, mistaken ? sizeof(tile) / 2 : sizeof(tile));  //: other
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    const unsigned first = 64 * cluster_rank();
    load_bulk_multicast(tile + first, in + first, 256, &full, 0b11);  //: expect-too-few
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    arrive(&full);
  }
  wait_parity(&full, 0);
  out[128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}
int the_input_twice(int i) {
  return i % 128 + 1;
}

// The last lap's load is announced as if it were shorter.
//: pair last_lap
template <bool mistaken>
__global__ void last_lap(const int* in, int* out) {
  __shared__ alignas(128) int tile[96];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  constexpr int elements = 3 * 96 - (mistaken ? 4 : 0);
  for (int lap = 0; lap < 3; ++lap) {
    if (threadIdx.x == 0) {
      const int left = elements - 96 * lap;
      arrive_and_expect(&full, (left < 96 ? left : 96) * sizeof(int));  //: other
      load_bulk(tile, in + 96 * lap, sizeof(tile), &full);              //: expect-too-few
    }
    wait_parity(&full, lap % 2);
    out[96 * lap + threadIdx.x] = tile[threadIdx.x];
    fence_proxy_async_shared();
    __syncthreads();
  }
}

//: pair copy_to_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) copy_to_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int mine[128];
  __shared__ alignas(128) int theirs[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, mistaken ? sizeof(theirs) - 16 : sizeof(theirs));  //: other
  }
  mine[threadIdx.x] = in[128 * cluster_rank() + threadIdx.x];
  fence_proxy_async_shared();
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  if (threadIdx.x == 0) {
    const uint32_t remote = address_in_cta(theirs, peer);
    const uint32_t remote_barrier = address_in_cta(&full, peer);
    copy_bulk_to_cta(remote, mine, sizeof(mine), remote_barrier);  //: expect-too-few
  }
  wait_parity(&full, 0);
  out[128 * peer + threadIdx.x] = theirs[threadIdx.x];
  cluster_sync();
}

// Announcements of two threads, each for its own half.
//: pair two_announcers
template <bool mistaken>
__global__ void two_announcers(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 2);
  if (threadIdx.x % 64 == 0) {
    arrive_and_expect(&full, mistaken ? 192 : 256);               //: other
    load_bulk(tile + threadIdx.x, in + threadIdx.x, 256, &full);  //: expect-too-few
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

constexpr Shape two_blocks{.blocks = 2, .checked = 256};

// The arrival comes from the peer, which knows nothing of the announcement.
//: pair announced_beside_the_peers_arrival
template <bool mistaken>
__global__ void __cluster_dims__(2) announced_beside_the_peers_arrival(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
  }
  cluster_sync();
  if (threadIdx.x == 0 && cluster_rank() == 0) {
    expect(&full, sizeof(tile));  //: expect-too-few
    load_bulk(tile, in, sizeof(tile), &full);
  }
  if constexpr (!mistaken) {
    __syncwarp();
    cluster_sync();
  }
  if (threadIdx.x == 0 && cluster_rank() == 1) {
    arrive_remote(address_in_cta(&full, 0));
  }
  if (cluster_rank() == 0) {
    wait_parity_cluster(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
  }
  cluster_sync();
}

// What the other CTA brings is forgotten, and comes in the phase behind.
//: pair own_half_of_each_stage
template <bool mistaken>
__global__ void __cluster_dims__(2) own_half_of_each_stage(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][64];
  __shared__ uint64_t full[2], empty[2];
  const int rank = static_cast<int>(cluster_rank()), lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init_barrier(&full[stage], 1);
      init_barrier(&empty[stage], 2);
    }
    fence_barrier_init();
  }
  cluster_sync();
  for (int lap = 0; lap < 6; ++lap) {
    const int stage = lap % 2;
    if (threadIdx.x == 32) {
      wait_parity_cluster(&empty[stage], lap / 2 % 2 ^ 1);
      arrive_and_expect(&full[stage], mistaken ? 128 : 256);
      //: expect-too-few
      load_bulk_multicast(ring[stage] + 32 * rank, in + 64 * lap + 32 * rank, 128, &full[stage], 3);
    } else if (threadIdx.x < 32) {
      wait_parity_cluster(&full[stage], lap / 2 % 2);
      if (rank == 0) {
        out[64 * lap + lane] = ring[stage][lane];
        out[64 * lap + 32 + lane] = ring[stage][32 + lane];
      }
      fence_proxy_async();
      __syncwarp();
      if (lane < 2) arrive_remote(address_in_cta(&empty[stage], lane));
    }
  }
  __syncwarp();
  cluster_sync();
}

constexpr Pair pairs[] = {
    pair<elements_for_bytes<true>, elements_for_bytes<false>>("elements_for_bytes"),
    pair<tile_over_the_edge<true>, tile_over_the_edge<false>, last_two_rows_and_zeros>(
        "tile_over_the_edge"),
    pair<one_load_more<true>, one_load_more<false>>("one_load_more"),
    pair<no_announcement<true>, no_announcement<false>>("no_announcement"),
    pair<announced_behind_its_own_arrival<true>, announced_behind_its_own_arrival<false>>(
        "announced_behind_its_own_arrival"),
    pair<both_halves_by_multicast<true>, both_halves_by_multicast<false>, the_input_twice,
         two_blocks>("both_halves_by_multicast"),
    pair<last_lap<true>, last_lap<false>, the_input, Shape{.threads = 96, .checked = 288}>(
        "last_lap"),
    pair<copy_to_the_peer<true>, copy_to_the_peer<false>, the_input, two_blocks>(
        "copy_to_the_peer"),
    pair<two_announcers<true>, two_announcers<false>>("two_announcers"),
    pair<announced_beside_the_peers_arrival<true>, announced_beside_the_peers_arrival<false>,
         the_input, Shape{.blocks = 2}>("announced_beside_the_peers_arrival"),
    pair<own_half_of_each_stage<true>, own_half_of_each_stage<false>, the_input,
         Shape{.blocks = 2, .threads = 64, .checked = 384}>("own_half_of_each_stage"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
