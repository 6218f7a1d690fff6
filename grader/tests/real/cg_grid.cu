// cooperative_groups::this_grid(): grid-wide barriers in a cooperative launch, of one, two and
// three dimensions; what the runtime refuses to launch.
#include <cooperative_groups.h>

#include <numeric>

#include "real_test.h"

namespace cg = cooperative_groups;
using namespace real_test;

// Each round, every thread adds the value of a thread of another CTA to its own.
__global__ void add_distant(int* values, int* next, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const auto i = grid.thread_rank(), count = grid.num_threads();
  for (int round = 0; round < rounds; ++round) {
    next[i] = values[i] + values[(i + count / 2 + round) % count];
    grid.sync();
    values[i] = next[i];
    grid.sync();
  }
}

// The barrier in two halves: work that needs no other CTA goes in between.
__global__ void split_barrier(int* values, int* sums) {
  cg::grid_group grid = cg::this_grid();
  values[grid.thread_rank()] = static_cast<int>(grid.block_rank() + 1);
  auto token = grid.barrier_arrive();
  const int own = static_cast<int>(threadIdx.x);
  grid.barrier_wait(std::move(token));
  int sum = own;
  for (unsigned b = 0; b < grid.num_blocks(); ++b) sum += values[b * blockDim.x];
  sums[grid.thread_rank()] = sum;
}

__global__ void where_am_i(unsigned* ranks) {
  const cg::grid_group grid = cg::this_grid();
  const auto thread = grid.thread_rank();
  const unsigned good = grid.is_valid() && grid.num_blocks() == gridDim.x * gridDim.y * gridDim.z &&
                        grid.group_dim().x == gridDim.x && grid.block_index().y == blockIdx.y;
  ranks[thread] = good ? static_cast<unsigned>(thread) : ~0u;
}

template <class Kernel>
cudaError_t launch(Kernel* kernel, dim3 grid, dim3 block, std::vector<void*> arguments,
                   std::size_t shared_bytes = 0) {
  return cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), grid, block, arguments.data(),
                                     shared_bytes, nullptr);
}

int main() {
  constexpr int ctas = 132, threads = 64, count = ctas * threads;
  int rounds = 5;
  std::vector<int> values = small_values<int>(count), next(count);
  const DeviceArray<int> device_values(values), device_next(count);
  int *in = device_values.data(), *out = device_next.data();
  CHECK_OK(launch(add_distant, ctas, threads, {&in, &out, &rounds}));
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < count; ++i) next[i] = values[i] + values[(i + count / 2 + round) % count];
    values.swap(next);
  }
  expect_equal("sums over the grid", device_values, values);

  CHECK_OK(launch(split_barrier, ctas, threads, {&in, &out}));
  for (int i = 0; i < count; ++i) next[i] = i % threads + ctas * (ctas + 1) / 2;
  expect_equal("sums after a split barrier", device_next, next);

  const DeviceArray<unsigned> ranks(3 * 4 * 5 * 32);
  unsigned* where = ranks.data();
  CHECK_OK(launch(where_am_i, dim3(3, 4, 5), dim3(4, 2, 4), {&where}));
  std::vector<unsigned> expected(ranks.size());
  std::iota(expected.begin(), expected.end(), 0u);
  expect_equal("ranks", ranks, expected);

  // All CTAs must be resident at once: 132 SMs hold 2048 threads each.
  int per_sm = 0;
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, add_distant, 1024, 0));
  CHECK_ERROR(cudaErrorCooperativeLaunchTooLarge,
              launch(add_distant, 132 * per_sm + 1, 1024, {&in, &out, &rounds}));
  cudaGetLastError();
  return runtime_test::result();
}
