// Thrust: random engines and distributions on the device give what they give on the CPU.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>

#include "thrust_test.h"

using namespace real_test;

template <class Engine>
struct Draw {
  __host__ __device__ double operator()(unsigned i) const {
    Engine engine(17);
    engine.discard(i % 1000);
    thrust::uniform_real_distribution<double> real(-1, 1);
    thrust::uniform_int_distribution<int> integer(0, 1000);
    return real(engine) + integer(engine);
  }
};

template <class Engine>
void expect_same_numbers(const char* what, unsigned count) {
  thrust::device_vector<double> numbers(count);
  thrust::transform(thrust::counting_iterator<unsigned>(0),
                    thrust::counting_iterator<unsigned>(count), numbers.begin(), Draw<Engine>{});
  std::vector<double> got(count), expected(count);
  thrust::copy(numbers.begin(), numbers.end(), got.begin());
  for (unsigned i = 0; i < count; ++i) expected[i] = Draw<Engine>{}(i);
  expect_equal(what, got, expected);
}

int main() {
  expect_same_numbers<thrust::minstd_rand>("minstd_rand", 3000);
  expect_same_numbers<thrust::taus88>("taus88", 3000);
  expect_same_numbers<thrust::ranlux24>("ranlux24", 300);

  thrust::device_vector<int> values(thrust::counting_iterator<int>(0),
                                    thrust::counting_iterator<int>(10'007));
  const thrust::device_vector<int> in_order = values;
  thrust::shuffle(values.begin(), values.end(), thrust::default_random_engine(5));
  CHECK(values != in_order);
  thrust::sort(values.begin(), values.end());
  CHECK(values == in_order);
  return runtime_test::result();
}
