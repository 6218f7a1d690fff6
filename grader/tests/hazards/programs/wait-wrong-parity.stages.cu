// The parity with which a producer waits for its stages to be free: 1 in the first round, in which
// nobody has used them yet, and then in turns. A wrong one never lets it through, or always does.
#include "harness.h"
#include "ptx.h"

constexpr int LAPS = 4;

__device__ inline void prepare_ring(uint64_t (&full)[2], uint64_t (&empty)[2], unsigned readers) {
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 1);
    prepare_barrier(&empty[stage], readers);
  }
}

// The producer begins like a consumer.
//: pair zero_in_the_first_round
template <bool mistaken>
__global__ void zero_in_the_first_round(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][96];
  __shared__ uint64_t full[2], empty[2];
  prepare_ring(full, empty, 96);
  if (threadIdx.x == 96) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&empty[stage], (lap / 2 + (mistaken ? 0 : 1)) % 2);  //: wait-wrong-parity
      arrive_and_expect(&full[stage], sizeof(ring[0]));
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

// One thread produces and consumes; the tensor's tiles.
//: pair everybody_consumes
template <bool mistaken>
__global__ void everybody_consumes(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int ring[2][TILE_INTS];
  __shared__ uint64_t full[2], empty[2];
  prepare_ring(full, empty, TILE_INTS);
  for (int lap = 0; lap < LAPS; ++lap) {
    const int stage = lap % 2;
    if (threadIdx.x == 0) {
      wait_parity(&empty[stage], mistaken ? lap / 2 : lap / 2 ^ 1);  //: wait-wrong-parity
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      load_tile(ring[stage], &maps.in, 0, TILE_ROWS * lap, &full[stage]);
    }
    wait_parity(&full[stage], lap / 2);
    out[TILE_INTS * lap + threadIdx.x] = ring[stage][threadIdx.x];
    fence_proxy_async_shared();
    arrive(&empty[stage]);
  }
}
int tiles_below_each_other(int i) {
  return i / TILE_COLUMNS * MAP_COLUMNS + i % TILE_COLUMNS + 1;
}

// One at the start is right, and it has to change.
//: pair always_one
template <bool mistaken>
__global__ void always_one(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][96];
  __shared__ uint64_t full[2], empty[2];
  prepare_ring(full, empty, 96);
  if (threadIdx.x == 96) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&empty[stage], mistaken ? 1 : (lap / 2 + 1) % 2);  //: wait-wrong-parity
      arrive_and_expect(&full[stage], sizeof(ring[0]));
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

// The parity changes with each round of the ring, not with each lap.
//: pair changes_with_each_lap
template <bool mistaken>
__global__ void changes_with_each_lap(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][32];
  __shared__ uint64_t full[2], empty[2];
  prepare_ring(full, empty, 1);
  if (threadIdx.x == 32) {
    unsigned parity = 1;
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&empty[stage], parity);  //: wait-wrong-parity
      if (mistaken || stage == 1) parity ^= 1;
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      load_bulk(ring[stage], in + 32 * lap, sizeof(ring[0]), &full[stage]);
    }
  } else if (threadIdx.x < 32) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&full[stage], lap / 2);
      out[32 * lap + threadIdx.x] = ring[stage][threadIdx.x];
      fence_proxy_async_shared();
      __syncwarp();
      if (threadIdx.x == 0) arrive(&empty[stage]);
    }
  }
}

// CTA 0 produces for its peer, which hands the stages back from afar.
//: pair stages_of_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) stages_of_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full, empty;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    init_barrier(&empty, 256);
    fence_barrier_init();
  }
  cluster_sync();
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) arrive_and_expect(&full, sizeof(tile));
    if (threadIdx.x == 0 && cluster_rank() == 0) {
      wait_parity_cluster(&empty, mistaken ? lap : lap ^ 1);  //: wait-wrong-parity
      load_bulk_multicast(tile, in + 128 * lap, sizeof(tile), &full, 0b11);
    }
    wait_parity_cluster(&full, lap);
    out[256 * cluster_rank() + 128 * lap + threadIdx.x] = tile[threadIdx.x];
    fence_proxy_async_shared();
    arrive_remote(address_in_cta(&empty, 0));
  }
  cluster_sync();
}
int two_tiles_twice(int i) {
  return i % 256 + 1;
}

// A variable that is flipped in front of the wait instead of behind it.
//: pair flipped_in_front_of_the_wait
template <bool mistaken>
__global__ void flipped_in_front_of_the_wait(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 64);
  if (threadIdx.x == 64) {
    unsigned parity = 1;
    for (int lap = 0; lap < LAPS; ++lap) {
      if (mistaken) parity ^= 1;
      wait_parity(&empty, parity);  //: wait-wrong-parity
      if (!mistaken) parity ^= 1;
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 64 * lap, sizeof(tile), &full);
    }
  } else if (threadIdx.x < 64) {
    for (int lap = 0; lap < LAPS; ++lap) {
      wait_parity(&full, lap % 2);
      out[64 * lap + threadIdx.x] = tile[threadIdx.x];
      fence_proxy_async_shared();
      arrive(&empty);
    }
  }
}

constexpr Pair pairs[] = {
    pair<zero_in_the_first_round<true>, zero_in_the_first_round<false>, the_input,
         Shape{.checked = 384}>("zero_in_the_first_round"),
    pair<everybody_consumes<true>, everybody_consumes<false>, tiles_below_each_other,
         Shape{.checked = 512}>("everybody_consumes"),
    pair<always_one<true>, always_one<false>, the_input, Shape{.checked = 384}>("always_one"),
    pair<changes_with_each_lap<true>, changes_with_each_lap<false>, the_input,
         Shape{.threads = 64}>("changes_with_each_lap"),
    pair<stages_of_the_peer<true>, stages_of_the_peer<false>, two_tiles_twice,
         Shape{.blocks = 2, .checked = 512}>("stages_of_the_peer"),
    pair<flipped_in_front_of_the_wait<true>, flipped_in_front_of_the_wait<false>, the_input,
         Shape{.threads = 96, .checked = 256}>("flipped_in_front_of_the_wait"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
