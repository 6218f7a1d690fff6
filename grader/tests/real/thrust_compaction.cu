// Thrust: copy_if, remove_if, unique, unique_by_key, partition and stable_partition.
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/unique.h>

#include <algorithm>

#include "thrust_test.h"

using namespace real_test;

template <class T>
void compact(int count) {
  const std::vector<T> values = small_values<T>(count, 1, 5);
  thrust::device_vector<T> device_values = values, out(count);
  std::vector<T> expected;

  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), IsOdd{});
  const auto end =
      thrust::copy_if(device_values.begin(), device_values.end(), out.begin(), IsOdd{});
  CHECK(end - out.begin() == static_cast<std::ptrdiff_t>(expected.size()));
  expect_equal("copy_if", out, expected);

  expected.clear();
  std::unique_copy(values.begin(), values.end(), std::back_inserter(expected));
  thrust::device_vector<T> unique = device_values;
  unique.erase(thrust::unique(unique.begin(), unique.end()), unique.end());
  CHECK(unique.size() == expected.size());
  expect_equal("unique", unique, expected);

  expected.clear();
  std::remove_copy_if(values.begin(), values.end(), std::back_inserter(expected), IsOdd{});
  thrust::device_vector<T> rest = device_values;
  rest.erase(thrust::remove_if(rest.begin(), rest.end(), IsOdd{}), rest.end());
  CHECK(rest.size() == expected.size());
  expect_equal("remove_if", rest, expected);

  expected = values;
  std::stable_partition(expected.begin(), expected.end(), IsOdd{});
  thrust::stable_partition(device_values.begin(), device_values.end(), IsOdd{});
  expect_equal("stable_partition", device_values, expected);
  CHECK(thrust::is_partitioned(device_values.begin(), device_values.end(), IsOdd{}));
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) compact<decltype(zero)>(count);
  });
  return runtime_test::result();
}
