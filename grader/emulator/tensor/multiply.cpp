#include "emulator/tensor/multiply.h"

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/numeric/rounding.h"
#include "emulator/tensor/block_rows.h"
#include "emulator/tensor/dot.h"

namespace tmaemu::tensor {
namespace {

// What multiplications by the same B have in common, and memory to work in.
struct Workspace {
  DecodedColumns b;
  std::vector<f32> values_of_a;
  std::vector<s16> exponents_of_a;
  std::vector<s32> integers_of_a, integers_of_b;
};
Workspace& workspace() {
  thread_local Workspace space;
  return space;
}

// One row of A, in the order in which its blocks take its elements.
struct DecodedRow {
  const f32* values = nullptr;
  const s16* exponents = nullptr;
  std::array<u16, most_products> places;  // of the elements of B that they meet
};

class BlockMultiplication {
 public:
  BlockMultiplication(const Product& product, const PackedRows& a, const PackedRows& b,
                      const KeptColumns& kept)
      : product_(product),
        a_(a),
        b_(b),
        kept_(kept),
        rule_(block_rule(product)),
        halves_(product.summation == Summation::halves_of_words),
        space_(workspace()),
        columns_(space_.b) {
    for (unsigned i = 0; i < product.k; ++i) {
      order_[i] = static_cast<u8>(place_of_product(product, i));
      row_.places[i] = order_[i];
    }
    columns_.hold(product.b, halves_, b, product.n, product.rows_of_b());
    decode_a();
  }

  // accumulators[m * n + n]
  void add(u32* accumulators) {
    const RoundingScope scope(Rounding::toward_zero);
    for (unsigned m = 0; m < product_.m; ++m) {
      take_row_of_a(m);
      add_blocks(m, accumulators + std::size_t{m} * product_.n);
    }
  }

 private:
  void decode_a() {
    const std::size_t count = std::size_t{product_.m} * product_.k;
    space_.values_of_a.resize(count);
    space_.exponents_of_a.resize(count);
    decode_rows(product_.a, halves_, a_, product_.m, product_.k, space_.values_of_a.data(),
                space_.exponents_of_a.data());
  }

  void take_row_of_a(unsigned m) {
    row_.values = space_.values_of_a.data() + std::size_t{m} * product_.k;
    row_.exponents = space_.exponents_of_a.data() + std::size_t{m} * product_.k;
    if (halves_) reorder_row();
    if (kept_.columns == nullptr) return;
    for (unsigned i = 0; i < product_.k; ++i) row_.places[i] = kept_.row(m)[order_[i]];
  }

  void reorder_row() {
    for (unsigned i = 0; i < product_.k; ++i) {
      reordered_values_[i] = row_.values[order_[i]];
      reordered_exponents_[i] = row_.exponents[order_[i]];
    }
    row_.values = reordered_values_.data();
    row_.exponents = reordered_exponents_.data();
  }

  void add_blocks(unsigned m, u32* sums) {
    for (unsigned first = 0; first < product_.k; first += product_.block) {
      const BlockRow row{product_.block,
                         row_.places.data() + first,
                         row_.values + first,
                         row_.exponents + first,
                         columns_.values.data(),
                         columns_.exponents.data(),
                         product_.n,
                         sums};
      u32 left = add_vector_blocks(rule_, row);
      for (; left != 0; left &= left - 1) {
        const auto group = static_cast<unsigned>(std::countr_zero(left));
        if (group * block_columns >= product_.n) break;
        add_slowly(m, first, group * block_columns, sums);
      }
    }
  }

  [[gnu::noinline]] void add_slowly(unsigned m, unsigned first, unsigned column, u32* sums) const {
    std::array<Factor, most_products> x, y;
    const std::span a(x.data(), product_.block), b(y.data(), product_.block);
    for (unsigned i = 0; i < product_.block; ++i) {
      x[i] = factor(product_.a, code_at(product_.a, a_.row(m), order_[first + i]), halves_);
    }
    for (unsigned n = column; n < column + block_columns; ++n) {
      for (unsigned i = 0; i < product_.block; ++i) {
        const unsigned place = order_[first + i];
        const unsigned met = kept_.columns != nullptr ? kept_.row(m)[place] : place;
        y[i] = factor(product_.b, code_at(product_.b, b_.row(n), met), halves_);
      }
      sums[n] = add_block(rule_, a, b, sums[n]);
    }
  }

  const Product& product_;
  const PackedRows& a_;
  const PackedRows& b_;
  const KeptColumns& kept_;
  const BlockRule rule_;
  const bool halves_;
  Workspace& space_;
  DecodedColumns& columns_;
  std::array<u8, most_products> order_{};
  DecodedRow row_;
  std::array<f32, most_products> reordered_values_;
  std::array<s16, most_products> reordered_exponents_;
};

void multiply_in_blocks(const Product& product, const PackedRows& a, const PackedRows& b,
                        const KeptColumns& kept, u32* accumulators) {
  BlockMultiplication multiplication(product, a, b, kept);
  if (product.summation == Summation::blocks) return multiplication.add(accumulators);
  std::array<u32, 16 * 8> sums{};  // mma.sync has no larger ones
  multiplication.add(sums.data());
  for (unsigned i = 0; i < product.m * product.n; ++i) {
    accumulators[i] = ordinary_sum(product.accumulator, sums[i], accumulators[i]);
  }
}

// Integers of 4 or 8 bits: no sum of products leaves 32 bits.
void multiply_integers(const Product& product, const PackedRows& a, const PackedRows& b,
                       const KeptColumns& kept, u32* accumulators) {
  std::vector<s32>& columns = workspace().integers_of_b;
  const unsigned n_count = product.n, k_count = product.rows_of_b();
  columns.resize(std::size_t{n_count} * k_count);
  for (unsigned n = 0; n < n_count; ++n) {
    for (unsigned k = 0; k < k_count; ++k) {
      columns[k * n_count + n] = integer_at(product.b, b.row(n), k);
    }
  }
  std::array<s32, 256> sums;
  for (unsigned m = 0; m < product.m; ++m) {
    sums.fill(0);
    for (unsigned i = 0; i < product.k; ++i) {
      const s32 x = integer_at(product.a, a.row(m), i);
      const unsigned met = kept.columns != nullptr ? kept.row(m)[i] : i;
      const s32* const y = columns.data() + std::size_t{met} * n_count;
      for (unsigned n = 0; n < n_count; ++n) sums[n] += x * y[n];
    }
    u32* const row = accumulators + std::size_t{m} * n_count;
    for (unsigned n = 0; n < n_count; ++n) row[n] = integer_sum(product, sums[n], row[n]);
  }
}

void multiply_bits(const Product& product, const PackedRows& a, const PackedRows& b,
                   u32* accumulators) {
  const bool is_and = product.summation == Summation::bits_and;
  for (unsigned m = 0; m < product.m; ++m) {
    for (unsigned n = 0; n < product.n; ++n) {
      u32& sum = accumulators[std::size_t{m} * product.n + n];
      for (unsigned i = 0; i < product.k / 64; ++i) {
        const u64 x = element_at<u64>(a.row(m), i), y = element_at<u64>(b.row(n), i);
        sum += static_cast<u32>(std::popcount(is_and ? x & y : x ^ y));
      }
    }
  }
}

}  // namespace

void multiply(const Product& product, const PackedRows& a, const PackedRows& b,
              const KeptColumns& kept, u32* accumulators) {
  switch (product.summation) {
    case Summation::integer:
      return multiply_integers(product, a, b, kept, accumulators);
    case Summation::bits_and:
    case Summation::bits_xor:
      return multiply_bits(product, a, b, accumulators);
    default:
      return multiply_in_blocks(product, a, b, kept, accumulators);
  }
}

void multiply_f64(const Product& product, const PackedRows& a, const PackedRows& b,
                  f64* accumulators) {
  for (unsigned m = 0; m < product.m; ++m) {
    for (unsigned n = 0; n < product.n; ++n) {
      f64& sum = accumulators[std::size_t{m} * product.n + n];
      sum = dot_f64(product, a.row(m), b.row(n), sum);
    }
  }
}

}  // namespace tmaemu::tensor
