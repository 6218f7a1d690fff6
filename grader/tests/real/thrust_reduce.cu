// Thrust: reductions, inner products, counts, extremes, and conditions over a whole range.
#include <thrust/count.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <numeric>

#include "thrust_test.h"

using namespace real_test;

struct IsThree {
  template <class T>
  __host__ __device__ bool operator()(T x) const {
    return x == T{3};
  }
};
// Its argument may be a reference to the device's memory, so the type is not left to be deduced.
template <class T>
struct SquareOf {
  __host__ __device__ T operator()(T x) const { return static_cast<T>(x * x); }
};

template <class T>
void reduce(int count) {
  const std::vector<T> values = small_values<T>(count, 1), others = small_values<T>(count, 2);
  const thrust::device_vector<T> a = values, b = others;
  CHECK(thrust::reduce(a.begin(), a.end()) ==
        static_cast<T>(std::accumulate(values.begin(), values.end(), T{})));
  CHECK(thrust::inner_product(a.begin(), a.end(), b.begin(), T{1}) ==
        std::inner_product(values.begin(), values.end(), others.begin(), T{1}));
  CHECK(thrust::transform_reduce(a.begin(), a.end(), SquareOf<T>{}, T{}, cuda::std::plus<T>{}) ==
        std::transform_reduce(values.begin(), values.end(), T{}, std::plus<T>{}, SquareOf<T>{}));
  CHECK(thrust::count_if(a.begin(), a.end(), IsThree{}) ==
        std::count_if(values.begin(), values.end(), IsThree{}));
  CHECK(thrust::any_of(a.begin(), a.end(), IsThree{}) ==
        std::any_of(values.begin(), values.end(), IsThree{}));
  CHECK(thrust::equal(a.begin(), a.end(), b.begin()) == (count == 0));
}

template <class T>
void extremes(int count) {
  const std::vector<T> values = any_values<T>(count);
  const thrust::device_vector<T> a = values;
  CHECK(thrust::min_element(a.begin(), a.end()) - a.begin() ==
        std::min_element(values.begin(), values.end()) - values.begin());
  const auto [least, greatest] = thrust::minmax_element(a.begin(), a.end());
  const auto expected = std::max_element(values.begin(), values.end());
  CHECK(greatest - a.begin() == expected - values.begin());
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) {
      reduce<decltype(zero)>(count);
      extremes<decltype(zero)>(count);
    }
  });
  return runtime_test::result();
}
