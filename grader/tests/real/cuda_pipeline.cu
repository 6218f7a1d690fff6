// cuda::pipeline and cuda::memcpy_async: pipelines of one thread and of a CTA, partitioned into
// producers and consumers, with several stages and odd sizes.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "real_test.h"

namespace cg = cooperative_groups;
using namespace real_test;

constexpr int threads = 128;

// Every thread brings its own element, and reads it back itself.
__global__ void of_one_thread(const double* in, double* out, int tiles) {
  constexpr int stages = 3;
  __shared__ double staged[stages][threads];
  auto pipeline = cuda::make_pipeline();
  const int t = static_cast<int>(threadIdx.x);
  int fetched = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    for (; fetched < tiles && fetched < tile + stages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&staged[fetched % stages][t], &in[fetched * threads + t],
                         cuda::aligned_size_t<8>(sizeof(double)), pipeline);
      pipeline.producer_commit();
    }
    const int ahead = fetched - tile - 1;
    if (ahead >= 2) {
      cuda::pipeline_consumer_wait_prior<2>(pipeline);
    } else if (ahead == 1) {
      cuda::pipeline_consumer_wait_prior<1>(pipeline);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipeline);
    }
    out[tile * threads + t] = 2 * staged[tile % stages][t];
    pipeline.consumer_release();
  }
}

// All threads of the CTA bring and use each tile together.
template <class T>
__global__ void of_a_cta(const T* in, T* out, int count) {
  constexpr int stages = 2, tile = 200;
  __shared__ alignas(16) T staged[stages][tile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const auto length = [&](int i) { return min(tile, count - i * tile); };
  const auto fetch = [&](int i) {
    pipeline.producer_acquire();
    if (length(i) > 0) {
      cuda::memcpy_async(block, staged[i % stages], in + i * tile, sizeof(T) * length(i), pipeline);
    }
    pipeline.producer_commit();
  };
  fetch(0);
  for (int i = 0; i * tile < count; ++i) {
    fetch(i + 1);
    pipeline.consumer_wait();
    for (int k = threadIdx.x; k < length(i); k += threads) {
      out[i * tile + k] = staged[i % stages][length(i) - 1 - k];
    }
    pipeline.consumer_release();
  }
  pipeline.consumer_wait();
  pipeline.consumer_release();
}

// The first warp produces, the others consume.
__global__ void with_roles(const int* in, int* out, int tiles) {
  constexpr int stages = 4, tile = threads - 32;
  __shared__ int staged[stages][tile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipeline = cuda::make_pipeline(
      block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int i = 0; i < tiles; ++i) {
    if (produces) {
      pipeline.producer_acquire();
      for (int k = threadIdx.x; k < tile; k += 32) {
        cuda::memcpy_async(&staged[i % stages][k], &in[i * tile + k],
                           cuda::aligned_size_t<4>(sizeof(int)), pipeline);
      }
      pipeline.producer_commit();
    } else {
      const int k = static_cast<int>(threadIdx.x) - 32;
      pipeline.consumer_wait();
      out[i * tile + k] = staged[i % stages][tile - 1 - k] + i;
      pipeline.consumer_release();
    }
  }
}

template <class T>
void expect_reversed(int count) {
  const std::vector<T> values = any_values<T>(count);
  std::vector<T> expected(count);
  for (int i = 0; i < count; ++i) {
    const int first = i / 200 * 200;
    expected[i] = values[first + std::min(200, count - first) - 1 - (i - first)];
  }
  const DeviceArray<T> in(values), out(count);
  of_a_cta<<<1, threads>>>(in.data(), out.data(), count);
  expect_equal("of a CTA", out, expected);
}

int main() {
  constexpr int tiles = 11;
  const std::vector<double> doubles = any_values<double>(tiles * threads);
  const DeviceArray<double> in(doubles), out(doubles.size());
  of_one_thread<<<1, threads>>>(in.data(), out.data(), tiles);
  std::vector<double> doubled;
  for (const double value : doubles) doubled.push_back(2 * value);
  expect_equal("of one thread", out, doubled);

  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : {1, 200, 1003}) expect_reversed<decltype(zero)>(count);
  });

  constexpr int tile = threads - 32;
  const std::vector<int> ints = small_values<int>(tiles * tile);
  const DeviceArray<int> int_in(ints), int_out(ints.size());
  with_roles<<<1, threads>>>(int_in.data(), int_out.data(), tiles);
  std::vector<int> expected;
  for (int i = 0; i < tiles; ++i) {
    for (int k = 0; k < tile; ++k) expected.push_back(ints[i * tile + tile - 1 - k] + i);
  }
  expect_equal("with roles", int_out, expected);
  return runtime_test::result();
}
