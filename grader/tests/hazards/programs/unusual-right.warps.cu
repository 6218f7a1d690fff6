// Right programs that look like mistakes: one lane goes on for a warp that has met at an
// instruction which orders no memory, fences stand where arrivals are relaxed, and lanes come to
// one barrier from two places. There is nothing to find in them; what the harness calls mistaken is
// the right kernel once more.
#include "harness.h"
#include "ptx.h"

template <auto kernel, int (*expected)(int), Shape shape>
constexpr Pair right(const char* name) {
  return pair<kernel, kernel, expected, shape>(name);
}

constexpr int TILES = 4;
constexpr int WARP = 32;
constexpr Shape RING{.threads = 2 * WARP, .checked = TILES * WARP};

// Two warps hand over one tile after another. All lanes wait; `one_lane` says who goes on.
template <class OneLane>
__device__ void hand_over(const int* in, int* out, OneLane one_lane) {
  __shared__ alignas(128) int tile[WARP];
  __shared__ uint64_t full, empty;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    init_barrier(&empty, 1);
  }
  __syncthreads();
  for (int i = 0; i < TILES; ++i) {
    if (threadIdx.x < WARP) {
      wait_parity(&empty, i % 2 ^ 1);
      if (one_lane()) {
        arrive_and_expect(&full, sizeof(tile));
        load_bulk(tile, in + WARP * i, sizeof(tile), &full);
      }
    } else {
      wait_parity(&full, i % 2);
      out[WARP * i + threadIdx.x % WARP] = tile[threadIdx.x % WARP];
      fence_proxy_async_shared();
      __syncwarp();
      if (threadIdx.x % WARP == 0) {
        arrive(&empty);
      }
    }
  }
}

//: pair elected
// CUTLASS issues so.
__global__ void elected(const int* in, int* out) {
  hand_over(in, out, [] {
    unsigned is_elected;
    asm volatile("{\n .reg .pred p;\n elect.sync _|p, 0xffffffff;\n selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(is_elected)::"memory");
    return is_elected != 0;
  });
}

//: pair behind_a_vote
__global__ void behind_a_vote(const int* in, int* out) {
  hand_over(in, out, [] { return __any_sync(0xffffffff, true) && threadIdx.x == 0; });
}

//: pair lap_closed_by_the_engine
// Lanes that have only waited are heard of: the loads are issued behind the __syncwarp(), and the
// phase does not end before them.
__global__ void lap_closed_by_the_engine(const int* in, int* out) {
  __shared__ alignas(128) int tile[WARP];
  __shared__ uint64_t full, empty;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    init_barrier(&empty, 1);
  }
  __syncthreads();
  for (int i = 0; i < TILES; ++i) {
    if (threadIdx.x < WARP) {
      wait_parity(&empty, i % 2 ^ 1);
      if (threadIdx.x == 0) {
        arrive_and_expect(&full, sizeof(tile));
      }
      __syncwarp();
      if (threadIdx.x < 2) {
        load_bulk(&tile[16 * threadIdx.x], in + WARP * i + 16 * threadIdx.x, 64, &full);
      }
    } else {
      wait_parity(&full, i % 2);
      out[WARP * i + threadIdx.x % WARP] = tile[threadIdx.x % WARP];
      fence_proxy_async_shared();
      __syncwarp();
      if (threadIdx.x % WARP == 0) {
        arrive(&empty);
      }
    }
  }
}

// The second warp writes over what the first one has read, summed up by `sum`, and released.
template <class Sum>
__device__ void read_and_release(const int* in, int* out, Sum sum) {
  __shared__ int values[WARP];
  __shared__ uint64_t read;
  const unsigned lane = threadIdx.x % WARP;
  if (threadIdx.x == 0) {
    init_barrier(&read, 1);
  }
  if (threadIdx.x < WARP) {
    values[lane] = in[lane];
  }
  __syncthreads();
  if (threadIdx.x < WARP) {
    const int total = sum(values[WARP - 1 - lane]);
    if (lane == 0) {
      out[0] = total;
      arrive(&read);
    }
  } else {
    wait_parity(&read, 0);
    values[lane] = 0;
  }
}
int sum_of_32(int) {
  return 32 * 33 / 2;
}
constexpr Shape ONE_SUM{.threads = 2 * WARP, .checked = 1};

//: pair read_shuffled_released
__global__ void read_shuffled_released(const int* in, int* out) {
  read_and_release(in, out, [](int value) {
    for (int distance = 16; distance > 0; distance /= 2) {
      value += __shfl_xor_sync(0xffffffff, value, distance);
    }
    return value;
  });
}

//: pair read_reduced_released
__global__ void read_reduced_released(const int* in, int* out) {
  read_and_release(in, out, [](int value) { return __reduce_add_sync(0xffffffff, value); });
}

//: pair fence_before_a_relaxed_arrival
// The example of the PTX ISA, "barrier.cluster".
__global__ void __cluster_dims__(2) fence_before_a_relaxed_arrival(const int* in, int* out) {
  __shared__ int value;
  if (threadIdx.x == 0) {
    value = in[cluster_rank()];
  }
  cluster_sync();
  if (threadIdx.x == 0 && cluster_rank() == 0) {
    out[0] = load_remote(address_in_cta(&value, 1)) - 1;
  }
  fence_cluster();
  cluster_arrive_relaxed();
  cluster_wait();
  if (threadIdx.x == 0 && cluster_rank() == 1) {
    value = 0;
  }
}

//: pair lanes_at_two_unaligned_barriers
// PTX ISA, "barrier": only .aligned asks that all threads of a warp execute the same one.
__global__ void lanes_at_two_unaligned_barriers(const int* in, int* out) {
  __shared__ int values[WARP];
  if (threadIdx.x >= WARP) {
    values[threadIdx.x - WARP] = in[threadIdx.x - WARP];
    named_barrier_arrive(2, 2 * WARP);
  } else if (threadIdx.x == 0) {
    named_barrier_sync(2, 2 * WARP);
    out[0] = values[0];
  } else {
    named_barrier_sync(2, 2 * WARP);
    out[threadIdx.x] = values[threadIdx.x];
  }
}

//: pair poll_that_gives_up
// Nobody ever sets the flag. Who counts how often he has looked waits for nobody.
constexpr int POLLS = 20000;
__global__ void poll_that_gives_up(const int*, int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) {
    flag = 0;
  }
  __syncthreads();
  int polls = 0;
  while (polls < POLLS && *static_cast<volatile int*>(&flag) == 0) {
    ++polls;
  }
  out[threadIdx.x] = polls;
}
int all_polls(int) {
  return POLLS;
}

//: pair two_warps_add_the_tile
// PTX ISA, "cp.reduce.async.bulk": each element is added atomically, so it is there twice.
__global__ void two_warps_add_the_tile(const int* in, int* out) {
  __shared__ alignas(128) int tile[2 * WARP];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x % WARP == 0) {
    reduce_add_bulk(out, tile, sizeof(tile));
    commit_group();
    wait_group<0>();
  }
}

//: pair lanes_come_to_stmatrix_one_after_another
// PTX ISA, "stmatrix": .aligned asks that all threads of the warp execute it, not that they come
// together. An address is there when its own lane has come.
__global__ void lanes_come_to_stmatrix_one_after_another(const int* in, int* out) {
  __shared__ alignas(16) int matrices[4][8][4];
  __shared__ alignas(16) int first[4];
  if (threadIdx.x == 0) {
    first[0] = first[1] = first[2] = first[3] = 0;
    fence_proxy_async_shared();
    store_bulk(out, first, sizeof(first));
    commit_group();
    wait_group<0>();  // the other lanes are at the barrier meanwhile
  }
  __syncthreads();
  int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane)::"memory");  // not above the barrier
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   shared_address(matrices[lane / 8][lane % 8])),
               "r"(in[lane]), "r"(in[WARP + lane]), "r"(in[2 * WARP + lane]),
               "r"(in[3 * WARP + lane])
               : "memory");
  __syncthreads();
  for (int i = lane; i < 4 * WARP; i += WARP) {
    out[i] = matrices[0][0][i];
  }
}

//: pair whole_cta_from_two_places
// All threads come to barrier 15: some warps from one place, some from another. `.aligned` asks no
// more than that the lanes of a warp come together.
__global__ void whole_cta_from_two_places(const int* in, int* out) {
  __shared__ int first;
  if (threadIdx.x >= WARP) {
    if (threadIdx.x == WARP) first = in[0];
    asm volatile("bar.sync 15;" ::: "memory");
  } else {
    asm volatile("bar.sync 15;" ::: "memory");
    out[threadIdx.x] = first + static_cast<int>(threadIdx.x);
  }
}

int start_and_twice_the_input(int i) {
  return -1 + twice_the_input(i);
}

constexpr Pair pairs[] = {
    right<elected, the_input, RING>("elected"),
    right<behind_a_vote, the_input, RING>("behind_a_vote"),
    right<lap_closed_by_the_engine, the_input, RING>("lap_closed_by_the_engine"),
    right<read_shuffled_released, sum_of_32, ONE_SUM>("read_shuffled_released"),
    right<read_reduced_released, sum_of_32, ONE_SUM>("read_reduced_released"),
    right<fence_before_a_relaxed_arrival, the_input,
          Shape{.blocks = 2, .threads = 32, .checked = 1}>("fence_before_a_relaxed_arrival"),
    right<lanes_at_two_unaligned_barriers, the_input, Shape{.threads = 2 * WARP, .checked = WARP}>(
        "lanes_at_two_unaligned_barriers"),
    right<poll_that_gives_up, all_polls, Shape{.threads = WARP, .checked = WARP}>(
        "poll_that_gives_up"),
    right<two_warps_add_the_tile, start_and_twice_the_input,
          Shape{.threads = 2 * WARP, .checked = 2 * WARP}>("two_warps_add_the_tile"),
    right<lanes_come_to_stmatrix_one_after_another, the_input,
          Shape{.threads = WARP, .checked = 4 * WARP}>("lanes_come_to_stmatrix_one_after_another"),
    right<whole_cta_from_two_places, the_input, Shape{.threads = 2 * WARP, .checked = WARP}>(
        "whole_cta_from_two_places"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
