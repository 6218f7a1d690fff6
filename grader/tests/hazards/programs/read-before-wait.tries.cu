// A wait that is given up after some tries, and a tile that is read all the same: as many tries as
// there are may all be too early, however many they are.
#include "harness.h"
#include "ptx.h"

__device__ void begin_load(int* tile, const int* in, uint64_t* full) {
  prepare_barrier(full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(full, 128 * sizeof(int));
    load_bulk(tile, in, 128 * sizeof(int), full);
  }
}

//: pair thousand_tries
// The right one says that it has waited in vain, and does not go on.
template <bool mistaken>
__global__ void thousand_tries(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  begin_load(tile, in, &full);
  int tries = 0;
  while (!try_wait(&full, 0)) {  //: other
    if (++tries == 1000) {
      if (mistaken) break;
      __trap();
    }
  }
  out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
}

//: pair four_tries
// Behind a few tries the right one waits without an end.
template <bool mistaken>
__global__ void four_tries(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  begin_load(tile, in, &full);
  bool done = false;
  for (int tries = 0; tries < 4 && !done; ++tries) {
    done = try_wait(&full, 0);  //: other
  }
  if (!mistaken && !done) wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
}

//: pair nobody_asks_whether_it_waited
__device__ bool waits_for_a_while(uint64_t* barrier, unsigned parity) {
  for (int tries = 0; tries < 200; ++tries) {
    if (try_wait(barrier, parity)) return true;
  }
  return false;
}
template <bool mistaken>
__global__ void nobody_asks_whether_it_waited(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  begin_load(tile, in, &full);
  bool is_there = waits_for_a_while(&full, 0);
  while (!mistaken && !is_there) is_there = waits_for_a_while(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
}

//: pair until_it_has_slept_enough
template <bool mistaken>
__global__ void until_it_has_slept_enough(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  begin_load(tile, in, &full);
  unsigned nanoseconds = 8;
  while (!test_wait(&full, 0)) {  //: other
    __nanosleep(nanoseconds);
    if (nanoseconds < 4096) {
      nanoseconds *= 2;
    } else if (mistaken) {
      break;
    }
  }
  out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
}

//: pair one_thread_waits_for_all
template <bool mistaken>
__global__ void one_thread_waits_for_all(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  begin_load(tile, in, &full);
  if (threadIdx.x == 0) {
    for (int tries = 0; !try_wait(&full, 0); ++tries) {  //: other
      if (mistaken && tries == 50) break;
    }
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
}

//: pair works_while_it_waits
// A tile that is there is used while the next one comes: that is no end of the wait.
int first_and_second(int i) {
  return i + 1 + (i + 129);
}
template <bool mistaken>
__global__ void works_while_it_waits(const int* in, int* out) {
  __shared__ alignas(128) int first[128];
  __shared__ alignas(128) int second[128];
  __shared__ uint64_t full[2];
  begin_load(first, in, &full[0]);
  begin_load(second, in + 128, &full[1]);
  wait_parity(&full[0], 0);
  int sum = first[threadIdx.x];
  int laps = 0;
  while (!try_wait(&full[1], 0)) {  //: other
    sum = max(sum, first[threadIdx.x]);
    if (mistaken && ++laps == 20) break;
  }
  out[threadIdx.x] = sum + second[threadIdx.x];  //: read-before-wait
}

constexpr Pair pairs[] = {
    pair<thousand_tries<true>, thousand_tries<false>>("thousand_tries"),
    pair<four_tries<true>, four_tries<false>>("four_tries"),
    pair<nobody_asks_whether_it_waited<true>, nobody_asks_whether_it_waited<false>>(
        "nobody_asks_whether_it_waited"),
    pair<until_it_has_slept_enough<true>, until_it_has_slept_enough<false>>(
        "until_it_has_slept_enough"),
    pair<one_thread_waits_for_all<true>, one_thread_waits_for_all<false>>(
        "one_thread_waits_for_all"),
    pair<works_while_it_waits<true>, works_while_it_waits<false>, first_and_second>(
        "works_while_it_waits"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
