// cub::DeviceMerge: two sorted sequences become one.
#include <algorithm>
#include <cub/device/device_merge.cuh>

#include "real_test.h"

using namespace real_test;

template <class T>
void merge(int count1, int count2) {
  std::vector<T> first = any_values<T>(count1, 1), second = any_values<T>(count2, 2);
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  std::vector<T> expected(count1 + count2);
  std::merge(first.begin(), first.end(), second.begin(), second.end(), expected.begin());
  const DeviceArray<T> in1(first), in2(second), out(count1 + count2);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceMerge::MergeKeys(storage, bytes, in1.data(), count1, in2.data(), count2,
                                       out.data());
  });
  expect_equal("merged keys", out, expected);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) {
      merge<decltype(zero)>(count, 777);
      merge<decltype(zero)>(count / 3, count);
    }
  });
  return runtime_test::result();
}
