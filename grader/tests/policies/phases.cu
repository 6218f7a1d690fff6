// Causes of findings that depended on timing: mbarriers whose phases end by other bytes than were
// meant.
#include "causes.cuh"

// The bytes of the second time end a phase of the next lap, and all that is told of the stage
// behind that is chance.
__global__ void __cluster_dims__(2)
    multicasts_twice_into_one_stage(const int* in, int* out, int* other) {
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
        wait_parity_cluster(&empty[0], (i + 1) % 2);
        load_bulk_multicast(tile, in + 64 * i, 256, &full[0], 3);
        load_bulk_multicast(tile, in + 64 * i, 256, &full[0], 3);
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

// A phase is over when half of its bytes are there; whether the other half meets a reader of the
// next lap is chance.
__global__ void announces_one_load_of_two(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][2][64];
  __shared__ uint64_t full[2], empty[2];
  start_ring(full, empty, 64);
  if (threadIdx.x == 0) {
    for (int i = 0; i < 5; ++i) {
      const int s = i % 2;
      wait_parity(&empty[s], (i / 2 + 1) % 2);
      arrive_and_expect(&full[s], 256);
      load_bulk(tile[s][0], in + 64 * (2 * i), 256, &full[s]);
      load_bulk(tile[s][1], in + 64 * (2 * i + 1), 256, &full[s]);
    }
  } else if (threadIdx.x >= 32 && threadIdx.x < 96) {
    const int t = threadIdx.x - 32;
    for (int i = 0; i < 5; ++i) {
      const int s = i % 2;
      wait_parity(&full[s], i / 2 % 2);
      out[t + 64 * (2 * i)] = tile[s][0][t];
      out[t + 64 * (2 * i + 1)] = tile[s][1][t];
      fence_proxy_async_shared();
      arrive(&empty[s]);
    }
  }
}

// It is meant to be loaded for the next lap, and is the stage of this one: each lap begins a phase
// more than its wait counts, or does not, where the engine was slower.
__global__ void loads_ahead_into_its_own_stage(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2];
  const int t = threadIdx.x;
  start_stages(full, 1);
  if (t == 0) {
    arrive_and_expect(&full[0], 256);
    load_bulk(tile[0], in, 256, &full[0]);
  }
  int sum = 0;
  for (int i = 0; i < 6; ++i) {
    const int s = i % 2;
    if (t == 0 && i + 1 < 6) {
      arrive_and_expect(&full[s], 256);
      load_bulk(tile[s], in + 64 * (i + 1), 256, &full[s]);
    }
    wait_parity(&full[s], i / 2 % 2);
    sum += tile[s][(t + 1) % 64];
    fence_proxy_async_shared();
    __syncthreads();
  }
  out[t] = sum;
}

constexpr Kernel kernels[] = {
    {"multicasts_twice_into_one_stage", multicasts_twice_into_one_stage, 2, 96},
    {"announces_one_load_of_two", announces_one_load_of_two, 1, 96},
    {"loads_ahead_into_its_own_stage", loads_ahead_into_its_own_stage, 1, 64},
};

int main(int, char** arguments) {
  return launch(kernels, arguments[1]);
}
