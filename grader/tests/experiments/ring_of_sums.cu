// No stress test: a textbook ring. One thread loads tiles, 128 threads sum a row each and give the
// tile back by an mbarrier. Are the sums right?
#include <algorithm>
#include <vector>

#include "experiment.h"

using namespace experiment;

namespace {

constexpr int rows = 128;
constexpr int columns = 32;
constexpr int stages = 2;
constexpr int tiles = 16384;

// What a sum is: the values are small integers, so every order of additions gives the same.
int value_at(std::size_t i) {
  return static_cast<int>((i * 2654435761u >> 20) % 64);
}

template <bool has_fence, int unrolled>
__global__ void __launch_bounds__(rows + 32) sum_rows(const float* in, float* out) {
  __shared__ alignas(128) float tile[stages][rows][columns];
  __shared__ uint64_t full[stages], empty[stages];
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) {
      init_barrier(&full[stage], 1);
      init_barrier(&empty[stage], rows);
    }
    async_proxy_fence();
  }
  __syncthreads();
  if (threadIdx.x == rows) {
    for (int n = 0, t = blockIdx.x; t < tiles; t += gridDim.x, ++n) {
      const int stage = n % stages;
      wait(&empty[stage], n / stages % 2 ^ 1);
      expect_bytes_and_arrive(&full[stage], sizeof(tile[stage]));
      cp_async_bulk_global_to_shared(&tile[stage], in + static_cast<size_t>(t) * rows * columns,
                                     sizeof(tile[stage]), &full[stage]);
    }
  } else if (threadIdx.x < rows) {
    for (int n = 0, t = blockIdx.x; t < tiles; t += gridDim.x, ++n) {
      const int stage = n % stages;
      wait(&full[stage], n / stages % 2);
      float sum = 0;
#pragma unroll unrolled
      for (int column = 0; column < columns; ++column) sum += tile[stage][threadIdx.x][column];
      if constexpr (has_fence) async_proxy_fence();
      arrive(&empty[stage], 1);
      out[static_cast<size_t>(t) * rows + threadIdx.x] = sum;
    }
  }
}

__global__ void compare(const float* sums, const float* expected, Counts* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Counts mine;
  mine.wrong = sums[i] != expected[i];
  mine.of = 1;
  add_to(counts, mine);
}

template <bool has_fence, int unrolled>
void run(const float* in, const float* expected, float* out) {
  int ctas = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, sum_rows<has_fence, unrolled>,
                                                      rows + 32, 0),
        "occupancy");
  const std::string loop =
      unrolled == 1 ? "rolled loop" : "loop unrolled by " + std::to_string(unrolled);
  measure("A ring of row sums",
          loop + (has_fence ? ": `async_proxy_fence()` by each reader, before its arrival"
                            : ": no fence"),
          false, [&](Counts* counts) {
            sum_rows<has_fence, unrolled><<<ctas * sm_count(), rows + 32>>>(in, out);
            compare<<<tiles, rows>>>(out, expected, counts);
          });
}

}  // namespace

int main() {
  std::vector<float> values(static_cast<std::size_t>(tiles) * rows * columns);
  std::vector<float> sums(static_cast<std::size_t>(tiles) * rows);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(value_at(i));
    sums[i / columns] += values[i];
  }
  float* const in = zeros<float>(values.size());
  float* const expected = zeros<float>(sums.size());
  float* const out = zeros<float>(sums.size());
  check(cudaMemcpy(in, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice), "in");
  check(cudaMemcpy(expected, sums.data(), sums.size() * sizeof(float), cudaMemcpyHostToDevice),
        "expected");
  run<false, 1>(in, expected, out);
  run<true, 1>(in, expected, out);
  run<false, 8>(in, expected, out);
  run<true, 8>(in, expected, out);
  run<false, columns>(in, expected, out);
  run<true, columns>(in, expected, out);
}
