// CTAs that work together through global memory, as programs do it: atomics, a barrier of the whole
// grid, the block that is done last. What depends on the order of the CTAs is printed: under tmaemu
// it is the same in every run, whatever the number of host threads (test_host_threads.py).
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "runtime_test.h"
#include "tma-interface.cuh"

namespace {

constexpr int ctas = 64;
constexpr int waiting_ctas = 12;
constexpr int many_ctas = 2048;  // enough that host threads would meet
constexpr int threads = 128;

__device__ float term(int i) {
  return 1.0f / static_cast<float>(i + 1);
}

// Rounding makes the sum depend on the order of the additions.
__global__ void add_in_any_order(float* sum) {
  atomicAdd(sum, term(static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x)));
}

__global__ void reduce_in_any_order(float* sums) {
  __shared__ alignas(16) float own[4];
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 4; ++i) own[i] = term(static_cast<int>(blockIdx.x) * 4 + i);
  async_proxy_fence();
  cp_reduce_async_bulk_shared_to_global<ReduceOp::add>(sums, own, sizeof own);
  tma_store_commit_group();
  tma_store_wait_until_pending<0>();
}

// CUDA's sample threadFenceReduction: the block that is done last adds up what the others left.
__global__ void last_block_adds(const int* numbers, int* parts, unsigned* done, int* sum,
                                int* last) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = numbers[blockIdx.x];
    __threadfence();
    is_last = atomicInc(done, gridDim.x) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  for (unsigned i = 0; i < gridDim.x; ++i) *sum += parts[i];
  *last = static_cast<int>(blockIdx.x);
}

// All CTAs are resident, so they may wait for each other.
__global__ void pass_to_the_right(int* values, unsigned* arrived, int* received) {
  if (threadIdx.x != 0) return;
  values[blockIdx.x] = static_cast<int>(blockIdx.x) * 3;
  __threadfence();
  atomicAdd(arrived, 1);
  while (*static_cast<volatile unsigned*>(arrived) < gridDim.x) {
  }
  __threadfence();
  received[blockIdx.x] = values[(blockIdx.x + gridDim.x - 1) % gridDim.x];
}

// A chain of flags, with nothing atomic about it.
__global__ void one_after_another(volatile int* turn, float* sum) {
  if (threadIdx.x != 0) return;
  while (*turn != static_cast<int>(blockIdx.x)) {
  }
  __threadfence();
  *sum = fmaf(*sum, 1.5f, static_cast<float>(blockIdx.x));
  __threadfence();
  *turn = static_cast<int>(blockIdx.x) + 1;
}

__global__ void read_clock(long long* clocks) {
  clocks[blockIdx.x] = clock64();
}

template <class T>
T* zeros(std::size_t count) {
  T* memory = nullptr;
  CHECK_OK(cudaMalloc(&memory, count * sizeof(T)));
  CHECK_OK(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

template <class T>
std::vector<T> read(const T* memory, std::size_t count) {
  std::vector<T> values(count);
  CHECK_OK(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

// All bits of all values in one number (FNV-1a).
template <class T>
void print_bits(const char* name, const std::vector<T>& values) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  std::vector<unsigned char> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

}  // namespace

int main() {
  float* sum = zeros<float>(1);
  add_in_any_order<<<many_ctas, threads>>>(sum);
  print_bits("atomicAdd of floats", read(sum, 1));

  float* sums = zeros<float>(4);
  reduce_in_any_order<<<many_ctas, threads>>>(sums);
  print_bits("cp.reduce.async.bulk of floats", read(sums, 4));

  std::vector<int> numbers(ctas);
  for (int i = 0; i < ctas; ++i) numbers[static_cast<std::size_t>(i)] = i * i;
  int* numbers_on_device = zeros<int>(ctas);
  CHECK_OK(
      cudaMemcpy(numbers_on_device, numbers.data(), ctas * sizeof(int), cudaMemcpyHostToDevice));
  int* total = zeros<int>(2);
  last_block_adds<<<ctas, threads>>>(numbers_on_device, zeros<int>(ctas), zeros<unsigned>(1), total,
                                     total + 1);
  CHECK(read(total, 1)[0] == (ctas - 1) * ctas * (2 * ctas - 1) / 6);
  print_bits("the last block", read(total, 2));

  int* received = zeros<int>(waiting_ctas);
  pass_to_the_right<<<waiting_ctas, threads>>>(zeros<int>(waiting_ctas), zeros<unsigned>(1),
                                               received);
  const std::vector<int> from_the_left = read(received, waiting_ctas);
  for (int i = 0; i < waiting_ctas; ++i) {
    CHECK(from_the_left[static_cast<std::size_t>(i)] == (i + waiting_ctas - 1) % waiting_ctas * 3);
  }

  float* chain = zeros<float>(1);
  one_after_another<<<waiting_ctas, threads>>>(zeros<int>(1), chain);
  float expected = 0;
  for (int i = 0; i < waiting_ctas; ++i) expected = std::fma(expected, 1.5f, static_cast<float>(i));
  CHECK(read(chain, 1)[0] == expected);

  long long* clocks = zeros<long long>(ctas);
  read_clock<<<ctas, threads>>>(clocks);
  print_bits("clock64", read(clocks, ctas));
  return runtime_test::result();
}
