// What attacks hand in for the pipeline of lab 3: right, and by bulk copies in CTAs that stay, as
// it asks.
#pragma once

#include <algorithm>

#include "device.cuh"
#include "tma-interface.cuh"

constexpr int TILE = 1024;
constexpr int THREADS = 256;
constexpr int CTAS_PER_SM = 2048 / THREADS;

extern "C" __global__ void add_one(int* data, size_t count) {
  __shared__ alignas(128) int tile[TILE];
  __shared__ uint64_t loaded;
  const size_t whole = count / 4 * 4;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
  }
  __syncthreads();
  int parity = 0;
  for (size_t begin = blockIdx.x * size_t{TILE}; begin < whole; begin += gridDim.x * size_t{TILE}) {
    const int ints = static_cast<int>(min(whole - begin, size_t{TILE}));
    const int bytes = ints * static_cast<int>(sizeof(int));
    if (threadIdx.x == 0) {
      expect_bytes_and_arrive(&loaded, bytes);
      cp_async_bulk_global_to_shared(tile, data + begin, bytes, &loaded);
    }
    wait(&loaded, parity);
    for (int i = threadIdx.x; i < ints; i += THREADS) tile[i] += 1;
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      cp_async_bulk_shared_to_global(data + begin, tile, bytes);
      tma_store_commit_group();
      tma_store_wait_until_pending_read<0>();
    }
    parity ^= 1;
  }
  if (blockIdx.x == 0 && whole + threadIdx.x < count) data[whole + threadIdx.x] += 1;
}

inline void launch_honestly(int* data, size_t count) {
  if (count == 0) return;
  const size_t ctas = std::min((count + TILE - 1) / TILE, size_t{CTAS_PER_SM} * sm_count());
  add_one<<<static_cast<unsigned>(ctas), THREADS>>>(data, count);
}
