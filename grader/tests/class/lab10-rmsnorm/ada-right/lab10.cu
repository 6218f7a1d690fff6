#include <cuda_bf16.h>

#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

constexpr int THREADS = 256;

// Sum over the CTA, for everyone.
__device__ float sum_all(float mine) {
  __shared__ float sums[THREADS];
  sums[threadIdx.x] = mine;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  return sums[0];
}

// One CTA per row. residual == nullptr: no residual.
__global__ void norm_row(const bf16* x, bf16* residual, const bf16* weight, bf16* y, int n,
                         float eps) {
  extern __shared__ __align__(16) bf16 buffer[];
  __shared__ uint64_t bar;
  bf16* row = buffer;
  bf16* old = buffer + n;
  size_t start = (size_t)blockIdx.x * n;
  int bytes = n * sizeof(bf16);

  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, residual ? 2 * bytes : bytes);
    cp_async_bulk_global_to_shared(row, x + start, bytes, &bar);
    if (residual) cp_async_bulk_global_to_shared(old, residual + start, bytes, &bar);
  }
  __syncthreads();
  wait(&bar, 0);

  float squares = 0;
  for (int i = threadIdx.x; i < n; i += THREADS) {
    float value = __bfloat162float(row[i]);
    if (residual) {
      old[i] = __float2bfloat16(value + __bfloat162float(old[i]));
      value = __bfloat162float(old[i]);
    }
    squares += value * value;
  }
  float scale = rsqrtf(sum_all(squares) / n + eps);
  for (int i = threadIdx.x; i < n; i += THREADS) {
    float value = __bfloat162float(residual ? old[i] : row[i]);
    row[i] = __float2bfloat16(value * scale * __bfloat162float(weight[i]));
  }

  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    if (residual) cp_async_bulk_shared_to_global(residual + start, old, bytes);
    cp_async_bulk_shared_to_global(y + start, row, bytes);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
}

void launch_add_rms_norm(const bf16* x, bf16* residual, const bf16* weight, bf16* y, int rows,
                         int columns, float eps) {
  if (rows == 0) return;
  int smem = 2 * columns * sizeof(bf16);
  cuda_check(cudaFuncSetAttribute(norm_row, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  norm_row<<<rows, THREADS, smem>>>(x, residual, weight, y, columns, eps);
  cuda_check(cudaGetLastError());
}

void launch_rms_norm(const bf16* x, const bf16* weight, bf16* y, int rows, int columns, float eps) {
  launch_add_rms_norm(x, nullptr, weight, y, rows, columns, eps);
}
