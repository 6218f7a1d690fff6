// One lane arrives for its warp, and nothing makes sure that the other lanes are done: what is
// missing is a __syncwarp() in front of the arrival. The finding is at the arrival.
#include "harness.h"
#include "ptx.h"

constexpr int LAPS = 4;

// Where a warp's lanes have diverged, the first one may be at its arrival while others still read.
//: pair first_lane_hands_back
template <bool mistaken>
__global__ void first_lane_hands_back(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][96];
  __shared__ uint64_t full[2], empty[2];
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 1);
    prepare_barrier(&empty[stage], 3);
  }
  if (threadIdx.x == 96) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&empty[stage], (lap / 2 + 1) % 2);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      load_bulk(ring[stage], in + 96 * lap, sizeof(ring[0]), &full[stage]);  //: other
    }
  } else if (threadIdx.x < 96) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      wait_parity(&full[stage], lap / 2);
      out[96 * lap + threadIdx.x] = ring[stage][threadIdx.x];  //: other
      fence_proxy_async_shared();
      if (!mistaken) __syncwarp();
      if (threadIdx.x % 32 == 0) arrive(&empty[stage]);  //: load-over-unread-data
    }
  }
}

//: pair last_lane_hands_back
template <bool mistaken>
__global__ void last_lane_hands_back(const __grid_constant__ TensorMaps maps, const int*,
                                     int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, TILE_INTS / 32);
  if (threadIdx.x == TILE_INTS) {
    for (int lap = 0; lap < LAPS; ++lap) {
      wait_parity(&empty, (lap + 1) % 2);
      arrive_and_expect(&full, sizeof(tile));
      load_tile(tile, &maps.in, 0, TILE_ROWS * lap, &full);  //: other
    }
  } else if (threadIdx.x < TILE_INTS) {
    for (int lap = 0; lap < LAPS; ++lap) {
      wait_parity(&full, lap % 2);
      out[TILE_INTS * lap + threadIdx.x] = tile[threadIdx.x];  //: other
      fence_proxy_async_shared();
      if (!mistaken) __syncwarp();
      if (threadIdx.x % 32 == 31) arrive(&empty);  //: load-over-unread-data
    }
  }
}
int tiles_below_each_other(int i) {
  return i / TILE_COLUMNS * MAP_COLUMNS + i % TILE_COLUMNS + 1;
}

// The lanes meet, but in front of the read.
//: pair met_in_front_of_the_read
template <bool mistaken>
__global__ void met_in_front_of_the_read(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 1);
  if (threadIdx.x == 32) {
    for (int lap = 0; lap < LAPS; ++lap) {
      wait_parity(&empty, (lap + 1) % 2);
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 32 * lap, sizeof(tile), &full);  //: other
    }
  } else if (threadIdx.x < 32) {
    for (int lap = 0; lap < LAPS; ++lap) {
      wait_parity(&full, lap % 2);
      if (mistaken) __syncwarp();
      out[32 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
      fence_proxy_async_shared();
      if (!mistaken) __syncwarp();
      if (threadIdx.x == 0) arrive(&empty);  //: load-over-unread-data
    }
  }
}

// Each CTA's warps hand back to CTA 0, which loads for both.
//: pair handed_back_to_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) handed_back_to_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full, empty;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    init_barrier(&empty, 4);
    fence_barrier_init();
  }
  cluster_sync();
  if (threadIdx.x == 64) {
    for (int lap = 0; lap < 2; ++lap) {
      if (lap > 0) wait_parity_cluster(&full, 0);
      arrive_and_expect(&full, sizeof(tile));
      if (cluster_rank() == 0) {
        wait_parity_cluster(&empty, lap ^ 1);
        load_bulk_multicast(tile, in + 64 * lap, sizeof(tile), &full, 0b11);  //: other
      }
    }
  } else if (threadIdx.x < 64) {
    for (int lap = 0; lap < 2; ++lap) {
      wait_parity_cluster(&full, lap);
      out[128 * cluster_rank() + 64 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
      fence_proxy_async_shared();
      if (!mistaken) __syncwarp();
      if (threadIdx.x % 32 == 0) {
        arrive_remote(address_in_cta(&empty, 0));  //: load-over-unread-data
      }
    }
  }
  cluster_sync();
}
int two_tiles_twice(int i) {
  return i % 128 + 1;
}

// A tile that the lanes read row by row, several words each.
//: pair rows_of_each_lane
template <bool mistaken>
__global__ void rows_of_each_lane(const int* in, int* out) {
  __shared__ alignas(128) int tile[4][32];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 1);
  if (threadIdx.x == 32) {
    for (int lap = 0; lap < 2; ++lap) {
      wait_parity(&empty, lap ^ 1);
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 128 * lap, sizeof(tile), &full);  //: other
    }
  } else if (threadIdx.x < 32) {
    for (int lap = 0; lap < 2; ++lap) {
      wait_parity(&full, lap);
      int sum = 0;
      for (const auto& row : tile) sum += row[threadIdx.x];  //: other
      out[32 * lap + threadIdx.x] = sum;
      fence_proxy_async_shared();
      if (!mistaken) __syncwarp();
      if (threadIdx.x == 0) arrive(&empty);  //: load-over-unread-data
    }
  }
}
int sum_of_four(int i) {
  return 4 * (i / 32 * 128 + i % 32 + 1) + 6 * 32;
}

// The arrival is that of the lane that the warp elects, in a function of its own.
//: pair elected_lane_hands_back
__device__ bool is_elected() {
  unsigned is_elected;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }"
               : "=r"(is_elected));
  return is_elected != 0;
}
template <bool mistaken>
__global__ void elected_lane_hands_back(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 2);
  const bool is_chosen = is_elected();
  if (threadIdx.x >= 64) {
    for (int lap = 0; is_chosen && lap < LAPS; ++lap) {
      wait_parity(&empty, (lap + 1) % 2);
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 64 * lap, sizeof(tile), &full);  //: other
    }
  } else {
    for (int lap = 0; lap < LAPS; ++lap) {
      wait_parity(&full, lap % 2);
      out[64 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
      fence_proxy_async_shared();
      if (!mistaken) __syncwarp();
      if (is_chosen) arrive(&empty);  //: load-over-unread-data
    }
  }
}

constexpr Pair pairs[] = {
    pair<first_lane_hands_back<true>, first_lane_hands_back<false>, the_input,
         Shape{.checked = 384}>("first_lane_hands_back"),
    pair<last_lane_hands_back<true>, last_lane_hands_back<false>, tiles_below_each_other,
         Shape{.threads = 160, .checked = 512}>("last_lane_hands_back"),
    pair<met_in_front_of_the_read<true>, met_in_front_of_the_read<false>, the_input,
         Shape{.threads = 64}>("met_in_front_of_the_read"),
    pair<handed_back_to_the_peer<true>, handed_back_to_the_peer<false>, two_tiles_twice,
         Shape{.blocks = 2, .threads = 96, .checked = 256}>("handed_back_to_the_peer"),
    pair<rows_of_each_lane<true>, rows_of_each_lane<false>, sum_of_four,
         Shape{.threads = 64, .checked = 64}>("rows_of_each_lane"),
    pair<elected_lane_hands_back<true>, elected_lane_hands_back<false>, the_input,
         Shape{.threads = 96, .checked = 256}>("elected_lane_hands_back"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
