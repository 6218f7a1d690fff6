// Flags that have been set before: who waits for such a value does not wait. What is released with
// a value that stood there already is told to nobody, since the older one reads the same.
#include "harness.h"
#include "ptx-fence.h"

constexpr int launches = 2;

// One block writes a message, and another one reads it behind a flag. What each launch brings
// differs, and so does the number that it is given: 1, 2, ...
struct Message {
  const int* in;
  int* out;
  int* text;
  int* flag;
  int number;
};

int of_the_last_launch(int i) {
  return (launches - 1) * 32 + i + 1;
}

template <class BeforeEach>
Outcome launched_again(void (*kernel)(Message), BeforeEach before_each) {
  const Memory memory;
  for (int i = 0; i < launches; ++i) {
    before_each(memory.scratch);
    kernel<<<2, 32>>>({memory.in + i * 32, memory.out, memory.scratch + 64, memory.scratch, i + 1});
  }
  return memory.compare(of_the_last_launch, 32);
}
template <auto kernel>
Outcome launched_again() {
  return launched_again(kernel, [](int*) {});
}

//: pair set_by_the_last_launch
__global__ void set_by_the_last_launch(Message message) {
  if (blockIdx.x == 0) {
    message.text[threadIdx.x] = message.in[threadIdx.x];  //: other
    __syncthreads();
    if (threadIdx.x == 0) store_release(message.flag, 1);
  } else {
    if (threadIdx.x == 0) wait_for_flag(message.flag, 1);
    __syncthreads();
    message.out[threadIdx.x] = message.text[threadIdx.x];  //: data-race
  }
}
template <bool mistaken>
Outcome set_by_the_last_launch() {
  return launched_again(set_by_the_last_launch, [](int* flag) {
    if constexpr (!mistaken) note(cudaMemset(flag, 0, sizeof(int)));
  });
}

// What each launch exchanges for the flag is to be its own number.
//: pair exchanged_for_the_same
template <bool mistaken>
__global__ void exchanged_for_the_same(Message message) {
  const int set = mistaken ? 1 : message.number;
  if (blockIdx.x == 0) {
    message.text[threadIdx.x] = message.in[threadIdx.x];  //: other
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(message.flag, set);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(message.flag, 0) != set) {
      }
      __threadfence();
    }
    __syncthreads();
    message.out[threadIdx.x] = message.text[threadIdx.x];  //: data-race
  }
}

// The reader is to take the flag down again.
//: pair volatile_flag_that_stays
template <bool mistaken>
__global__ void volatile_flag_that_stays(Message message) {
  volatile int* flag = message.flag;
  if (blockIdx.x == 0) {
    message.text[threadIdx.x] = message.in[threadIdx.x];  //: other
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
  } else {
    if (threadIdx.x == 0) {
      while (*flag == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    message.out[threadIdx.x] = message.text[threadIdx.x];  //: data-race
    __syncthreads();
    if (!mistaken && threadIdx.x == 0) *flag = 0;
  }
}

// A block adds up what two have computed, as in Stream-K. Its flag is to be counted on.
//: pair partial_sum_of_the_last_launch
template <bool mistaken>
__global__ void partial_sum_of_the_last_launch(Message message) {
  const int mine = message.in[threadIdx.x];
  if (blockIdx.x == 0) {
    message.text[threadIdx.x] = mine - 1;  //: other
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      if constexpr (mistaken) {
        atomicOr(message.flag, 1);
      } else {
        atomicAdd(message.flag, 1);
      }
    }
  } else {
    if (threadIdx.x == 0) {
      while (load_acquire(message.flag) < (mistaken ? 1 : message.number)) {
      }
    }
    __syncthreads();
    const int partial = message.text[threadIdx.x];  //: data-race
    message.out[threadIdx.x] = mine - partial + message.in[threadIdx.x] - 1;
  }
}

// A barrier of the grid: the word that the last block writes is to change each time.
//: pair round_that_does_not_change
template <bool mistaken>
__device__ void meet(int* come, int* round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const int next = mistaken ? 1 : 1 - load_relaxed(round);
    if (add_acquire_release(come, 1) + 1 == static_cast<int>(gridDim.x)) {
      store_relaxed(come, 0);
      store_release(round, next);
    } else {
      wait_for_flag(round, next);
    }
  }
  __syncthreads();
}
template <bool mistaken>
__global__ void round_that_does_not_change(Message message) {
  int* const part = message.text + blockIdx.x * 32;
  const int* const other = message.text + (1 - blockIdx.x) * 32;
  part[threadIdx.x] = message.in[threadIdx.x];  //: other
  meet<mistaken>(message.flag, message.flag + 32);
  message.out[threadIdx.x + blockIdx.x * 32] = other[threadIdx.x];  //: data-race
}

// In one launch: the second part is to be announced by another number than the first.
//: pair both_parts_say_the_same
template <bool mistaken>
__global__ void both_parts_say_the_same(const int* in, int* out, int* scratch) {
  int* text = scratch + 64;
  int* is_there = scratch;
  int* is_read = scratch + 32;
  constexpr int second = mistaken ? 1 : 2;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *text = in[0];
    store_release(is_there, 1);
    wait_for_flag(is_read, 1);
    *text = in[1];  //: other
    store_release(is_there, second);
  } else {
    while (load_acquire(is_there) < 1) {
    }
    out[0] = *text;
    store_release(is_read, 1);
    while (load_acquire(is_there) < second) {
    }
    out[1] = *text;  //: data-race
  }
}

constexpr Pair pairs[] = {
    {"set_by_the_last_launch", set_by_the_last_launch<true>, set_by_the_last_launch<false>},
    {"exchanged_for_the_same", launched_again<exchanged_for_the_same<true>>,
     launched_again<exchanged_for_the_same<false>>},
    {"volatile_flag_that_stays", launched_again<volatile_flag_that_stays<true>>,
     launched_again<volatile_flag_that_stays<false>>},
    {"partial_sum_of_the_last_launch", launched_again<partial_sum_of_the_last_launch<true>>,
     launched_again<partial_sum_of_the_last_launch<false>>},
    {"round_that_does_not_change", launched_again<round_that_does_not_change<true>>,
     launched_again<round_that_does_not_change<false>>},
    pair<both_parts_say_the_same<true>, both_parts_say_the_same<false>, the_input,
         Shape{.blocks = 2, .threads = 32, .checked = 2}>("both_parts_say_the_same"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
