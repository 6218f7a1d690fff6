// How it is fast. A product of two elements is exact in f32, and `toward zero` is what converting
// to an integer does: so after a multiplication by 2^(kept_bits - E) the terms are cut as the rules
// of block.h say, and 32-bit integers add them. The sum goes back to f32 by one conversion, rounded
// toward zero by the host.
//
// That holds where E is in the middle of f32's range, however far apart the terms are: a product
// that underflows would be cut to 0 anyway. Infinities, NaNs, and sums that do not fit in 32 bits
// are left to the slow code; ordinary data have none of them.
#include "emulator/tensor/block_rows.h"

#include <algorithm>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace tmaemu::tensor {

#ifdef __AVX2__
namespace {

constexpr int least_fast_exponent = -100;
constexpr int largest_fast_exponent = 118;
// Below it is only what has a zero for a factor.
constexpr int exponent_of_nothing = -2000;
constexpr int f32_bias = 127;
constexpr int f32_fraction_bits = 23;

// 2^exponent, of normal numbers.
__m256 power_of_two(__m256i exponent) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(
      _mm256_add_epi32(exponent, _mm256_set1_epi32(f32_bias)), f32_fraction_bits));
}

// The largest exponents of the products in each column.
template <unsigned vectors>
void find_largest_exponents(const BlockRow& row, unsigned column, __m256i* largest) {
  const s16* const b = row.b_exponents + column;
  if constexpr (vectors == 1) {
    __m128i narrow = _mm_set1_epi16(2 * exponent_of_zero);
    for (std::size_t i = 0; i < row.places.size(); ++i) {
      const auto* const at =
          reinterpret_cast<const __m128i*>(b + std::size_t{row.places[i]} * row.n);
      const __m128i product =
          _mm_adds_epi16(_mm_set1_epi16(row.a_exponents[i]), _mm_loadu_si128(at));
      narrow = _mm_max_epi16(narrow, product);
    }
    largest[0] = _mm256_cvtepi16_epi32(narrow);
  } else {
    __m256i wide[vectors / 2];
    for (__m256i& each : wide) each = _mm256_set1_epi16(2 * exponent_of_zero);
    for (std::size_t i = 0; i < row.places.size(); ++i) {
      const auto* const at =
          reinterpret_cast<const __m256i*>(b + std::size_t{row.places[i]} * row.n);
      const __m256i a = _mm256_set1_epi16(row.a_exponents[i]);
      for (unsigned v = 0; v < vectors / 2; ++v) {
        wide[v] = _mm256_max_epi16(wide[v], _mm256_adds_epi16(a, _mm256_loadu_si256(at + v)));
      }
    }
    for (unsigned v = 0; v < vectors; ++v) {
      const __m256i pair = wide[v / 2];
      largest[v] = _mm256_cvtepi16_epi32(v % 2 == 0 ? _mm256_castsi256_si128(pair)
                                                    : _mm256_extracti128_si256(pair, 1));
    }
  }
}

// Those of accumulators; a subnormal f16 has the exponent of the smallest normal one.
__m256i exponents_of(__m256i sums, SumFormat format) {
  const __m256i field =
      _mm256_and_si256(_mm256_srli_epi32(sums, f32_fraction_bits), _mm256_set1_epi32(255));
  __m256i exponent = _mm256_sub_epi32(field, _mm256_set1_epi32(f32_bias));
  if (format == SumFormat::f16) {
    exponent = _mm256_max_epi32(exponent, _mm256_set1_epi32(-14));
  }
  const __m256i is_zero = _mm256_cmpeq_epi32(_mm256_slli_epi32(sums, 1), _mm256_setzero_si256());
  return _mm256_blendv_epi8(exponent, _mm256_set1_epi32(2 * exponent_of_zero), is_zero);
}

// sum * weight in the format. The sum has up to 31 digits.
__m256 rounded(__m256i sum, __m256 weight, SumFormat format) {
  __m256 number = _mm256_cvtepi32_ps(sum);
  if (format == SumFormat::coarse_f32) {
    number = _mm256_and_ps(number, _mm256_castsi256_ps(_mm256_set1_epi32(~0x3ff)));
  }
  if (format != SumFormat::f16) return _mm256_mul_ps(number, weight);
  // Rounded to odd first (half_fma.h): then the second rounding, to nearest, is the only one.
  const __m256i is_exact = _mm256_cmpeq_epi32(_mm256_cvttps_epi32(number), sum);
  const __m256i odd = _mm256_andnot_si256(is_exact, _mm256_set1_epi32(1));
  number = _mm256_or_ps(number, _mm256_castsi256_ps(odd));
  const __m128i half = _mm256_cvtps_ph(_mm256_mul_ps(number, weight), _MM_FROUND_TO_NEAREST_INT);
  return _mm256_add_ps(_mm256_cvtph_ps(half), _mm256_setzero_ps());  // no zero has a sign
}

bool any(__m256i mask) {
  return _mm256_movemask_epi8(mask) != 0;
}

// `vectors` times eight columns, so that their chains of additions overlap.
template <unsigned vectors, unsigned length>
u32 add_block(const BlockRule& rule, const BlockRow& row, unsigned column) {
  __m256i exponent[vectors], low[vectors], high[vectors];
  __m256 scale[vectors];
  u32 left = 0;
  const __m256i least = _mm256_set1_epi32(least_fast_exponent);
  const __m256i most = _mm256_set1_epi32(largest_fast_exponent);
  find_largest_exponents<vectors>(row, column, exponent);
  for (unsigned v = 0; v < vectors; ++v) {
    const auto* const at = reinterpret_cast<const __m256i*>(row.sums + column + v * block_columns);
    const __m256i sums = _mm256_loadu_si256(at);
    __m256i e = _mm256_max_epi32(exponent[v], exponents_of(sums, rule.sum));
    const __m256i is_something = _mm256_cmpgt_epi32(e, _mm256_set1_epi32(exponent_of_nothing));
    e = _mm256_max_epi32(
        e, _mm256_blendv_epi8(least, _mm256_set1_epi32(rule.least_exponent), is_something));
    const __m256i is_slow =
        _mm256_or_si256(_mm256_cmpgt_epi32(e, most), _mm256_cmpgt_epi32(least, e));
    left |= u32{any(is_slow)} << v;
    e = _mm256_min_epi32(most, _mm256_max_epi32(least, e));
    exponent[v] = _mm256_sub_epi32(e, _mm256_set1_epi32(rule.kept_bits));
    scale[v] = power_of_two(_mm256_sub_epi32(_mm256_setzero_si256(), exponent[v]));
    low[v] = _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_castsi256_ps(sums), scale[v]));
    high[v] = _mm256_setzero_si256();
  }
  const auto add_products = [&](unsigned first, unsigned end, __m256i* to) {
    __m256i sums[vectors];  // in registers
    std::copy_n(to, vectors, sums);
    for (unsigned i = first; i < end; ++i) {
      const __m256 a = _mm256_broadcast_ss(row.a + i);
      const f32* const b = row.b + std::size_t{row.places[i]} * row.n + column;
      for (unsigned v = 0; v < vectors; ++v) {
        const __m256 product = _mm256_mul_ps(a, _mm256_loadu_ps(b + v * block_columns));
        sums[v] = _mm256_add_epi32(sums[v], _mm256_cvttps_epi32(_mm256_mul_ps(product, scale[v])));
      }
    }
    std::copy_n(sums, vectors, to);
  };
  // In two halves, so that what passes 2^31 shows in the last addition.
  add_products(0, length / 2, low);
  add_products(length / 2, length, high);
  for (unsigned v = 0; v < vectors; ++v) {
    const __m256i sum = _mm256_add_epi32(low[v], high[v]);
    const __m256i overflow =
        _mm256_and_si256(_mm256_xor_si256(low[v], sum), _mm256_xor_si256(high[v], sum));
    left |= u32{_mm256_movemask_ps(_mm256_castsi256_ps(overflow)) != 0} << v;
    if ((left >> v & 1) != 0) continue;
    _mm256_storeu_ps(reinterpret_cast<f32*>(row.sums + column + v * block_columns),
                     rounded(sum, power_of_two(exponent[v]), rule.sum));
  }
  return left;
}

template <unsigned length>
u32 add_blocks(const BlockRule& rule, const BlockRow& row) {
  constexpr unsigned together = 4;
  u32 left = 0;
  unsigned column = 0;
  for (; column + together * block_columns <= row.n; column += together * block_columns) {
    left |= add_block<together, length>(rule, row, column) << column / block_columns;
  }
  for (; column < row.n; column += block_columns) {
    left |= add_block<1, length>(rule, row, column) << column / block_columns;
  }
  return left;
}

}  // namespace

u32 add_vector_blocks(const BlockRule& rule, const BlockRow& row) {
  switch (row.places.size()) {
    case 4:
      return add_blocks<4>(rule, row);
    case 8:
      return add_blocks<8>(rule, row);
    case 16:
      return add_blocks<16>(rule, row);
    default:
      return add_blocks<32>(rule, row);
  }
}

#else

// All are left.
u32 add_vector_blocks(const BlockRule&, const BlockRow&) {
  return ~u32{0};
}

#endif

}  // namespace tmaemu::tensor
