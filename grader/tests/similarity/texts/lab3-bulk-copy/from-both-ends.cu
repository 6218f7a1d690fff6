// Written against one idea: what is not yet stored is a queue, and a queue has a head and a tail.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

inline constexpr int DEPTH = 5;
inline constexpr int BATCH = 1600;  // ints

struct Queue {
  alignas(16) int items[DEPTH][BATCH];
  uint64_t bars[DEPTH];
  unsigned head;  // batches that were added to
  unsigned tail;  // batches that were asked for
};

__device__ __forceinline__ size_t position(unsigned batch) {
  return (static_cast<size_t>(batch) * gridDim.x + blockIdx.x) * BATCH;
}

__device__ __forceinline__ int length_at(size_t position, size_t end) {
  return position >= end ? 0 : static_cast<int>(min(end - position, static_cast<size_t>(BATCH)));
}

__device__ bool push(Queue& q, int* data, size_t end) {
  const size_t at = position(q.tail);
  const int length = length_at(at, end);
  if (length == 0 || q.tail - q.head >= DEPTH) return false;
  uint64_t* bar = &q.bars[q.tail % DEPTH];
  expect_bytes_and_arrive(bar, length * 4);
  cp_async_bulk_global_to_shared(q.items[q.tail % DEPTH], data + at, length * 4, bar);
  ++q.tail;
  return true;
}

__device__ void pop(Queue& q, int* data, size_t end) {
  const size_t at = position(q.head);
  cp_async_bulk_shared_to_global(data + at, q.items[q.head % DEPTH], length_at(at, end) * 4);
  tma_store_commit_group();
  tma_store_wait_until_pending_read<0>();
  ++q.head;
}

__global__ void queued(int* data, size_t count) {
  __shared__ Queue q;
  const size_t end = count / 4 * 4;
  if (threadIdx.x == 0) {
    q.head = q.tail = 0;
    for (uint64_t& bar : q.bars) init_barrier(&bar, 1);
    async_proxy_fence();
    while (push(q, data, end)) {
    }
  }
  __syncthreads();
  for (unsigned batch = 0; position(batch) < end; ++batch) {
    const int slot = batch % DEPTH, length = length_at(position(batch), end);
    wait(&q.bars[slot], batch / DEPTH & 1);
    // From the last to the first.
    for (int left = length - 1 - static_cast<int>(threadIdx.x); left >= 0; left -= blockDim.x)
      q.items[slot][left] += 1;
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      pop(q, data, end);
      push(q, data, end);
    }
  }
  const size_t own = end + threadIdx.x;
  if (own < count && blockIdx.x + 1 == gridDim.x) data[own]++;
}

static unsigned ctas_for(size_t count, size_t most) {
  return static_cast<unsigned>(std::min(most, (count + BATCH - 1) / BATCH));
}

void launch_add_one_tile(int* data, int count) {
  queued<<<1, 224>>>(data, count);
  cuda_check(cudaGetLastError());
}
void launch_add_one(int* data, size_t count) {
  if (count == 0) return;
  queued<<<ctas_for(count, 40000), 96>>>(data, count);
  cuda_check(cudaGetLastError());
}
void launch_add_one_pipeline(int* data, size_t count) {
  if (count == 0) return;
  queued<<<ctas_for(count, 660), 224>>>(data, count);
  cuda_check(cudaGetLastError());
}
