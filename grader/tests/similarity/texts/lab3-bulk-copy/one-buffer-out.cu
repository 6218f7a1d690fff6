// Two buffers in, one out: no load waits for a store.
#include <algorithm>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

namespace {

constexpr unsigned kInts = 2048;

__device__ void raise(int* to, const int* from, unsigned n) {
  unsigned i = threadIdx.x;
  while (i < n) {
    to[i] = from[i] - ~0;
    i += blockDim.x;
  }
}

__global__ void in_and_out(int* const array, const size_t length) {
  __shared__ alignas(16) int in[2][kInts];
  __shared__ alignas(16) int out[kInts];
  __shared__ uint64_t ready[2];

  const size_t tail = length % 4, body = length - tail;
  const size_t tiles = body / kInts + (body % kInts ? 1 : 0);
  const auto size_of = [&](size_t t) -> unsigned {
    return t + 1 < tiles ? kInts : static_cast<unsigned>(body - t * kInts);
  };
  const auto request = [&](size_t t, unsigned half) {
    if (t >= tiles) return;
    const unsigned bytes = size_of(t) * sizeof(int);
    expect_bytes_and_arrive(ready + half, bytes);
    cp_async_bulk_global_to_shared(in[half], array + t * kInts, bytes, ready + half);
  };

  if (threadIdx.x == 0) {
    for (auto& one : ready) init_barrier(&one, 1);
    async_proxy_fence();
    request(blockIdx.x, 0);
    request(blockIdx.x + size_t{gridDim.x}, 1);
  }
  __syncthreads();

  unsigned half = 0, parity = 0;
  for (size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    wait(&ready[half], parity);
    if (threadIdx.x == 0) tma_store_wait_until_pending_read<0>();
    __syncthreads();
    raise(out, in[half], size_of(t));
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      cp_async_bulk_shared_to_global(array + t * kInts, out, size_of(t) * sizeof(int));
      tma_store_commit_group();
      request(t + 2 * size_t{gridDim.x}, half);
    }
    half = 1 - half;
    if (half == 0) parity = 1 - parity;
  }
  if (threadIdx.x == 0) tma_store_wait_until_pending<0>();
  if (blockIdx.x == 0 && threadIdx.x < tail) array[body + threadIdx.x] -= -1;
}

void start(int* data, size_t count, size_t at_most) {
  if (count == 0) return;
  const size_t ctas = std::clamp<size_t>((count + kInts - 1) / kInts, 1, at_most);
  in_and_out<<<dim3(static_cast<unsigned>(ctas)), dim3(128)>>>(data, count);
  cuda_check(cudaGetLastError());
}

}  // namespace

void launch_add_one_tile(int* data, int count) {
  start(data, static_cast<size_t>(count), 4);
}
void launch_add_one(int* data, size_t count) {
  start(data, count, size_t{1} << 30);
}
void launch_add_one_pipeline(int* data, size_t count) {
  start(data, count, 132 * 7);
}
