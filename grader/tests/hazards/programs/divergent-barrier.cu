// A barrier of the CTA or of a warp that not all of its threads reach, or that others reach than it
// names. Those who skip it come to a later barrier and do not just return. The finding points to
// the barrier in the branch.
#include "harness.h"
#include "memory_order.h"
#include "ptx.h"

constexpr Shape one_warp{.threads = 32, .checked = 32};

//: pair one_thread_synchronizes
template <bool mistaken>
__global__ void one_thread_synchronizes(const int* in, int* out) {
  __shared__ int last;
  if (threadIdx.x == 0) {
    last = in[127];
    if constexpr (mistaken) __syncthreads();  //: divergent-barrier
  }
  __syncthreads();
  out[threadIdx.x] = last;
}

//: pair sum_of_some_lanes
// The others wait for all threads of the block; those who add wait for the others.
template <bool mistaken>
__global__ void sum_of_some_lanes(const int* in, int* out) {
  __shared__ int sums[4];
  int mine = in[0];
  if (!mistaken || threadIdx.x % 32 < 8) {
    mine = __reduce_add_sync(0xFFFFFFFF, mine);  //: divergent-barrier
  }
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = mine;
  __syncthreads();
  out[threadIdx.x] = sums[threadIdx.x / 32];
}
int thirty_two(int) {
  return 32;
}

//: pair half_the_warps_synchronize
// Legal for the machine: the two barriers meet, and then half of the threads are alone.
template <bool mistaken>
__global__ void half_the_warps_synchronize(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 64) {
    if constexpr (mistaken) __syncthreads();  //: divergent-barrier
  }
  __syncthreads();  //: other
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

//: pair lanes_with_unequal_laps
// The lanes of a warp take 1 to 4 laps.
int sum_of_own_laps(int i) {
  int sum = 0;
  for (int lap = 0; lap <= i % 4; ++lap) {
    sum += lap + 1;
  }
  return sum;
}
template <bool mistaken>
__global__ void lanes_with_unequal_laps(const int* in, int* out) {
  __shared__ int values[4];
  const int laps = threadIdx.x % 4 + 1;
  int sum = 0;
  for (int lap = 0; lap < (mistaken ? laps : 4); ++lap) {
    if (threadIdx.x == 3) values[lap] = in[lap];
    __syncthreads();  //: divergent-barrier
    if (lap < laps) sum += values[lap];
  }
  __syncthreads();
  out[threadIdx.x] = sum;
}

//: pair break_before_the_barrier
// Who has found its value leaves the loop.
template <bool mistaken>
__global__ void break_before_the_barrier(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  int found = 0;
  for (int lap = 0; lap < 4; ++lap) {
    if (threadIdx.x % 4 == lap) found = tile[threadIdx.x];
    if (mistaken && found != 0) break;
    __syncthreads();  //: divergent-barrier
  }
  __syncthreads();
  out[threadIdx.x] = found;
}

//: pair count_in_a_branch
// The CTA is asked how many of its threads have a positive value.
int all_128(int) {
  return 128;
}
template <bool mistaken>
__global__ void count_in_a_branch(const int* in, int* out) {
  const int value = in[threadIdx.x];
  int positive = 0;
  if (!mistaken || value % 2 == 0) {
    positive = __syncthreads_count(value > 0);  //: divergent-barrier
  }
  __syncthreads();
  out[threadIdx.x] = positive;
}

//: pair two_groups_on_one_barrier
// Warps 0 and 1 exchange tiles, and so do warps 2 and 3: each two of them on a barrier of their
// own.
int of_the_other_warp(int i) {
  return (i ^ 32) + 1;
}
template <bool mistaken>
__global__ void two_groups_on_one_barrier(const int* in, int* out) {
  __shared__ int tile[128];
  const int group = threadIdx.x / 64;
  tile[threadIdx.x] = in[threadIdx.x];
  named_barrier_sync(mistaken ? 1 : 1 + group, 64);  //: divergent-barrier
  out[threadIdx.x] = tile[threadIdx.x ^ 32];
}

//: pair mask_without_the_lane
template <bool mistaken>
__global__ void mask_without_the_lane(const int* in, int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncwarp(mistaken ? 0x0000ffff : 0xffffffff);  //: divergent-barrier
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair shuffle_in_a_branch
// Sixteen lanes shuffle and name all; the others are at the warp's barrier behind the branch.
int the_first_of_sixteen(int i) {
  return i < 16 ? 1 : i + 1;
}
template <bool mistaken>
__global__ void shuffle_in_a_branch(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 16) {
    constexpr unsigned named = mistaken ? 0xffffffff : 0x0000ffff;
    value = __shfl_sync(named, value, 0);  //: divergent-barrier
  }
  __syncwarp();
  out[threadIdx.x] = value;
}

//: pair vote_with_the_mask_of_another_branch
int lanes_from_eight(int i) {
  return i < 8 ? 0 : static_cast<int>(0xffffff00);
}
template <bool mistaken>
__global__ void vote_with_the_mask_of_another_branch(const int* in, int* out) {
  const int value = in[threadIdx.x];
  const unsigned named = __ballot_sync(0xffffffff, value > (mistaken ? 16 : 8));
  unsigned votes = 0;
  if (value > 8) {
    votes = __ballot_sync(named, value > 0);  //: divergent-barrier
  }
  out[threadIdx.x] = static_cast<int>(votes);
}

//: pair shuffle_beside_the_rest
// Sixteen lanes shuffle and name all; the others go on without them.
template <bool mistaken>
__global__ void shuffle_beside_the_rest(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 16) {
    constexpr unsigned named = mistaken ? 0xffffffff : 0x0000ffff;
    value = __shfl_sync(named, value, 0);  //: divergent-barrier
  }
  out[threadIdx.x] = value;
}

//: pair last_lap_of_some_lanes
// Forty values for 32 lanes: eight lanes have a second lap, and name all in it.
int sums_of_forty(int i) {
  return i < 7 ? 2 * i + 3 + 2 * i + 67 : i == 7 ? 2 * i + 3 + 2 * 40 : i < 31 ? 2 * i + 3 : 64;
}
template <bool mistaken>
__global__ void last_lap_of_some_lanes(const int* in, int* out) {
  int sum = 0;
  for (unsigned i = threadIdx.x; i < 40; i += 32) {
    const unsigned named = mistaken || i < 32 ? 0xffffffff : 0x000000ff;
    sum += in[i] + __shfl_down_sync(named, in[i], 1, i < 32 ? 32 : 8);  //: divergent-barrier
  }
  out[threadIdx.x] = sum;
}

//: pair lanes_that_have_ended
// Twenty-four lanes live, and add up 32 values.
template <bool mistaken>
__global__ void lanes_that_have_ended(const int* in, int* out) {
  if (mistaken && threadIdx.x >= 24) {
    return;
  }
  int sum = threadIdx.x < 24 ? in[threadIdx.x] : 0;
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);  //: divergent-barrier
  }
  if (threadIdx.x == 0) {
    out[0] = sum;
  }
}
int sum_of_24(int) {
  return 24 * 25 / 2;
}

//: pair barriers_of_two_branches
template <bool mistaken>
__global__ void barriers_of_two_branches(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  if (!mistaken) {
    __syncthreads();
    out[threadIdx.x] = tile[127 - threadIdx.x];
  } else if (threadIdx.x < 64) {
    __syncthreads();  //: divergent-barrier
    out[threadIdx.x] = tile[127 - threadIdx.x];
  } else {
    __syncthreads();  //: other
    out[threadIdx.x] = 128 - static_cast<int>(threadIdx.x);
  }
}

// The consumer gives each half of the box back, and the producer counts one arrival of its warp:
// were the producer slower, both would make up one phase, which then nobody waits for.
//: pair each_half_is_given_back
int sum_of_both_boxes(int i) {
  return 4 * i + 132;
}
template <bool mistaken>
__global__ void each_half_is_given_back(const int* in, int* out) {
  __shared__ int box[64];
  const unsigned lane = threadIdx.x % 32;
  int sum = 0;
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x < 32) {
      if (lap == 1) named_barrier_sync(3, 64);
      box[lane] = in[32 * lap + lane];
      box[lane + 32] = in[32 * lap + lane + 32];  //: other
      named_barrier_arrive(1 + lap, 64);
    } else {
      named_barrier_sync(1 + lap, 64);
      for (int half = 0; half < 2; ++half) {
        sum += box[lane + 32 * half];  //: data-race
        if (lap == 0 && (mistaken || half == 1)) {
          named_barrier_arrive(3, 64);  //: divergent-barrier //: other
        }
      }
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

//: pair helper_with_a_barrier_in_two_branches
// The barrier stands on one line; but each half of the block calls it from a place of its own.
__device__ __forceinline__ void put_and_wait(int* place, int value) {
  *place = value;
  __syncthreads();  //: divergent-barrier
}
template <bool mistaken>
__global__ void helper_with_a_barrier_in_two_branches(const int* in, int* out) {
  __shared__ int tile[128];
  const int i = threadIdx.x;
  if constexpr (mistaken) {
    if (i < 64) {
      put_and_wait(&tile[i], in[i]);  //: other
    } else {
      put_and_wait(&tile[i], i + 1);
    }
  } else {
    put_and_wait(&tile[i], i < 64 ? in[i] : i + 1);
  }
  out[i] = tile[127 - i];
}

//: pair two_branches_on_one_line
#define WRITE_AND_WAIT(value) (tile[threadIdx.x] = (value), __syncthreads())
template <bool mistaken>
__global__ void two_branches_on_one_line(const int* in, int* out) {
  __shared__ int tile[128];
  const int value = in[threadIdx.x];
  if constexpr (mistaken) {
    // clang-format off
    if (threadIdx.x < 64) WRITE_AND_WAIT(value); else { WRITE_AND_WAIT(value + in[0] - 1); }  //: divergent-barrier
    // clang-format on
  } else {
    WRITE_AND_WAIT(value);
  }
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

//: pair unrolled_laps_of_some_lanes
// The compiler makes a copy of the barrier for each lap: lanes that take another number of laps
// meet the others at another copy.
template <bool mistaken>
__global__ void unrolled_laps_of_some_lanes(const int* in, int* out) {
  __shared__ int tile[128];
  const int laps = mistaken && threadIdx.x % 2 == 0 ? 3 : 4;
  tile[threadIdx.x] = in[threadIdx.x];
#pragma unroll
  for (int lap = 0; lap < 4; ++lap) {
    if (lap < laps) __syncthreads();  //: divergent-barrier
  }
  if (laps == 3) __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

// The lane is chosen already when the warp is to elect one.
//: pair elected_by_one_lane
__device__ bool elects_this_lane() {
  unsigned is_elected;
  //: divergent-barrier
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }"
               : "=r"(is_elected)
               :
               : "memory");
  return is_elected != 0;
}
template <bool mistaken>
__global__ void elected_by_one_lane(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  for (int i = 0; i < 2; ++i) {
    const bool comes = mistaken ? threadIdx.x == 0 : threadIdx.x < 32;
    if (comes && elects_this_lane()) {
      arrive_and_expect(&loaded, sizeof(tile));
      load_bulk(tile, in + 128 * i, sizeof(tile), &loaded);
    }
    wait_parity(&loaded, i);
    out[128 * i + threadIdx.x] = tile[threadIdx.x];
    fence_proxy_async();
    __syncthreads();
  }
}

// A loop leads back to the fragment's load, and the lanes that leave it out wait in the same lap
// for the one that has come; the other warp waits for both.
//: pair fragment_of_one_lane
template <bool mistaken>
__global__ void fragment_of_one_lane(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  __shared__ int sums[32];
  __shared__ uint64_t summed;
  if (threadIdx.x < 32) tile[threadIdx.x] = in[threadIdx.x];
  prepare_barrier(&summed, 32);
  if (threadIdx.x < 32) {
    int sum = 0;
#pragma unroll 1
    for (int lap = 0; lap < 2; ++lap) {
      if (!mistaken || threadIdx.x == 0) {
        sum += load_fragment(tile + 4 * (threadIdx.x % 8));  //: divergent-barrier
      }
      __syncwarp();
    }
    sums[threadIdx.x] = sum;
    arrive(&summed);
  } else {
    wait_parity(&summed, 0);
    out[threadIdx.x - 32] = sums[threadIdx.x - 32];
  }
}

constexpr Pair pairs[] = {
    pair<one_thread_synchronizes<true>, one_thread_synchronizes<false>, all_128>(
        "one_thread_synchronizes"),
    pair<sum_of_some_lanes<true>, sum_of_some_lanes<false>, thirty_two>("sum_of_some_lanes"),
    pair<half_the_warps_synchronize<true>, half_the_warps_synchronize<false>, mirrored>(
        "half_the_warps_synchronize"),
    pair<lanes_with_unequal_laps<true>, lanes_with_unequal_laps<false>, sum_of_own_laps>(
        "lanes_with_unequal_laps"),
    pair<break_before_the_barrier<true>, break_before_the_barrier<false>>(
        "break_before_the_barrier"),
    pair<count_in_a_branch<true>, count_in_a_branch<false>, all_128>("count_in_a_branch"),
    pair<two_groups_on_one_barrier<true>, two_groups_on_one_barrier<false>, of_the_other_warp>(
        "two_groups_on_one_barrier"),
    pair<mask_without_the_lane<true>, mask_without_the_lane<false>, the_input, one_warp>(
        "mask_without_the_lane"),
    pair<shuffle_in_a_branch<true>, shuffle_in_a_branch<false>, the_first_of_sixteen, one_warp>(
        "shuffle_in_a_branch"),
    pair<vote_with_the_mask_of_another_branch<true>, vote_with_the_mask_of_another_branch<false>,
         lanes_from_eight, one_warp>("vote_with_the_mask_of_another_branch"),

    pair<shuffle_beside_the_rest<true>, shuffle_beside_the_rest<false>, the_first_of_sixteen,
         one_warp>("shuffle_beside_the_rest"),
    pair<last_lap_of_some_lanes<true>, last_lap_of_some_lanes<false>, sums_of_forty, one_warp>(
        "last_lap_of_some_lanes"),
    pair<lanes_that_have_ended<true>, lanes_that_have_ended<false>, sum_of_24,
         Shape{.threads = 32, .checked = 1}>("lanes_that_have_ended"),
    pair<barriers_of_two_branches<true>, barriers_of_two_branches<false>, mirrored>(
        "barriers_of_two_branches"),
    pair<each_half_is_given_back<true>, each_half_is_given_back<false>, sum_of_both_boxes,
         Shape{.threads = 64, .checked = 32}>("each_half_is_given_back"),
    pair<helper_with_a_barrier_in_two_branches<true>, helper_with_a_barrier_in_two_branches<false>,
         mirrored>("helper_with_a_barrier_in_two_branches"),
    pair<two_branches_on_one_line<true>, two_branches_on_one_line<false>, mirrored>(
        "two_branches_on_one_line"),
    pair<unrolled_laps_of_some_lanes<true>, unrolled_laps_of_some_lanes<false>, mirrored>(
        "unrolled_laps_of_some_lanes"),
    pair<elected_by_one_lane<true>, elected_by_one_lane<false>, the_input, Shape{.checked = 256}>(
        "elected_by_one_lane"),
    pair<fragment_of_one_lane<true>, fragment_of_one_lane<false>, twice_the_input,
         Shape{.threads = 64, .checked = 32}>("fragment_of_one_lane"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
