// setmaxnreg.inc waits for registers that nobody gives back: the pool of a CTA is empty when it
// starts. 168 registers a thread and three warpgroups: what the first gives back, the other two
// share. The threads that could give some back wait themselves, so they do not end.
#include "harness.h"
#include "ptx-registers.h"
#include "ptx.h"

// All three warpgroups meet behind what they do.
__device__ void finish(const int* in, int* out) {
  __syncthreads();
  out[threadIdx.x] = in[threadIdx.x];
}

//: pair more_than_was_given_back
// 3 * 168 - 40 is 464: 232 for each.
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) more_than_was_given_back(const int* in, int* out) {
  if (threadIdx.x < 128) {
    give_registers_back<40>();
  } else {
    take_registers<mistaken ? 240 : 232>();  //: deadlock
  }
  finish(in, out);
}

//: pair nobody_gives_back
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) nobody_gives_back(const int* in, int* out) {
  if (threadIdx.x >= 128) {
    take_registers<200>();  //: deadlock
  } else if (!mistaken) {
    give_registers_back<40>();
  }
  finish(in, out);
}

//: pair gives_back_too_little
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) gives_back_too_little(const int* in, int* out) {
  if (threadIdx.x < 128) {
    give_registers_back<(mistaken ? 120 : 104)>();
  } else {
    take_registers<200>();  //: deadlock
  }
  finish(in, out);
}

//: pair gives_back_behind_the_barrier
// At the barrier the one waits for the others, and they for its registers.
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) gives_back_behind_the_barrier(const int* in, int* out) {
  if (!mistaken && threadIdx.x < 128) give_registers_back<40>();
  if (threadIdx.x >= 128) take_registers<232>();  //: deadlock
  __syncthreads();
  if (mistaken && threadIdx.x < 128) give_registers_back<40>();
  finish(in, out);
}

//: pair one_takes_it_all
// What the second one has, the third waits for.
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) one_takes_it_all(const int* in, int* out) {
  if (threadIdx.x < 128) {
    give_registers_back<88>();
  } else if (threadIdx.x < 256) {
    take_registers<mistaken ? 248 : 208>();
  }
  __syncthreads();
  if (threadIdx.x >= 256) take_registers<208>();  //: deadlock
  finish(in, out);
}

//: pair takes_before_it_gives_back
// The two exchange: neither begins.
template <bool mistaken>
__global__ void __launch_bounds__(384, 1) takes_before_it_gives_back(const int* in, int* out) {
  if (threadIdx.x < 128) {
    if constexpr (!mistaken) give_registers_back<24>();
    if constexpr (mistaken) take_registers<240>();  //: deadlock
  } else {
    take_registers<mistaken ? 232 : 240>();
  }
  finish(in, out);
}

constexpr Shape SHAPE{.threads = 128 * WARPGROUPS, .checked = 128 * WARPGROUPS};

constexpr Pair pairs[] = {
    pair<more_than_was_given_back<true>, more_than_was_given_back<false>, the_input, SHAPE>(
        "more_than_was_given_back"),
    pair<nobody_gives_back<true>, nobody_gives_back<false>, the_input, SHAPE>("nobody_gives_back"),
    pair<gives_back_too_little<true>, gives_back_too_little<false>, the_input, SHAPE>(
        "gives_back_too_little"),
    pair<gives_back_behind_the_barrier<true>, gives_back_behind_the_barrier<false>, the_input,
         SHAPE>("gives_back_behind_the_barrier"),
    pair<one_takes_it_all<true>, one_takes_it_all<false>, the_input, SHAPE>("one_takes_it_all"),
    pair<takes_before_it_gives_back<true>, takes_before_it_gives_back<false>, the_input, SHAPE>(
        "takes_before_it_gives_back"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
