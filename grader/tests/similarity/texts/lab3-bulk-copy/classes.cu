// Object by object: who owns a stage, what a piece of the array is, and what moves it.
#include <algorithm>
#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

namespace {

class Piece {
 public:
  __device__ Piece(int* array, size_t words, size_t first, size_t longest)
      : where_(array + first),
        words_(first < words ? (words - first < longest ? words - first : longest) : 0) {}
  __device__ bool empty() const { return words_ == 0; }
  __device__ int* where() const { return where_; }
  __device__ int words() const { return static_cast<int>(words_); }
  __device__ int bytes() const { return words() * 4; }

 private:
  int* where_;
  size_t words_;
};

template <int WORDS>
struct Stage {
  alignas(16) int words[WORDS];
  uint64_t landed;

  __device__ void prepare() { init_barrier(&landed, 1); }
  __device__ void fetch(const Piece& piece) {
    expect_bytes_and_arrive(&landed, piece.bytes());
    cp_async_bulk_global_to_shared(words, piece.where(), piece.bytes(), &landed);
  }
  __device__ void increment(const Piece& piece) {
    for (int at = threadIdx.x; at < piece.words(); at += blockDim.x) words[at] = words[at] + 1;
    async_proxy_fence();
  }
  __device__ void give_back(const Piece& piece) {
    cp_async_bulk_shared_to_global(piece.where(), words, piece.bytes());
    tma_store_commit_group();
  }
};

__device__ bool leader() {
  return threadIdx.x == 0;
}

__device__ void finish_by_hand(int* data, size_t words, size_t all) {
  if (blockIdx.x == 0 && words + threadIdx.x < all) data[words + threadIdx.x]++;
}

template <int WORDS>
__global__ void single(int* data, size_t all) {
  __shared__ Stage<WORDS> stage;
  const size_t words = all / 4 * 4;
  const Piece piece(data, words, size_t{blockIdx.x} * WORDS, WORDS);
  if (leader()) {
    stage.prepare();
    async_proxy_fence();
    if (!piece.empty()) stage.fetch(piece);
  }
  __syncthreads();
  if (!piece.empty()) {
    wait(&stage.landed, 0);
    stage.increment(piece);
    __syncthreads();
    if (leader()) {
      stage.give_back(piece);
      tma_store_wait_until_pending_read<0>();
    }
  }
  finish_by_hand(data, words, all);
}

constexpr int LONG = 2560;

__global__ void alternating(int* data, size_t all) {
  __shared__ Stage<LONG> stages[2];
  const size_t words = all / 4 * 4, stride = size_t{gridDim.x} * LONG;
  size_t first = size_t{blockIdx.x} * LONG;
  if (leader()) {
    stages[0].prepare();
    stages[1].prepare();
    async_proxy_fence();
    if (first < words) stages[0].fetch(Piece(data, words, first, LONG));
  }
  __syncthreads();
  for (unsigned turn = 0; first < words; ++turn, first += stride) {
    const Piece now(data, words, first, LONG), next(data, words, first + stride, LONG);
    if (leader() && !next.empty()) {
      tma_store_wait_until_pending_read<0>();
      stages[(turn + 1) & 1].fetch(next);
    }
    Stage<LONG>& stage = stages[turn & 1];
    wait(&stage.landed, (turn >> 1) & 1);
    stage.increment(now);
    __syncthreads();
    if (leader()) stage.give_back(now);
  }
  if (leader()) tma_store_wait_until_pending_read<0>();
  finish_by_hand(data, words, all);
}

}  // namespace

void launch_add_one_tile(int* data, int count) {
  single<8192><<<1, 320>>>(data, count);
  cuda_check(cudaGetLastError());
}

void launch_add_one(int* data, size_t count) {
  if (count > 0) single<1536><<<static_cast<unsigned>(count / 1536 + 1), 96>>>(data, count);
  cuda_check(cudaGetLastError());
}

void launch_add_one_pipeline(int* data, size_t count) {
  if (count > 0)
    alternating<<<static_cast<unsigned>(std::min<size_t>(count / LONG + 1, 528)), 160>>>(data,
                                                                                         count);
  cuda_check(cudaGetLastError());
}
