// Threads read where an asynchronous copy lands, and no completed wait lies in between.
#include "harness.h"
#include "ptx.h"

//: pair only_the_issuer_waits
template <bool mistaken>
__global__ void only_the_issuer_waits(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
  }
  if (!mistaken || threadIdx.x == 0) {
    wait_parity(&full, 0);
  }
  out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
}

// One thread waits for all: right if the barrier comes after its wait.
//: pair wait_after_the_barrier
template <bool mistaken>
__global__ void wait_after_the_barrier(const __grid_constant__ TensorMaps maps, const int* in,
                                       int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_tile(tile, &maps.in, 0, 0, &full);  //: other
    if constexpr (!mistaken) {
      wait_parity(&full, 0);
    }
  }
  __syncthreads();
  if (mistaken && threadIdx.x == 0) {
    wait_parity(&full, 0);
  }
  out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
}

//: pair nobody_looks_at_the_answer
template <bool mistaken>
__global__ void nobody_looks_at_the_answer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
  }
  bool done = try_wait(&full, 0);
  while (!mistaken && !done) {
    done = try_wait(&full, 0);
  }
  out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
  wait_parity(&full, 0);
}

//: pair the_other_barrier
template <bool mistaken>
__global__ void the_other_barrier(const int* in, int* out) {
  __shared__ alignas(128) int left[128];
  __shared__ alignas(128) int right[128];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full[0], sizeof(left));
    load_bulk(left, in, sizeof(left), &full[0]);
    arrive_and_expect(&full[1], sizeof(right));
    load_bulk(right, in, sizeof(right), &full[1]);  //: other
  }
  wait_parity(&full[0], 0);
  int sum = left[threadIdx.x];
  wait_parity(&full[mistaken ? 0 : 1], 0);
  sum += right[threadIdx.x];  //: read-before-wait
  out[threadIdx.x] = sum;
  wait_parity(&full[1], 0);
}

// Two stages, each load one lap ahead; the mistaken one reads the stage that is being filled.
//: pair the_next_stage
template <bool mistaken>
__global__ void the_next_stage(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][128];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  for (int lap = 0; lap <= 4; ++lap) {
    if (threadIdx.x == 0 && lap < 4) {
      arrive_and_expect(&full[lap % 2], sizeof(ring[0]));
      load_bulk(ring[lap % 2], in + 128 * lap, sizeof(ring[0]), &full[lap % 2]);  //: other
    }
    if (lap > 0) {
      const int ready = lap - 1;
      wait_parity(&full[ready % 2], ready / 2);
      const int stage = mistaken ? lap % 2 : ready % 2;
      out[128 * ready + threadIdx.x] = ring[stage][threadIdx.x];  //: read-before-wait
      fence_proxy_async_shared();
      __syncthreads();
    }
  }
}

//: pair one_lane_waits
template <bool mistaken>
__global__ void one_lane_waits(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
    wait_parity(&full, 0);
  }
  if constexpr (!mistaken) {
    __syncwarp();
  }
  out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
}

// A relaxed wait orders nothing; with a fence after it, it does.
//: pair relaxed_wait
template <bool mistaken>
__global__ void relaxed_wait(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
  }
  wait_parity_relaxed(&full, 0);
  if constexpr (!mistaken) {
    fence_cta();
  }
  out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
}

// CTA 0 loads for both; its own wait says nothing of what has landed in CTA 1.
//: pair multicast_without_a_wait_of_its_own
template <bool mistaken>
__global__ void __cluster_dims__(2) multicast_without_a_wait_of_its_own(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    load_bulk_multicast(tile, in, sizeof(tile), &full, 0b11);  //: other
  }
  if (!mistaken || cluster_rank() == 0) {
    wait_parity(&full, 0);
  }
  cluster_sync();
  out[128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
  wait_parity(&full, 0);
}
int the_input_twice(int i) {
  return i % 128 + 1;
}

// The first half has arrived; the loop goes one element too far.
//: pair one_element_too_far
template <bool mistaken>
__global__ void one_element_too_far(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full[0], 256);
    load_bulk(tile, in, 256, &full[0]);
    arrive_and_expect(&full[1], 256);
    load_bulk(tile + 64, in + 64, 256, &full[1]);  //: other
  }
  wait_parity(&full[0], 0);
  constexpr int elements = mistaken ? 65 : 64;
  int largest = 0;
  for (int i = 0; i < elements; ++i) {
    largest = max(largest, tile[i]);  //: read-before-wait
  }
  out[threadIdx.x] = largest;
  wait_parity(&full[1], 0);
}
int sixty_four(int) {
  return 64;
}

// The waiting warp tells the others by a flag.
//: pair flag_without_release
template <bool mistaken>
__global__ void flag_without_release(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  __shared__ int flag;
  if (threadIdx.x == 0) {
    flag = 0;
  }
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
    wait_parity(&full, 0);
    if constexpr (mistaken) {
      store_relaxed(&flag, 1);
    } else {
      store_release(&flag, 1);
    }
  }
  if (threadIdx.x >= 64) {
    wait_for_flag(&flag, 1);
    out[threadIdx.x - 64] = tile[threadIdx.x - 64];  //: read-before-wait
  }
}

// The peer's copy is complete when this CTA's mbarrier says so, not when the peer has gone on.
//: pair copy_from_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) copy_from_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int mine[128];
  __shared__ alignas(128) int theirs[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(theirs));
  }
  mine[threadIdx.x] = in[128 * cluster_rank() + threadIdx.x];
  fence_proxy_async_shared();
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  if (threadIdx.x == 0) {
    const uint32_t remote_barrier = address_in_cta(&full, peer);
    copy_bulk_to_cta(address_in_cta(theirs, peer), mine, sizeof(mine), remote_barrier);  //: other
  }
  if constexpr (mistaken) {
    cluster_sync();
  } else {
    wait_parity(&full, 0);
  }
  out[128 * peer + threadIdx.x] = theirs[threadIdx.x];  //: read-before-wait
  wait_parity(&full, 0);
  cluster_sync();
}

//: pair st_async_behind_a_cluster_barrier
template <bool mistaken>
__global__ void __cluster_dims__(2) st_async_behind_a_cluster_barrier(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  const uint32_t remote = address_in_cta(tile + threadIdx.x, peer);
  store_async(remote, in[128 * peer + threadIdx.x], address_in_cta(&full, peer));  //: other
  if constexpr (mistaken) {
    cluster_sync();
  } else {
    wait_parity_cluster(&full, 0);
  }
  out[128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
  wait_parity_cluster(&full, 0);
  cluster_sync();
}

// The peer's threads add to a counter here. Who has not waited reads it too soon, whether the peer
// is slower or faster.
//: pair red_async_where_one_thread_waits
int two_blocks_added(int) {
  return 128;
}
template <bool mistaken>
__global__ void __cluster_dims__(2) red_async_where_one_thread_waits(const int* in, int* out) {
  __shared__ int counter;
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    counter = in[0] - 1;
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, 128 * sizeof(int));
  }
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  add_async(address_in_cta(&counter, peer), 1, address_in_cta(&full, peer));  //: other
  if (!mistaken || threadIdx.x == 0) wait_parity_cluster(&full, 0);
  out[128 * cluster_rank() + threadIdx.x] = counter;  //: read-before-wait
  cluster_sync();
}

// Two groups of cp.async; the second may still be pending.
//: pair cp_async_one_group_pending
template <bool mistaken>
__global__ void cp_async_one_group_pending(const int* in, int* out) {
  __shared__ alignas(128) int tile[2][128];
  cp_async_4(&tile[0][threadIdx.x], in + threadIdx.x);
  cp_async_commit();
  cp_async_4(&tile[1][threadIdx.x], in + threadIdx.x);  //: other
  cp_async_commit();
  cp_async_wait<1>();
  int sum = tile[0][threadIdx.x];
  cp_async_wait<mistaken ? 1 : 0>();
  sum += tile[1][threadIdx.x];  //: read-before-wait
  out[threadIdx.x] = sum;
  cp_async_wait<0>();
}

// The producing warp meets the consumers at a named barrier, before or after its wait.
//: pair named_barrier_too_soon
template <bool mistaken>
__global__ void named_barrier_too_soon(const int* in, int* out) {
  __shared__ alignas(128) int tile[96];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in, sizeof(tile), &full);  //: other
    }
    if constexpr (mistaken) {
      named_barrier_arrive(2, 128);
      wait_parity(&full, 0);
    } else {
      wait_parity(&full, 0);
      named_barrier_arrive(2, 128);
    }
  } else {
    named_barrier_sync(2, 128);
    out[threadIdx.x - 32] = tile[threadIdx.x - 32];  //: read-before-wait
  }
}

// Every thread arrives and waits by its state; the mistaken one gives up after one look.
//: pair by_state_in_a_helper
__device__ int read_first(const int* tile) {
  return tile[0];  //: read-before-wait
}
template <bool mistaken>
__global__ void by_state_in_a_helper(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 128);
  uint64_t state;
  if (threadIdx.x == 0) {
    state = arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
  } else {
    state = arrive(&full);
  }
  if (!try_wait_state(&full, state)) {
    if constexpr (!mistaken) {
      wait_state(&full, state);
    }
  }
  out[threadIdx.x] = read_first(tile + threadIdx.x);
  wait_parity(&full, 0);
}

// Each thread's cp.async is to arrive for it; the arrival covers only the copies before it.
//: pair copy_behind_its_arrival
template <bool mistaken>
__global__ void copy_behind_its_arrival(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  __shared__ uint64_t copied;
  prepare_barrier(&copied, 128);
  if constexpr (mistaken) cp_async_arrive(&copied);
  cp_async_4(&tile[threadIdx.x], in + threadIdx.x);  //: other
  if constexpr (!mistaken) cp_async_arrive(&copied);
  wait_parity(&copied, 0);
  out[threadIdx.x] = tile[127 - threadIdx.x];  //: read-before-wait
  cp_async_wait_all();
}
constexpr Shape one_warp{.threads = 32, .checked = 32};
constexpr Shape two_blocks{.blocks = 2, .checked = 256};

constexpr Pair pairs[] = {
    pair<only_the_issuer_waits<true>, only_the_issuer_waits<false>>("only_the_issuer_waits"),
    pair<wait_after_the_barrier<true>, wait_after_the_barrier<false>, the_first_tile>(
        "wait_after_the_barrier"),
    pair<nobody_looks_at_the_answer<true>, nobody_looks_at_the_answer<false>>(
        "nobody_looks_at_the_answer"),
    pair<the_other_barrier<true>, the_other_barrier<false>, twice_the_input>("the_other_barrier"),
    pair<the_next_stage<true>, the_next_stage<false>, the_input, Shape{.checked = 512}>(
        "the_next_stage"),
    pair<one_lane_waits<true>, one_lane_waits<false>, the_input, one_warp>("one_lane_waits"),
    pair<relaxed_wait<true>, relaxed_wait<false>>("relaxed_wait"),
    pair<multicast_without_a_wait_of_its_own<true>, multicast_without_a_wait_of_its_own<false>,
         the_input_twice, two_blocks>("multicast_without_a_wait_of_its_own"),
    pair<one_element_too_far<true>, one_element_too_far<false>, sixty_four>("one_element_too_far"),
    pair<flag_without_release<true>, flag_without_release<false>, the_input, Shape{.checked = 64}>(
        "flag_without_release"),
    pair<copy_from_the_peer<true>, copy_from_the_peer<false>, the_input, two_blocks>(
        "copy_from_the_peer"),
    pair<st_async_behind_a_cluster_barrier<true>, st_async_behind_a_cluster_barrier<false>,
         the_input, two_blocks>("st_async_behind_a_cluster_barrier"),
    pair<red_async_where_one_thread_waits<true>, red_async_where_one_thread_waits<false>,
         two_blocks_added, two_blocks>("red_async_where_one_thread_waits"),
    pair<cp_async_one_group_pending<true>, cp_async_one_group_pending<false>, twice_the_input>(
        "cp_async_one_group_pending"),
    pair<named_barrier_too_soon<true>, named_barrier_too_soon<false>, the_input,
         Shape{.checked = 96}>("named_barrier_too_soon"),
    pair<by_state_in_a_helper<true>, by_state_in_a_helper<false>>("by_state_in_a_helper"),
    pair<copy_behind_its_arrival<true>, copy_behind_its_arrival<false>, mirrored>(
        "copy_behind_its_arrival"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
