// Thrust: scans, of transformed values and by key, adjacent_difference and reduce_by_key.
#include <thrust/adjacent_difference.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <algorithm>
#include <numeric>

#include "thrust_test.h"

using namespace real_test;

template <class T>
void scan(int count) {
  const std::vector<T> values = small_values<T>(count, 1);
  const std::vector<int> keys = small_values<int>(count, 2, 2);
  std::vector<T> expected(count);
  const thrust::device_vector<T> in = values;
  const thrust::device_vector<int> device_keys = keys;
  thrust::device_vector<T> out(count);

  thrust::inclusive_scan(in.begin(), in.end(), out.begin());
  std::inclusive_scan(values.begin(), values.end(), expected.begin());
  expect_equal("inclusive_scan", out, expected);

  thrust::transform_exclusive_scan(in.begin(), in.end(), out.begin(), Square{}, T{2},
                                   cuda::std::plus<T>{});
  std::transform_exclusive_scan(values.begin(), values.end(), expected.begin(), T{2},
                                std::plus<T>{}, Square{});
  expect_equal("transform_exclusive_scan", out, expected);

  thrust::inclusive_scan_by_key(device_keys.begin(), device_keys.end(), in.begin(), out.begin());
  std::vector<int> run_keys;
  std::vector<T> run_sums;
  for (int i = 0; i < count; ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      run_keys.push_back(keys[i]);
      run_sums.push_back(T{});
    }
    expected[i] = run_sums.back() = static_cast<T>(run_sums.back() + values[i]);
  }
  expect_equal("inclusive_scan_by_key", out, expected);

  thrust::device_vector<int> out_keys(count);
  const auto ends = thrust::reduce_by_key(device_keys.begin(), device_keys.end(), in.begin(),
                                          out_keys.begin(), out.begin());
  CHECK(ends.first - out_keys.begin() == static_cast<std::ptrdiff_t>(run_keys.size()));
  expect_equal("keys of reduce_by_key", out_keys, run_keys);
  expect_equal("sums of reduce_by_key", out, run_sums);

  thrust::adjacent_difference(in.begin(), in.end(), out.begin());
  std::adjacent_difference(values.begin(), values.end(), expected.begin());
  expect_equal("adjacent_difference", out, expected);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) scan<decltype(zero)>(count);
  });
  return runtime_test::result();
}
