// cuda::barrier: phases with completion functions, tokens, parity, arrive_and_drop, bulk copies and
// transaction counts on it; cuda::latch and cuda::counting_semaphore.
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/utility>

#include "real_test.h"

using namespace real_test;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int threads = 128;

// Half of the threads produce, half consume, two slots between them.
__global__ void produce_and_consume(int* out, int rounds) {
  __shared__ Barrier full[2], empty[2];
  __shared__ int slots[2][threads / 2];
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; ++s) {
      init(&full[s], threads);
      init(&empty[s], threads);
    }
  }
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % (threads / 2);
  if (threadIdx.x < threads / 2) {
    for (int round = 0; round < rounds; ++round) {
      empty[round % 2].arrive_and_wait();
      slots[round % 2][lane] = round * 1000 + lane;
      [[maybe_unused]] const auto token = full[round % 2].arrive();
    }
  } else {
    [[maybe_unused]] auto first = empty[0].arrive();
    [[maybe_unused]] auto second = empty[1].arrive();
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
      full[round % 2].arrive_and_wait();
      sum = sum * 3 + slots[round % 2][threads / 2 - 1 - lane];
      [[maybe_unused]] const auto token = empty[round % 2].arrive();
    }
    out[lane] = sum;
  }
}

// Fewer threads take part in each phase.
__global__ void dropping(int* phases) {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, threads);
  __syncthreads();
  int phase = 0;
  for (; phase < static_cast<int>(threadIdx.x % 7); ++phase) barrier.arrive_and_wait();
  barrier.arrive_and_drop();
  phases[threadIdx.x] = phase;
}

struct CountPhase {
  int* completed;
  __device__ void operator()() const { ++*completed; }
};

// A completion function runs once a phase, before any thread goes on.
__global__ void completing(int* out) {
  using Completing = cuda::barrier<cuda::thread_scope_block, CountPhase>;
  __shared__ int completed;
  __shared__ alignas(Completing) char storage[sizeof(Completing)];
  auto& barrier = *reinterpret_cast<Completing*>(storage);
  if (threadIdx.x == 0) {
    completed = 0;
    new (storage) Completing(threads, CountPhase{&completed});
  }
  __syncthreads();
  int sum = 0;
  for (int phase = 0; phase < 5; ++phase) {
    barrier.arrive_and_wait();
    sum = sum * 10 + completed;
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_parity(int* out) {
  __shared__ Barrier barrier;
  __shared__ int value;
  if (threadIdx.x == 0) init(&barrier, 1);
  __syncthreads();
  for (int phase = 0; phase < 6; ++phase) {
    if (threadIdx.x == 0) {
      value = phase * phase;
      [[maybe_unused]] const auto token = barrier.arrive();
    }
    barrier.wait_parity(phase % 2 != 0);
    if (threadIdx.x == 99) out[phase] = value;
    __syncthreads();
  }
}

// A bulk copy in, counted in bytes on the barrier, and one out.
__global__ void bulk_copy(const int* in, int* out) {
  constexpr int count = 1024;
  __shared__ alignas(16) int tile[count];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, threads);
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(tile, in + blockIdx.x * count, cuda::aligned_size_t<16>(sizeof tile),
                       barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, 0);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  for (int i = threadIdx.x; i < count; i += threads) tile[i] = 2 * tile[i] + 1;
  cuda::device::experimental::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_shared_to_global(out + blockIdx.x * count, tile,
                                                               sizeof tile);
    cuda::device::experimental::cp_async_bulk_commit_group();
    cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
  }
}

__device__ cuda::barrier<cuda::thread_scope_device> grid_barrier;
__global__ void make_grid_barrier(int expected) {
  init(&grid_barrier, expected);
}
__global__ void across_the_grid(int* values, int* sums) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int count = static_cast<int>(gridDim.x * blockDim.x);
  values[i] = i;
  grid_barrier.arrive_and_wait();
  sums[i] = values[(i + count / 2) % count] + values[count - 1 - i];
}

__global__ void latch_and_semaphore(int* out) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block, 3>;
  __shared__ alignas(Latch) char latch_storage[sizeof(Latch)];
  __shared__ alignas(Semaphore) char semaphore_storage[sizeof(Semaphore)];
  auto& latch = *reinterpret_cast<Latch*>(latch_storage);
  auto& semaphore = *reinterpret_cast<Semaphore*>(semaphore_storage);
  __shared__ int inside, most, done;
  if (threadIdx.x == 0) {
    new (&latch) Latch(threads);
    new (&semaphore) Semaphore(3);
    inside = most = done = 0;
  }
  __syncthreads();
  semaphore.acquire();
  atomicMax(&most, atomicAdd(&inside, 1) + 1);
  atomicAdd(&done, 1);
  atomicSub(&inside, 1);
  semaphore.release();
  latch.arrive_and_wait();
  if (threadIdx.x == 7) {
    out[0] = done;
    out[1] = most <= 3 ? 1 : 0;
  }
}

int main() {
  constexpr int rounds = 9;
  const DeviceArray<int> out(threads / 2);
  produce_and_consume<<<1, threads>>>(out.data(), rounds);
  std::vector<int> expected(threads / 2);
  for (int lane = 0; lane < threads / 2; ++lane) {
    unsigned sum = 0;
    for (int round = 0; round < rounds; ++round) {
      sum = sum * 3 + round * 1000 + threads / 2 - 1 - lane;
    }
    expected[lane] = static_cast<int>(sum);
  }
  expect_equal("consumed", out, expected);

  const DeviceArray<int> phases(threads);
  dropping<<<1, threads>>>(phases.data());
  expected.resize(threads);
  for (int t = 0; t < threads; ++t) expected[t] = t % 7;
  expect_equal("phases until a thread drops out", phases, expected);

  completing<<<1, threads>>>(phases.data());
  // After the first wait of a round, 1, 3, 5, 7 and 9 phases are over.
  expect_equal("phases completed", phases, std::vector<int>(threads, 13579));

  by_parity<<<1, threads>>>(phases.data());
  expect_equal("values by parity", phases, {0, 1, 4, 9, 16, 25});

  const std::vector<int> values = small_values<int>(4 * 1024);
  const DeviceArray<int> in(values), doubled(values.size());
  bulk_copy<<<4, threads>>>(in.data(), doubled.data());
  std::vector<int> expected_doubled;
  for (const int value : values) expected_doubled.push_back(2 * value + 1);
  expect_equal("through bulk copies", doubled, expected_doubled);

  constexpr int ctas = 20;
  const DeviceArray<int> all(ctas * threads), sums(ctas * threads);
  make_grid_barrier<<<1, 1>>>(ctas * threads);
  across_the_grid<<<ctas, threads>>>(all.data(), sums.data());
  std::vector<int> expected_sums(ctas * threads);
  for (int i = 0; i < ctas * threads; ++i) {
    expected_sums[i] = (i + ctas * threads / 2) % (ctas * threads) + ctas * threads - 1 - i;
  }
  expect_equal("across the grid", sums, expected_sums);

  latch_and_semaphore<<<1, threads>>>(phases.data());
  expect_equal("latch and semaphore", phases, {threads, 1});
  return runtime_test::result();
}
