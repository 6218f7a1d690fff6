// What the CPU finds for D = activation(A * B + beta * C). A form F names the types A, B, C, the
// layouts LayoutA, LayoutB, LayoutD, beta, activation, and precision: the part of a sum of all
// terms' sizes that its types cannot hold.
#pragma once

#include <cutlass/layout/matrix.h>

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "cutlass_test.h"

namespace cutlass_test {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;

// Where element (row, column) of a matrix lies.
template <class Layout>
std::size_t place(int row, int column, int rows, int columns) {
  return std::is_same_v<Layout, Row> ? std::size_t{1} * row * columns + column
                                     : std::size_t{1} * column * rows + row;
}

// What the CPU finds for one product, added to `expected` in the order of D's elements.
template <class F>
void expect_product(int m, int n, int k, const typename F::A* a, const typename F::B* b,
                    const typename F::C* c, std::vector<Expected>& expected) {
  const std::size_t begin = expected.size();
  expected.resize(begin + std::size_t{1} * m * n);
  std::vector<double> left(k), right(std::size_t{1} * n * k);
  for (int column = 0; column < n; ++column) {
    for (int i = 0; i < k; ++i) {
      right[std::size_t{1} * column * k + i] =
          static_cast<double>(b[place<typename F::LayoutB>(i, column, k, n)]);
    }
  }
  for (int row = 0; row < m; ++row) {
    for (int i = 0; i < k; ++i) {
      left[i] = static_cast<double>(a[place<typename F::LayoutA>(row, i, m, k)]);
    }
    for (int column = 0; column < n; ++column) {
      const std::size_t at = place<typename F::LayoutD>(row, column, m, n);
      double sum = F::beta * static_cast<double>(c[at]), size = std::abs(sum);
      for (int i = 0; i < k; ++i) {
        const double term = left[i] * right[std::size_t{1} * column * k + i];
        sum += term;
        size += std::abs(term);
      }
      expected[begin + at] = {F::activation(sum), size * F::precision};
    }
  }
}

}  // namespace cutlass_test
