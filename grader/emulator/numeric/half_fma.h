// Fused multiply-add of the 16-bit formats, rounded once.
//
// No host type holds the sum exactly, and rounding it twice to nearest would be wrong at some
// halfway cases. Rounding to odd on the way keeps what the last rounding needs: an inexact result
// gets an odd last digit, so it never looks like a halfway case or an exact one (Boldo and
// Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
#pragma once

#include <bit>
#include <cmath>

#include "emulator/numeric/float_types.h"

namespace tmaemu {

// `nearest`, the neighbor of an exact number, becomes the other neighbor if that is the odd one.
// The exact number's magnitude is larger, smaller, or neither where nearest is exact.
template <class Bits>
Bits to_odd(Bits nearest, bool is_larger, bool is_smaller) {
  const Bits is_even = ~nearest & 1;
  return nearest + (is_even & Bits{is_larger}) - (is_even & Bits{is_smaller});
}

inline f64 sum_to_odd(f64 a, f64 b) {
  const f64 sum = a + b;
  // Knuth's exact error of the sum; NaN where a term is infinite, and then nothing below holds.
  const f64 b_part = sum - a;
  const f64 error = (a - (sum - b_part)) + (b - b_part);
  const f64 outward = std::copysign(1.0, sum) * error;
  return std::bit_cast<f64>(to_odd(std::bit_cast<u64>(sum), outward > 0, outward < 0));
}

inline f32 single_to_odd(f64 a) {
  const auto nearest = static_cast<f32>(a);
  const f64 magnitude = std::fabs(a), rounded = std::fabs(f64{nearest});
  return std::bit_cast<f32>(
      to_odd(std::bit_cast<u32>(nearest), magnitude > rounded, magnitude < rounded));
}

template <class T>
f32 unrounded_half_fma(T a, T b, T c) {
  const f64 product = f64{widen(a)} * widen(b);  // exact: at most 22 digits
  return single_to_odd(sum_to_odd(product, widen(c)));
}

template <class T>
T half_fma(T a, T b, T c) {
  return narrow<T>(unrounded_half_fma(a, b, c));
}

}  // namespace tmaemu
