// Causes of findings that depended on timing: tiles that are stored from where they were loaded.
#include "causes.cuh"

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

// Who uses its tile before it waits does so before the last one is stored, too.
__global__ void waits_behind_its_use(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full[1];
  const int t = threadIdx.x;
  start_stages(full, 1);
  for (int i = 0; i < 4; ++i) {
    if (t == 0) {
      wait_group<0>();
      arrive_and_expect(&full[0], 256);
      load_bulk(tile, in + 64 * i, 256, &full[0]);
    }
    tile[t] = tile[t] + 1;
    wait_parity(&full[0], i % 2);
    fence_proxy_async_shared();
    __syncthreads();
    if (t == 0) {
      store_bulk(out + 64 * i, tile, 256);
      commit_group();
    }
  }
  if (t == 0) wait_group<0>();
}

// The same without the barrier, by threads that are laps behind.
__global__ void stores_three_times_without_a_barrier(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full[1];
  const int t = threadIdx.x;
  start_stages(full, 1);
  for (int i = 0; i < 3; ++i) {
    if (t == 0) {
      wait_group<0>();
      arrive_and_expect(&full[0], 256);
      load_bulk(tile, in + 64 * i, 256, &full[0]);
    }
    wait_parity(&full[0], i % 2);
    tile[t] = tile[t] + 1;
    fence_proxy_async_shared();
    if (t == 0) {
      store_bulk(out + 64 * i, tile, 256);
      commit_group();
    }
  }
  if (t == 0) wait_group<0>();
}

// Who waits for nothing writes the tile again while it is being stored.
__global__ void stores_behind_a_wrong_wait(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2];
  const int t = threadIdx.x;
  start_stages(full, 1);
  for (int i = 0; i < 5; ++i) {
    const int s = i % 2;
    if (t == 0) {
      wait_group_read<1>();
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
  if (t == 0) wait_group<0>();
}

constexpr Kernel kernels[] = {
    {"reads_in_place_behind_a_wrong_wait", reads_in_place_behind_a_wrong_wait, 1, 64},
    {"stores_without_a_barrier", stores_without_a_barrier, 1, 64},
    {"ends_behind_a_wrong_wait", ends_behind_a_wrong_wait, 1, 64},
    {"writes_a_tile_and_waits_for_nothing", writes_a_tile_and_waits_for_nothing, 1, 64},
    {"waits_behind_its_use", waits_behind_its_use, 1, 64},
    {"stores_three_times_without_a_barrier", stores_three_times_without_a_barrier, 1, 64},
    {"stores_behind_a_wrong_wait", stores_behind_a_wrong_wait, 1, 64},
};

int main(int, char** arguments) {
  return launch(kernels, arguments[1]);
}
