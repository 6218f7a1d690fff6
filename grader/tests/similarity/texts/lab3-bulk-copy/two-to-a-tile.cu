// A tile has two landings: its halves come by two loads on one barrier, and each half of the CTA
// adds to its own.
#include <algorithm>
#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

struct Job {
  int* base;
  uint32_t vectors;  // of 16 bytes

  __device__ uint32_t left() const { return vectors / 2; }
  __device__ uint32_t right() const { return vectors - left(); }
};

constexpr uint32_t JOB_VECTORS = 2048;

__device__ Job job_number(uint64_t number, int* data, uint64_t count) {
  const uint64_t all = count >> 2, begin = number * JOB_VECTORS;
  const uint64_t rest = begin < all ? all - begin : 0;
  return {data + 4 * begin, static_cast<uint32_t>(rest < JOB_VECTORS ? rest : JOB_VECTORS)};
}

__global__ void halves(int* data, uint64_t count, uint64_t jobs) {
  __shared__ __align__(32) int4 room[JOB_VECTORS];
  __shared__ uint64_t both;
  if (threadIdx.x == 0) {
    init_barrier(&both, 2);
    async_proxy_fence();
  }
  __syncthreads();
  const uint32_t side = threadIdx.x >= blockDim.x / 2;
  const uint32_t within = threadIdx.x - side * (blockDim.x / 2);
  uint32_t parity = 0;
  for (uint64_t number = blockIdx.x; number < jobs; number += gridDim.x) {
    const Job job = job_number(number, data, count);
    const uint32_t offset = side ? job.left() : 0, mine = side ? job.right() : job.left();
    int4* const outside = reinterpret_cast<int4*>(job.base) + offset;
    if (within == 0) {
      tma_store_wait_until_pending_read<0>();
      expect_bytes_and_arrive(&both, mine * 16);
      if (mine) cp_async_bulk_global_to_shared(room + offset, outside, mine * 16, &both);
    }
    wait(&both, parity);
    parity ^= 1;
    for (uint32_t i = within; i < mine; i += blockDim.x / 2) {
      int* four = reinterpret_cast<int*>(room + offset + i);
      for (int k = 0; k < 4; ++k) four[k] += 1;
    }
    async_proxy_fence();
    __syncthreads();
    if (within == 0 && mine) {
      cp_async_bulk_shared_to_global(outside, room + offset, mine * 16);
      tma_store_commit_group();
    }
    // The other half's next load must not begin before this half's words of its tile are stored.
    if (within == 0) tma_store_wait_until_pending_read<0>();
    __syncthreads();
  }
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x < (count & 3))
    data[(count & ~uint64_t{3}) + threadIdx.x] += 1;
}

static void launch(int* data, uint64_t count, uint64_t widest, unsigned threads) {
  const uint64_t jobs = (count / 4 + JOB_VECTORS - 1) / JOB_VECTORS;
  if (count)
    halves<<<unsigned(std::max<uint64_t>(1, std::min(jobs, widest))), threads>>>(data, count, jobs);
  cuda_check(cudaGetLastError());
}

void launch_add_one_tile(int* data, int count) {
  launch(data, uint64_t(count), 1, 256);
}
void launch_add_one(int* data, size_t count) {
  launch(data, count, 1 << 18, 128);
}
void launch_add_one_pipeline(int* data, size_t count) {
  launch(data, count, 132 * 6, 256);
}
