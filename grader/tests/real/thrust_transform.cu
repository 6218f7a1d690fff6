// Thrust: transform, fill, sequence, tabulate, generate, copy, gather, scatter, replace, reverse.
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/swap.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>

#include <algorithm>
#include <numeric>

#include "thrust_test.h"

using namespace real_test;

struct TimesPlus {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return static_cast<T>(a * T{3} + b);
  }
};
struct Thirds {
  template <class T>
  __host__ __device__ T operator()(T i) const {
    return static_cast<T>(static_cast<int>(i) / 3);
  }
};

template <class T>
void transform(int count) {
  std::vector<T> values = small_values<T>(count, 1);
  const std::vector<T> others = small_values<T>(count, 2);
  std::vector<T> expected(count);
  thrust::device_vector<T> a = values, b = others, c(count);

  thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), TimesPlus{});
  std::transform(values.begin(), values.end(), others.begin(), expected.begin(), TimesPlus{});
  expect_equal("transform", c, expected);

  thrust::transform_if(a.begin(), a.end(), b.begin(), c.begin(), cuda::std::negate<T>{}, IsOdd{});
  for (int i = 0; i < count; ++i) {
    if (IsOdd{}(others[i])) expected[i] = static_cast<T>(-values[i]);
  }
  expect_equal("transform_if", c, expected);

  thrust::replace_if(a.begin(), a.end(), IsOdd{}, T{9});
  std::replace_if(values.begin(), values.end(), IsOdd{}, T{9});
  expect_equal("replace_if", a, values);

  thrust::reverse(a.begin(), a.end());
  std::reverse(values.begin(), values.end());
  expect_equal("reverse", a, values);

  thrust::sequence(c.begin(), c.end(), T{5});
  for (int i = 0; i < count; ++i) expected[i] = static_cast<T>(5 + i);
  expect_equal("sequence", c, expected);

  thrust::fill(c.begin(), c.begin() + count / 2, T{4});
  std::fill(expected.begin(), expected.begin() + count / 2, T{4});
  expect_equal("fill", c, expected);

  thrust::swap_ranges(a.begin(), a.end(), c.begin());
  expect_equal("swap_ranges", a, expected);
}

void gather_and_scatter(int count) {
  std::vector<int> places(count);
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), std::mt19937(7));
  const std::vector<double> values = any_values<double>(count);
  std::vector<double> gathered(count), scattered(count);
  for (int i = 0; i < count; ++i) {
    gathered[i] = values[places[i]];
    scattered[places[i]] = values[i];
  }
  const thrust::device_vector<int> map = places;
  const thrust::device_vector<double> in = values;
  thrust::device_vector<double> out(count);
  thrust::gather(map.begin(), map.end(), in.begin(), out.begin());
  expect_equal("gather", out, gathered);
  thrust::scatter(in.begin(), in.end(), map.begin(), out.begin());
  expect_equal("scatter", out, scattered);

  thrust::device_vector<int> thirds(count);
  thrust::tabulate(thirds.begin(), thirds.end(), Thirds{});
  for (int i = 0; i < count; ++i) places[i] = i / 3;
  expect_equal("tabulate", thirds, places);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) transform<decltype(zero)>(count);
  });
  for (const int count : sizes) gather_and_scatter(count);
  return runtime_test::result();
}
