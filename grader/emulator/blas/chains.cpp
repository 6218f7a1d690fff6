#include "emulator/blas/chains.h"

#include <algorithm>
#include <cstring>

#include "common/round_up.h"
#include "emulator/numeric/vectors.h"

namespace tmaemu::blas {
namespace {

// Of D in one go: as many sums as there are registers for.
template <class Number>
constexpr std::size_t width = 32 / sizeof(Number);
constexpr std::size_t vectors = 3;
template <class Number>
constexpr std::size_t strip_rows = vectors* width<Number>;
constexpr std::size_t strip_columns = 4;
static_assert(tile_rows % strip_rows<float> == 0 && tile_rows % strip_rows<double> == 0);
static_assert(tile_columns % strip_columns == 0);

template <class Number>
using Vector = typename VectorOf<Number, width<Number>>::Type;

template <class Number>
Vector<Number> read(const Number* from) {
  Vector<Number> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

// sums[column * tile_rows + row] += the products of `steps` steps of a strip of A and one of B.
// Compiled with -ffp-contract=fast: a product and its addition are rounded once.
template <class Number>
void add_products(const Number* a, const Number* b, std::size_t steps, Number* sums) {
  Vector<Number> sum[strip_columns][vectors];
#pragma GCC unroll 4
  for (std::size_t column = 0; column < strip_columns; ++column) {
#pragma GCC unroll 3
    for (std::size_t i = 0; i < vectors; ++i) {
      sum[column][i] = read(sums + column * tile_rows + i * width<Number>);
    }
  }
  for (std::size_t step = 0; step < steps; ++step, a += strip_rows<Number>, b += strip_columns) {
    const Vector<Number> a0 = read(a), a1 = read(a + width<Number>),
                         a2 = read(a + 2 * width<Number>);
    static_assert(vectors == 3);
#pragma GCC unroll 4
    for (std::size_t column = 0; column < strip_columns; ++column) {
      const Vector<Number> factor = b[column] - Vector<Number>{};  // in all lanes
      sum[column][0] += a0 * factor;
      sum[column][1] += a1 * factor;
      sum[column][2] += a2 * factor;
    }
  }
#pragma GCC unroll 4
  for (std::size_t column = 0; column < strip_columns; ++column) {
#pragma GCC unroll 3
    for (std::size_t i = 0; i < vectors; ++i) {
      std::memcpy(sums + column * tile_rows + i * width<Number>, &sum[column][i],
                  sizeof sum[column][i]);
    }
  }
}

}  // namespace

std::size_t steps_of_a_chain(const Gemm& gemm) {
  constexpr std::size_t ctas = 128, most_tiles = 8, elements = 256 * 128, least_steps = 64;
  const std::size_t whole = std::max<std::size_t>(gemm.k, 1);
  const std::size_t tiles = common::round_up(gemm.m * gemm.n, elements) / elements;
  const bool is_followed = gemm.bias != nullptr || gemm.activation != Activation::none;
  if (gemm.a.type != Type::f32 || gemm.batch != 1 || is_followed || gemm.k < 4 * least_steps ||
      tiles > most_tiles) {
    return whole;
  }
  const std::size_t parts = std::min(gemm.k / least_steps, ctas / tiles);
  return common::round_up(gemm.k, 8 * parts) / parts;
}

template <class Number>
void Chains<Number>::clear() {
  std::fill(sums_.begin(), sums_.end(), Number{});
  std::fill(total_.begin(), total_.end(), Number{});
}

template <class Number>
void Chains<Number>::add(const Tile& tile, std::size_t step, std::size_t steps) {
  const std::size_t in_one_chain = steps_of_a_chain(*tile.gemm);
  for (const std::size_t end = step + steps; step < end;) {
    const std::size_t count = std::min(end - step, in_one_chain - step % in_one_chain);
    add_to_chain(tile, step, count);
    step += count;
    if (step % in_one_chain == 0 && step < tile.gemm->k) end_chain();
  }
}

template <class Number>
void Chains<Number>::end_chain() {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    total_[i] += sums_[i];
    sums_[i] = 0;
  }
}

template <class Number>
void Chains<Number>::add_to_chain(const Tile& tile, std::size_t step, std::size_t steps) {
  pack(tile.of_a(step, steps), strip_rows<Number>, a_.data());
  pack(tile.of_b(step, steps), strip_columns, b_.data());
  for (std::size_t row = 0; row < tile.rows; row += strip_rows<Number>) {
    for (std::size_t column = 0; column < tile.columns; column += strip_columns) {
      add_products(&a_[row * steps], &b_[column * steps], steps, &sums_[column * tile_rows + row]);
    }
  }
}

template class Chains<float>;
template class Chains<double>;

}  // namespace tmaemu::blas
