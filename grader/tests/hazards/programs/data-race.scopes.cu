// Something orders the two accesses, and not these two: it is relaxed, of a narrower scope, or one
// thread's alone.
#include "harness.h"
#include "memory_order.h"
#include "ptx.h"

constexpr Shape two_blocks{.blocks = 2, .threads = 128, .checked = 128};
constexpr Shape one_output_of_two_blocks{.blocks = 2, .threads = 32, .checked = 1};

int of_the_other_cta(int i) {
  return (i ^ 128) + 1;
}

//: pair relaxed_arrival
template <bool mistaken>
__global__ void relaxed_arrival(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 128);
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  if constexpr (mistaken) {
    arrive_relaxed(&full);
  } else {
    arrive(&full);
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[127 - threadIdx.x];  //: data-race
}

//: pair relaxed_flag
template <bool mistaken>
__global__ void relaxed_flag(const int* in, int* out, int* flag) {
  int* message = flag + 32;
  if (blockIdx.x == 0) {
    message[threadIdx.x] = in[threadIdx.x];  //: other
    __syncthreads();
    if (threadIdx.x == 0) mistaken ? store_relaxed(flag, 1) : store_release(flag, 1);  //: other
  } else {
    if (threadIdx.x == 0) wait_for_flag(flag, 1);
    __syncthreads();
    out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
  }
}

//: pair flag_of_one_for_all
// Who sets the flag releases what it knows of: a word that is polled is no barrier.
template <bool mistaken>
__global__ void flag_of_one_for_all(const int* in, int* out, int* flag) {
  __shared__ volatile int is_written;
  int* message = flag + 32;
  const unsigned lane = threadIdx.x % 32;
  const bool is_first_warp = threadIdx.x < 32;
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) is_written = 0;
    __syncthreads();
    if (!is_first_warp) {
      message[lane] = in[lane];  //: other
      __syncwarp();
      if (lane == 0) is_written = 1;
    }
    if constexpr (!mistaken) __syncthreads();
    if (threadIdx.x == 0) {
      while (is_written == 0) {
      }
      store_release(flag, 1);  //: other
    }
  } else if (is_first_warp) {
    wait_for_flag(flag, 1);
    out[lane] = message[lane];  //: data-race
  }
}

//: pair flag_that_one_reads_for_all
// Who has read it knows what it tells; a relaxed arrival does not pass that on.
template <bool mistaken>
__global__ void flag_that_one_reads_for_all(const int* in, int* out, int* flag) {
  __shared__ uint64_t is_there;
  int* message = flag + 32;
  prepare_barrier(&is_there, 1);
  if (blockIdx.x == 0) {
    if (threadIdx.x < 32) message[threadIdx.x] = in[threadIdx.x];  //: other
    __syncwarp();
    if (threadIdx.x == 0) store_release(flag, 1);
  } else if (threadIdx.x == 0) {
    wait_for_flag(flag, 1);  //: other
    if constexpr (mistaken) {
      arrive_relaxed(&is_there);
    } else {
      arrive(&is_there);
    }
  } else if (threadIdx.x >= 32) {
    wait_parity(&is_there, 0);
    out[threadIdx.x - 32] = message[threadIdx.x - 32];  //: data-race
  }
}

//: pair fence_of_the_writer_alone
template <bool mistaken>
__global__ void fence_of_the_writer_alone(const int* in, int* out, int* flag) {
  int* message = flag + 32;
  if (blockIdx.x == 0) {
    message[threadIdx.x] = in[threadIdx.x];  //: other
    __threadfence();
    atomicAdd(flag, 1);
  } else {
    while (atomicAdd(flag, 0) < 128) {
    }
    if constexpr (!mistaken) __threadfence();
    out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
  }
}

//: pair volatile_flag
// A volatile access orders nothing; with a fence on both sides it will do.
template <bool mistaken>
__global__ void volatile_flag(const int* in, int* out, int* scratch) {
  volatile int* flag = scratch;
  int* message = scratch + 32;
  if (blockIdx.x == 0) {
    message[threadIdx.x] = in[threadIdx.x];  //: other
    __syncthreads();
    if (threadIdx.x == 0) {
      if constexpr (!mistaken) __threadfence();
      *flag = 1;  //: other
    }
  } else {
    if (threadIdx.x == 0) {
      while (*flag == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
  }
}

//: pair fence_of_the_cta
template <bool mistaken>
__global__ void fence_of_the_cta(const int* in, int* out, int* flag) {
  int* message = flag + 32;
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      *message = in[41];  //: other
      mistaken ? __threadfence_block() : __threadfence();
      store_relaxed(flag, 1);
    }
  } else if (threadIdx.x == 0) {
    while (load_relaxed(flag) == 0) {
    }
    fence_gpu();
    out[0] = *message;  //: data-race
  }
}

//: pair mailbox_of_the_cta
// The flag is the message. Relaxed will do, if the scope has both threads.
int forty_two(int) {
  return 42;
}
template <bool mistaken>
__global__ void mailbox_of_the_cta(const int* in, int* out, int* mailbox) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    mistaken ? store_relaxed_cta(mailbox, in[41]) : store_relaxed(mailbox, in[41]);  //: other
  } else {
    int message = 0;
    while (message == 0) {
      message = load_relaxed(mailbox);  //: data-race
    }
    out[0] = message;
  }
}

//: pair last_block
// Who draws the last ticket adds what the others wrote.
int sum_of_tickets(int) {
  return 1 + 2 + 3 + 4;
}
template <bool mistaken>
__global__ void last_block(const int* in, int* out, int* tickets) {
  int* partial_sums = tickets + 32;
  if (threadIdx.x != 0) return;
  partial_sums[blockIdx.x] = in[blockIdx.x];  //: other
  if constexpr (!mistaken) __threadfence();
  if (atomicAdd(tickets, 1) == gridDim.x - 1) {  //: other
    __threadfence();
    int sum = 0;
    for (int block = 0; block < gridDim.x; ++block) {
      sum += partial_sums[block];  //: data-race
    }
    out[0] = sum;
  }
}

//: pair relaxed_cluster_barrier
template <bool mistaken>
__global__ void __cluster_dims__(2) relaxed_cluster_barrier(const int* in, int* out) {
  __shared__ int tile[128];
  const unsigned rank = cluster_rank();
  tile[threadIdx.x] = in[rank * 128 + threadIdx.x];  //: other
  mistaken ? cluster_arrive_relaxed() : cluster_arrive();
  cluster_wait();
  const uint32_t remote = address_in_cta(&tile[threadIdx.x], rank ^ 1);
  out[rank * 128 + threadIdx.x] = load_remote(remote);  //: data-race
  cluster_sync();
}

//: pair flag_that_nobody_looks_at
// One question, whose answer changes nothing, is no wait.
template <bool mistaken>
__global__ void flag_that_nobody_looks_at(const int* in, int* out, int* flag) {
  int* const message = flag + 32;
  if (blockIdx.x == 0) {
    message[threadIdx.x] = in[threadIdx.x];  //: other
    __syncthreads();
    if (threadIdx.x == 0) store_release(flag, 1);
    return;
  }
  if constexpr (mistaken) {
    (void)load_acquire(flag);
  } else {
    wait_for_flag(flag, 1);
  }
  out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
}

//: pair lock_released_to_its_own_block
// Both take the lock in turn; the fence before its release speaks to the block alone.
template <bool mistaken>
__global__ void lock_released_to_its_own_block(const int* in, int* out, int* lock) {
  int* const total = lock + 32;
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += in[blockIdx.x];  //: data-race //: other
  if constexpr (mistaken) {
    __threadfence_block();
  } else {
    __threadfence();
  }
  atomicExch(lock, 0);
  if (atomicAdd(lock + 64, 1) == 1) out[0] = 3;
}
int three(int) {
  return 3;
}

//: pair flag_behind_the_fences_of_a_warp
// Each lane writes and fences, the warp meets, and one lane raises the flag for all. Only fences of
// sequential consistency have one order: __threadfence_block() is one.
template <bool mistaken>
__global__ void flag_behind_the_fences_of_a_warp(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ int flag;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    tile[lane] = in[lane];  //: other
    mistaken ? fence_cta() : __threadfence_block();
    __syncwarp();
    if (lane == 0) store_relaxed_cta(&flag, 1);
  } else {
    while (*static_cast<volatile int*>(&flag) == 0) {
    }
    mistaken ? fence_cta() : fence_sc_cta();
    out[lane] = tile[lane];  //: data-race
  }
}

//: pair words_of_two_sizes
// PTX ISA, "Morally strong operations": two atomics are one behind the other where they overlap
// completely. A counter of 64 bits has one half here that is counted by itself.
template <bool mistaken>
__global__ void words_of_two_sizes(const int* in, int* out) {
  if (blockIdx.x == 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(out), 1);  //: other
  } else if (mistaken) {
    atomicAdd(out, in[0]);  //: data-race
  } else {
    atomicAdd(reinterpret_cast<unsigned long long*>(out), in[0]);
  }
}
int two_more_than_at_the_start(int) {
  return -1 + 2;
}

//: pair arrives_in_its_own_scope
// The arrival is at the peer's mbarrier, and releases to its own CTA.
template <bool mistaken>
__global__ void __cluster_dims__(2) arrives_in_its_own_scope(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ uint64_t written;
  if (threadIdx.x == 0) {
    init_barrier(&written, 128);
    fence_barrier_init();
  }
  cluster_sync();
  if (cluster_rank() == 1) {
    tile[threadIdx.x] = in[threadIdx.x];  //: other
    const uint32_t remote = address_in_cta(&written, 0);
    if constexpr (mistaken) {
      //: other
      asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(remote)
                   : "memory");
    } else {
      arrive_remote(remote);
    }
  } else {
    wait_parity_cluster(&written, 0);
    const uint32_t peers = address_in_cta(tile, 1);
    out[threadIdx.x] = load_remote(peers + 4 * threadIdx.x);  //: data-race
  }
  cluster_sync();
}

constexpr Pair pairs[] = {
    pair<relaxed_arrival<true>, relaxed_arrival<false>, mirrored>("relaxed_arrival"),
    pair<relaxed_flag<true>, relaxed_flag<false>, mirrored, two_blocks>("relaxed_flag"),
    pair<flag_of_one_for_all<true>, flag_of_one_for_all<false>, the_input,
         Shape{.blocks = 2, .threads = 64, .checked = 32}>("flag_of_one_for_all"),
    pair<flag_that_one_reads_for_all<true>, flag_that_one_reads_for_all<false>, the_input,
         Shape{.blocks = 2, .threads = 64, .checked = 32}>("flag_that_one_reads_for_all"),
    pair<fence_of_the_writer_alone<true>, fence_of_the_writer_alone<false>, mirrored, two_blocks>(
        "fence_of_the_writer_alone"),
    pair<volatile_flag<true>, volatile_flag<false>, mirrored, two_blocks>("volatile_flag"),
    pair<fence_of_the_cta<true>, fence_of_the_cta<false>, forty_two, one_output_of_two_blocks>(
        "fence_of_the_cta"),
    pair<mailbox_of_the_cta<true>, mailbox_of_the_cta<false>, forty_two, one_output_of_two_blocks>(
        "mailbox_of_the_cta"),
    pair<last_block<true>, last_block<false>, sum_of_tickets,
         Shape{.blocks = 4, .threads = 32, .checked = 1}>("last_block"),
    pair<relaxed_cluster_barrier<true>, relaxed_cluster_barrier<false>, of_the_other_cta,
         Shape{.blocks = 2, .threads = 128, .checked = 256}>("relaxed_cluster_barrier"),
    pair<flag_that_nobody_looks_at<true>, flag_that_nobody_looks_at<false>, mirrored, two_blocks>(
        "flag_that_nobody_looks_at"),
    pair<lock_released_to_its_own_block<true>, lock_released_to_its_own_block<false>, three,
         one_output_of_two_blocks>("lock_released_to_its_own_block"),
    pair<flag_behind_the_fences_of_a_warp<true>, flag_behind_the_fences_of_a_warp<false>, the_input,
         Shape{.threads = 64, .checked = 32}>("flag_behind_the_fences_of_a_warp"),
    pair<words_of_two_sizes<true>, words_of_two_sizes<false>, two_more_than_at_the_start,
         Shape{.blocks = 2, .threads = 1, .checked = 1}>("words_of_two_sizes"),
    pair<arrives_in_its_own_scope<true>, arrives_in_its_own_scope<false>, the_input,
         Shape{.blocks = 2}>("arrives_in_its_own_scope"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
