// Thrust's fancy iterators in algorithms: counting, constant, transform, zip, permutation, discard.
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/zip_function.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "thrust_test.h"

using namespace real_test;

struct Add {
  __host__ __device__ double operator()(int a, double b, float c) const { return a + b * c; }
};

int main() {
  for (const int count : sizes) {
    const auto squares =
        thrust::make_transform_iterator(thrust::make_counting_iterator(0LL), Square{});
    long long sum = 0;
    for (long long i = 0; i < count; ++i) sum += i * i;
    CHECK(thrust::reduce(thrust::device, squares, squares + count) == sum);

    const auto ints = small_values<int>(count, 1);
    const auto doubles = small_values<double>(count, 2);
    const auto floats = small_values<float>(count, 3);
    const thrust::device_vector<int> a = ints;
    const thrust::device_vector<double> b = doubles;
    const thrust::device_vector<float> c = floats;
    const auto zipped = thrust::make_zip_iterator(a.begin(), b.begin(), c.begin());
    thrust::device_vector<double> out(count);
    thrust::transform(zipped, zipped + count, out.begin(), thrust::make_zip_function(Add{}));
    std::vector<double> expected(count);
    for (int i = 0; i < count; ++i) expected[i] = Add{}(ints[i], doubles[i], floats[i]);
    expect_equal("zipped transform", out, expected);

    thrust::device_vector<int> keys = ints;
    thrust::device_vector<int> positions(thrust::make_counting_iterator(0),
                                         thrust::make_counting_iterator(count));
    const auto pairs = thrust::make_zip_iterator(keys.begin(), positions.begin());
    thrust::sort(pairs, pairs + count);
    std::vector<std::pair<int, int>> order;
    for (int i = 0; i < count; ++i) order.emplace_back(ints[i], i);
    std::sort(order.begin(), order.end());
    std::vector<int> expected_positions, expected_values, expected_counts;
    for (const auto& [key, position] : order) {
      if (expected_positions.empty() || key != expected_values.back()) expected_counts.push_back(0);
      ++expected_counts.back();
      expected_positions.push_back(position);
      expected_values.push_back(ints[position]);
    }
    expect_equal("positions of sorted tuples", positions, expected_positions);

    const auto permuted = thrust::make_permutation_iterator(a.begin(), positions.begin());
    const thrust::device_vector<int> values(permuted, permuted + count);
    expect_equal("permuted values", values, expected_values);

    thrust::device_vector<int> counts(count);
    thrust::reduce_by_key(values.begin(), values.end(), thrust::make_constant_iterator(1),
                          thrust::make_discard_iterator(), counts.begin());
    expect_equal("counts of equal values", counts, expected_counts);
  }
  return runtime_test::result();
}
