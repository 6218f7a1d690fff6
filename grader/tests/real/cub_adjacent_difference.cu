// cub::DeviceAdjacentDifference: to the left and to the right neighbor, also in place.
#include <cub/device/device_adjacent_difference.cuh>

#include "real_test.h"

using namespace real_test;

template <class T>
void differences(int count) {
  const std::vector<T> values = small_values<T>(count, 1, 100);
  std::vector<T> left = values, right = values;
  for (int i = 1; i < count; ++i) left[i] = Minus{}(values[i], values[i - 1]);
  for (int i = 0; i + 1 < count; ++i) right[i] = Minus{}(values[i], values[i + 1]);
  const DeviceArray<T> in(values), out(count);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceAdjacentDifference::SubtractLeftCopy(storage, bytes, in.data(), out.data(),
                                                           count, Minus{});
  });
  expect_equal("differences to the left", out, left);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceAdjacentDifference::SubtractRight(storage, bytes, in.data(), count, Minus{});
  });
  expect_equal("differences to the right in place", in, right);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) differences<decltype(zero)>(count);
  });
  return runtime_test::result();
}
