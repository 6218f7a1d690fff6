// Threads wait for what cannot happen any more. Where they wait at several lines, the finding
// points to the uppermost, unless another one waits for more threads than there are.
#include "harness.h"
#include "ptx.h"

int sum_of_128(int) {
  return 128 * 129 / 2;
}
int sum_of_four_laps(int i) {
  return 4 * (32 - i) + 32 * (0 + 1 + 2 + 3);
}
int one_more(int i) {
  return i + 2;
}

constexpr Shape two_warps{.threads = 64, .checked = 32};

//: pair count_beyond_the_threads
template <bool mistaken>
__global__ void count_beyond_the_threads(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ uint64_t written;
  prepare_barrier(&written, mistaken ? 129 : 128);
  tile[threadIdx.x] = in[127 - threadIdx.x];
  arrive(&written);
  wait_parity(&written, 0);  //: deadlock
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

//: pair count_of_the_consumers_too
// The load and its announcement are one arrival. Consumers only wait.
template <bool mistaken>
__global__ void count_of_the_consumers_too(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, mistaken ? 1 + 4 : 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &loaded);
  }
  wait_parity(&loaded, 0);  //: deadlock
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair one_lane_releases
template <bool mistaken>
__global__ void one_lane_releases(const int* in, int* out) {
  __shared__ int ring[2][32];
  __shared__ uint64_t full[2], empty[2];
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 32);
    prepare_barrier(&empty[stage], 32);
  }
  const unsigned lane = threadIdx.x % 32;
  int sum = 0;
  for (int lap = 0; lap < 4; ++lap) {
    const int stage = lap % 2;
    if (threadIdx.x < 32) {
      if (lap >= 2) wait_parity(&empty[stage], 0);  //: deadlock
      ring[stage][lane] = in[lap * 32 + lane];
      arrive(&full[stage]);
    } else {
      wait_parity(&full[stage], lap / 2);
      sum += ring[stage][31 - lane];
      if (!mistaken || lane == 0) arrive(&empty[stage]);
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

//: pair parity_of_an_empty_ring
// All stages are empty at first: the producer waits for the phase before the first.
template <bool mistaken>
__global__ void parity_of_an_empty_ring(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][32];
  __shared__ uint64_t full[2], empty[2];
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 1);
    prepare_barrier(&empty[stage], 32);
  }
  const unsigned lane = threadIdx.x % 32;
  int sum = 0;
  for (int lap = 0; lap < 4; ++lap) {
    const int stage = lap % 2;
    const unsigned parity = lap / 2;
    if (threadIdx.x == 0) {
      wait_parity(&empty[stage], mistaken ? parity : !parity);  //: deadlock //: wait-wrong-parity
      arrive_and_expect(&full[stage], sizeof(ring[stage]));
      load_bulk(ring[stage], in + lap * 32, sizeof(ring[stage]), &full[stage]);
    }
    if (threadIdx.x >= 32) {
      wait_parity(&full[stage], parity);
      sum += ring[stage][31 - lane];
      fence_proxy_async_shared();
      arrive(&empty[stage]);
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

//: pair a_phase_for_each_lap
template <bool mistaken>
__global__ void a_phase_for_each_lap(const int* in, int* out) {
  __shared__ int laps_of_32[4][32];
  __shared__ uint64_t full;
  prepare_barrier(&full, 32);
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int lap = 0; lap < 4; ++lap) {
      laps_of_32[lap][lane] = in[lap * 32 + lane];
    }
    arrive(&full);
  } else {
    int sum = 0;
    for (int lap = 0; lap < 4; ++lap) {
      wait_parity(&full, mistaken ? lap % 2 : 0);  //: deadlock
      sum += laps_of_32[lap][31 - lane];
    }
    out[lane] = sum;
  }
}

//: pair barrier_of_the_whole_block
// Two warps read what the third one writes; of the fourth, nobody is left. The writer waits, too,
// and does so further up.
template <bool mistaken>
__global__ void barrier_of_the_whole_block(const int* in, int* out) {
  __shared__ int tile[64];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 1);
  if (threadIdx.x >= 96) return;
  if (threadIdx.x == 64) {
    for (int lap = 0; lap < 2; ++lap) {
      if (lap == 1) wait_parity(&empty, 0);
      for (int i = 0; i < 64; ++i) {
        tile[i] = in[64 * lap + i];
      }
      arrive(&full);
    }
  } else if (threadIdx.x < 64) {
    int sum = 0;
    for (int lap = 0; lap < 2; ++lap) {
      wait_parity(&full, lap);
      sum += tile[63 - threadIdx.x];
      named_barrier_sync(1, mistaken ? 128 : 64);  //: deadlock
      if (threadIdx.x == 0) arrive(&empty);
    }
    out[threadIdx.x] = sum;
  }
}
int sum_of_two_laps(int i) {
  return 2 * (64 - i) + 64;
}

//: pair leaves_without_dropping_out
// Half of the threads have nothing to do in the second lap.
template <bool mistaken>
__global__ void leaves_without_dropping_out(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ uint64_t written;
  prepare_barrier(&written, 128);
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x >= 64) {
    mistaken ? static_cast<void>(arrive(&written)) : arrive_and_drop(&written);
    return;
  }
  wait_state(&written, arrive(&written));
  const int upper = tile[threadIdx.x + 64];
  tile[threadIdx.x] += upper;
  wait_state(&written, arrive(&written));  //: deadlock
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
int sum_of_halves(int i) {
  return (64 - i) + (128 - i);
}

//: pair one_block_too_many
template <bool mistaken>
__global__ void one_block_too_many(const int* in, int* out, int* arrived) {
  int* message = arrived + 32;
  if (threadIdx.x == 0) {
    message[blockIdx.x] = in[blockIdx.x];
    add_release(arrived, 1);
    while (load_acquire(arrived) < gridDim.x + (mistaken ? 1 : 0)) {  //: deadlock
    }
    out[blockIdx.x] = message[(blockIdx.x + 1) % gridDim.x];
  }
}
int the_next_of_two(int i) {
  return (i ^ 1) + 1;
}

//: pair blocks_in_a_circle
// Each block adds to what the one before it has left; the first one starts.
template <bool mistaken>
__global__ void blocks_in_a_circle(const int* in, int* out, int* turns) {
  int* total = turns + 32;
  if (threadIdx.x != 0) return;
  const unsigned before = (blockIdx.x + gridDim.x - 1) % gridDim.x;
  if (mistaken || blockIdx.x > 0) wait_for_flag(&turns[before], 1);  //: deadlock
  *total += in[blockIdx.x];
  if (blockIdx.x == gridDim.x - 1) out[0] = *total;
  store_release(&turns[blockIdx.x], 1);
}
int sum_of_four(int) {
  return 1 + 2 + 3 + 4;
}

//: pair lock_is_never_released
template <bool mistaken>
__global__ void lock_is_never_released(const int* in, int* out, int* lock) {
  int* total = lock + 32;
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {  //: deadlock
  }
  __threadfence();
  *total += in[blockIdx.x];
  out[0] = *total;
  __threadfence();
  if constexpr (!mistaken) atomicExch(lock, 0);
}

//: pair locks_in_two_orders
// In the mistaken order both blocks have their first lock when they ask for the second.
template <bool mistaken>
__global__ void locks_in_two_orders(const int* in, int* out, int* locks) {
  int* holders = locks + 32;
  int* total = locks + 64;
  if (threadIdx.x != 0) return;
  const unsigned first = mistaken ? blockIdx.x : 0;
  while (atomicCAS(&locks[first], 0, 1) != 0) {
  }
  if constexpr (mistaken) {
    add_relaxed(holders, 1);
    while (load_relaxed(holders) < 2) {
    }
  }
  while (atomicCAS(&locks[first ^ 1], 0, 1) != 0) {  //: deadlock
  }
  __threadfence();
  *total += in[blockIdx.x];
  out[0] = *total;
  __threadfence();
  atomicExch(&locks[first ^ 1], 0);
  atomicExch(&locks[first], 0);
}
int sum_of_two(int) {
  return 1 + 2;
}

//: pair arrives_at_home
// The second CTA means to tell the first one, and tells itself.
template <bool mistaken>
__global__ void __cluster_dims__(2) arrives_at_home(const int* in, int* out) {
  __shared__ int message;
  __shared__ uint64_t told;
  if (threadIdx.x == 0) {
    init_barrier(&told, 1);
    fence_barrier_init();
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    if (cluster_rank() == 1) {
      store_remote(address_in_cta(&message, 0), in[0] + 1);
      arrive_remote(address_in_cta(&told, mistaken ? 1 : 0));
    } else {
      wait_parity_cluster(&told, 0);  //: deadlock
      out[0] = message;
    }
  }
}

//: pair flag_behind_a_barrier
// The second warp polls for what the first one says only behind the barrier that waits for both.
template <bool mistaken>
__global__ void flag_behind_a_barrier(const int* in, int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    if (!mistaken && threadIdx.x == 0) flag = 1;
    named_barrier_sync(1, 64);                   //: deadlock
    if (mistaken && threadIdx.x == 0) flag = 1;  //: other
  } else {
    while (flag == 0) {
    }
    named_barrier_sync(1, 64);
  }
  if (threadIdx.x < 32) out[threadIdx.x] = in[threadIdx.x];
}

//: pair flag_beside_the_flag
// The second block says that it is done, in a word that nobody looks at.
template <bool mistaken>
__global__ void flag_beside_the_flag(const int* in, int* out, int* flags) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    out[1] = in[1];
    __threadfence();
    atomicExch(&flags[mistaken ? 1 : 2], 1);  //: other
  } else {
    while (load_relaxed(&flags[2]) == 0) {  //: deadlock
    }
    out[0] = in[0];
  }
}

//: pair flag_that_nobody_sets
template <bool mistaken>
__global__ void flag_that_nobody_sets(const int* in, int* out, int* flags) {
  if (threadIdx.x == 0 && !mistaken) store_relaxed(flags, 1);
  while (load_relaxed(flags) == 0) {  //: deadlock
  }
  out[threadIdx.x] = in[threadIdx.x];
}

// Who waits looks at the clock between two questions, and asks forever all the same.
//: pair asks_now_and_then
template <bool mistaken>
__global__ void asks_now_and_then(const int* in, int* out, int* flags) {
  if (threadIdx.x == 0 && !mistaken) store_relaxed(flags, 1);
  while (load_relaxed(flags) == 0) {  //: deadlock
    const long long begin = clock64();
    while (clock64() - begin < 100) {
    }
  }
  out[threadIdx.x] = in[threadIdx.x];
}

//: pair count_of_the_last_launch
// All blocks wait until all have come: the count of the first launch is still there in the second.
__device__ int come;
template <bool mistaken>
__global__ void count_of_the_last_launch(const int* in, int* out) {
  if (threadIdx.x != 0) return;
  atomicAdd(&come, 1);                //: other
  while (load_relaxed(&come) != 2) {  //: deadlock //: other
  }
  out[blockIdx.x] = in[blockIdx.x];
}
template <bool mistaken>
Outcome launched_twice() {
  const Memory memory;
  const int none = 0;
  note(cudaMemcpyToSymbol(come, &none, sizeof none));
  count_of_the_last_launch<mistaken><<<2, 32>>>(memory.in, memory.out);
  if constexpr (!mistaken) note(cudaMemcpyToSymbol(come, &none, sizeof none));
  count_of_the_last_launch<mistaken><<<2, 32>>>(memory.in, memory.out);
  return memory.compare(the_input, 2);
}

constexpr Shape first_of_two_blocks{.blocks = 2, .threads = 32, .checked = 1};
constexpr Shape first_of_four_blocks{.blocks = 4, .threads = 32, .checked = 1};

// What copies arrive by adds to the count what it takes away again, and the producers wait for
// the consumers, too.
//: pair copies_add_an_arrival
__device__ void arrive_and_add(uint64_t* barrier) {
  //: other
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(shared_address(barrier))
               : "memory");
}
template <bool mistaken>
__global__ void copies_add_an_arrival(const int* in, int* out) {
  __shared__ alignas(16) int tile[32];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 32);
  prepare_barrier(&empty, 32);
  const unsigned lane = threadIdx.x % 32;
  int sum = 0;
  for (int lap = 0; lap < 4; ++lap) {
    if (threadIdx.x < 32) {
      wait_parity(&empty, (lap & 1) ^ 1);
      cp_async_4(&tile[lane], &in[32 * lap + lane]);
      mistaken ? arrive_and_add(&full) : cp_async_arrive(&full);
    } else {
      wait_parity(&full, lap & 1);  //: deadlock
      sum += tile[31 - lane];
      arrive(&empty);
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

// The loading warp is to meet another one first, which never comes. The others wait for a load that
// is not issued: their parity is right.
//: pair loader_waits_alone
template <bool mistaken>
__global__ void loader_waits_alone(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  for (int i = 0; i < 2; ++i) {
    if (threadIdx.x < 32) {
      named_barrier_sync(1, mistaken ? 64 : 32);  //: deadlock
      if (threadIdx.x == 0) {
        arrive_and_expect(&loaded, sizeof(tile));
        load_bulk(tile, in + 128 * i, sizeof(tile), &loaded);
      }
    }
    wait_parity(&loaded, i);
    out[128 * i + threadIdx.x] = tile[threadIdx.x];
    fence_proxy_async();
    __syncthreads();
  }
}

// What a warp does at the cluster's barrier, its lanes do together. One lane means to use the time
// between arrival and wait, and the others have waited when it comes.
//: pair a_lane_waits_behind_its_warp
template <bool mistaken>
__global__ void __cluster_dims__(2) a_lane_waits_behind_its_warp(const int* in, int* out) {
  unaligned_cluster_arrive();
  if (!mistaken || threadIdx.x != 0) unaligned_cluster_wait();  //: deadlock //: divergent-barrier
  __syncwarp();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) out[i] = in[i];
  if (mistaken && threadIdx.x == 0) unaligned_cluster_wait();
  if (threadIdx.x != 0) out[i] = in[i];
}

//: pair cluster_barriers_of_two_branches
template <bool mistaken>
__global__ void __cluster_dims__(2) cluster_barriers_of_two_branches(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    out[i] = in[i];
    mistaken ? cluster_arrive() : unaligned_cluster_arrive();
    mistaken ? cluster_wait() : unaligned_cluster_wait();
  } else {
    mistaken ? cluster_arrive() : unaligned_cluster_arrive();  //: deadlock //: divergent-barrier
    mistaken ? cluster_wait() : unaligned_cluster_wait();
    out[i] = in[i];
  }
}

int reversed_lane(int i) {
  return 32 - i;
}

// The first warp announces what it has written; one of its lanes means to be early.
//: pair a_lane_arrives_before_its_warp
template <bool mistaken>
__global__ void a_lane_arrives_before_its_warp(const int* in, int* out) {
  __shared__ int tile[32];
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    tile[lane] = in[lane];
    if (mistaken && lane == 0) named_barrier_arrive(1, 64);  //: deadlock //: divergent-barrier
    __syncwarp();
    if (!mistaken || lane != 0) named_barrier_arrive(1, 64);
  } else {
    named_barrier_sync(1, 64);
    out[lane] = tile[31 - lane];
  }
}

// A barrier counts 32 threads of a warp, however many of them live.
//: pair barrier_of_a_lane_that_is_left
template <bool mistaken>
__global__ void barrier_of_a_lane_that_is_left(const int* in, int* out) {
  __shared__ int tile[32];
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    if (lane != 0) return;
    for (int i = 0; i < 32; ++i) tile[i] = in[i];
    named_barrier_sync(1, mistaken ? 96 : 64);  //: deadlock
  } else {
    named_barrier_sync(1, mistaken ? 96 : 64);
    out[lane] = tile[31 - lane];
  }
}

constexpr Pair pairs[] = {
    pair<count_beyond_the_threads<true>, count_beyond_the_threads<false>>(
        "count_beyond_the_threads"),
    pair<count_of_the_consumers_too<true>, count_of_the_consumers_too<false>>(
        "count_of_the_consumers_too"),
    pair<one_lane_releases<true>, one_lane_releases<false>, sum_of_four_laps, two_warps>(
        "one_lane_releases"),
    pair<parity_of_an_empty_ring<true>, parity_of_an_empty_ring<false>, sum_of_four_laps,
         two_warps>("parity_of_an_empty_ring"),
    pair<a_phase_for_each_lap<true>, a_phase_for_each_lap<false>, sum_of_four_laps, two_warps>(
        "a_phase_for_each_lap"),
    pair<barrier_of_the_whole_block<true>, barrier_of_the_whole_block<false>, sum_of_two_laps,
         Shape{.checked = 64}>("barrier_of_the_whole_block"),
    pair<leaves_without_dropping_out<true>, leaves_without_dropping_out<false>, sum_of_halves,
         Shape{.checked = 64}>("leaves_without_dropping_out"),
    pair<one_block_too_many<true>, one_block_too_many<false>, the_next_of_two,
         Shape{.blocks = 2, .threads = 32, .checked = 2}>("one_block_too_many"),
    pair<blocks_in_a_circle<true>, blocks_in_a_circle<false>, sum_of_four, first_of_four_blocks>(
        "blocks_in_a_circle"),
    pair<lock_is_never_released<true>, lock_is_never_released<false>, sum_of_four,
         first_of_four_blocks>("lock_is_never_released"),
    pair<locks_in_two_orders<true>, locks_in_two_orders<false>, sum_of_two, first_of_two_blocks>(
        "locks_in_two_orders"),
    pair<arrives_at_home<true>, arrives_at_home<false>, one_more, first_of_two_blocks>(
        "arrives_at_home"),
    pair<flag_behind_a_barrier<true>, flag_behind_a_barrier<false>, the_input, two_warps>(
        "flag_behind_a_barrier"),
    pair<flag_beside_the_flag<true>, flag_beside_the_flag<false>, the_input,
         Shape{.blocks = 2, .threads = 32, .checked = 2}>("flag_beside_the_flag"),
    pair<flag_that_nobody_sets<true>, flag_that_nobody_sets<false>>("flag_that_nobody_sets"),
    pair<asks_now_and_then<true>, asks_now_and_then<false>>("asks_now_and_then"),
    {"count_of_the_last_launch", launched_twice<true>, launched_twice<false>},
    pair<copies_add_an_arrival<true>, copies_add_an_arrival<false>, sum_of_four_laps, two_warps>(
        "copies_add_an_arrival"),
    pair<loader_waits_alone<true>, loader_waits_alone<false>, the_input, Shape{.checked = 256}>(
        "loader_waits_alone"),
    pair<a_lane_waits_behind_its_warp<true>, a_lane_waits_behind_its_warp<false>, the_input,
         Shape{.blocks = 2, .threads = 64}>("a_lane_waits_behind_its_warp"),
    pair<cluster_barriers_of_two_branches<true>, cluster_barriers_of_two_branches<false>, the_input,
         Shape{.blocks = 2, .threads = 64}>("cluster_barriers_of_two_branches"),
    pair<a_lane_arrives_before_its_warp<true>, a_lane_arrives_before_its_warp<false>, reversed_lane,
         two_warps>("a_lane_arrives_before_its_warp"),
    pair<barrier_of_a_lane_that_is_left<true>, barrier_of_a_lane_that_is_left<false>, reversed_lane,
         two_warps>("barrier_of_a_lane_that_is_left"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
