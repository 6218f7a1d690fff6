// Threads exchange data through volatile or relaxed accesses, which order nothing. What a CUDA
// program of 2010 relied on, that the lanes of a warp go on together, no longer holds.
#include "harness.h"
#include "ptx.h"

constexpr Shape two_blocks{.blocks = 2, .threads = 64, .checked = 64};
constexpr Shape one_sum{.checked = 1};

int sum_of_128(int) {
  return 128 * 129 / 2;
}
//: pair last_warp_of_a_reduction
template <bool mistaken>
__global__ void last_warp_of_a_reduction(const int* in, int* out) {
  __shared__ volatile int sums[128];
  const unsigned i = threadIdx.x;
  sums[i] = in[i];
  __syncthreads();
  if (i < 64) sums[i] = sums[i] + sums[i + 64];
  __syncthreads();
  if (i < 32) {
    for (int stride = 32; stride > 0; stride /= 2) {
      const int upper = sums[i + stride];  //: data-race
      if constexpr (!mistaken) __syncwarp();
      sums[i] = sums[i] + upper;  //: other
      if constexpr (!mistaken) __syncwarp();
    }
  }
  if (i == 0) out[0] = sums[0];
}

//: pair reduction_without_barriers
template <bool mistaken>
__global__ void reduction_without_barriers(const int* in, int* out) {
  __shared__ volatile int sums[128];
  const unsigned i = threadIdx.x;
  sums[i] = in[i];
  __syncthreads();
  for (unsigned stride = 64; stride > 0; stride /= 2) {
    const int upper = sums[(i + stride) % 128];  //: data-race
    if constexpr (!mistaken) __syncthreads();
    if (i < stride) sums[i] = sums[i] + upper;  //: other
    if constexpr (!mistaken) __syncthreads();
  }
  if (i == 0) out[0] = sums[0];
}

//: pair scan_of_a_warp
// Each lane adds what stands 1, 2, 4, ... places before it.
int sum_up_to(int i) {
  return (i + 1) * (i + 2) / 2;
}
template <bool mistaken>
__global__ void scan_of_a_warp(const int* in, int* out) {
  __shared__ volatile int sums[64];  // 32 zeros in front
  const unsigned i = threadIdx.x;
  sums[i] = 0;
  sums[i + 32] = in[i];
  __syncwarp();
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int before = sums[i + 32 - distance];  //: data-race
    if constexpr (!mistaken) __syncwarp();
    sums[i + 32] = sums[i + 32] + before;  //: other
    if constexpr (!mistaken) __syncwarp();
  }
  out[i] = sums[i + 32];
}

//: pair told_by_lane_0
int the_first(int) {
  return 1;
}
template <bool mistaken>
__global__ void told_by_lane_0(const int* in, int* out) {
  __shared__ volatile int first;
  if (threadIdx.x == 0) first = in[0];  //: other
  if constexpr (!mistaken) __syncwarp();
  out[threadIdx.x] = first;  //: data-race
}

//: pair halves_of_two_blocks
// A flag says when the other block's half is there; who does not ask may be early.
int sum_of_halves(int i) {
  return i + 1 + (i + 65);
}
template <bool mistaken>
__global__ void halves_of_two_blocks(const int* in, int* out, int* scratch) {
  volatile int* half = scratch + 64;
  if (blockIdx.x == 0) {
    half[threadIdx.x] = in[64 + threadIdx.x];  //: other
    __syncthreads();
    if (threadIdx.x == 0) store_release(scratch, 1);
  } else {
    if (!mistaken) {
      if (threadIdx.x == 0) {
        while (load_acquire(scratch) == 0) {
        }
      }
      __syncthreads();
    }
    out[threadIdx.x] = in[threadIdx.x] + half[threadIdx.x];  //: data-race
  }
}

//: pair cells_beside_each_other
// A stencil's step, in relaxed accesses of the GPU's scope.
int with_neighbors(int i) {
  return (i == 0 ? 128 : i) + i + 1 + (i == 127 ? 1 : i + 2);
}
template <bool mistaken>
__global__ void cells_beside_each_other(const int* in, int* out, int* cells) {
  const unsigned i = threadIdx.x;
  store_relaxed(&cells[i], in[i]);
  __syncthreads();
  const int left = load_relaxed(&cells[(i + 127) % 128]);  //: data-race
  const int here = load_relaxed(&cells[i]);
  const int right = load_relaxed(&cells[(i + 1) % 128]);  //: other
  if constexpr (!mistaken) __syncthreads();
  store_relaxed(&cells[i], left + here + right);  //: other
  __syncthreads();
  out[i] = load_relaxed(&cells[i]);
}

//: pair mirrored_in_volatile_words
template <bool mistaken>
__global__ void mirrored_in_volatile_words(const int* in, int* out) {
  __shared__ volatile int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  if constexpr (!mistaken) __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];  //: data-race
}

//: pair sums_of_those_before
// A block walks over the sums of those before it, each of which stands behind a flag: 1, or 2 where
// no more are needed.
constexpr Shape three_blocks{.blocks = 3, .threads = 32, .checked = 3};
int sum_of_blocks(int i) {
  return (i + 1) * (i + 2) / 2;
}
template <bool mistaken>
__global__ void sums_of_those_before(const int* in, int* out, int* scratch) {
  if (threadIdx.x != 0) return;
  volatile int* const flags = scratch;
  volatile int* const numbers = scratch + 32;
  const int block = static_cast<int>(blockIdx.x);
  numbers[block] = in[block];  //: other
  if constexpr (!mistaken) __threadfence();
  flags[block] = block == 0 ? 2 : 1;  //: other
  int sum = in[block];
  for (int before = block - 1; before >= 0; --before) {
    int flag;
    while ((flag = flags[before]) == 0) {
    }
    __threadfence();
    sum += numbers[before];  //: data-race
    if (flag == 2) break;
  }
  out[block] = sum;
}

constexpr Pair pairs[] = {
    pair<last_warp_of_a_reduction<true>, last_warp_of_a_reduction<false>, sum_of_128, one_sum>(
        "last_warp_of_a_reduction"),
    pair<reduction_without_barriers<true>, reduction_without_barriers<false>, sum_of_128, one_sum>(
        "reduction_without_barriers"),
    pair<scan_of_a_warp<true>, scan_of_a_warp<false>, sum_up_to,
         Shape{.threads = 32, .checked = 32}>("scan_of_a_warp"),
    pair<told_by_lane_0<true>, told_by_lane_0<false>, the_first,
         Shape{.threads = 32, .checked = 32}>("told_by_lane_0"),
    pair<halves_of_two_blocks<true>, halves_of_two_blocks<false>, sum_of_halves, two_blocks>(
        "halves_of_two_blocks"),
    pair<cells_beside_each_other<true>, cells_beside_each_other<false>, with_neighbors>(
        "cells_beside_each_other"),
    pair<mirrored_in_volatile_words<true>, mirrored_in_volatile_words<false>, mirrored>(
        "mirrored_in_volatile_words"),
    pair<sums_of_those_before<true>, sums_of_those_before<false>, sum_of_blocks, three_blocks>(
        "sums_of_those_before"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
