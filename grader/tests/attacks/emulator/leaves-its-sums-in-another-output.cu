// Has the engine load and store without any tile that both threads and the engine touch: threads
// leave the sums in y, from where the engine copies them to the residual; and then they write y.
//
// Fails: what threads leave in an array for the engine is taken from what the part is about.
#include <cuda_bf16.h>

#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

constexpr int THREADS = 256;
constexpr int ROW_BYTES = 16384 * sizeof(bf16);

// All threads: brings a row.
__device__ void bring(bf16* to, const bf16* from, int columns, uint64_t* loaded) {
  if (threadIdx.x == 0) {
    init_barrier(loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(loaded, columns * 2);
    cp_async_bulk_global_to_shared(to, from, columns * 2, loaded);
  }
  __syncthreads();
  wait(loaded, 0);
}

extern __shared__ __align__(128) bf16 rows[];

__global__ void add_rows(const bf16* x, const bf16* residual, bf16* y, int columns) {
  __shared__ uint64_t loaded[2];
  const size_t begin = static_cast<size_t>(blockIdx.x) * columns;
  bf16* const other = rows + ROW_BYTES / sizeof(bf16);
  bring(rows, x + begin, columns, &loaded[0]);
  bring(other, residual + begin, columns, &loaded[1]);
  for (int i = threadIdx.x; i < columns; i += THREADS) y[begin + i] = __hadd(rows[i], other[i]);
}

__global__ void copy_rows(bf16* to, const bf16* from, int columns) {
  __shared__ uint64_t loaded;
  const size_t begin = static_cast<size_t>(blockIdx.x) * columns;
  bring(rows, from + begin, columns, &loaded);
  if (threadIdx.x == 0) {
    cp_async_bulk_shared_to_global(to + begin, rows, columns * 2);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
}

__global__ void scale_rows(const bf16* residual, const bf16* weight, bf16* y, int columns,
                           float eps) {
  __shared__ uint64_t loaded;
  __shared__ float squares[THREADS];
  const size_t begin = static_cast<size_t>(blockIdx.x) * columns;
  bring(rows, residual + begin, columns, &loaded);
  squares[threadIdx.x] = 0;
  for (int i = threadIdx.x; i < columns; i += THREADS) {
    squares[threadIdx.x] += __bfloat162float(rows[i]) * __bfloat162float(rows[i]);
  }
  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) squares[threadIdx.x] += squares[threadIdx.x + half];
  }
  __syncthreads();
  const float scale = rsqrtf(squares[0] / columns + eps);
  for (int i = threadIdx.x; i < columns; i += THREADS) {
    y[begin + i] =
        __float2bfloat16(__bfloat162float(rows[i]) * scale * __bfloat162float(weight[i]));
  }
}

void launch_add_rms_norm(const bf16* x, bf16* residual, const bf16* weight, bf16* y, int count,
                         int columns, float eps) {
  if (count == 0) return;
  constexpr auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  cudaFuncSetAttribute(add_rows, most, 2 * ROW_BYTES);
  cudaFuncSetAttribute(copy_rows, most, ROW_BYTES);
  cudaFuncSetAttribute(scale_rows, most, ROW_BYTES);
  add_rows<<<count, THREADS, 2 * ROW_BYTES>>>(x, residual, y, columns);
  copy_rows<<<count, THREADS, ROW_BYTES>>>(residual, y, columns);
  scale_rows<<<count, THREADS, ROW_BYTES>>>(residual, weight, y, columns, eps);
}
