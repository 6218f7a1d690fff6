// A wait returns at once: for a phase that was over before the loads that it is meant for were
// announced.
#include "harness.h"
#include "ptx.h"

// A fresh mbarrier is in its phase of parity 0; the one before, of parity 1, counts as over.
//: pair one_at_the_start
template <bool mistaken>
__global__ void one_at_the_start(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);
  }
  __syncthreads();
  wait_parity(&full, mistaken ? 1 : 0);  //: wait-wrong-parity
  out[threadIdx.x] = tile[threadIdx.x];
  wait_parity(&full, 0);
}

//: pair parity_that_does_not_change
template <bool mistaken>
__global__ void parity_that_does_not_change(const __grid_constant__ TensorMaps maps, const int* in,
                                            int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, sizeof(tile));
      load_tile(tile, &maps.in, 0, TILE_ROWS * lap, &full);
    }
    __syncthreads();
    wait_parity(&full, mistaken ? 0 : lap % 2);  //: wait-wrong-parity
    out[TILE_INTS * lap + threadIdx.x] = tile[threadIdx.x];
    fence_proxy_async_shared();
    __syncthreads();
  }
  wait_parity(&full, 1);
}
int tiles_below_each_other(int i) {
  return i / TILE_COLUMNS * MAP_COLUMNS + i % TILE_COLUMNS + 1;
}

// On a ring of two the parity changes with each round, not with each tile.
//: pair parity_of_the_tile
template <bool mistaken>
__global__ void parity_of_the_tile(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][128];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  for (int tile = 0; tile < 2; ++tile) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full[tile], sizeof(ring[0]));
      load_bulk(ring[tile], in + 128 * tile, sizeof(ring[0]), &full[tile]);
    }
  }
  __syncthreads();
  for (int tile = 0; tile < 2; ++tile) {
    const unsigned parity = mistaken ? tile % 2 : tile / 2;
    wait_parity(&full[tile], parity);  //: wait-wrong-parity
    out[128 * tile + threadIdx.x] = ring[tile][threadIdx.x];
  }
  wait_parity(&full[1], 0);
}

// The second part of the kernel uses the barrier of the first, and begins with parity 0 again.
__device__ inline void load_and_copy(int* tile, const int* in, int* out, uint64_t* full,
                                     unsigned parity) {
  if (threadIdx.x == 0) {
    arrive_and_expect(full, 512);
    load_bulk(tile, in, 512, full);
  }
  __syncthreads();
  wait_parity(full, parity);
  out[threadIdx.x] = tile[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
}
//: pair second_part_of_the_kernel
template <bool mistaken>
__global__ void second_part_of_the_kernel(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  load_and_copy(tile, in, out, &full, 0);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in + 128, sizeof(tile), &full);
  }
  __syncthreads();
  wait_parity(&full, mistaken ? 0 : 1);  //: wait-wrong-parity
  out[128 + threadIdx.x] = tile[threadIdx.x];
  wait_parity(&full, 1);
}

// One variable for the parities of two barriers, changed for each of them.
//: pair one_parity_for_two_barriers
template <bool mistaken>
__global__ void one_parity_for_two_barriers(const int* in, int* out) {
  __shared__ alignas(128) int left[128];
  __shared__ alignas(128) int right[128];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  unsigned parity = 0;
  if (threadIdx.x == 0) {
    arrive_and_expect(&full[0], sizeof(left));
    load_bulk(left, in, sizeof(left), &full[0]);
    arrive_and_expect(&full[1], sizeof(right));
    load_bulk(right, in, sizeof(right), &full[1]);
  }
  __syncthreads();
  wait_parity(&full[0], parity);
  int sum = left[threadIdx.x];
  if constexpr (mistaken) {
    parity ^= 1;
  }
  wait_parity(&full[1], parity);  //: wait-wrong-parity
  sum += right[threadIdx.x];
  out[threadIdx.x] = sum;
  wait_parity(&full[1], 0);
}

// The state is that of the arrival in the phase before.
//: pair state_of_the_phase_before
template <bool mistaken>
__global__ void state_of_the_phase_before(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 128);
  const uint64_t before = arrive(&full);
  wait_state(&full, before);
  uint64_t state;
  if (threadIdx.x == 0) {
    state = arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);
  } else {
    state = arrive(&full);
  }
  __syncthreads();
  wait_state(&full, mistaken ? before : state);  //: wait-wrong-parity
  out[threadIdx.x] = tile[threadIdx.x];
  wait_parity(&full, 1);
}

// One warp keeps its own count of phases and starts it at one.
//: pair one_warp_off_by_one
template <bool mistaken>
__global__ void __cluster_dims__(2) one_warp_off_by_one(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  cluster_sync();
  if (cluster_rank() == 1 && threadIdx.x == 0) {
    load_bulk_multicast(tile, in, sizeof(tile), &full, 0b11);
  }
  cluster_sync();
  const unsigned parity = mistaken && threadIdx.x / 32 == 3 ? 1 : 0;
  wait_parity(&full, parity);  //: wait-wrong-parity
  out[128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x];
  wait_parity(&full, 0);
}
int the_input_twice(int i) {
  return i % 128 + 1;
}

// The first warp waits for the first tile and lets the second one follow. Two others wait for that
// one alone: as long as the first phase is not over, the parity is that of the one before it.
//: pair second_phase_alone
template <bool mistaken>
__global__ void second_phase_alone(const int* in, int* out) {
  __shared__ alignas(128) int tiles[2][128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x == 96) {
    arrive_and_expect(&full, sizeof(tiles[0]));
    load_bulk(tiles[0], in, sizeof(tiles[0]), &full);
  }
  if (!mistaken || warp == 0) {
    wait_parity(&full, 0);
    for (unsigned i = threadIdx.x; i < 128 && warp == 0; i += 32) out[i] = tiles[0][i];
  }
  if (!mistaken) {
    __syncthreads();
  } else if (warp == 0 || warp == 3) {
    named_barrier_sync(1, 64);
  }
  if (threadIdx.x == 96) {
    arrive_and_expect(&full, sizeof(tiles[1]));
    load_bulk(tiles[1], in + 128, sizeof(tiles[1]), &full);
  }
  if (warp == 1 || warp == 2) {
    wait_parity(&full, 1);  //: wait-wrong-parity
    for (unsigned i = threadIdx.x - 32; i < 128; i += 64) {
      out[128 + i] = tiles[1][i];
    }
  }
  __syncthreads();
  wait_parity(&full, 1);
}

constexpr Shape two_tiles{.checked = 256};

constexpr Pair pairs[] = {
    pair<one_at_the_start<true>, one_at_the_start<false>>("one_at_the_start"),
    pair<parity_that_does_not_change<true>, parity_that_does_not_change<false>,
         tiles_below_each_other, two_tiles>("parity_that_does_not_change"),
    pair<parity_of_the_tile<true>, parity_of_the_tile<false>, the_input, two_tiles>(
        "parity_of_the_tile"),
    pair<second_part_of_the_kernel<true>, second_part_of_the_kernel<false>, the_input, two_tiles>(
        "second_part_of_the_kernel"),
    pair<one_parity_for_two_barriers<true>, one_parity_for_two_barriers<false>, twice_the_input>(
        "one_parity_for_two_barriers"),
    pair<state_of_the_phase_before<true>, state_of_the_phase_before<false>>(
        "state_of_the_phase_before"),
    pair<one_warp_off_by_one<true>, one_warp_off_by_one<false>, the_input_twice,
         Shape{.blocks = 2, .checked = 256}>("one_warp_off_by_one"),
    pair<second_phase_alone<true>, second_phase_alone<false>, the_input, two_tiles>(
        "second_phase_alone"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
