// setmaxnreg in the wrong direction, or not by all four warps of a warpgroup alike, or again before
// all of them have executed the one before.
#include "harness.h"
#include "ptx-registers.h"
#include "ptx.h"

__device__ void copy_input(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

//: pair raises_by_dec
// Behind its loads, a producer needs more again.
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) raises_by_dec(const int* in, int* out) {
  if (threadIdx.x < 128) {
    give_registers_back<40>();
    synchronize_warpgroup(1);
    if constexpr (mistaken) {
      give_registers_back<104>();  //: bad-register-count
    } else {
      take_registers<104>();
    }
  }
  copy_input(in, out);
}

//: pair lowers_by_inc
// Behind its products, a consumer needs fewer.
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) lowers_by_inc(const int* in, int* out) {
  if (threadIdx.x < 128) {
    give_registers_back<40>();
  } else {
    take_registers<208>();
    synchronize_warpgroup(threadIdx.x / 128);
    if constexpr (mistaken) {
      take_registers<160>();  //: bad-register-count
    } else {
      give_registers_back<160>();
    }
  }
  copy_input(in, out);
}

//: pair one_warp_gives_back
// The warp that loads, and not its warpgroup.
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) one_warp_gives_back(const int* in, int* out) {
  if (threadIdx.x < (mistaken ? 32 : 128)) {
    give_registers_back<40>();  //: bad-register-count
  }
  copy_input(in, out);
}

//: pair two_counts_in_a_warpgroup
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) two_counts_in_a_warpgroup(const int* in, int* out) {
  if (threadIdx.x >= 128) {
    copy_input(in, out);
  } else if (mistaken && threadIdx.x >= 64) {
    give_registers_back<48>();  //: bad-register-count
    copy_input(in, out);
  } else {
    give_registers_back<40>();  //: other
    copy_input(in, out);
  }
}

//: pair gives_back_twice
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) gives_back_twice(const int* in, int* out) {
  if (threadIdx.x < 128) {
    give_registers_back<120>();  //: other
    if constexpr (!mistaken) synchronize_warpgroup(1);
    give_registers_back<40>();  //: bad-register-count
  }
  copy_input(in, out);
}

//: pair takes_in_each_lap
// Two laps of a persistent kernel. What a barrier before the first one orders is not the second.
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) takes_in_each_lap(const int* in, int* out) {
  if (threadIdx.x < 128) {
    give_registers_back<40>();
  }
  __syncthreads();
#pragma unroll 1
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x >= 128) {
      take_registers<208>();  //: bad-register-count //: other
    }
    copy_input(in, out);
    if constexpr (!mistaken) __syncthreads();
  }
}

//: pair some_lanes_give_back
// An H200 does it for their warps. PTX asks for all lanes.
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) some_lanes_give_back(const int* in, int* out) {
  if (threadIdx.x >= 128) {
    take_registers<240>();
  } else if (!mistaken || threadIdx.x % 32 == 0) {
    give_registers_back<24>();  //: bad-register-count
  }
  copy_input(in, out);
}

//: pair two_warpgroups
// ptxas gives as many registers as somebody asks for, which is less than there are.
template <bool mistaken>
__global__ void __launch_bounds__(256, 1) two_warpgroups(const int* in, int* out) {
  if (threadIdx.x >= 128) {
    take_registers<240>();
  } else if (threadIdx.x < (mistaken ? 32 : 128)) {
    give_registers_back<40>();  //: bad-register-count
  }
  copy_input(in, out);
}

constexpr Shape SHAPE{.threads = 128 * WARPGROUPS, .checked = 128 * WARPGROUPS};

constexpr Pair pairs[] = {
    pair<raises_by_dec<true>, raises_by_dec<false>, the_input, SHAPE>("raises_by_dec"),
    pair<lowers_by_inc<true>, lowers_by_inc<false>, the_input, SHAPE>("lowers_by_inc"),
    pair<one_warp_gives_back<true>, one_warp_gives_back<false>, the_input, SHAPE>(
        "one_warp_gives_back"),
    pair<two_counts_in_a_warpgroup<true>, two_counts_in_a_warpgroup<false>, the_input, SHAPE>(
        "two_counts_in_a_warpgroup"),
    pair<gives_back_twice<true>, gives_back_twice<false>, the_input, SHAPE>("gives_back_twice"),
    pair<takes_in_each_lap<true>, takes_in_each_lap<false>, the_input, SHAPE>("takes_in_each_lap"),
    pair<some_lanes_give_back<true>, some_lanes_give_back<false>, the_input, SHAPE>(
        "some_lanes_give_back"),
    pair<two_warpgroups<true>, two_warpgroups<false>, the_input,
         Shape{.threads = 256, .checked = 256}>("two_warpgroups"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
