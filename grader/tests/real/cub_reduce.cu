// cub::DeviceReduce: sum, minimum, maximum, where they are, and a reduction of squares.
#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <limits>
#include <numeric>

#include "real_test.h"

using namespace real_test;

template <class T>
void sums(int count) {
  const std::vector<T> values = small_values<T>(count);
  const DeviceArray<T> in(values);
  const DeviceArray<T> out(1);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, in.data(), out.data(), count);
  });
  expect_equal("sum", out, std::accumulate(values.begin(), values.end(), T{}, Plus{}));

  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(storage, bytes, in.data(), out.data(), count, Plus{},
                                              Square{}, T{3});
  });
  expect_equal("sum of squares", out,
               std::transform_reduce(values.begin(), values.end(), T{3}, Plus{}, Square{}));
}

template <class T>
void extremes(int count) {
  const std::vector<T> values = any_values<T>(count);
  const DeviceArray<T> in(values);
  const DeviceArray<T> out(1);
  const DeviceArray<int> where(1);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::Min(storage, bytes, in.data(), out.data(), count);
  });
  if (count == 0) {
    expect_equal("minimum of nothing", out, std::numeric_limits<T>::max());
    return;
  }
  expect_equal("minimum", out, *std::min_element(values.begin(), values.end()));

  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::ArgMax(storage, bytes, in.data(), out.data(), where.data(), count);
  });
  const auto maximum = std::max_element(values.begin(), values.end());
  expect_equal("maximum", out, *maximum);
  expect_equal("index of the maximum", where, static_cast<int>(maximum - values.begin()));
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) {
      sums<decltype(zero)>(count);
      extremes<decltype(zero)>(count);
    }
  });
  return runtime_test::result();
}
