// Thrust: set operations on sorted ranges, merge, and vectorized binary search.
#include <thrust/binary_search.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>

#include <algorithm>

#include "thrust_test.h"

using namespace real_test;

template <class T>
std::vector<T> sorted_values(int count, unsigned seed) {
  std::vector<T> values = small_values<T>(count, seed, count < 100 ? 20 : 10'000);
  std::sort(values.begin(), values.end());
  return values;
}

template <class T>
void set_operations(int count) {
  const std::vector<T> a = sorted_values<T>(count, 1), b = sorted_values<T>(count / 2 + 3, 2);
  const thrust::device_vector<T> device_a = a, device_b = b;
  const auto expect_same = [&](const char* what, auto on_device, auto on_host) {
    thrust::device_vector<T> out(a.size() + b.size());
    out.erase(
        on_device(device_a.begin(), device_a.end(), device_b.begin(), device_b.end(), out.begin()),
        out.end());
    std::vector<T> expected;
    on_host(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    CHECK(out.size() == expected.size());
    expect_equal(what, out, expected);
  };
  expect_same(
      "merge", [](auto... x) { return thrust::merge(x...); },
      [](auto... x) { return std::merge(x...); });
  expect_same(
      "union", [](auto... x) { return thrust::set_union(x...); },
      [](auto... x) { return std::set_union(x...); });
  expect_same(
      "intersection", [](auto... x) { return thrust::set_intersection(x...); },
      [](auto... x) { return std::set_intersection(x...); });
  expect_same(
      "difference", [](auto... x) { return thrust::set_difference(x...); },
      [](auto... x) { return std::set_difference(x...); });
  expect_same(
      "symmetric difference", [](auto... x) { return thrust::set_symmetric_difference(x...); },
      [](auto... x) { return std::set_symmetric_difference(x...); });
}

template <class T>
void binary_search(int count) {
  const std::vector<T> sorted = sorted_values<T>(count, 1), wanted = small_values<T>(500, 3, 100);
  const thrust::device_vector<T> device_sorted = sorted, device_wanted = wanted;
  thrust::device_vector<int> lower(wanted.size()), upper(wanted.size());
  thrust::lower_bound(device_sorted.begin(), device_sorted.end(), device_wanted.begin(),
                      device_wanted.end(), lower.begin());
  thrust::upper_bound(device_sorted.begin(), device_sorted.end(), device_wanted.begin(),
                      device_wanted.end(), upper.begin());
  std::vector<int> expected_lower, expected_upper;
  for (const T value : wanted) {
    const auto range = std::equal_range(sorted.begin(), sorted.end(), value);
    expected_lower.push_back(static_cast<int>(range.first - sorted.begin()));
    expected_upper.push_back(static_cast<int>(range.second - sorted.begin()));
  }
  expect_equal("lower bounds", lower, expected_lower);
  expect_equal("upper bounds", upper, expected_upper);
}

int main() {
  for_each_type(TypeList<unsigned short, int, double>{}, [](auto zero) {
    for (const int count : sizes) {
      set_operations<decltype(zero)>(count);
      binary_search<decltype(zero)>(count);
    }
  });
  return runtime_test::result();
}
