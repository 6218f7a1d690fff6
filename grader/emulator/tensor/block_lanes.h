// add_vector_blocks() of block_rows.h in vectors of so many lanes, as GCC's vector extensions write
// them, for any processor. Each number of lanes is compiled for those that have vectors of that
// size, and eight for all.
//
// How it is fast. A product of two elements is exact in f32, and `toward zero` is what converting
// to an integer does: so after a multiplication by 2^(kept_bits - E) the terms are cut as the rules
// of block.h say, and 32-bit integers add them. The sum goes back to f32 by one conversion, rounded
// toward zero by the host.
//
// That holds where E is in the middle of f32's range, however far apart the terms are: a product
// that underflows would be cut to 0 anyway. Infinities, NaNs, and sums that do not fit in 32 bits
// are left to the slow code; ordinary data have none of them.
#pragma once

#include "emulator/numeric/vectors.h"
#include "emulator/tensor/block_rows.h"

namespace tmaemu::tensor {

// `vectors` neighbors of `lanes` columns each: their chains of additions overlap. `length`: the
// elements of a block.
template <unsigned lanes, unsigned vectors, unsigned length>
class BlockLanes {
  static constexpr unsigned columns = lanes * vectors;
  // Exponents have half the size, so that a register holds those of two vectors.
  static constexpr unsigned short_lanes = vectors == 1 ? lanes : 2 * lanes;
  static constexpr unsigned short_vectors = columns / short_lanes;

  using Floats = typename VectorOf<f32, lanes>::Type;
  using Ints = typename VectorOf<s32, lanes>::Type;
  using Words = typename VectorOf<u32, lanes>::Type;
  using Shorts = typename VectorOf<s16, short_lanes>::Type;
  using ShortsOfInts = typename VectorOf<s16, lanes>::Type;

  static constexpr int least_fast_exponent = -100;
  static constexpr int largest_fast_exponent = 118;
  // Below it is only what has a zero for a factor.
  static constexpr int exponent_of_nothing = -2000;
  static constexpr int f32_bias = 127;
  static constexpr int f32_fraction_bits = 23;

 public:
  // For the columns from `column` on: as add_vector_blocks().
  static u32 add(const BlockRule& rule, const BlockRow& row, unsigned column) {
    alignas(64) s16 largest[columns];
    find_largest_exponents(row, column, largest);
    Words low[vectors], high[vectors];
    Floats scale[vectors], weight[vectors];
    Ints is_left[vectors];
    for (unsigned v = 0; v < vectors; ++v) {
      const auto sums = load<Words>(row.sums + column + v * lanes);
      const auto of_products =
          __builtin_convertvector(load<ShortsOfInts>(largest + v * lanes), Ints);
      const Ints exponent = larger(of_products, exponents_of(sums, rule.sum));
      const Ints unit = unit_exponent(rule, exponent, is_left[v]);
      weight[v] = power_of_two(unit);
      scale[v] = power_of_two(-unit);
      low[v] = cut(reinterpret_cast<Floats>(sums) * scale[v]);
      high[v] = Words{};
    }
    // In two halves, so that what passes 2^31 shows in the last addition.
    add_products(row, column, 0, length / 2, scale, low);
    add_products(row, column, length / 2, length, scale, high);
    Ints any_is_left{};
    for (unsigned v = 0; v < vectors; ++v) {
      const Words sum = low[v] + high[v];
      is_left[v] |= reinterpret_cast<Ints>((low[v] ^ sum) & (high[v] ^ sum)) < 0;
      any_is_left |= is_left[v];
      low[v] = sum;
    }
    u32 left = 0;
    const bool are_some_left = any_lane<lanes>(any_is_left);
    for (unsigned v = 0; v < vectors; ++v) {
      if (are_some_left && any_lane<lanes>(is_left[v])) {
        left |= ((1u << lanes / block_columns) - 1) << v * (lanes / block_columns);
      } else {
        store(rounded(reinterpret_cast<Ints>(low[v]), weight[v], rule.sum),
              row.sums + column + v * lanes);
      }
    }
    return left;
  }

 private:
  template <class Vector, class T>
  static Vector load(const T* from) {
    Vector vector;
    __builtin_memcpy(&vector, from, sizeof vector);
    return vector;
  }
  template <class Vector>
  static void store(Vector vector, void* to) {
    __builtin_memcpy(to, &vector, sizeof vector);
  }
  template <class Vector>
  static Vector larger(Vector x, Vector y) {
    return x > y ? x : y;
  }

  static Words cut(Floats value) {
    return reinterpret_cast<Words>(__builtin_convertvector(value, Ints));
  }

  // 2^exponent, of normal numbers.
  static Floats power_of_two(Ints exponent) {
    return reinterpret_cast<Floats>((exponent + f32_bias) << f32_fraction_bits);
  }

  // Of the products in each column.
  static void find_largest_exponents(const BlockRow& row, unsigned column, s16* largest) {
    Shorts all[short_vectors];
    for (Shorts& each : all) each = Shorts{} + s16{2 * exponent_of_zero};
    for (unsigned i = 0; i < length; ++i) {
      const s16* const b = row.b_exponents + std::size_t{row.places[i]} * row.n + column;
      for (unsigned v = 0; v < short_vectors; ++v) {
        all[v] = larger<Shorts>(all[v], row.a_exponents[i] + load<Shorts>(b + v * short_lanes));
      }
    }
    for (unsigned v = 0; v < short_vectors; ++v) store(all[v], largest + v * short_lanes);
  }

  // Those of accumulators; a subnormal f16 has the exponent of the smallest normal one.
  static Ints exponents_of(Words sums, SumFormat format) {
    Ints exponent = reinterpret_cast<Ints>(sums >> f32_fraction_bits & 255u) - f32_bias;
    if (format == SumFormat::f16) exponent = larger<Ints>(exponent, Ints{} - 14);
    return (sums << 1) == 0 ? Ints{} + 2 * exponent_of_zero : exponent;
  }

  // The exponent of the last bit that is kept; where E is far from the middle, some exponent.
  static Ints unit_exponent(const BlockRule& rule, Ints exponent, Ints& is_slow) {
    const Ints least = Ints{} + least_fast_exponent, most = Ints{} + largest_fast_exponent;
    exponent = larger<Ints>(exponent,
                            exponent > exponent_of_nothing ? Ints{} + rule.least_exponent : least);
    is_slow = (exponent > most) | (exponent < least);
    exponent = larger<Ints>(exponent, least);
    exponent = exponent < most ? exponent : most;
    return exponent - rule.kept_bits;
  }

  static void add_products(const BlockRow& row, unsigned column, unsigned first, unsigned end,
                           const Floats* scale, Words* to) {
    Words sums[vectors];  // in registers
    for (unsigned v = 0; v < vectors; ++v) sums[v] = to[v];
    for (unsigned i = first; i < end; ++i) {
      const f32 a = row.a[i];
      const f32* const b = row.b + std::size_t{row.places[i]} * row.n + column;
      for (unsigned v = 0; v < vectors; ++v) {
        sums[v] += cut(a * load<Floats>(b + v * lanes) * scale[v]);
      }
    }
    for (unsigned v = 0; v < vectors; ++v) to[v] = sums[v];
  }

  // sum * weight in the format. The sum has up to 31 digits.
  static Floats rounded(Ints sum, Floats weight, SumFormat format) {
    Floats number = __builtin_convertvector(sum, Floats);
    if (format == SumFormat::coarse_f32) {
      number = reinterpret_cast<Floats>(reinterpret_cast<Ints>(number) & ~0x3ff);
    }
    if (format != SumFormat::f16) return number * weight;
    // Rounded to odd first (half_fma.h): then the second rounding, to nearest, is the only one.
    const Ints is_cut = __builtin_convertvector(number, Ints) != sum;
    number = reinterpret_cast<Floats>(reinterpret_cast<Ints>(number) | (is_cut & 1));
    return rounded_to_half<lanes>(number * weight) + 0.0f;  // no zero has a sign
  }
};

// Adds the columns from `column` on as long as `vectors` vectors fit; `column` is then the first
// that is left.
template <unsigned lanes, unsigned vectors, unsigned length>
u32 add_neighbors(const BlockRule& rule, const BlockRow& row, unsigned& column) {
  u32 left = 0;
  for (; column + lanes * vectors <= row.n; column += lanes * vectors) {
    left |= BlockLanes<lanes, vectors, length>::add(rule, row, column) << column / block_columns;
  }
  return left;
}

template <unsigned lanes, unsigned length>
u32 add_columns(const BlockRule& rule, const BlockRow& row, unsigned& column) {
  const u32 left = add_neighbors<lanes, 4, length>(rule, row, column);
  return left | add_neighbors<lanes, 1, length>(rule, row, column);
}

// The same for blocks of each length that matrix instructions have.
template <unsigned lanes>
u32 add_block_lanes(const BlockRule& rule, const BlockRow& row, unsigned& column) {
  switch (row.length) {
    case 4:
      return add_columns<lanes, 4>(rule, row, column);
    case 8:
      return add_columns<lanes, 8>(rule, row, column);
    case 16:
      return add_columns<lanes, 16>(rule, row, column);
    default:
      return add_columns<lanes, 32>(rule, row, column);
  }
}

}  // namespace tmaemu::tensor
