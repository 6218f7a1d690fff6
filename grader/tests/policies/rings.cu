// Causes of findings that depended on timing: rings of stages that one thread fills.
#include "causes.cuh"

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

// Each of two arrivals ends a phase. A producer that waits just between the two is let through by
// the second while its last loads are under way; a slower one misses that phase, and sleeps.
__global__ void hands_a_stage_back_by_two_phases(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[1], empty[1];
  start_ring(full, empty, 1);
  if (threadIdx.x == 32) {
    for (int i = 0; i < 5; ++i) {
      wait_parity(&empty[0], (i + 1) % 2);
      load_bulk(tile[0], in + 128 * i, 256, &full[0]);
      load_bulk(tile[1], in + 128 * i + 64, 256, &full[0]);
      arrive_and_expect(&full[0], 512);
    }
  } else if (threadIdx.x < 32) {
    const int t = threadIdx.x;
    for (int i = 0; i < 5; ++i) {
      wait_parity(&full[0], i % 2);
      out[t + 64 * i] = tile[0][t];
      out[t + 64 * i + 32] = tile[1][t];
      fence_proxy_async_shared();
      __syncwarp();
      if (t == 0) arrive(&empty[0]);
      if (t == 0) arrive(&empty[0]);
    }
  }
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

// The surplus arrival of a lap is one of the next, where the right one of that lap is too many.
__global__ void announces_twice_behind_its_load(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2], empty[2];
  start_ring(full, empty, 1);
  if (threadIdx.x == 32) {
    for (int i = 0; i < 4; ++i) {
      const int s = i % 2;
      wait_parity(&empty[s], (i / 2 + 1) % 2);
      load_bulk(tile[s], in + 64 * i, 256, &full[s]);
      arrive_and_expect(&full[s], 256);
      arrive_and_expect(&full[s], 256);
    }
  } else if (threadIdx.x < 32) {
    const int t = threadIdx.x;
    for (int i = 0; i < 4; ++i) {
      const int s = i % 2;
      wait_parity(&full[s], i / 2 % 2);
      out[t + 32 * i] = tile[s][t];
      fence_proxy_async_shared();
      __syncwarp();
      if (t == 0) arrive(&empty[s]);
    }
  }
}

// Where the load is slow, the thread that loads ahead reads before it has landed.
__global__ void loads_ahead_into_the_stage_in_use(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[3][64];
  __shared__ uint64_t full[3];
  const int t = threadIdx.x;
  start_stages(full, 1);
  if (t == 0) {
    for (int i = 0; i < 2; ++i) {
      arrive_and_expect(&full[i], 256);
      load_bulk(tile[i], in + 64 * i, 256, &full[i]);
    }
  }
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int s = i % 3;
    if (t == 0 && i + 2 < 4) {
      arrive_and_expect(&full[s], 256);
      load_bulk(tile[s], in + 64 * (i + 2), 256, &full[s]);
    }
    wait_parity(&full[s], i / 3 % 2);
    sum += tile[s][(t + 1) % 64];
    fence_proxy_async_shared();
    __syncthreads();
  }
  out[t] = sum;
}

// Each of many arrives twice, and whoever comes last in one lap is another one in the next.
__global__ void hands_a_stage_back_twice_by_all_lanes(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][2][64];
  __shared__ uint64_t full[2], empty[2];
  start_ring(full, empty, 32);
  if (threadIdx.x == 32) {
    for (int i = 0; i < 4; ++i) {
      const int s = i % 2;
      wait_parity(&empty[s], (i / 2 + 1) % 2);
      arrive_and_expect(&full[s], 512);
      load_bulk(tile[s][0], in + 128 * i, 256, &full[s]);
      load_bulk(tile[s][1], in + 128 * i + 64, 256, &full[s]);
    }
  } else if (threadIdx.x < 32) {
    for (int i = 0; i < 4; ++i) {
      const int s = i % 2;
      wait_parity(&full[s], i / 2 % 2);
      out[threadIdx.x + 64 * i] = tile[s][0][threadIdx.x];
      out[threadIdx.x + 64 * i + 32] = tile[s][1][threadIdx.x];
      fence_proxy_async_shared();
      arrive(&empty[s]);
      arrive(&empty[s]);
    }
  }
}

// What readers gave back of the last lap is not why a load that waits for nothing meets them.
__global__ void loads_in_front_of_its_wait(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2], empty[2];
  start_ring(full, empty, 2);
  if (threadIdx.x == 0) {
    for (int i = 0; i < 4; ++i) {
      const int s = i % 2;
      load_bulk(tile[s], in + 64 * i, 256, &full[s]);
      wait_parity(&empty[s], (i / 2 + 1) % 2);
      arrive_and_expect(&full[s], 256);
    }
  } else if (threadIdx.x >= 32) {
    const int t = threadIdx.x - 32;
    for (int i = 0; i < 4; ++i) {
      const int s = i % 2;
      wait_parity(&full[s], i / 2 % 2);
      out[t + 64 * i] = tile[s][t];
      fence_proxy_async_shared();
      __syncwarp();
      if (t % 32 == 0) arrive(&empty[s]);
    }
  }
}

constexpr Kernel kernels[] = {
    {"both_sides_wait_for_parity_1", both_sides_wait_for_parity_1, 1, 96},
    {"announces_for_the_phase_before", announces_for_the_phase_before, 1, 64},
    {"counts_no_arrivals", counts_no_arrivals, 1, 64},
    {"prefetches_without_waiting", prefetches_without_waiting, 1, 64},
    {"hands_a_stage_back_by_two_phases", hands_a_stage_back_by_two_phases, 1, 64},
    {"hands_a_stage_back_twice", hands_a_stage_back_twice, 1, 96},
    {"hands_a_stage_back_twice_to_who_announces_first",
     hands_a_stage_back_twice_to_who_announces_first, 1, 96},
    {"loads_unasked_and_arrives_apart", loads_unasked_and_arrives_apart, 1, 64},
    {"loads_twice_and_waits_wrongly", loads_twice_and_waits_wrongly, 1, 64},
    {"announces_twice_behind_its_load", announces_twice_behind_its_load, 1, 64},
    {"loads_ahead_into_the_stage_in_use", loads_ahead_into_the_stage_in_use, 1, 64},
    {"hands_a_stage_back_twice_by_all_lanes", hands_a_stage_back_twice_by_all_lanes, 1, 64},
    {"loads_in_front_of_its_wait", loads_in_front_of_its_wait, 1, 96},
};

int main(int, char** arguments) {
  return launch(kernels, arguments[1]);
}
