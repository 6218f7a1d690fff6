// cub::DeviceSegmentedReduce: segments of all lengths, empty ones among them.
#include <algorithm>
#include <cub/device/device_segmented_reduce.cuh>
#include <numeric>

#include "real_test.h"

using namespace real_test;

template <class T>
void sums_and_maxima(int count) {
  const std::vector<T> values = small_values<T>(count);
  std::vector<int> offsets{0};
  for (int length = 0; offsets.back() + length <= count && offsets.back() < count;) {
    offsets.push_back(offsets.back() + length);
    length = (length * 5 + 3) % 701;
  }
  const int segments = static_cast<int>(offsets.size()) - 1;
  std::vector<T> sums, maxima;
  for (int s = 0; s < segments; ++s) {
    const auto begin = values.begin() + offsets[s], end = values.begin() + offsets[s + 1];
    sums.push_back(static_cast<T>(std::accumulate(begin, end, T{})));
    maxima.push_back(begin == end ? std::numeric_limits<T>::lowest()
                                  : *std::max_element(begin, end));
  }

  const DeviceArray<T> in(values), out(segments);
  const DeviceArray<int> bounds(offsets);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, in.data(), out.data(), segments,
                                           bounds.data(), bounds.data() + 1);
  });
  expect_equal("sums of segments", out, sums);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Max(storage, bytes, in.data(), out.data(), segments,
                                           bounds.data(), bounds.data() + 1);
  });
  expect_equal("maxima of segments", out, maxima);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) sums_and_maxima<decltype(zero)>(count);
  });
  return runtime_test::result();
}
