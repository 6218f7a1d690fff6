// Causes of findings that depended on timing: CTAs that load for each other.
#include "causes.cuh"

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

// The bytes of the second copy count in the phase of the next lap, and so on.
__global__ void __cluster_dims__(2) multicasts_twice(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2], empty[2];
  const unsigned rank = cluster_rank();
  const int t = threadIdx.x - 32;
  start_ring(full, empty, 2);
  cluster_sync();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 4; ++i) {
      const int s = i % 2;
      arrive_and_expect(&full[s], 256);
      if (rank == 0) {
        wait_parity_cluster(&empty[s], (i / 2 + 1) % 2);
        load_bulk_multicast(tile[s], in + 64 * i, 256, &full[s], 3);
        load_bulk_multicast(tile[s], in + 64 * i, 256, &full[s], 3);
      }
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

// The same of copies: where the second comes early, the next lap goes on before its own.
__global__ void __cluster_dims__(2) copies_twice(const int* in, int* out, int* other) {
  __shared__ alignas(128) int mine[64], theirs[64];
  __shared__ uint64_t full[1];
  const unsigned peer = cluster_rank() ^ 1;
  const int t = threadIdx.x;
  start_stages(full, 1);
  cluster_sync();
  for (int i = 0; i < 2; ++i) {
    if (t == 0) arrive_and_expect(&full[0], 256);
    mine[t] = in[t] + i;
    fence_proxy_async_shared();
    __syncthreads();
    const uint32_t bar = address_in_cta(&full[0], peer);
    if (t == 0) copy_bulk_to_cta(address_in_cta(theirs, peer), mine, 256, bar);
    if (t == 0) copy_bulk_to_cta(address_in_cta(theirs, peer), mine, 256, bar);
    wait_parity_cluster(&full[0], i % 2);
    out[t + 64 * (2 * i + peer)] = theirs[t];
    fence_proxy_async_shared_cluster();
    cluster_sync();
  }
  cluster_sync();
}

// Who waits for nothing announces the next lap in the phase of this one.
__global__ void __cluster_dims__(2)
    announces_behind_a_wrong_wait(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full[1], empty[1];
  const unsigned rank = cluster_rank();
  const int t = threadIdx.x - 32;
  start_ring(full, empty, 2);
  cluster_sync();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      arrive_and_expect(&full[0], 256);
      if (rank == 0) {
        wait_parity_cluster(&empty[0], (i + 1) % 2);
        load_bulk_multicast(tile, in + 64 * i, 256, &full[0], 3);
      }
      wait_parity(&full[0], (i + 1) % 2);
    }
  } else if (t >= 0) {
    for (int i = 0; i < 2; ++i) {
      wait_parity(&full[0], i % 2);
      out[t + 64 * (2 * rank + i)] = tile[t];
      fence_proxy_async_shared_cluster();
      named_barrier_sync(1, 64);
      if (t == 0) arrive_remote(address_in_cta(&empty[0], 0));
    }
  }
  cluster_sync();
}

// Where the loader does not wait, the readers of one CTA may be a lap ahead of the other's.
__global__ void __cluster_dims__(2)
    waits_behind_its_multicast(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full[1], empty[1];
  const unsigned rank = cluster_rank();
  const int t = threadIdx.x - 32;
  start_ring(full, empty, 2);
  cluster_sync();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) {
      arrive_and_expect(&full[0], 256);
      if (rank == 0) {
        load_bulk_multicast(tile, in + 64 * i, 256, &full[0], 3);
        wait_parity_cluster(&empty[0], (i + 1) % 2);
      }
      wait_parity(&full[0], i % 2);
    }
  } else if (t >= 0) {
    for (int i = 0; i < 3; ++i) {
      wait_parity(&full[0], i % 2);
      out[t + 64 * (3 * rank + i)] = tile[t];
      fence_proxy_async_shared_cluster();
      named_barrier_sync(1, 64);
      if (t == 0) arrive_remote(address_in_cta(&empty[0], 0));
    }
  }
  cluster_sync();
}

// Until the readers' warp is told of the next lap's arrivals, they know of this one's by chance.
__global__ void __cluster_dims__(2)
    hands_a_stage_back_and_reads_it(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full[1], empty[1];
  const unsigned rank = cluster_rank();
  const int t = threadIdx.x - 32;
  start_ring(full, empty, 2);
  cluster_sync();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 4; ++i) {
      arrive_and_expect(&full[0], 256);
      if (rank == 0) {
        wait_parity_cluster(&empty[0], (i + 1) % 2);
        load_bulk_multicast(tile, in + 64 * i, 256, &full[0], 3);
      }
      wait_parity(&full[0], i % 2);
    }
  } else if (t >= 0) {
    for (int i = 0; i < 4; ++i) {
      wait_parity(&full[0], i % 2);
      if (t == 0) arrive_remote(address_in_cta(&empty[0], 0));
      out[t + 64 * (4 * rank + i)] = tile[t];
      fence_proxy_async_shared_cluster();
      named_barrier_sync(1, 64);
    }
  }
  cluster_sync();
}

constexpr Kernel kernels[] = {
    {"waits_behind_its_announcement", waits_behind_its_announcement, 2, 96},
    {"reads_without_a_wait", reads_without_a_wait, 2, 96},
    {"sends_the_next_words_unasked", sends_the_next_words_unasked, 2, 64},
    {"loads_ahead_of_the_peer", loads_ahead_of_the_peer, 2, 96},
    {"arrives_twice_in_a_lap", arrives_twice_in_a_lap, 2, 64},
    {"sends_words_twice", sends_words_twice, 2, 64},
    {"reads_in_front_of_its_wait", reads_in_front_of_its_wait, 2, 96},
    {"copies_without_a_barrier", copies_without_a_barrier, 2, 64},
    {"copies_behind_a_wrong_wait", copies_behind_a_wrong_wait, 2, 64},
    {"loads_unasked_and_forgets_an_mbarrier", loads_unasked_and_forgets_an_mbarrier, 2, 96},
    {"multicasts_twice", multicasts_twice, 2, 96},
    {"copies_twice", copies_twice, 2, 64},
    {"announces_behind_a_wrong_wait", announces_behind_a_wrong_wait, 2, 96},
    {"waits_behind_its_multicast", waits_behind_its_multicast, 2, 96},
    {"hands_a_stage_back_and_reads_it", hands_a_stage_back_and_reads_it, 2, 96},
};

int main(int, char** arguments) {
  return launch(kernels, arguments[1]);
}
