// Thrust: sort by radix (plain keys) and by merging (a comparison of one's own), stable_sort_by_key
// and is_sorted.
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <algorithm>
#include <numeric>

#include "thrust_test.h"

using namespace real_test;

struct ByLastBits {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return (static_cast<long long>(a) & 15) < (static_cast<long long>(b) & 15);
  }
};

template <class T>
void sort(int count) {
  std::vector<T> keys = small_values<T>(count, 1, 120);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  thrust::device_vector<T> device_keys = keys;
  thrust::device_vector<int> values = order;

  thrust::stable_sort_by_key(device_keys.begin(), device_keys.end(), values.begin(), ByLastBits{});
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return ByLastBits{}(keys[a], keys[b]); });
  std::stable_sort(keys.begin(), keys.end(), ByLastBits{});
  expect_equal("keys sorted by a comparison", device_keys, keys);
  expect_equal("their values", values, order);

  thrust::sort(device_keys.begin(), device_keys.end());
  std::sort(keys.begin(), keys.end());
  expect_equal("sorted keys", device_keys, keys);
  CHECK(thrust::is_sorted(device_keys.begin(), device_keys.end()));
}

int main() {
  for_each_type(TypeList<signed char, int, float, double>{}, [](auto zero) {
    for (const int count : sizes) sort<decltype(zero)>(count);
  });
  return runtime_test::result();
}
