// Many CTAs write the same bytes to the same place without any order, and the next kernel reads
// them: what stays is defined, whoever comes last. By stores and loads, by cp.async and by the TMA
// engine, of whose stores tmaemu says that they overlap.
#include <cuda_pipeline.h>

#include <vector>

#include "runtime_test.h"
#include "tma-interface.cuh"

constexpr int threads = 64;
constexpr int ctas = 1000;
constexpr int values = 1024;

__device__ int value_at(int i) {
  return 3 * i + 1;
}

__global__ void write_by_stores(int* data) {
  const int t = static_cast<int>(threadIdx.x);
  for (int i = t; i < values; i += threads) data[i] = value_at(i);
  auto* const vectors = reinterpret_cast<int4*>(data);
  const int first = 4 * t;
  vectors[t] = {value_at(first), value_at(first + 1), value_at(first + 2), value_at(first + 3)};
  if (t % 3 == 0) data[t] = value_at(t);
}

__global__ void read_by_loads(const int* data, int* seen) {
  const int t = static_cast<int>(threadIdx.x);
  const int4 read = reinterpret_cast<const int4*>(data)[t];
  seen[t] = read.x + read.w;
}

__global__ void read_by_async_copies(const int* data, int* seen) {
  __shared__ alignas(16) int stage[threads * 4];
  const int t = static_cast<int>(threadIdx.x);
  __pipeline_memcpy_async(&stage[4 * t], &data[4 * t], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  seen[t] = stage[4 * t] + stage[4 * t + 3];
}

__global__ void write_by_tma(int* data) {
  __shared__ alignas(128) int out[values];
  const int t = static_cast<int>(threadIdx.x);
  for (int i = t; i < values; i += threads) out[i] = value_at(i);
  async_proxy_fence();
  __syncthreads();
  if (t != 0) return;
  cp_async_bulk_shared_to_global(data, out, sizeof out);
  tma_store_commit_group();
  tma_store_wait_until_pending<0>();
}

__global__ void read_by_tma(const int* data, int* seen) {
  __shared__ alignas(128) int in[values];
  __shared__ alignas(8) uint64_t bar;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    init_barrier(&bar, 1);
    fence_barrier_init();
  }
  __syncthreads();
  if (t == 0) {
    expect_bytes_and_arrive(&bar, sizeof in);
    cp_async_bulk_global_to_shared(in, data, sizeof in, &bar);
  }
  wait(&bar, 0);
  seen[t] = in[4 * t] + in[4 * t + 3];
}

void check(void (*write)(int*), void (*read)(const int*, int*)) {
  int* data = nullptr;
  int* seen = nullptr;
  CHECK_OK(cudaMalloc(&data, values * sizeof(int)));
  CHECK_OK(cudaMalloc(&seen, threads * sizeof(int)));
  write<<<ctas, threads>>>(data);
  read<<<ctas, threads>>>(data, seen);
  std::vector<int> result(threads);
  CHECK_OK(cudaMemcpy(result.data(), seen, threads * sizeof(int), cudaMemcpyDeviceToHost));
  for (int t = 0; t < threads; ++t) CHECK(result[t] == 3 * (8 * t + 3) + 2);
  CHECK_OK(cudaFree(data));
  CHECK_OK(cudaFree(seen));
}

int main() {
  check(write_by_stores, read_by_loads);
  check(write_by_stores, read_by_async_copies);
  check(write_by_tma, read_by_tma);
  return runtime_test::result();
}
