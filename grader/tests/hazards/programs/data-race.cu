// Threads access the same bytes, one of them writes, and nothing orders the two.
#include "harness.h"
#include "memory_order.h"
#include "ptx-tensor-map.h"
#include "ptx.h"

constexpr Shape two_blocks{.blocks = 2, .threads = 128, .checked = 128};

int mirrored(int i) {
  return 128 - i;
}

//: pair missing_syncthreads
template <bool mistaken>
__global__ void missing_syncthreads(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  if constexpr (!mistaken) __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];  //: data-race
}

// Four pairs of lines, which one barrier would order.
//: pair one_barrier_for_all_reads
int with_both_sides(int i) {
  return (i == 0 ? 128 : i) + (i == 127 ? 1 : i + 2);
}
template <bool mistaken>
__global__ void one_barrier_for_all_reads(const int* in, int* out) {
  __shared__ int tile[128], ends[2];
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  if (threadIdx.x % 127 == 0) ends[threadIdx.x / 127] = in[threadIdx.x];
  if constexpr (!mistaken) __syncthreads();
  const int left = threadIdx.x == 0 ? ends[1] : tile[threadIdx.x - 1];     //: data-race
  const int right = threadIdx.x == 127 ? ends[0] : tile[threadIdx.x + 1];  //: other
  out[threadIdx.x] = left + right;
}

// Two barriers are missing, and what the first one orders the second one does not.
//: pair two_barriers
template <bool mistaken>
__global__ void two_barriers(const int* in, int* out) {
  __shared__ int there[128], back[128];
  there[threadIdx.x] = in[threadIdx.x];  //: other
  if constexpr (!mistaken) __syncthreads();
  back[threadIdx.x] = there[127 - threadIdx.x];  //: data-race //: other
  if constexpr (!mistaken) __syncthreads();
  out[threadIdx.x] = back[127 - threadIdx.x];  //: data-race
}

//: pair missing_syncwarp
template <bool mistaken>
__global__ void missing_syncwarp(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x ^ 31] = in[threadIdx.x ^ 31];  //: other
  if constexpr (!mistaken) __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x];  //: data-race
}

//: pair reduction_tree
int sum_of_128(int) {
  return 128 * 129 / 2;
}
template <bool mistaken>
__global__ void reduction_tree(const int* in, int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) {
      const int upper = sums[threadIdx.x + stride];  //: data-race
      sums[threadIdx.x] += upper;                    //: other
    }
    if constexpr (!mistaken) __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = sums[0];
}

//: pair one_barrier_a_lap
// With two buffers one barrier a lap is enough.
int sum_of_laps(int i) {
  return 4 * (128 - i) + 128 * (0 + 1 + 2 + 3);
}
template <bool mistaken>
__global__ void one_barrier_a_lap(const int* in, int* out) {
  constexpr int buffers = mistaken ? 1 : 2;
  __shared__ int buffer[buffers][128];
  int sum = 0;
  for (int lap = 0; lap < 4; ++lap) {
    buffer[lap % buffers][threadIdx.x] = in[lap * 128 + threadIdx.x];  //: other
    __syncthreads();
    sum += buffer[lap % buffers][127 - threadIdx.x];  //: data-race
  }
  out[threadIdx.x] = sum;
}

//: pair shift_in_place
int the_one_before(int i) {
  return i == 0 ? 128 : i;
}
template <bool mistaken>
__global__ void shift_in_place(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int before = tile[(threadIdx.x + 127) % 128];  //: data-race
  if constexpr (!mistaken) __syncthreads();
  tile[threadIdx.x] = before;  //: other
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair histogram
// Both parties are this one line, in different threads.
int eight(int) {
  return 8;
}
template <bool mistaken>
__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  const int bin = in[threadIdx.x] % 16;
  if constexpr (mistaken) {
    bins[bin] += 1;  //: data-race //: other
  } else {
    atomicAdd(&bins[bin], 1);
  }
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}

//: pair atomics_and_a_plain_read
int all_128(int) {
  return 128;
}
template <bool mistaken>
__global__ void atomics_and_a_plain_read(const int*, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);  //: other
  if constexpr (!mistaken) __syncthreads();
  if (threadIdx.x == 0) out[0] = count;  //: data-race
}

//: pair words_of_a_vector
// Warp 0 writes 16 bytes a thread, all warps read 4 bytes a thread.
template <bool mistaken>
__global__ void words_of_a_vector(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  if (threadIdx.x < 32) {
    const int4 four = reinterpret_cast<const int4*>(in)[threadIdx.x];
    reinterpret_cast<int4*>(tile)[threadIdx.x] = four;  //: other
  }
  if constexpr (!mistaken) __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];  //: data-race
}

//: pair named_barriers
// A producer warp and a consumer warp: barriers 1 and 2 say that a lap's box is full, 3 that the
// first lap's box is read.
int sum_of_two_laps(int i) {
  return 2 * (32 - i) + 32;
}
template <bool mistaken>
__global__ void named_barriers(const int* in, int* out) {
  __shared__ int box[32];
  const unsigned lane = threadIdx.x % 32;
  int sum = 0;
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x < 32) {
      if (!mistaken && lap == 1) named_barrier_sync(3, 64);
      box[lane] = in[lap * 32 + lane];  //: other
      named_barrier_arrive(1 + lap, 64);
    } else {
      named_barrier_sync(1 + lap, 64);
      sum += box[31 - lane];  //: data-race
      if (!mistaken && lap == 0) named_barrier_arrive(3, 64);
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
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
int of_the_other_cta(int i) {
  return (i ^ 128) + 1;
}
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

//: pair two_streams
__global__ void writes(const int* in, int* message) {
  message[threadIdx.x] = in[threadIdx.x];  //: other
}
__global__ void reads(const int* message, int* out) {
  out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
}
template <bool mistaken>
Outcome two_streams() {
  const Memory memory;
  note(cudaDeviceSynchronize());
  cudaStream_t streams[2];
  cudaEvent_t written;
  note(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
  for (cudaStream_t& stream : streams) {
    note(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  writes<<<1, 128, 0, streams[0]>>>(memory.in, memory.scratch);
  note(cudaEventRecord(written, streams[0]));
  if constexpr (!mistaken) note(cudaStreamWaitEvent(streams[1], written));
  reads<<<1, 128, 0, streams[1]>>>(memory.scratch, memory.out);
  const Outcome outcome = memory.compare(mirrored, 128);
  for (const cudaStream_t stream : streams) {
    note(cudaStreamDestroy(stream));
  }
  note(cudaEventDestroy(written));
  return outcome;
}

constexpr Shape one_output{.checked = 1};
constexpr Shape one_output_of_two_blocks{.blocks = 2, .threads = 32, .checked = 1};

//: pair read_before_the_earlier_kernel_is_over
// The next kernel may start when this one lets it, and its wait comes behind the read.
__global__ void lets_others_start(const int* in, int* message) {
  let_dependents_start();
  message[threadIdx.x] = in[threadIdx.x];  //: other
}
template <bool mistaken>
__global__ void starts_early(const int* message, int* out) {
  if constexpr (!mistaken) wait_for_earlier_kernels();
  out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
  if constexpr (mistaken) wait_for_earlier_kernels();
}
template <bool mistaken>
Outcome read_before_the_earlier_kernel_is_over() {
  const Memory memory;
  lets_others_start<<<1, 128>>>(memory.in, memory.scratch);
  launch_early(starts_early<mistaken>, memory.scratch, memory.out);
  return memory.compare(mirrored, 128);
}

//: pair two_streams_write
int the_input_and_two(int i) {
  return i + 3;
}
// Both kernels add to the same numbers, and the host waits for neither in between.
__global__ void adds_one(int* numbers) {
  numbers[threadIdx.x] += 1;  //: data-race //: other
}
template <bool mistaken>
Outcome two_streams_write() {
  const Memory memory;
  note(cudaDeviceSynchronize());
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) {
    note(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  note(cudaMemcpy(memory.out, memory.in, 128 * sizeof(int), cudaMemcpyDeviceToDevice));
  note(cudaDeviceSynchronize());
  adds_one<<<1, 128, 0, streams[0]>>>(memory.out);
  if constexpr (!mistaken) note(cudaStreamSynchronize(streams[0]));
  adds_one<<<1, 128, 0, streams[1]>>>(memory.out);
  const Outcome outcome = memory.compare(the_input_and_two, 128);
  for (const cudaStream_t stream : streams) {
    note(cudaStreamDestroy(stream));
  }
  return outcome;
}

//: pair atomics_of_the_peer
// Both CTAs count in the first one, and only its own threads have come to the barrier.
template <bool mistaken>
__global__ void __cluster_dims__(2) atomics_of_the_peer(const int* in, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = in[0] - 1;
  cluster_sync();
  add_remote(address_in_cta(&count, 0), 1);  //: other
  if constexpr (mistaken) {
    __syncthreads();
  } else {
    cluster_sync();
  }
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    out[0] = count;  //: data-race
  }
  cluster_sync();
}
int all_of_two_blocks(int) {
  return 256;
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

//: pair map_changed_by_another_lane
// tensormap.replace writes the whole map, of which other lanes have copied their words.
template <bool mistaken>
__global__ void map_changed_by_another_lane(const TensorMaps __grid_constant__ maps, const int* in,
                                            int* out) {
  __shared__ alignas(128) uint64_t map[16];
  const auto* const words = reinterpret_cast<const uint64_t*>(&maps.in);
  if (threadIdx.x < 16) map[threadIdx.x] = words[threadIdx.x];  //: other
  if constexpr (!mistaken) __syncwarp();
  if (threadIdx.x == 0) {
    replace_shared_address(reinterpret_cast<CUtensorMap*>(map), out);  //: data-race
  }
  __syncwarp();
  if (threadIdx.x < 16) out[threadIdx.x] = in[threadIdx.x] + static_cast<int>(map[1] & 0);
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

constexpr Shape one_warp{.threads = 32, .checked = 16};
constexpr Shape one_output_of_two_ctas{.blocks = 2, .threads = 128, .checked = 1};

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
    pair<missing_syncthreads<true>, missing_syncthreads<false>, mirrored>("missing_syncthreads"),
    pair<one_barrier_for_all_reads<true>, one_barrier_for_all_reads<false>, with_both_sides>(
        "one_barrier_for_all_reads"),
    pair<two_barriers<true>, two_barriers<false>>("two_barriers"),
    pair<missing_syncwarp<true>, missing_syncwarp<false>>("missing_syncwarp"),
    pair<reduction_tree<true>, reduction_tree<false>, sum_of_128, one_output>("reduction_tree"),
    pair<one_barrier_a_lap<true>, one_barrier_a_lap<false>, sum_of_laps>("one_barrier_a_lap"),
    pair<shift_in_place<true>, shift_in_place<false>, the_one_before>("shift_in_place"),
    pair<histogram<true>, histogram<false>, eight, Shape{.checked = 16}>("histogram"),
    pair<atomics_and_a_plain_read<true>, atomics_and_a_plain_read<false>, all_128, one_output>(
        "atomics_and_a_plain_read"),
    pair<words_of_a_vector<true>, words_of_a_vector<false>, mirrored>("words_of_a_vector"),
    pair<named_barriers<true>, named_barriers<false>, sum_of_two_laps,
         Shape{.threads = 64, .checked = 32}>("named_barriers"),
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
    {"two_streams", two_streams<true>, two_streams<false>},

    {"read_before_the_earlier_kernel_is_over", read_before_the_earlier_kernel_is_over<true>,
     read_before_the_earlier_kernel_is_over<false>},
    {"two_streams_write", two_streams_write<true>, two_streams_write<false>},
    pair<atomics_of_the_peer<true>, atomics_of_the_peer<false>, all_of_two_blocks,
         one_output_of_two_ctas>("atomics_of_the_peer"),
    pair<flag_that_nobody_looks_at<true>, flag_that_nobody_looks_at<false>, mirrored, two_blocks>(
        "flag_that_nobody_looks_at"),
    pair<lock_released_to_its_own_block<true>, lock_released_to_its_own_block<false>, three,
         one_output_of_two_blocks>("lock_released_to_its_own_block"),
    pair<flag_behind_the_fences_of_a_warp<true>, flag_behind_the_fences_of_a_warp<false>, the_input,
         Shape{.threads = 64, .checked = 32}>("flag_behind_the_fences_of_a_warp"),
    pair<map_changed_by_another_lane<true>, map_changed_by_another_lane<false>, the_input,
         one_warp>("map_changed_by_another_lane"),
    pair<words_of_two_sizes<true>, words_of_two_sizes<false>, two_more_than_at_the_start,
         Shape{.blocks = 2, .threads = 1, .checked = 1}>("words_of_two_sizes"),
    pair<arrives_in_its_own_scope<true>, arrives_in_its_own_scope<false>, the_input,
         Shape{.blocks = 2}>("arrives_in_its_own_scope"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
