// Right programs that look like mistakes: orders by flags, atomics and barriers. There is nothing
// to find in them; what the harness calls mistaken is the right kernel once more.
#include "harness.h"
#include "memory_order.h"
#include "ptx.h"

template <auto kernel, int (*expected)(int) = the_input, Shape shape = Shape{}>
constexpr Pair right(const char* name) {
  return pair<kernel, kernel, expected, shape>(name);
}
//: pair look_back
// A block publishes its sum and, when it knows all before it, the sum up to itself. State and sum
// are one word, so that relaxed accesses will do.
__device__ void publish(int* word, int state, int sum) {
  store_relaxed(word, state << 24 | sum);
}
int sum_up_to(int i) {
  return (i + 1) * (i + 2) / 2;
}
__global__ void look_back(const int* in, int* out, int* words) {
  constexpr int own_sum = 1, sum_of_all = 2;
  if (threadIdx.x != 0) return;
  const int block = static_cast<int>(blockIdx.x);
  int sum = in[block];
  publish(&words[block], block == 0 ? sum_of_all : own_sum, sum);
  for (int before = block - 1; before >= 0; --before) {
    int word = 0;
    while (word == 0) {
      word = load_relaxed(&words[before]);
    }
    sum += word & 0xffffff;
    if (word >> 24 == sum_of_all) break;
  }
  publish(&words[block], sum_of_all, sum);
  out[block] = sum;
}

//: pair last_block_adds
// The pattern of a reduction in one launch: write, fence, ticket; the last one reads.
int sum_of_512(int) {
  return 512 * 513 / 2;
}
__global__ void last_block_adds(const int* in, int* out, int* tickets) {
  __shared__ bool is_last;
  __shared__ int sum;
  int* sums = tickets + 32;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * 128 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(reinterpret_cast<unsigned*>(tickets), gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
    sum = 0;
  }
  __syncthreads();
  if (!is_last) return;
  if (threadIdx.x < gridDim.x) atomicAdd(&sum, sums[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}

//: pair lanes_write_the_same_value
// One instruction, one value, no matter which lane wins.
__global__ void lanes_write_the_same_value(const int* in, int* out) {
  __shared__ int largest[4];
  const unsigned warp = threadIdx.x / 32;
  largest[warp] = __reduce_max_sync(0xffffffff, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = largest[3] - largest[3 - warp] + 1 + threadIdx.x % 32;
}

//: pair scan_in_place
int scanned(int i) {
  return sum_up_to(i);
}
__global__ void scan_in_place(const int* in, int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = in[threadIdx.x];
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    const int before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
  }
  out[threadIdx.x] = sums[threadIdx.x];
}

//: pair early_exit
// The threads beyond the data leave before the barrier of those that stay.
__global__ void early_exit(const int* in, int* out) {
  __shared__ int tile[100];
  if (threadIdx.x >= 100) return;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[99 - threadIdx.x];
}
int mirrored_hundred(int i) {
  return 100 - i;
}

//: pair arrive_and_work
// Between the arrival and the wait a thread touches only what is its own.
__global__ void arrive_and_work(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ int own[128];
  __shared__ uint64_t written;
  prepare_barrier(&written, 128);
  tile[threadIdx.x] = in[threadIdx.x];
  const uint64_t state = arrive(&written);
  own[threadIdx.x] = 2 * in[threadIdx.x];
  wait_state(&written, state);
  out[threadIdx.x] = tile[127 - threadIdx.x] + own[threadIdx.x] - 2 * in[threadIdx.x];
}

//: pair blocks_take_tiles
// Blocks that stay draw the next tile from a counter, until none is left.
__global__ void blocks_take_tiles(const int* in, int* out, int* counter) {
  __shared__ int tile;
  while (true) {
    if (threadIdx.x == 0) tile = atomicAdd(counter, 1);
    __syncthreads();
    const int mine = tile;
    __syncthreads();
    if (mine >= 8) return;
    out[mine * 128 + threadIdx.x] = in[mine * 128 + threadIdx.x];
  }
}

//: pair bytes_of_one_word
// Neighbors in a word are different places in memory.
__global__ void bytes_of_one_word(const int* in, int* out) {
  __shared__ alignas(4) unsigned char bytes[128];
  bytes[threadIdx.x] = static_cast<unsigned char>(in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = bytes[127 - threadIdx.x];
}

//: pair passed_on_by_a_third
// Block 0 tells block 1, block 1 tells block 2: what is released once reaches all.
__global__ void passed_on_by_a_third(const int* in, int* out, int* flags) {
  int* message = flags + 32;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *message = in[0];
    store_release(&flags[0], 1);
  } else if (blockIdx.x == 1) {
    wait_for_flag(&flags[0], 1);
    store_release(&flags[1], 1);
  } else {
    wait_for_flag(&flags[1], 1);
    out[0] = *message;
  }
}

//: pair fence_behind_the_poll
// The polling loads are relaxed; one fence behind them acquires for the whole block.
__global__ void fence_behind_the_poll(const int* in, int* out, int* flag) {
  int* message = flag + 32;
  if (blockIdx.x == 0) {
    message[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      fence_gpu();
      store_relaxed(flag, 1);
    }
  } else {
    if (threadIdx.x == 0) {
      while (load_relaxed(flag) == 0) {
      }
      fence_gpu();
    }
    __syncthreads();
    out[threadIdx.x] = message[127 - threadIdx.x];
  }
}

//: pair lock_of_every_lane
// The lanes of a warp take the lock one after another: each one is sure to go on.
__global__ void lock_of_every_lane(const int* in, int* out, int* lock) {
  int* total = lock + 32;
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *total += in[threadIdx.x];
      out[0] = *total;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
int sum_of_32(int) {
  return 32 * 33 / 2;
}

//: pair votes_of_those_who_stay
// Lanes that have returned may be named: only those that have not are waited for.
__global__ void votes_of_those_who_stay(const int* in, int* out) {
  if (threadIdx.x >= 24) return;
  const unsigned votes = __ballot_sync(0xffffffff, in[threadIdx.x] > 8);
  out[threadIdx.x] = static_cast<int>(votes);
}
int lanes_8_to_23(int) {
  return 0x00ffff00;
}

//: pair barriers_for_two_warps
// A ring of two boxes: barriers 1 and 2 say that one is full, 3 and 4 that it is empty again.
__global__ void barriers_for_two_warps(const int* in, int* out) {
  __shared__ int boxes[2][32];
  const unsigned lane = threadIdx.x % 32;
  int sum = 0;
  for (int lap = 0; lap < 6; ++lap) {
    const int box = lap % 2;
    if (threadIdx.x < 32) {
      if (lap >= 2) named_barrier_sync(3 + box, 64);
      boxes[box][lane] = in[lane];
      named_barrier_arrive(1 + box, 64);
    } else {
      named_barrier_sync(1 + box, 64);
      sum += boxes[box][31 - lane];
      if (lap < 4) named_barrier_arrive(3 + box, 64);
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum / 6 + 2 * static_cast<int>(lane) - 31;
}

//: pair across_the_rows
// Two rows of one array are one variable: beyond the first one's end the second one begins.
__global__ void across_the_rows(const int* in, int* out) {
  __shared__ int rows[2][64];
  rows[threadIdx.x / 64][threadIdx.x % 64] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = (&rows[0][0])[127 - threadIdx.x];
}

//: pair kernels_of_one_stream
__global__ void writes(const int* in, int* message) {
  message[threadIdx.x] = in[threadIdx.x];
}
__global__ void reads(const int* message, int* out) {
  out[threadIdx.x] = message[127 - threadIdx.x];
}
Outcome kernels_of_one_stream() {
  const Memory memory;
  writes<<<1, 128>>>(memory.in, memory.scratch);
  reads<<<1, 128>>>(memory.scratch, memory.out);
  return memory.compare(mirrored, 128);
}

//: pair dependent_launch
// The second kernel may begin early, and waits before it reads what the first one writes.
__global__ void writes_and_lets_start(const int* in, int* message) {
  let_dependents_start();
  message[threadIdx.x] = in[threadIdx.x];
}
__global__ void waits_and_reads(const int* message, int* out) {
  wait_for_earlier_kernels();
  out[threadIdx.x] = message[127 - threadIdx.x];
}
Outcome dependent_launch() {
  const Memory memory;
  writes_and_lets_start<<<1, 128>>>(memory.in, memory.scratch);
  launch_early(waits_and_reads, memory.scratch, memory.out);
  return memory.compare(mirrored, 128);
}

//: pair waits_for_two_kernels
// Three kernels of which each may start before the one ahead of it is over.
constexpr unsigned A_WHILE = 100'000;  // nanoseconds: two more kernels start meanwhile

__global__ void writes_late(const int* in, int* message) {
  let_dependents_start();
  __nanosleep(A_WHILE);
  message[threadIdx.x] = in[threadIdx.x];
}

// The kernel in the middle is over only when the first one is.
__global__ void lets_start_and_waits(int* numbers) {
  let_dependents_start();
  wait_for_earlier_kernels();
  numbers[threadIdx.x] *= 2;
}
Outcome waits_for_two_kernels() {
  const Memory memory;
  int* const others = memory.scratch + 128;
  writes_late<<<1, 128>>>(memory.in, memory.scratch);
  launch_early(lets_start_and_waits, others);
  launch_early(waits_and_reads, memory.scratch, memory.out);
  return memory.compare(mirrored, 128);
}

//: pair one_thread_waits_for_all
// Behind the barrier all know that the first kernel is over, and the last one starts then.
__global__ void one_waits(int* numbers) {
  if (threadIdx.x == 0) wait_for_earlier_kernels();
  __syncthreads();
  let_dependents_start();
  numbers[threadIdx.x] *= 2;
}
__global__ void reads_the_first_ones(const int* message, int* out) {
  out[threadIdx.x] = message[127 - threadIdx.x];
}
Outcome one_thread_waits_for_all() {
  const Memory memory;
  int* const others = memory.scratch + 128;
  writes_late<<<1, 128>>>(memory.in, memory.scratch);
  launch_early(one_waits, others);
  launch_early(reads_the_first_ones, memory.scratch, memory.out);
  return memory.compare(mirrored, 128);
}

constexpr Pair pairs[] = {
    right<look_back, sum_up_to, Shape{.blocks = 6, .threads = 32, .checked = 6}>("look_back"),
    right<last_block_adds, sum_of_512, Shape{.blocks = 4, .threads = 128, .checked = 1}>(
        "last_block_adds"),
    right<lanes_write_the_same_value>("lanes_write_the_same_value"),
    right<scan_in_place, scanned>("scan_in_place"),
    right<early_exit, mirrored_hundred, Shape{.checked = 100}>("early_exit"),
    right<arrive_and_work, mirrored>("arrive_and_work"),
    right<blocks_take_tiles, the_input, Shape{.blocks = 3, .threads = 128, .checked = 1024}>(
        "blocks_take_tiles"),
    right<bytes_of_one_word, mirrored>("bytes_of_one_word"),
    right<passed_on_by_a_third, the_input, Shape{.blocks = 3, .threads = 32, .checked = 1}>(
        "passed_on_by_a_third"),
    right<fence_behind_the_poll, mirrored, Shape{.blocks = 2, .threads = 128, .checked = 128}>(
        "fence_behind_the_poll"),
    right<lock_of_every_lane, sum_of_32, Shape{.threads = 32, .checked = 1}>("lock_of_every_lane"),
    right<votes_of_those_who_stay, lanes_8_to_23, Shape{.threads = 32, .checked = 24}>(
        "votes_of_those_who_stay"),
    right<barriers_for_two_warps, the_input, Shape{.threads = 64, .checked = 32}>(
        "barriers_for_two_warps"),
    right<across_the_rows, mirrored>("across_the_rows"),
    {"kernels_of_one_stream", kernels_of_one_stream, kernels_of_one_stream},
    {"dependent_launch", dependent_launch, dependent_launch},
    {"waits_for_two_kernels", waits_for_two_kernels, waits_for_two_kernels},
    {"one_thread_waits_for_all", one_thread_waits_for_all, one_thread_waits_for_all},
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
