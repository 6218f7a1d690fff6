// cub::DevicePartition: selected elements to the front, the others to the back in reverse; in
// three.
#include <algorithm>
#include <cub/device/device_partition.cuh>

#include "real_test.h"

using namespace real_test;

struct Below {
  int limit;
  template <class T>
  __host__ __device__ bool operator()(T x) const {
    return x < static_cast<T>(limit);
  }
};

template <class T>
void in_two(int count) {
  const std::vector<T> values = small_values<T>(count, 1, 100);
  const DeviceArray<T> in(values), out(count);
  const DeviceArray<int> selected(1);
  std::vector<T> expected, others;
  for (const T value : values) (value < T{40} ? expected : others).push_back(value);
  const int below = static_cast<int>(expected.size());
  expected.insert(expected.end(), others.rbegin(), others.rend());
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DevicePartition::If(storage, bytes, in.data(), out.data(), selected.data(), count,
                                    Below{40});
  });
  expect_equal("number selected", selected, below);
  expect_equal("partitioned", out, expected);
}

template <class T>
void in_three(int count) {
  const std::vector<T> values = small_values<T>(count, 2, 100);
  const DeviceArray<T> in(values), small(count), medium(count), large(count);
  const DeviceArray<int> selected(2);
  std::vector<T> parts[3];
  for (const T value : values) parts[value < T{30} ? 0 : value < T{60} ? 1 : 2].push_back(value);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DevicePartition::If(storage, bytes, in.data(), small.data(), medium.data(),
                                    large.data(), selected.data(), count, Below{30}, Below{60});
  });
  expect_equal("numbers selected", selected,
               {static_cast<int>(parts[0].size()), static_cast<int>(parts[1].size())});
  expect_equal("small", small, parts[0]);
  expect_equal("medium", medium, parts[1]);
  expect_equal("large", large, parts[2]);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) in_two<decltype(zero)>(count);
  });
  for (const int count : sizes) {
    in_three<int>(count);
    in_three<double>(count);
  }
  return runtime_test::result();
}
