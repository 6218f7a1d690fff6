// The lesser and the greater of two floating-point numbers, as instructions, atomics and the TMA
// engine have them.
#pragma once

#include <bit>
#include <type_traits>

#include "emulator/numeric/float_types.h"

namespace tmaemu {

enum class Extremum : std::uint8_t { minimum, maximum };

// What min and max have in common. By itself a NaN loses against a number.
struct ExtremumForm {
  Extremum which = Extremum::minimum;
  bool ftz = false;
  bool passes_nan = false;  // .NaN: the result is NaN where an operand is
  bool xors_signs = false;  // .xorsign.abs: of the magnitudes, with the product's sign
};

// -0 is less than +0: where the operands are equal, the bits of their signs decide.
template <Extremum which, class F>
F ordered_extremum(F a, F b) {
  using U = std::conditional_t<sizeof(F) == 4, u32, u64>;
  const auto a_bits = std::bit_cast<U>(a), b_bits = std::bit_cast<U>(b);
  if constexpr (which == Extremum::minimum) {
    const F zeros = std::bit_cast<F>(a_bits | b_bits);
    return a == b ? zeros : a < b ? a : b;
  } else {
    const F zeros = std::bit_cast<F>(a_bits & b_bits);
    return a == b ? zeros : b < a ? a : b;
  }
}

template <ExtremumForm form, class F>
F extremum_of_widened(F a, F b) {
  using U = std::conditional_t<sizeof(F) == 4, u32, u64>;
  constexpr U sign_bit = U{1} << (8 * sizeof(F) - 1);
  const U sign = (std::bit_cast<U>(a) ^ std::bit_cast<U>(b)) & sign_bit;
  if constexpr (form.xors_signs) {
    a = std::bit_cast<F>(std::bit_cast<U>(a) & ~sign_bit);
    b = std::bit_cast<F>(std::bit_cast<U>(b) & ~sign_bit);
  }
  F result = ordered_extremum<form.which>(a, b);
  if constexpr (!form.passes_nan) {
    result = a == a ? result : b;
    result = b == b ? result : a;
  }
  const bool is_nan = form.passes_nan ? (a != a) | (b != b) : (a != a) & (b != b);
  if constexpr (form.xors_signs) result = std::bit_cast<F>(std::bit_cast<U>(result) | sign);
  if constexpr (sizeof(F) == 4) {
    return is_nan ? std::bit_cast<F>(f32_nan_bits) : result;
  } else {
    return is_nan ? quieted(b == b ? a : b) : result;
  }
}

// Of any of the types, element by element.
template <ExtremumForm form, class T>
T extremum(T a, T b) {
  if constexpr (is_pair<T>) {
    return {extremum<form>(a.low, b.low), extremum<form>(a.high, b.high)};
  } else if constexpr (form.ftz) {
    return narrow<T>(extremum_of_widened<form>(widen(flushed(a)), widen(flushed(b))));
  } else {
    return narrow<T>(extremum_of_widened<form>(widen(a), widen(b)));
  }
}

}  // namespace tmaemu
