// Each CTA has one stretch of the array, from front to back, and two halves of a buffer.
#include <algorithm>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

// A stretch [first, last) of whole vectors.
struct Range {
  size_t first, last;
};

__host__ __device__ inline Range stretch(size_t vectors, unsigned which, unsigned of) {
  const size_t share = vectors / of, rest = vectors % of;
  const size_t first = which * share + (which < rest ? which : rest);
  return {first, first + share + (which < rest)};
}

template <int HALF, int THREADS>
__global__ void sweep(int4* vectors, size_t how_many) {
  alignas(64) __shared__ int4 halves[2 * HALF];
  __shared__ uint64_t gates[2];
  const Range mine = stretch(how_many, blockIdx.x, gridDim.x);
  const size_t length = mine.last - mine.first;
  const size_t rounds = (length + HALF - 1) / HALF;
  if (threadIdx.x == 0) {
    init_barrier(&gates[0], 1);
    init_barrier(&gates[1], 1);
    async_proxy_fence();
  }
  __syncthreads();

  // A barrier a half: a round's load begins when the round before has been waited for by this
  // thread, not by all.
  for (size_t round = 0; round <= rounds; ++round) {
    if (round > 0) wait(&gates[(round - 1) % 2], (round - 1) / 2 % 2);
    if (threadIdx.x == 0 && round < rounds) {
      const size_t at = round * HALF;
      const int bytes = static_cast<int>(sizeof(int4) * min(size_t{HALF}, length - at));
      tma_store_wait_until_pending_read<0>();  // of the round before the last, in this half
      uint64_t* gate = &gates[round % 2];
      expect_bytes_and_arrive(gate, bytes);
      cp_async_bulk_global_to_shared(halves + (round % 2) * HALF, vectors + mine.first + at, bytes,
                                     gate);
    }
    if (round == 0) continue;
    const size_t at = (round - 1) * HALF;
    const int here = static_cast<int>(min(size_t{HALF}, length - at));
    int4* half = halves + ((round - 1) % 2) * HALF;
    for (int i = threadIdx.x; i < here; i += THREADS) {
      half[i].x++, half[i].y++;
      half[i].z++, half[i].w++;
    }
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      cp_async_bulk_shared_to_global(vectors + mine.first + at, half, here * sizeof(int4));
      tma_store_commit_group();
    }
  }
  if (threadIdx.x == 0) tma_store_wait_until_pending_read<0>();
}

__global__ void odd_ones(int* from, int* to) {
  for (int* p = from + threadIdx.x; p < to; p += blockDim.x) *p += 1;
}

template <int HALF, int THREADS>
void swept(int* data, size_t count, size_t ctas) {
  const size_t vectors = count / 4;
  ctas = std::min(ctas, (vectors + HALF - 1) / HALF);
  if (ctas > 0)
    sweep<HALF, THREADS>
        <<<static_cast<unsigned>(ctas), THREADS>>>(reinterpret_cast<int4*>(data), vectors);
  if (count > 4 * vectors) odd_ones<<<1, 32>>>(data + 4 * vectors, data + count);
  cuda_check(cudaGetLastError());
}

void launch_add_one_tile(int* data, int count) {
  swept<1024, 256>(data, count, 1);
}
void launch_add_one(int* data, size_t count) {
  swept<256, 64>(data, count, 1 << 20);
}
void launch_add_one_pipeline(int* data, size_t count) {
  swept<1024, 256>(data, count, 132 * 6);
}
