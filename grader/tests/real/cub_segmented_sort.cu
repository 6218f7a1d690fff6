// cub::DeviceSegmentedSort and cub::DeviceSegmentedRadixSort: each segment is sorted by itself;
// small, medium and large ones go through different kernels.
#include <algorithm>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "real_test.h"

using namespace real_test;

template <class T>
void sort_segments(const std::vector<int>& lengths) {
  std::vector<int> offsets{0};
  for (const int length : lengths) offsets.push_back(offsets.back() + length);
  const int segments = static_cast<int>(lengths.size());
  const int count = offsets.back();
  std::vector<T> keys = any_values<T>(count);
  const DeviceArray<T> in(keys), out(count);
  const DeviceArray<int> bounds(offsets);
  for (int s = 0; s < segments; ++s) {
    std::sort(keys.begin() + offsets[s], keys.begin() + offsets[s + 1]);
  }

  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedSort::SortKeys(storage, bytes, in.data(), out.data(), count,
                                              segments, bounds.data(), bounds.data() + 1);
  });
  expect_equal("sorted segments", out, keys);
  CHECK_OK(cudaMemset(out.data(), 0, count * sizeof(T)));
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedRadixSort::SortKeys(storage, bytes, in.data(), out.data(), count,
                                                   segments, bounds.data(), bounds.data() + 1);
  });
  expect_equal("segments sorted by radix", out, keys);
}

int main() {
  for_each_type(TypeList<signed char, unsigned, float, long long>{}, [](auto zero) {
    using T = decltype(zero);
    sort_segments<T>({1});
    sort_segments<T>({0, 5, 1, 0, 31, 900, 2, 12'345, 64, 3000, 0, 7});
    sort_segments<T>(std::vector<int>(600, 9));
  });
  return runtime_test::result();
}
