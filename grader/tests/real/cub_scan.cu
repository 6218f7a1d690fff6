// cub::DeviceScan: exclusive and inclusive, of sums and of maxima, also in place.
#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <numeric>

#include "real_test.h"

using namespace real_test;

template <class T>
void sums(int count) {
  const std::vector<T> values = small_values<T>(count);
  std::vector<T> expected(count);
  const DeviceArray<T> in(values), out(count);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, in.data(), out.data(), count);
  });
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), T{}, Plus{});
  expect_equal("exclusive sums", out, expected);

  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(storage, bytes, in.data(), count);
  });
  std::inclusive_scan(values.begin(), values.end(), expected.begin(), Plus{});
  expect_equal("inclusive sums in place", in, expected);
}

template <class T>
void maxima(int count) {
  const std::vector<T> values = any_values<T>(count);
  std::vector<T> expected(count);
  const DeviceArray<T> in(values), out(count);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(storage, bytes, in.data(), out.data(), Maximum{}, T{5},
                                          count);
  });
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), T{5}, Maximum{});
  expect_equal("exclusive maxima", out, expected);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) {
      sums<decltype(zero)>(count);
      maxima<decltype(zero)>(count);
    }
  });
  return runtime_test::result();
}
