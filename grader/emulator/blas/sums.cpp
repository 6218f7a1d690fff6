#include "emulator/blas/sums.h"

#include <cstring>

namespace tmaemu::blas {
namespace {

typedef double Vector __attribute__((vector_size(32)));
constexpr std::size_t width = sizeof(Vector) / sizeof(double);
constexpr std::size_t vectors = strip_rows / width;

Vector read(const double* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

}  // namespace

// Compiled with -ffp-contract=fast: a product and its addition are rounded once.
void add_products(const double* a, const double* b, std::size_t steps, double* sums,
                  std::size_t stride) {
  Vector sum[strip_columns][vectors] = {};
  for (std::size_t step = 0; step < steps; ++step, a += strip_rows, b += strip_columns) {
    const Vector a0 = read(a), a1 = read(a + width), a2 = read(a + 2 * width);
    static_assert(vectors == 3);
#pragma GCC unroll 4
    for (std::size_t column = 0; column < strip_columns; ++column) {
      const Vector factor = {b[column], b[column], b[column], b[column]};
      sum[column][0] += a0 * factor;
      sum[column][1] += a1 * factor;
      sum[column][2] += a2 * factor;
    }
  }
#pragma GCC unroll 4
  for (std::size_t column = 0; column < strip_columns; ++column) {
#pragma GCC unroll 3
    for (std::size_t i = 0; i < vectors; ++i) {
      double* const at = sums + column * stride + i * width;
      const Vector total = read(at) + sum[column][i];
      std::memcpy(at, &total, sizeof total);
    }
  }
}

}  // namespace tmaemu::blas
