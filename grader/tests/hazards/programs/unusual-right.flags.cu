// Right programs whose volatile or relaxed reads race with writes on purpose: they ask, and what
// they do with either answer is right. What the harness calls mistaken is the right kernel again.
#include "harness.h"
#include "ptx.h"

template <auto kernel, int (*expected)(int) = the_input, Shape shape = Shape{}>
constexpr Pair right(const char* name) {
  return pair<kernel, kernel, expected, shape>(name);
}
constexpr Shape two_blocks{.blocks = 2, .threads = 32, .checked = 1};

//: pair read_under_a_sequence_number
// The number is odd while the pair is written. Who finds another one behind the pair reads again.
int equal(int) {
  return 0;
}
__global__ void read_under_a_sequence_number(const int* in, int* out, int* scratch) {
  constexpr int rounds = 20;
  int* number = scratch;
  int* pair = scratch + 32;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int round = 1; round <= rounds; ++round) {
      store_relaxed(number, 2 * round - 1);
      __threadfence();
      store_relaxed(&pair[0], in[round]);
      store_relaxed(&pair[1], in[round]);
      store_release(number, 2 * round);
    }
    return;
  }
  int difference = 0;
  int before = 0;
  while (before < 2 * rounds) {
    int first = 0;
    int second = 0;
    int behind = 0;
    do {
      before = load_acquire(number);
      first = load_relaxed(&pair[0]);
      second = load_relaxed(&pair[1]);
      __threadfence();
      behind = load_relaxed(number);
    } while (before != behind || before % 2 == 1);
    difference |= first ^ second;
  }
  out[0] = difference;
}

// Nobody answers, and who has asked goes on when it has waited long enough.
//: pair gives_up_by_the_clock
__global__ void gives_up_by_the_clock(const int* in, int* out, int* flags) {
  const long long begin = clock64();
  while (load_relaxed(flags) == 0 && clock64() - begin < 10'000'000) {
  }
  out[threadIdx.x] = in[threadIdx.x];
}

//: pair stops_when_it_is_found
// A thread that has not heard yet looks on, and finds nothing more.
int place_of_77(int) {
  return 76;
}
__global__ void stops_when_it_is_found(const int* in, int* out, int* scratch) {
  volatile int* is_found = scratch;
  for (unsigned i = blockIdx.x * 32 + threadIdx.x; i < 1024; i += 64) {
    if (*is_found != 0) break;
    if (in[i] != 77) continue;
    out[0] = static_cast<int>(i);
    *is_found = 1;
  }
}

//: pair asks_before_it_takes_part
// Most values are no new maximum, and an atomic costs more than a load.
int the_largest(int) {
  return 128;
}
__global__ void asks_before_it_takes_part(const int* in, int* out) {
  __shared__ volatile int largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  const int mine = in[127 - threadIdx.x];
  if (mine > largest) atomicMax(const_cast<int*>(&largest), mine);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = largest;
}

//: pair counts_that_are_added_up
// Each count is right at some time, and that is all that is asked of it.
int some_count(int) {
  return 1;
}
__global__ void counts_that_are_added_up(const int*, int* out, int* counts) {
  if (blockIdx.x == 0) {
    add_relaxed(&counts[threadIdx.x % 4], 1);
    return;
  }
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += load_relaxed(&counts[i]);
  if (threadIdx.x == 0) out[0] = sum >= 0 && sum <= 32;
}

//: pair all_blocks_meet
// A barrier of the grid: the last one to come says so in a word that the others poll.
int sum_of_firsts(int) {
  return 1 + 2 + 3 + 4;
}
__device__ void meet(int* come, volatile int* round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const int now = *round;
    __threadfence();
    if (atomicAdd(come, 1) + 1 == static_cast<int>(gridDim.x)) {
      *come = 0;
      __threadfence();
      *round = now + 1;
    } else {
      while (*round == now) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void all_blocks_meet(const int* in, int* out, int* scratch) {
  volatile int* parts = scratch + 64;
  int sum = 0;
  for (int lap = 0; lap < 3; ++lap) {
    if (threadIdx.x == 0) parts[blockIdx.x] = in[blockIdx.x];
    meet(scratch, scratch + 32);
    sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i];
    meet(scratch, scratch + 32);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

//: pair values_beside_their_keys
// A table that is filled by compare-and-swap. A key that is there stays, so any answer will do.
int all_keys(int) {
  return 16;
}
__global__ void values_beside_their_keys(const int* in, int* out, int* table) {
  const int key = in[threadIdx.x] % 16 + 1;
  volatile int* keys = table;
  for (unsigned place = static_cast<unsigned>(key) * 7 % 32;; place = (place + 1) % 32) {
    int there = keys[place];
    if (there == 0) there = atomicCAS(&table[place], 0, key);
    if (there == 0) atomicAdd(&table[64], 1);
    if (there == 0 || there == key) break;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = table[64];
}

// Several threads set a flag that one of them would have set, behind a barrier that orders all they
// tell of: what comes second changes nothing.
//: pair set_by_every_thread
__global__ void set_by_every_thread(const int* in, int* out, int* scratch) {
  int* text = scratch + 64;
  if (blockIdx.x == 0) {
    text[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    store_release(scratch, 1);
  } else {
    wait_for_flag(scratch, 1);
    out[threadIdx.x] = text[threadIdx.x];
  }
}

// CUTLASS's semaphore: each part of a sum waits for its turn, and the last one gives it back. Where
// there is one part alone, what it writes stands there already.
//: pair turns_of_one_part
__device__ void take_a_turn(int* turn, int mine, int next) {
  if (threadIdx.x == 0) wait_for_flag(turn, mine);
  __syncthreads();
  __syncthreads();
  if (threadIdx.x == 0) store_release(turn, next);
}
__global__ void turns_of_one_part(const int* in, int* out, int* scratch) {
  for (int lap = 0; lap < 3; ++lap) {
    take_a_turn(scratch + blockIdx.x * 32, 0, 0);
    out[blockIdx.x * 32 + threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  }
}

// Work is counted that is open: what leaves behind as much as it found adds zero, and what it did
// is told by the queue.
//: pair work_that_leaves_work
int all_of_the_work(int) {
  return 3;
}
__global__ void work_that_leaves_work(const int*, int* out, int* scratch) {
  int* open = scratch;
  int* next = scratch + 32;
  int* done = scratch + 64;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    add_acquire_release(open, 1);
    *done = 1;
    store_release(next, 1);
    add_acquire_release(open, 0);
    wait_for_flag(next, 2);
    while (load_acquire(open) != 0) {
    }
    out[0] = *done + 1;
  } else {
    wait_for_flag(next, 1);
    *done += 1;
    add_acquire_release(open, -1);
    store_release(next, 2);
  }
}

constexpr Pair pairs[] = {
    right<read_under_a_sequence_number, equal, two_blocks>("read_under_a_sequence_number"),
    right<gives_up_by_the_clock>("gives_up_by_the_clock"),
    right<stops_when_it_is_found, place_of_77, two_blocks>("stops_when_it_is_found"),
    right<asks_before_it_takes_part, the_largest, Shape{.checked = 1}>("asks_before_it_takes_part"),
    right<counts_that_are_added_up, some_count, two_blocks>("counts_that_are_added_up"),
    right<all_blocks_meet, sum_of_firsts, Shape{.blocks = 4, .threads = 32, .checked = 4}>(
        "all_blocks_meet"),
    right<values_beside_their_keys, all_keys, Shape{.checked = 1}>("values_beside_their_keys"),
    right<set_by_every_thread, the_input, Shape{.blocks = 2}>("set_by_every_thread"),
    right<turns_of_one_part, the_input, Shape{.blocks = 4, .threads = 32}>("turns_of_one_part"),
    right<work_that_leaves_work, all_of_the_work, two_blocks>("work_that_leaves_work"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
