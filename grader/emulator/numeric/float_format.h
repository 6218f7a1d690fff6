// Floating-point formats as numbers of bits, and rounding an exact number to one of them: the
// definition of what a conversion gives, written with integers and independent of the host's
// floating point.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "emulator/numeric/rounding.h"

namespace tmaemu {

struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
  std::uint64_t nan;       // the NaN that conversions give
  bool is_finite = false;  // no infinity: e4m3
  int unused_bits = 0;     // below the fraction: tf32

  constexpr int smallest_exponent() const { return 2 - (1 << (exponent_bits - 1)); }
  constexpr std::uint64_t one() const {
    return static_cast<std::uint64_t>(1 - smallest_exponent()) << (fraction_bits + unused_bits);
  }
  constexpr std::uint64_t sign() const {
    return std::uint64_t{1} << (exponent_bits + fraction_bits);
  }
  // The bits above the largest finite number: infinity, or the NaN of a format without.
  constexpr std::uint64_t beyond_finite() const {
    const std::uint64_t all_ones = (std::uint64_t{1} << exponent_bits) - 1;
    const std::uint64_t infinity = all_ones << fraction_bits;
    return is_finite ? infinity + (std::uint64_t{1} << fraction_bits) - 1 : infinity;
  }
};

namespace float_format {
inline constexpr FloatFormat f16{5, 10, 0x7fff};
inline constexpr FloatFormat bf16{8, 7, 0x7fff};
inline constexpr FloatFormat f32{8, 23, 0x7fff'ffff};
inline constexpr FloatFormat f64{11, 52, 0xfff8'0000'0000'0000};
inline constexpr FloatFormat tf32{8, 10, 0x3'ffff, false, 13};
inline constexpr FloatFormat e4m3{4, 3, 0x7f, true};
inline constexpr FloatFormat e5m2{5, 2, 0x7f};
}  // namespace float_format

// An exact number: significand * 2^exponent, or not a finite one.
struct ExactNumber {
  enum class Kind : std::uint8_t { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool is_negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;
};

constexpr ExactNumber decompose(const FloatFormat& format, std::uint64_t bits) {
  bits >>= format.unused_bits;
  const std::uint64_t magnitude = bits & (format.sign() - 1);
  ExactNumber number;
  number.is_negative = (bits & format.sign()) != 0;
  if (magnitude >= format.beyond_finite()) {
    const bool is_infinite = magnitude == format.beyond_finite() && !format.is_finite;
    number.kind = is_infinite ? ExactNumber::Kind::infinite : ExactNumber::Kind::nan;
    return number;
  }
  const auto biased = static_cast<int>(magnitude >> format.fraction_bits);
  const std::uint64_t implicit = std::uint64_t{1} << format.fraction_bits;
  number.significand = (magnitude & (implicit - 1)) | (biased != 0 ? implicit : 0);
  number.exponent = std::max(biased, 1) - 1 + format.smallest_exponent() - format.fraction_bits;
  return number;
}

// `significand` shifted right by `shift` (left where negative) and rounded.
constexpr std::uint64_t shifted_and_rounded(std::uint64_t significand, int shift, bool is_negative,
                                            Rounding mode) {
  if (shift <= 0) return significand << -shift;
  const std::uint64_t kept = shift >= 64 ? 0 : significand >> shift;
  // What is cut off, against half of the last digit kept: -1 less, 0 equal, 1 more.
  const std::uint64_t rest = shift >= 64 ? significand : significand - (kept << shift);
  if (rest == 0) return kept;
  const std::uint64_t half = shift > 64 ? 0 : std::uint64_t{1} << (shift - 1);
  const int order = shift > 64 || rest < half ? -1 : rest == half ? 0 : 1;
  switch (mode) {
    case Rounding::toward_zero:
      return kept;
    case Rounding::down:
      return kept + (is_negative ? 1 : 0);
    case Rounding::up:
      return kept + (is_negative ? 0 : 1);
    case Rounding::nearest_away:
      return kept + (order >= 0 ? 1 : 0);
    case Rounding::nearest_even:
      return kept + (order > 0 || (order == 0 && (kept & 1)) ? 1 : 0);
  }
  return kept;
}

// The number in the format. With `satfinite` nothing becomes infinite.
constexpr std::uint64_t encode(const FloatFormat& format, const ExactNumber& number, Rounding mode,
                               bool satfinite) {
  if (number.kind == ExactNumber::Kind::nan) {
    return format.nan << format.unused_bits;
  }
  const std::uint64_t sign = number.is_negative ? format.sign() : 0;
  std::uint64_t magnitude = format.beyond_finite();
  if (number.kind == ExactNumber::Kind::infinite) {
    if (satfinite) --magnitude;
  } else if (number.significand == 0) {
    magnitude = 0;
  } else {
    const int top = 63 - std::countl_zero(number.significand) + number.exponent;
    // The weight of the last digit; that of subnormals is the one of the smallest normal numbers.
    const int binade = std::max(top, format.smallest_exponent());
    const int shift = binade - format.fraction_bits - number.exponent;
    const std::uint64_t kept =
        shifted_and_rounded(number.significand, shift, number.is_negative, mode);
    // The implicit digit of `kept`, and a carry out of it, add to the exponent.
    magnitude =
        (static_cast<std::uint64_t>(binade - format.smallest_exponent()) << format.fraction_bits) +
        kept;
  }
  const bool overflows =
      number.kind == ExactNumber::Kind::finite && magnitude >= format.beyond_finite();
  if (overflows) {
    const bool stays_finite = mode == Rounding::toward_zero ||
                              (mode == Rounding::down && !number.is_negative) ||
                              (mode == Rounding::up && number.is_negative);
    magnitude = format.beyond_finite() - (satfinite || stays_finite ? 1 : 0);
  }
  return (sign | magnitude) << format.unused_bits;
}

// The integer part of the number, rounded; a larger one than 64 bits hold is returned as all ones.
constexpr std::uint64_t integral_magnitude(const ExactNumber& number, Rounding mode) {
  if (number.significand == 0) return 0;
  if (63 - std::countl_zero(number.significand) + number.exponent >= 64) return ~std::uint64_t{0};
  return shifted_and_rounded(number.significand, -number.exponent, number.is_negative, mode);
}

// tf32, as a load of the TMA engine rounds to it: an f32 whose last 13 fraction bits are zero.
// Nearest even at the 10 fraction bits, subnormals included; every NaN becomes one. What encode()
// gives, without its branches.
constexpr std::uint32_t tf32_from_f32(std::uint32_t bits) {
  const bool is_nan = (bits & 0x7fff'ffffu) > 0x7f80'0000u;
  const std::uint32_t half = 0xfffu + (bits >> 13 & 1);
  return is_nan ? 0x7fff'e000u : (bits + half) & ~0x1fffu;
}

}  // namespace tmaemu
