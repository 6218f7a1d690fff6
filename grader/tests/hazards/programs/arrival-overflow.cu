// More arrivals at an mbarrier than its phase has left. In each of these the bytes of a load keep
// the phase open.
#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

// Initialized for one arrival, the announcement; then every thread arrives.
//: pair all_threads_arrive
template <bool mistaken>
__global__ void all_threads_arrive(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, mistaken ? 1 : 128);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
  }
  __syncthreads();
  if (threadIdx.x != 0) {
    arrive(&full);  //: arrival-overflow
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    load_bulk(tile, in, sizeof(tile), &full);
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// The announcing arrival is the thread's arrival: no second is due.
//: pair announced_and_arrived
template <bool mistaken>
__global__ void announced_and_arrived(const __grid_constant__ TensorMaps maps, const int* in,
                                      int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 128);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
  }
  if (mistaken || threadIdx.x != 0) {
    arrive(&full);  //: arrival-overflow
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    load_tile(tile, &maps.in, 0, 0, &full);
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// One arrival for several threads, and one too many of them.
//: pair one_too_many_at_once
template <bool mistaken>
__global__ void one_too_many_at_once(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  prepare_barrier(&full, 32);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    arrive_many(&full, mistaken ? 33 : 32);  //: arrival-overflow
    load_bulk(tile, in, sizeof(tile), &full);
  }
  __syncthreads();
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// Who has dropped out is not expected any more.
//: pair back_after_dropping_out
template <bool mistaken>
__global__ void back_after_dropping_out(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  prepare_barrier(&full, 2);
  if (threadIdx.x == 0) {
    arrive(&full);
  } else if (threadIdx.x == 32) {
    arrive_and_drop(&full);
  }
  wait_parity(&full, 0);
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
  }
  __syncthreads();
  if (mistaken && threadIdx.x == 32) {
    arrive(&full);  //: arrival-overflow
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    load_bulk(tile, in, sizeof(tile), &full);
  }
  wait_parity(&full, 1);
  out[threadIdx.x] = tile[threadIdx.x];
}

// Both CTAs arrive at CTA 0's barrier, which was made for one.
//: pair arrivals_of_both_ctas
template <bool mistaken>
__global__ void __cluster_dims__(2) arrivals_of_both_ctas(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    init_barrier(&full, mistaken ? 1 : 2);
    fence_barrier_init();
    expect(&full, sizeof(tile));
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    arrive_remote(address_in_cta(&full, 0));  //: arrival-overflow
  }
  __syncwarp();
  cluster_sync();
  if (cluster_rank() == 0) {
    if (threadIdx.x == 0) {
      load_bulk(tile, in, sizeof(tile), &full);
    }
    wait_parity_cluster(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
  }
}

// The same where each arrival is waited for: the second one begins the next phase.
//: pair steps_of_both_ctas
template <bool mistaken>
__global__ void __cluster_dims__(2) steps_of_both_ctas(const int* in, int* out) {
  __shared__ uint64_t step_done;
  if (threadIdx.x == 0) {
    init_barrier(&step_done, mistaken ? 1 : 2);
    fence_barrier_init();
  }
  cluster_sync();
  for (int step = 0; step < 2; ++step) {
    if (threadIdx.x == 0) {
      arrive_remote(address_in_cta(&step_done, 0));  //: arrival-overflow
    }
    if (cluster_rank() == 0) {
      wait_parity_cluster(&step_done, step);
    }
    __syncwarp();
    cluster_sync();
  }
  if (cluster_rank() == 0) {
    out[threadIdx.x] = in[threadIdx.x];
  }
}

// The arrival of cp.async counts as one of those that the barrier was made for.
//: pair arrivals_of_copies
template <bool mistaken>
__global__ void arrivals_of_copies(const int* in, int* out) {
  __shared__ alignas(128) int tile[2][32];
  __shared__ uint64_t full;
  prepare_barrier(&full, mistaken ? 32 : 64);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile[1]));
  }
  __syncwarp();
  cp_async_4(&tile[0][threadIdx.x], in + threadIdx.x);
  cp_async_arrive(&full);
  cp_async_wait_all();
  arrive(&full);  //: arrival-overflow
  __syncwarp();
  if (threadIdx.x == 0) {
    load_bulk(tile[1], in, sizeof(tile[1]), &full);
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[0][threadIdx.x] + tile[1][threadIdx.x];
}

// A lap in which the consumer hands back a stage that it has handed back already.
//: pair handed_back_twice
template <bool mistaken>
__global__ void handed_back_twice(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  __shared__ uint64_t full;
  prepare_barrier(&full, 2);
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, sizeof(tile));
      const int times = mistaken && lap == 1 ? 2 : 1;
      for (int i = 0; i < times; ++i) {
        arrive(&full);  //: arrival-overflow
      }
      load_bulk(tile, in + 32 * lap, sizeof(tile), &full);
    }
    __syncwarp();
    wait_parity(&full, lap);
    out[32 * lap + threadIdx.x] = tile[threadIdx.x];
    fence_proxy_async_shared();
    __syncwarp();
  }
}

constexpr Shape one_warp{.threads = 32, .checked = 32};
constexpr Shape two_warps{.threads = 64, .checked = 64};

//: pair count_of_two_for_eight_warps
// Each warp of two warpgroups gives the stage back once. That the producer goes on too early, and
// loads over what wgmma reads, follows from the count.
template <bool mistaken>
__global__ void count_of_two_for_eight_warps(const int* in, int* out) {
  __shared__ Factors ring[2];
  __shared__ uint64_t full[2], empty[2];
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 1);
    prepare_barrier(&empty[stage], mistaken ? 2 : 8);
  }
  if (threadIdx.x == 256) {
    for (int lap = 0; lap < 6; ++lap) {
      const int stage = lap % 2;
      wait_parity(&empty[stage], (lap / 2 + 1) % 2);
      arrive_and_expect(&full[stage], sizeof(Factors));
      load_bulk(&ring[stage], in, sizeof(Factors), &full[stage]);
    }
  } else if (threadIdx.x < 256) {
    Sums sums;
    for (int lap = 0; lap < 6; ++lap) {
      const int stage = lap % 2;
      wait_parity(&full[stage], lap / 2 % 2);
      sums = Sums();
      fence_registers();
      multiply(sums, ring[stage]);
      commit_products();
      wait_products<0>();
      if (threadIdx.x % 32 == 0) arrive(&empty[stage]);  //: arrival-overflow
    }
    if (threadIdx.x < 128) store(out, sums);
  }
}

// Initialized for one arrival, as for a load; but each thread arrives when its own copy is done.
//: pair one_arrival_for_all_copies
template <bool mistaken>
__global__ void one_arrival_for_all_copies(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, mistaken ? 1 : 128);
  cp_async_4(&tile[threadIdx.x], in + threadIdx.x);
  cp_async_arrive(&full);  //: arrival-overflow
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[127 - threadIdx.x];
}
int from_behind(int i) {
  return 128 - i;
}

// The warp that copies arrives once for itself, in addition; and once a lap is what was counted.
//: pair copies_of_a_warp_counted_once
template <bool mistaken>
__global__ void copies_of_a_warp_counted_once(const int* in, int* out) {
  __shared__ alignas(16) int tile[2][128];
  __shared__ uint64_t full[2], empty[2];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      init_barrier(&full[i], mistaken ? 1 : 32);
      init_barrier(&empty[i], 1);
    }
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x >= 32) {
      wait_parity(&empty[i % 2], i / 2 % 2 ^ 1);
      cp_async_16(&tile[i % 2][4 * lane], in + 128 * i + 4 * lane);
      cp_async_arrive(&full[i % 2]);  //: arrival-overflow
    } else {
      wait_parity(&full[i % 2], i / 2 % 2);
      for (int j = 0; j < 4; ++j) {
        out[128 * i + 32 * j + lane] = tile[i % 2][32 * j + lane];
      }
      __syncwarp();
      if (lane == 0) arrive(&empty[i % 2]);
    }
  }
}

// Each CTA loads half of a stage into both, and both hand each stage back to both: two arrivals.
//: pair stages_of_both_ctas
template <bool mistaken>
__global__ void __cluster_dims__(2) stages_of_both_ctas(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][64];
  __shared__ uint64_t full[2], empty[2];
  const int rank = static_cast<int>(cluster_rank()), lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init_barrier(&full[stage], 1);
      init_barrier(&empty[stage], mistaken ? 1 : 2);
    }
    fence_barrier_init();
  }
  cluster_sync();
  for (int lap = 0; lap < 6; ++lap) {
    const int stage = lap % 2;
    if (threadIdx.x == 32) {
      wait_parity_cluster(&empty[stage], lap / 2 % 2 ^ 1);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      load_bulk_multicast(ring[stage] + 32 * rank, in + 64 * lap + 32 * rank, 128, &full[stage], 3);
    } else if (threadIdx.x < 32) {
      wait_parity_cluster(&full[stage], lap / 2 % 2);
      if (rank == 0) {
        out[64 * lap + lane] = ring[stage][lane];
        out[64 * lap + 32 + lane] = ring[stage][32 + lane];
      }
      fence_proxy_async();
      __syncwarp();
      if (lane < 2) arrive_remote(address_in_cta(&empty[stage], lane));  //: arrival-overflow
    }
  }
  __syncwarp();
  cluster_sync();
}

constexpr Pair pairs[] = {
    pair<all_threads_arrive<true>, all_threads_arrive<false>>("all_threads_arrive"),
    pair<announced_and_arrived<true>, announced_and_arrived<false>, the_first_tile>(
        "announced_and_arrived"),
    pair<one_too_many_at_once<true>, one_too_many_at_once<false>, the_input, two_warps>(
        "one_too_many_at_once"),
    pair<back_after_dropping_out<true>, back_after_dropping_out<false>, the_input, two_warps>(
        "back_after_dropping_out"),
    pair<arrivals_of_both_ctas<true>, arrivals_of_both_ctas<false>, the_input, Shape{.blocks = 2}>(
        "arrivals_of_both_ctas"),
    pair<steps_of_both_ctas<true>, steps_of_both_ctas<false>, the_input, Shape{.blocks = 2}>(
        "steps_of_both_ctas"),
    pair<arrivals_of_copies<true>, arrivals_of_copies<false>, twice_the_input, one_warp>(
        "arrivals_of_copies"),
    pair<handed_back_twice<true>, handed_back_twice<false>, the_input,
         Shape{.threads = 32, .checked = 64}>("handed_back_twice"),
    pair<count_of_two_for_eight_warps<true>, count_of_two_for_eight_warps<false>, the_product,
         Shape{.threads = 288, .checked = 512}>("count_of_two_for_eight_warps"),
    pair<one_arrival_for_all_copies<true>, one_arrival_for_all_copies<false>, from_behind>(
        "one_arrival_for_all_copies"),
    pair<copies_of_a_warp_counted_once<true>, copies_of_a_warp_counted_once<false>, the_input,
         Shape{.threads = 64, .checked = 512}>("copies_of_a_warp_counted_once"),
    pair<stages_of_both_ctas<true>, stages_of_both_ctas<false>, the_input,
         Shape{.blocks = 2, .threads = 64, .checked = 384}>("stages_of_both_ctas"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
