// The inner loop: sums of products of packed numbers.
#pragma once

#include <cstddef>

namespace tmaemu::blas {

// Of D in one go: as many sums as there are registers for.
inline constexpr std::size_t strip_rows = 12;
inline constexpr std::size_t strip_columns = 4;

// sums[column * stride + row] += the products of `steps` steps of a strip of A and one of B.
void add_products(const double* a, const double* b, std::size_t steps, double* sums,
                  std::size_t stride);

}  // namespace tmaemu::blas
