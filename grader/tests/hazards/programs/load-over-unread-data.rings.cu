// A ring whose producer waits for nobody before it loads a stage again: what the last lap brought
// there may still be on its way, or unread. Which of the two it is depends on who is faster.
#include "harness.h"
#include "ptx.h"

constexpr int LAPS = 4;

__device__ inline void prepare_ring(uint64_t (&full)[2], uint64_t (&empty)[2], unsigned readers) {
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 1);
    prepare_barrier(&empty[stage], readers);
  }
}

// The consumers hand each stage back, and the producer does not look.
//: pair producer_does_not_wait
template <bool mistaken>
__global__ void producer_does_not_wait(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][96];
  __shared__ uint64_t full[2], empty[2];
  prepare_ring(full, empty, 96);
  if (threadIdx.x == 96) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      if constexpr (!mistaken) wait_parity(&empty[stage], (lap / 2 + 1) % 2);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      //: load-over-unread-data
      load_bulk(ring[stage], in + 96 * lap, sizeof(ring[0]), &full[stage]);
    }
  } else if (threadIdx.x < 96) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&full[stage], lap / 2);
      out[96 * lap + threadIdx.x] = ring[stage][threadIdx.x];
      fence_proxy_async_shared();
      arrive(&empty[stage]);
    }
  }
}

// The producer is the last warp in one program and the first in another: that must not matter.
//: pair first_warp_produces
template <bool mistaken>
__global__ void first_warp_produces(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][96];
  __shared__ uint64_t full[2], empty[2];
  prepare_ring(full, empty, 96);
  if (threadIdx.x == 0) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      if constexpr (!mistaken) wait_parity(&empty[stage], (lap / 2 + 1) % 2);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      //: load-over-unread-data
      load_bulk(ring[stage], in + 96 * lap, sizeof(ring[0]), &full[stage]);
    }
  } else if (threadIdx.x >= 32) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&full[stage], lap / 2);
      out[96 * lap + threadIdx.x - 32] = ring[stage][threadIdx.x - 32];
      fence_proxy_async_shared();
      arrive(&empty[stage]);
    }
  }
}

// Every lap loads the same tile: it looks as if it were issued twice.
//: pair the_same_tile_every_lap
int the_tile_again(int i) {
  return i % 96 + 1;
}
template <bool mistaken>
__global__ void the_same_tile_every_lap(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][96];
  __shared__ uint64_t full[2], empty[2];
  prepare_ring(full, empty, 96);
  if (threadIdx.x == 96) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      if constexpr (!mistaken) wait_parity(&empty[stage], (lap / 2 + 1) % 2);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      load_bulk(ring[stage], in, sizeof(ring[0]), &full[stage]);  //: load-over-unread-data
    }
  } else if (threadIdx.x < 96) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&full[stage], lap / 2);
      out[96 * lap + threadIdx.x] = ring[stage][threadIdx.x];
      fence_proxy_async_shared();
      arrive(&empty[stage]);
    }
  }
}

// Two loads ahead of the loop, which are right, and then one in it.
//: pair prologue_and_loop
template <bool mistaken>
__global__ void prologue_and_loop(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int ring[2][TILE_INTS];
  __shared__ uint64_t full[2], empty[2];
  prepare_ring(full, empty, TILE_INTS);
  if (threadIdx.x == TILE_INTS) {
    for (int lap = 0; lap < 2; ++lap) {
      arrive_and_expect(&full[lap], sizeof(ring[0]));
      load_tile(ring[lap], &maps.in, 0, TILE_ROWS * lap, &full[lap]);
    }
    for (int lap = 2; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      if constexpr (!mistaken) wait_parity(&empty[stage], lap / 2 - 1);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      //: load-over-unread-data
      load_tile(ring[stage], &maps.in, 0, TILE_ROWS * lap, &full[stage]);
    }
  } else if (threadIdx.x < TILE_INTS) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&full[stage], lap / 2);
      out[TILE_INTS * lap + threadIdx.x] = ring[stage][threadIdx.x];
      fence_proxy_async_shared();
      arrive(&empty[stage]);
    }
  }
}
int tiles_below_each_other(int i) {
  return i / TILE_COLUMNS * MAP_COLUMNS + i % TILE_COLUMNS + 1;
}

// One stage, and a warp that consumes; the producer is a lane of it no more than any other.
//: pair one_stage
template <bool mistaken>
__global__ void one_stage(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 32);
  if (threadIdx.x == 32) {
    for (int lap = 0; lap < LAPS; ++lap) {
      if (!mistaken) wait_parity(&empty, (lap + 1) % 2);
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 32 * lap, sizeof(tile), &full);  //: load-over-unread-data
    }
  } else if (threadIdx.x < 32) {
    for (int lap = 0; lap < LAPS; ++lap) {
      wait_parity(&full, lap % 2);
      out[32 * lap + threadIdx.x] = tile[threadIdx.x];
      fence_proxy_async_shared();
      arrive(&empty);
    }
  }
}

// CTA 0 loads for both, and asks only its own readers.
//: pair peer_is_not_asked
template <bool mistaken>
__global__ void __cluster_dims__(2) peer_is_not_asked(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][64];
  __shared__ uint64_t full[2], empty[2];
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init_barrier(&full[stage], 1);
      init_barrier(&empty[stage], mistaken ? 64 : 128);
    }
    fence_barrier_init();
  }
  cluster_sync();
  if (threadIdx.x == 64) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      if (cluster_rank() == 0) wait_parity_cluster(&empty[stage], (lap / 2 + 1) % 2);
      if (cluster_rank() == 1 && lap >= 2) wait_parity_cluster(&full[stage], lap / 2 - 1);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      if (cluster_rank() == 0) {
        //: load-over-unread-data
        load_bulk_multicast(ring[stage], in + 64 * lap, sizeof(ring[0]), &full[stage], 0b11);
      }
    }
  } else if (threadIdx.x < 64) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity_cluster(&full[stage], lap / 2);
      out[256 * cluster_rank() + 64 * lap + threadIdx.x] = ring[stage][threadIdx.x];
      fence_proxy_async_shared();
      if (!mistaken || cluster_rank() == 0) arrive_remote(address_in_cta(&empty[stage], 0));
    }
  }
  cluster_sync();
}
// The stage is given back behind the first of two passes; a barrier lies before the second.
//: pair given_back_between_two_passes
int next_to_each_other(int i) {
  return i / 96 * 96 + (i % 96 ^ 1) + i + 2;
}
template <bool mistaken>
__global__ void given_back_between_two_passes(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][96];
  __shared__ uint64_t full[2], empty[2];
  prepare_ring(full, empty, 96);
  if (threadIdx.x >= 96) {
    for (int lap = 0; threadIdx.x == 96 && lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&empty[stage], (lap / 2 + 1) % 2);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      load_bulk(ring[stage], in + 96 * lap, sizeof(ring[0]), &full[stage]);  //: other
    }
  } else {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&full[stage], lap / 2);
      const int own = ring[stage][threadIdx.x];
      fence_proxy_async_shared();
      if constexpr (mistaken) {
        arrive(&empty[stage]);  //: load-over-unread-data
      }
      named_barrier_sync(1, 96);
      out[96 * lap + threadIdx.x] = own + ring[stage][threadIdx.x ^ 1];  //: other
      fence_proxy_async_shared();
      if constexpr (!mistaken) arrive(&empty[stage]);
    }
  }
}

int four_tiles_twice(int i) {
  return i % 256 + 1;
}

// Two warps read each stage, and one of them gives it back. Both have asked for the next stage
// before they read this one.
//: pair one_of_two_readers_is_asked
int each_tile_twice(int i) {
  return i / 64 * 32 + i % 32 + 1;
}
template <bool mistaken>
__global__ void one_of_two_readers_is_asked(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][32];
  __shared__ uint64_t full[2], empty[2];
  prepare_ring(full, empty, mistaken ? 1 : 2);
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x == 64) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&empty[stage], (lap / 2 + 1) % 2);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      //: load-over-unread-data
      load_bulk(ring[stage], in + 32 * lap, sizeof(ring[0]), &full[stage]);
    }
  } else if (threadIdx.x < 64) {
    bool is_there = false;
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      if (!is_there) wait_parity(&full[stage], lap / 2);
      if (lap + 1 < LAPS) is_there = try_wait(&full[1 - stage], (lap + 1) / 2);
      out[64 * lap + threadIdx.x] = ring[stage][lane];  //: other
      fence_proxy_async_shared();
      __syncwarp();
      if (lane == 0 && (!mistaken || threadIdx.x == 0)) arrive(&empty[stage]);
    }
  }
}

constexpr Pair pairs[] = {
    pair<producer_does_not_wait<true>, producer_does_not_wait<false>, the_input,
         Shape{.checked = 384}>("producer_does_not_wait"),
    pair<first_warp_produces<true>, first_warp_produces<false>, the_input, Shape{.checked = 384}>(
        "first_warp_produces"),
    pair<the_same_tile_every_lap<true>, the_same_tile_every_lap<false>, the_tile_again,
         Shape{.checked = 384}>("the_same_tile_every_lap"),
    pair<prologue_and_loop<true>, prologue_and_loop<false>, tiles_below_each_other,
         Shape{.threads = 160, .checked = 512}>("prologue_and_loop"),
    pair<one_stage<true>, one_stage<false>, the_input, Shape{.threads = 64}>("one_stage"),
    pair<peer_is_not_asked<true>, peer_is_not_asked<false>, four_tiles_twice,
         Shape{.blocks = 2, .checked = 512}>("peer_is_not_asked"),
    pair<given_back_between_two_passes<true>, given_back_between_two_passes<false>,
         next_to_each_other, Shape{.checked = 384}>("given_back_between_two_passes"),
    pair<one_of_two_readers_is_asked<true>, one_of_two_readers_is_asked<false>, each_tile_twice,
         Shape{.checked = 256}>("one_of_two_readers_is_asked"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
