#include <cuda_bf16.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

constexpr int BYTES = 4096;  // of a tile
constexpr int DEPTH = 4;
constexpr int CTAS = 264;

struct Turn {
  int stage = 0, parity = 0;
  __device__ void next() {
    if (++stage < DEPTH) return;
    stage = 0;
    parity ^= 1;
  }
};

__global__ void tma_multiwarp_pipeline(char* dest, const char* src, size_t bytes) {
  __shared__ alignas(16) char tile[DEPTH][BYTES];
  __shared__ uint64_t full[DEPTH], empty[DEPTH];
  size_t end = bytes / 16 * 16, step = size_t(gridDim.x) * BYTES;
  if (threadIdx.x == 0) {
    for (int i = 0; i < DEPTH; ++i) {
      init_barrier(&full[i], 1);
      init_barrier(&empty[i], 1);
    }
    async_proxy_fence();
  }
  __syncthreads();
  Turn t;
  if (threadIdx.x == 0) {
    for (size_t i = size_t(blockIdx.x) * BYTES; i < end; i += step, t.next()) {
      wait(&empty[t.stage], t.parity ^ 1);
      int n = min(end - i, size_t(BYTES));
      expect_bytes_and_arrive(&full[t.stage], n);
      cp_async_bulk_global_to_shared(tile[t.stage], src + i, n, &full[t.stage]);
    }
  } else if (threadIdx.x == 32) {
    for (size_t i = size_t(blockIdx.x) * BYTES; i < end; i += step, t.next()) {
      wait(&full[t.stage], t.parity);
      cp_async_bulk_shared_to_global(dest + i, tile[t.stage], min(end - i, size_t(BYTES)));
      tma_store_commit_group();
      tma_store_wait_until_pending_read<0>();
      arrive(&empty[t.stage], 1);
    }
  }
  if (blockIdx.x == 0 && end + threadIdx.x < bytes)
    dest[end + threadIdx.x] = src[end + threadIdx.x];
}

void launch_multiwarp_pipeline(bf16* dest, bf16* src, const int N) {
  if (N == 0) return;
  tma_multiwarp_pipeline<<<CTAS, 64>>>((char*)dest, (const char*)src, size_t(N) * 2);
  cuda_check(cudaGetLastError());
}

constexpr int WORKERS = 128;

__global__ void axpy(float a, const float* x, float* y, size_t count) {
  __shared__ alignas(16) float xs[DEPTH][BYTES / 4], ys[DEPTH][BYTES / 4];
  __shared__ uint64_t full[DEPTH], done[DEPTH], empty[DEPTH];
  size_t end = count / 4 * 4, step = size_t(gridDim.x) * BYTES / 4;
  if (threadIdx.x == 0) {
    for (int i = 0; i < DEPTH; ++i) {
      init_barrier(&full[i], 1);
      init_barrier(&done[i], WORKERS);
      init_barrier(&empty[i], 1);
    }
    async_proxy_fence();
  }
  __syncthreads();
  Turn t;
  for (size_t i = size_t(blockIdx.x) * BYTES / 4; i < end; i += step, t.next()) {
    int n = min(end - i, size_t(BYTES / 4));
    if (threadIdx.x < WORKERS) {
      wait(&full[t.stage], t.parity);
      for (int k = threadIdx.x; k < n; k += WORKERS) {
        ys[t.stage][k] += a * xs[t.stage][k];
      }
      async_proxy_fence();
      arrive(&done[t.stage], 1);
    } else if (threadIdx.x == WORKERS) {
      wait(&empty[t.stage], t.parity ^ 1);
      expect_bytes_and_arrive(&full[t.stage], 8 * n);
      cp_async_bulk_global_to_shared(xs[t.stage], x + i, 4 * n, &full[t.stage]);
      cp_async_bulk_global_to_shared(ys[t.stage], y + i, 4 * n, &full[t.stage]);
    } else if (threadIdx.x == WORKERS + 32) {
      wait(&done[t.stage], t.parity);
      cp_async_bulk_shared_to_global(y + i, ys[t.stage], 4 * n);
      tma_store_commit_group();
      tma_store_wait_until_pending_read<0>();
      arrive(&empty[t.stage], 1);
    }
  }
  if (blockIdx.x == 0 && end + threadIdx.x < count) {
    y[end + threadIdx.x] += a * x[end + threadIdx.x];
  }
}

void launch_axpy(float a, const float* x, float* y, size_t count) {
  if (count == 0) return;
  axpy<<<CTAS, WORKERS + 64>>>(a, x, y, count);
  cuda_check(cudaGetLastError());
}
