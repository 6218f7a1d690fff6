// For the programs that use Thrust.
#pragma once

#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include "real_test.h"

namespace real_test {

template <class T>
void expect_equal(const std::string& what, const thrust::device_vector<T>& got,
                  const std::vector<T>& expected) {
  std::vector<T> values(got.size());
  thrust::copy(got.begin(), got.end(), values.begin());
  expect_equal(what, values, expected);
}

}  // namespace real_test
