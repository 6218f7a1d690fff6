#include "emulator/tensor/block.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "common/half.h"

namespace tmaemu::tensor {
namespace {

using Kind = ExactNumber::Kind;

constexpr u32 sum_nan = 0x7fff'ffff;
constexpr u32 sum_infinity = 0x7f80'0000;
constexpr u32 sign_bit = 0x8000'0000;
constexpr int no_exponent = std::numeric_limits<int>::min();

const FloatFormat& format_of(Element type) {
  switch (type) {
    case Element::bf16:
      return float_format::bf16;
    case Element::tf32:
      return float_format::tf32;
    case Element::e4m3:
      return float_format::e4m3;
    case Element::e5m2:
      return float_format::e5m2;
    default:
      return float_format::f16;
  }
}

Factor factor_of(const FloatFormat& format, u32 code) {
  const ExactNumber number = decompose(format, code);
  return {number, number.exponent + format.fraction_bits};
}

// The accumulator in its own format: a subnormal f16 is not normalized either.
Factor factor_of_sum(SumFormat format, u32 bits) {
  if (format != SumFormat::f16) return factor_of(float_format::f32, bits);
  return factor_of(float_format::f16, f16_from_f32(std::bit_cast<float>(bits)));
}

// The infinities and NaNs among the terms.
struct Specials {
  bool nan = false;
  bool plus = false;
  bool minus = false;

  void add_infinity(bool is_negative) { (is_negative ? minus : plus) = true; }
  std::optional<u32> sum() const {
    if (nan || (plus && minus)) return sum_nan;
    if (plus) return sum_infinity;
    if (minus) return sum_infinity | sign_bit;
    return std::nullopt;
  }
};

Specials specials_of(std::span<const Factor> a, std::span<const Factor> b, const Factor& c) {
  Specials specials;
  specials.nan = c.number.kind == Kind::nan;
  if (c.number.kind == Kind::infinite) specials.add_infinity(c.number.is_negative);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Kind x = a[i].number.kind, y = b[i].number.kind;
    if (x == Kind::nan || y == Kind::nan) {
      specials.nan = true;
    } else if (x == Kind::infinite || y == Kind::infinite) {
      if (a[i].is_zero() || b[i].is_zero()) specials.nan = true;
      specials.add_infinity(a[i].number.is_negative != b[i].number.is_negative);
    }
  }
  return specials;
}

// In units of 2^unit, cut toward zero.
s64 cut(bool is_negative, u64 significand, int exponent, int unit) {
  const int shift = exponent - unit;
  const u64 magnitude = shift >= 0 ? significand << shift : shift > -64 ? significand >> -shift : 0;
  return is_negative ? -static_cast<s64>(magnitude) : static_cast<s64>(magnitude);
}

// sum * 2^unit. What is too large becomes infinite, although f32 is rounded toward zero. A zero has
// no sign.
u32 rounded(SumFormat format, s64 sum, int unit) {
  ExactNumber number;
  number.is_negative = sum < 0;
  number.significand = sum < 0 ? -static_cast<u64>(sum) : static_cast<u64>(sum);
  number.exponent = unit;
  if (format == SumFormat::f16) {
    const u64 half = encode(float_format::f16, number, Rounding::nearest_even, false);
    if ((half & 0x7fff) == 0) return 0;
    return std::bit_cast<u32>(f32_from_f16(static_cast<u16>(half)));
  }
  constexpr int f32_limit = 128;
  const auto digits = static_cast<int>(std::bit_width(number.significand));
  if (digits + unit > f32_limit) number.kind = Kind::infinite;
  constexpr FloatFormat coarse_f32{8, 13, 0x1f'ffff, false, 10};
  const FloatFormat& target = format == SumFormat::f32 ? float_format::f32 : coarse_f32;
  const auto bits = static_cast<u32>(encode(target, number, Rounding::toward_zero, false));
  return (bits & ~sign_bit) == 0 ? 0 : bits;
}

}  // namespace

Factor factor(Element type, u32 code, bool is_widened) {
  const FloatFormat& format = format_of(type);
  Factor result = factor_of(format, code);
  if (!is_widened || type != Element::e4m3 || result.number.significand == 0) return result;
  while ((result.number.significand >> format.fraction_bits) == 0) {
    result.number.significand <<= 1;
    --result.number.exponent;
    --result.exponent;
  }
  return result;
}

BlockRule block_rule(const Product& product) {
  const bool is_half = product.accumulator == Accumulator::f16;
  return {product.is_coarse ? 13 : 25, is_half ? -21 : -133,
          is_half             ? SumFormat::f16
          : product.is_coarse ? SumFormat::coarse_f32
                              : SumFormat::f32};
}

u32 add_block(const BlockRule& rule, std::span<const Factor> a, std::span<const Factor> b, u32 c) {
  const Factor addend = factor_of_sum(rule.sum, c);
  if (const auto special = specials_of(a, b, addend).sum()) return *special;

  // A product's exponent is the sum of its factors', which is one too little where the product of
  // their significands is 2 or more. Zeros have none.
  int largest = addend.is_zero() ? no_exponent : addend.exponent;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].is_zero() || b[i].is_zero()) continue;
    largest = std::max(largest, a[i].exponent + b[i].exponent);
  }
  if (largest == no_exponent) return 0;
  const int unit = std::max(largest, rule.least_exponent) - rule.kept_bits;

  s64 sum = cut(addend.number.is_negative, addend.number.significand, addend.number.exponent, unit);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const ExactNumber &x = a[i].number, &y = b[i].number;
    sum += cut(x.is_negative != y.is_negative, x.significand * y.significand,
               x.exponent + y.exponent, unit);
  }
  return rounded(rule.sum, sum, unit);
}

}  // namespace tmaemu::tensor
