// Kernels whose findings depended once on when the TMA engine acts and which warp runs first: one
// mistake each, a kernel a cause. test_policies.py asks for the same findings under every timing
// policy.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "ptx.h"

constexpr int INTS = 8192;  // of each array

// By one thread, for all of the CTA: a stage is full by one arrival, and empty by so many.
template <int stages>
__device__ void start_ring(uint64_t (&full)[stages], uint64_t (&empty)[stages], int readers) {
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      init_barrier(&full[s], 1);
      init_barrier(&empty[s], readers);
    }
    fence_barrier_init();
  }
  __syncthreads();
}

// The same of stages that need no empty mbarrier.
template <int stages>
__device__ void start_stages(uint64_t (&full)[stages], int arrivals) {
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) init_barrier(&full[s], arrivals);
    fence_barrier_init();
  }
  __syncthreads();
}

// A thread announces the bytes of a phase and waits for the one before: where the load is fast, for
// the one behind.
__global__ void __cluster_dims__(2)
    waits_behind_its_announcement(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2], empty[2];
  const unsigned rank = cluster_rank();
  const int t = threadIdx.x - 32;
  start_ring(full, empty, 2);
  cluster_sync();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 1; ++i) {
      const int s = i % 2;
      arrive_and_expect(&full[s], 256);
      if (rank == 0) {
        wait_parity_cluster(&empty[s], (i / 2 + 1) % 2);
        load_bulk_multicast(tile[s], in + 64 * i, 256, &full[s], 3);
      }
      wait_parity(&full[s], (i / 2 + 1) % 2);
    }
  } else if (t >= 0) {
    for (int i = 0; i < 1; ++i) {
      const int s = i % 2;
      wait_parity(&full[s], i / 2 % 2);
      out[t + 64 * (rank + i)] = tile[s][t];
      fence_proxy_async_shared_cluster();
      named_barrier_sync(1, 64);
      if (t == 0) arrive_remote(address_in_cta(&empty[s], 0));
    }
  }
  cluster_sync();
}

// Readers wait as the producer does. Where they are first, they hand back what was never loaded,
// and it is the producer that sleeps.
__global__ void both_sides_wait_for_parity_1(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[1][1][64];
  __shared__ uint64_t full[1], empty[1];
  if (threadIdx.x == 0) {
    init_barrier(&full[0], 1);
    init_barrier(&empty[0], 2);
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 1; ++i) {
      constexpr int s = 0;
      wait_parity(&empty[s], (i + 1) % 2);
      arrive_and_expect(&full[s], 256);
      load_bulk(tile[s][0], in + 64 * i, 256, &full[s]);
    }
  } else if (threadIdx.x >= 32 && threadIdx.x < 96) {
    const int t = threadIdx.x - 32;
    for (int i = 0; i < 1; ++i) {
      constexpr int s = 0;
      wait_parity(&full[s], (i + 1) % 2);
      fence_proxy_async_shared();
      __syncwarp();
      if (t % 32 == 0) arrive(&empty[s]);
    }
  }
}

// What is read and written again behind a wait that did not wait.
__global__ void reads_in_place_behind_a_wrong_wait(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[1][64];
  __shared__ uint64_t full[1];
  const int t = threadIdx.x;
  start_stages(full, 1);
  for (int i = 0; i < 3; ++i) {
    constexpr int s = 0;
    if (t == 0) {
      wait_group_read<0>();
      arrive_and_expect(&full[s], 256);
      load_bulk(tile[s], in + 64 * i, 256, &full[s]);
    }
    wait_parity(&full[s], (i + 1) % 2);
    tile[s][t] = tile[s][t] + 1;
    fence_proxy_async_shared();
    __syncthreads();
    if (t == 0) {
      store_bulk(out + 64 * i, tile[s], 256);
      commit_group();
    }
  }
  if (t == 0) wait_group<0>();
}

// Who reads without a wait hands back early; how far the producer comes by that is chance.
__global__ void __cluster_dims__(2) reads_without_a_wait(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2], empty[2];
  const unsigned rank = cluster_rank();
  const int t = threadIdx.x - 32;
  start_ring(full, empty, 2);
  cluster_sync();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) {
      const int s = i % 2;
      arrive_and_expect(&full[s], 256);
      if (rank == 0) {
        wait_parity_cluster(&empty[s], (i / 2 + 1) % 2);
        load_bulk_multicast(tile[s], in + 64 * i, 256, &full[s], 3);
      }
      wait_parity(&full[s], i / 2 % 2);
    }
  } else if (t >= 0) {
    for (int i = 0; i < 3; ++i) {
      const int s = i % 2;
      out[t + 64 * (3 * rank + i)] = tile[s][t];
      fence_proxy_async_shared_cluster();
      named_barrier_sync(1, 64);
      if (t == 0) arrive_remote(address_in_cta(&empty[s], 0));
    }
  }
  cluster_sync();
}

// The next lap of words, into the same place, of which the first may not have come.
__global__ void __cluster_dims__(2)
    sends_the_next_words_unasked(const int* in, int* out, int* other) {
  __shared__ alignas(128) int mine[64], theirs[64];
  __shared__ uint64_t full[1];
  const unsigned peer = cluster_rank() ^ 1;
  const int t = threadIdx.x;
  start_stages(full, 1);
  cluster_sync();
  for (int i = 0; i < 3; ++i) {
    if (t == 0) arrive_and_expect(&full[0], 256);
    store_async(address_in_cta(&theirs[t], peer), in[t] + i, address_in_cta(&full[0], peer));
    wait_parity_cluster(&full[0], i % 2);
    out[t + 64 * (2 * i + peer)] = theirs[t];
    fence_proxy_async_shared_cluster();
  }
  cluster_sync();
}

// The peer cannot announce what comes, since it sleeps where too much has come.
__global__ void __cluster_dims__(2) loads_ahead_of_the_peer(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2], empty[2];
  const unsigned rank = cluster_rank();
  const int t = threadIdx.x - 32;
  start_ring(full, empty, 2);
  cluster_sync();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) {
      const int s = i % 2;
      arrive_and_expect(&full[s], 256);
      if (rank == 0) {
        load_bulk_multicast(tile[s], in + 64 * i, 256, &full[s], 3);
      }
      wait_parity(&full[s], i / 2 % 2);
    }
  } else if (t >= 0) {
    for (int i = 0; i < 3; ++i) {
      const int s = i % 2;
      wait_parity(&full[s], i / 2 % 2);
      out[t + 64 * (3 * rank + i)] = tile[s][t];
      fence_proxy_async_shared_cluster();
      named_barrier_sync(1, 64);
      if (t == 0) arrive_remote(address_in_cta(&empty[s], 0));
    }
  }
  cluster_sync();
}

// The bytes of the next lap, announced where the last one may still be under way.
__global__ void announces_for_the_phase_before(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[3][2][64];
  __shared__ uint64_t full[3], empty[3];
  start_ring(full, empty, 32);
  if (threadIdx.x == 0) {
    for (int i = 0; i < 5; ++i) {
      const int s = i % 3;
      expect(&full[s], 256);
      wait_parity(&empty[s], (i / 3 + 1) % 2);
      load_bulk(tile[s][0], in + 64 * 2 * i, 256, &full[s]);
      expect(&full[s], 256);
      load_bulk(tile[s][1], in + 64 * (2 * i + 1), 256, &full[s]);
      arrive(&full[s]);
    }
  } else if (threadIdx.x >= 32 && threadIdx.x < 64) {
    const int t = threadIdx.x - 32;
    for (int i = 0; i < 5; ++i) {
      const int s = i % 3;
      wait_parity(&full[s], i / 3 % 2);
      out[t + 32 * 2 * i] = tile[s][0][t];
      out[t + 32 * (2 * i + 1)] = tile[s][1][t];
      fence_proxy_async_shared();
      arrive(&empty[s]);
    }
  }
}

// The second arrival takes the place of one of the next lap.
__global__ void __cluster_dims__(2) arrives_twice_in_a_lap(const int* in, int* out, int* other) {
  __shared__ alignas(128) int mine[64], theirs[64];
  __shared__ uint64_t full[1];
  const unsigned peer = cluster_rank() ^ 1;
  const int t = threadIdx.x;
  start_stages(full, 1);
  cluster_sync();
  for (int i = 0; i < 3; ++i) {
    if (t == 0) arrive_and_expect(&full[0], 256);
    if (t == 0) arrive_and_expect(&full[0], 256);
    store_async(address_in_cta(&theirs[t], peer), in[t] + i, address_in_cta(&full[0], peer));
    wait_parity_cluster(&full[0], i % 2);
    out[t + 64 * (2 * i + peer)] = theirs[t];
    fence_proxy_async_shared_cluster();
    cluster_sync();
  }
  cluster_sync();
}

// Of an mbarrier without a count nothing else need be said.
__global__ void counts_no_arrivals(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[3][2][64];
  __shared__ uint64_t full[3], empty[3];
  if (threadIdx.x == 0) {
    init_barrier(&full[0], 0);
    init_barrier(&full[1], 1);
    init_barrier(&full[2], 1);
    init_barrier(&empty[0], 32);
    init_barrier(&empty[1], 32);
    init_barrier(&empty[2], 32);
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 32) {
    for (int i = 0; i < 4; ++i) {
      const int s = i % 3;
      wait_parity(&empty[s], (i / 3 + 1) % 2);
      expect(&full[s], 256);
      load_bulk(tile[s][0], in + 64 * 2 * i, 256, &full[s]);
      expect(&full[s], 256);
      load_bulk(tile[s][1], in + 64 * (2 * i + 1), 256, &full[s]);
      arrive(&full[s]);
    }
  } else if (threadIdx.x < 32) {
    const int t = threadIdx.x;
    for (int i = 0; i < 4; ++i) {
      const int s = i % 3;
      wait_parity(&full[s], i / 3 % 2);
      out[t + 32 * 2 * i] = tile[s][0][t];
      out[t + 32 * (2 * i + 1)] = tile[s][1][t];
      fence_proxy_async_shared();
      arrive(&empty[s]);
    }
  }
}

// Copies of the next lap come too early for the same reason as those of this one.
__global__ void more_copies_arrive_than_are_counted(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[3][64];
  __shared__ uint64_t full[3];
  const int t = threadIdx.x;
  if (threadIdx.x == 0) {
    init_barrier(&full[0], 32);
    init_barrier(&full[1], 64);
    init_barrier(&full[2], 64);
    fence_barrier_init();
  }
  __syncthreads();
  for (int i = 0; i < 2; ++i) {
    cp_async_4(&tile[i][t], in + 64 * i + t);
    cp_async_arrive(&full[i]);
  }
  int sum = 0;
  for (int i = 0; i < 5; ++i) {
    const int s = i % 3, n = (i + 2) % 3;
    wait_parity(&full[s], i / 3 % 2);
    sum += tile[s][(t + 1) % 64];
    __syncthreads();
    if (i + 2 < 5) cp_async_4(&tile[n][t], in + 64 * (i + 2) + t);
    cp_async_arrive(&full[n]);
  }
  out[t] = sum;
}

// Which of two lines is the one too many, if all send the same?
__global__ void __cluster_dims__(2) sends_words_twice(const int* in, int* out, int* other) {
  __shared__ alignas(128) int mine[64], theirs[64];
  __shared__ uint64_t full[1];
  const unsigned peer = cluster_rank() ^ 1;
  const int t = threadIdx.x;
  start_stages(full, 1);
  cluster_sync();
  for (int i = 0; i < 2; ++i) {
    if (t == 0) arrive_and_expect(&full[0], 256);
    store_async(address_in_cta(&theirs[t], peer), in[t] + i, address_in_cta(&full[0], peer));
    store_async(address_in_cta(&theirs[t], peer), in[t] + i, address_in_cta(&full[0], peer));
    wait_parity_cluster(&full[0], i % 2);
    out[t + 64 * (2 * i + peer)] = theirs[t];
    fence_proxy_async_shared_cluster();
    cluster_sync();
  }
  cluster_sync();
}

// A read in front of the wait comes behind the arrival of the lap before, too.
__global__ void __cluster_dims__(2)
    reads_in_front_of_its_wait(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2], empty[2];
  const unsigned rank = cluster_rank();
  const int t = threadIdx.x - 32;
  start_ring(full, empty, 2);
  cluster_sync();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) {
      const int s = i % 2;
      arrive_and_expect(&full[s], 256);
      if (rank == 0) {
        wait_parity_cluster(&empty[s], (i / 2 + 1) % 2);
        load_bulk_multicast(tile[s], in + 64 * i, 256, &full[s], 3);
      }
      wait_parity(&full[s], i / 2 % 2);
    }
  } else if (t >= 0) {
    for (int i = 0; i < 3; ++i) {
      const int s = i % 2;
      out[t + 64 * (3 * rank + i)] = tile[s][t];
      wait_parity(&full[s], i / 2 % 2);
      fence_proxy_async_shared_cluster();
      named_barrier_sync(1, 64);
      if (t == 0) arrive_remote(address_in_cta(&empty[s], 0));
    }
  }
  cluster_sync();
}

// Who does not wait for loads may end before them.
__global__ void prefetches_without_waiting(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2];
  const int t = threadIdx.x;
  start_stages(full, 1);
  if (t == 0) {
    for (int i = 0; i < 1; ++i) {
      arrive_and_expect(&full[i], 256);
      load_bulk(tile[i], in + 64 * i, 256, &full[i]);
    }
  }
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int s = i % 2, n = (i + 2) % 2;
    if (t == 0 && i + 1 < 4) {
      arrive_and_expect(&full[n], 256);
      load_bulk(tile[n], in + 64 * (i + 1), 256, &full[n]);
    }
    sum += tile[s][(t + 1) % 64];
    fence_proxy_async_shared();
    __syncthreads();
  }
  out[t] = sum;
}

// Threads that are slower than the one that stores their tile.
__global__ void stores_without_a_barrier(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[1][64];
  __shared__ uint64_t full[1];
  const int t = threadIdx.x;
  start_stages(full, 1);
  for (int i = 0; i < 2; ++i) {
    constexpr int s = 0;
    if (t == 0) {
      wait_group_read<0>();
      arrive_and_expect(&full[s], 256);
      load_bulk(tile[s], in + 64 * i, 256, &full[s]);
    }
    wait_parity(&full[s], i % 2);
    tile[s][t] = tile[s][t] + 1;
    fence_proxy_async_shared();
    if (t == 0) {
      store_bulk(out + 64 * i, tile[s], 256);
      commit_group();
    }
  }
  if (t == 0) wait_group<0>();
}

// Who comes to know of an mbarrier by waiting for it has used it before that.
__global__ void uses_a_ring_that_may_not_be_there(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2];
  const int t = threadIdx.x;
  if (threadIdx.x == 0) {
    init_barrier(&full[0], 64);
    init_barrier(&full[1], 64);
    fence_barrier_init();
  }
  cp_async_4(&tile[0][t], in + t);
  cp_async_arrive(&full[0]);
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int s = i % 2, n = (i + 1) % 2;
    wait_parity(&full[s], i / 2 % 2);
    sum += tile[s][(t + 1) % 64];
    __syncthreads();
    if (i + 1 < 4) cp_async_4(&tile[n][t], in + 64 * (i + 1) + t);
    cp_async_arrive(&full[n]);
  }
  out[t] = sum;
}

// Two arrivals of one warp take the place of both warps': what is loaded then is not free.
__global__ void hands_a_stage_back_twice(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[1], empty[1];
  start_ring(full, empty, 2);
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) {
      wait_parity(&empty[0], (i + 1) % 2);
      arrive_and_expect(&full[0], 512);
      load_bulk(tile[0], in + 128 * i, 256, &full[0]);
      load_bulk(tile[1], in + 128 * i + 64, 256, &full[0]);
    }
  } else if (threadIdx.x >= 32 && threadIdx.x < 96) {
    const int t = threadIdx.x - 32;
    for (int i = 0; i < 3; ++i) {
      wait_parity(&full[0], i % 2);
      out[t + 128 * i] = tile[0][t];
      out[t + 128 * i + 64] = tile[1][t];
      fence_proxy_async_shared();
      __syncwarp();
      if (t % 32 == 0) arrive(&empty[0]);
      if (t % 32 == 0) arrive(&empty[0]);
    }
  }
}

// The bytes of the next lap, announced before the arrival: the phase that they count in may be
// over.
__global__ void hands_a_stage_back_twice_to_who_announces_first(const int* in, int* out,
                                                                int* other) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full[1], empty[1];
  start_ring(full, empty, 2);
  if (threadIdx.x == 0) {
    for (int i = 0; i < 5; ++i) {
      wait_parity(&empty[0], (i + 1) % 2);
      expect(&full[0], 256);
      load_bulk(tile, in + 64 * i, 256, &full[0]);
      arrive(&full[0]);
    }
  } else if (threadIdx.x >= 32 && threadIdx.x < 96) {
    const int t = threadIdx.x - 32;
    for (int i = 0; i < 5; ++i) {
      wait_parity(&full[0], i % 2);
      out[t + 64 * i] = tile[t];
      fence_proxy_async_shared();
      __syncwarp();
      if (t % 32 == 0) arrive(&empty[0]);
      if (t % 32 == 0) arrive(&empty[0]);
    }
  }
}

// The arrival behind an announcement in a phase that has all of its arrivals is refused, or it is
// one of the next phase.
__global__ void loads_unasked_and_arrives_apart(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2], empty[2];
  start_ring(full, empty, 32);
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) {
      const int s = i % 2;
      expect(&full[s], 256);
      load_bulk(tile[s], in + 64 * i, 256, &full[s]);
      arrive(&full[s]);
    }
  } else if (threadIdx.x >= 32) {
    const int t = threadIdx.x - 32;
    for (int i = 0; i < 3; ++i) {
      const int s = i % 2;
      wait_parity(&full[s], i / 2 % 2);
      out[t + 32 * i] = tile[s][t];
      fence_proxy_async_shared();
      arrive(&empty[s]);
    }
  }
}

// Who writes the tile may come before the copy of it, or behind it.
__global__ void __cluster_dims__(2) copies_without_a_barrier(const int* in, int* out, int* other) {
  __shared__ alignas(128) int mine[64], theirs[64];
  __shared__ uint64_t full[1];
  const unsigned peer = cluster_rank() ^ 1;
  const int t = threadIdx.x;
  start_stages(full, 1);
  cluster_sync();
  if (t == 0) arrive_and_expect(&full[0], 256);
  mine[t] = in[t];
  fence_proxy_async_shared();
  if (t == 0) {
    copy_bulk_to_cta(address_in_cta(theirs, peer), mine, 256, address_in_cta(&full[0], peer));
  }
  wait_parity_cluster(&full[0], 0);
  out[t + 64 * peer] = theirs[t];
  cluster_sync();
}

// Where the wait for a copy is none, its source is overwritten, too, if its thread comes so far.
__global__ void __cluster_dims__(2)
    copies_behind_a_wrong_wait(const int* in, int* out, int* other) {
  __shared__ alignas(128) int mine[64], theirs[64];
  __shared__ uint64_t full[1];
  const unsigned peer = cluster_rank() ^ 1;
  const int t = threadIdx.x;
  start_stages(full, 1);
  cluster_sync();
  for (int i = 0; i < 3; ++i) {
    if (t == 0) arrive_and_expect(&full[0], 256);
    mine[t] = in[t] + i;
    fence_proxy_async_shared();
    __syncthreads();
    if (t == 0) {
      copy_bulk_to_cta(address_in_cta(theirs, peer), mine, 256, address_in_cta(&full[0], peer));
    }
    wait_parity_cluster(&full[0], (i + 1) % 2);
    out[t + 64 * (2 * i + peer)] = theirs[t];
    fence_proxy_async_shared_cluster();
    cluster_sync();
  }
  cluster_sync();
}

// That a store is not waited for is seen at the end, to which a wrong wait may not let its thread
// come.
__global__ void ends_behind_a_wrong_wait(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2];
  const int t = threadIdx.x;
  start_stages(full, 1);
  for (int i = 0; i < 3; ++i) {
    const int s = i % 2;
    if (t == 0) {
      wait_group<1>();
      arrive_and_expect(&full[s], 256);
      load_bulk(tile[s], in + 64 * i, 256, &full[s]);
    }
    wait_parity(&full[s], (i / 2 + 1) % 2);
    tile[s][t] = tile[s][t] + 1;
    fence_proxy_async_shared();
    __syncthreads();
    if (t == 0) {
      store_bulk(out + 64 * i, tile[s], 256);
      commit_group();
    }
  }
}

// Behind a wait that did not wait the next load comes over the tile, twice.
__global__ void loads_twice_and_waits_wrongly(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2];
  const int t = threadIdx.x;
  start_stages(full, 1);
  if (t == 0) {
    arrive_and_expect(&full[0], 256);
    load_bulk(tile[0], in, 256, &full[0]);
    load_bulk(tile[0], in, 256, &full[0]);
  }
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int s = i % 2, n = (i + 1) % 2;
    if (t == 0 && i + 1 < 4) {
      arrive_and_expect(&full[n], 256);
      load_bulk(tile[n], in + 64 * (i + 1), 256, &full[n]);
    }
    wait_parity(&full[s], (i / 2 + 1) % 2);
    sum += tile[s][(t + 1) % 64];
    fence_proxy_async_shared();
    __syncthreads();
  }
  out[t] = sum;
}

// One arrives at an mbarrier that was forgotten and that nobody waits for, if nothing hangs before.
__global__ void __cluster_dims__(2)
    loads_unasked_and_forgets_an_mbarrier(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2], empty[2];
  const unsigned rank = cluster_rank();
  const int t = threadIdx.x - 32;
  if (threadIdx.x == 0) {
    init_barrier(&full[0], 1);
    init_barrier(&full[1], 1);
    init_barrier(&empty[0], 2);
    fence_barrier_init();
  }
  __syncthreads();
  cluster_sync();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 4; ++i) {
      const int s = i % 2;
      arrive_and_expect(&full[s], 256);
      if (rank == 0) load_bulk_multicast(tile[s], in + 64 * i, 256, &full[s], 3);
      wait_parity(&full[s], i / 2 % 2);
    }
  } else if (t >= 0) {
    for (int i = 0; i < 4; ++i) {
      const int s = i % 2;
      wait_parity(&full[s], i / 2 % 2);
      out[t + 64 * (4 * rank + i)] = tile[s][t];
      fence_proxy_async_shared_cluster();
      named_barrier_sync(1, 64);
      if (t == 0) arrive_remote(address_in_cta(&empty[s], 0));
    }
  }
  cluster_sync();
}

// The load may land before or behind what threads have written there that did not wait for it.
__global__ void writes_a_tile_and_waits_for_nothing(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full[1];
  const int t = threadIdx.x;
  start_stages(full, 2);
  if (t == 0) {
    arrive_and_expect(&full[0], 256);
    load_bulk(tile, in, 256, &full[0]);
  }
  tile[t] = tile[t] + 1;
  fence_proxy_async_shared();
  __syncthreads();
  if (t == 0) {
    store_bulk(out, tile, 256);
    commit_group();
    wait_group<0>();
  }
}

struct Kernel {
  const char* name;
  void (*launched)(const int*, int*, int*);
  int blocks;
  int threads;
};
constexpr Kernel kernels[] = {
    {"waits_behind_its_announcement", waits_behind_its_announcement, 2, 96},
    {"both_sides_wait_for_parity_1", both_sides_wait_for_parity_1, 1, 96},
    {"reads_in_place_behind_a_wrong_wait", reads_in_place_behind_a_wrong_wait, 1, 64},
    {"reads_without_a_wait", reads_without_a_wait, 2, 96},
    {"sends_the_next_words_unasked", sends_the_next_words_unasked, 2, 64},
    {"loads_ahead_of_the_peer", loads_ahead_of_the_peer, 2, 96},
    {"announces_for_the_phase_before", announces_for_the_phase_before, 1, 64},
    {"arrives_twice_in_a_lap", arrives_twice_in_a_lap, 2, 64},
    {"counts_no_arrivals", counts_no_arrivals, 1, 64},
    {"more_copies_arrive_than_are_counted", more_copies_arrive_than_are_counted, 1, 64},
    {"sends_words_twice", sends_words_twice, 2, 64},
    {"reads_in_front_of_its_wait", reads_in_front_of_its_wait, 2, 96},
    {"prefetches_without_waiting", prefetches_without_waiting, 1, 64},
    {"stores_without_a_barrier", stores_without_a_barrier, 1, 64},
    {"uses_a_ring_that_may_not_be_there", uses_a_ring_that_may_not_be_there, 1, 64},
    {"hands_a_stage_back_twice", hands_a_stage_back_twice, 1, 96},
    {"hands_a_stage_back_twice_to_who_announces_first",
     hands_a_stage_back_twice_to_who_announces_first, 1, 96},
    {"loads_unasked_and_arrives_apart", loads_unasked_and_arrives_apart, 1, 64},
    {"copies_without_a_barrier", copies_without_a_barrier, 2, 64},
    {"copies_behind_a_wrong_wait", copies_behind_a_wrong_wait, 2, 64},
    {"ends_behind_a_wrong_wait", ends_behind_a_wrong_wait, 1, 64},
    {"loads_twice_and_waits_wrongly", loads_twice_and_waits_wrongly, 1, 64},
    {"loads_unasked_and_forgets_an_mbarrier", loads_unasked_and_forgets_an_mbarrier, 2, 96},
    {"writes_a_tile_and_waits_for_nothing", writes_a_tile_and_waits_for_nothing, 1, 64},
};

int main(int, char** arguments) {
  int *in, *out, *other;
  for (int** array : {&in, &out, &other}) {
    cudaMalloc(array, sizeof(int) * INTS);
    cudaMemset(*array, 1, sizeof(int) * INTS);
  }
  for (const Kernel& kernel : kernels) {
    if (std::strcmp(kernel.name, arguments[1]) == 0) {
      kernel.launched<<<kernel.blocks, kernel.threads>>>(in, out, other);
    }
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
