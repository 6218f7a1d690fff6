// The floating-point types of PTX beyond the host's own, and what the hardware does to every
// result: one NaN, subnormals flushed under .ftz, .sat and .relu.
//
// The functions are written as selections, without branches, so that lane loops vectorize.
#pragma once

#include <bit>
#include <type_traits>

#include "common/half.h"
#include "emulator/numeric/types.h"

namespace tmaemu {

// The 16-bit formats as registers hold them.
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
// .f16x2 and .bf16x2: the first element is in the lower half of the register.
template <class T>
struct Pair {
  T low, high;
};

template <class T>
inline constexpr bool is_half = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <class T>
inline constexpr bool is_pair = false;
template <class T>
inline constexpr bool is_pair<Pair<T>> = true;

// The NaN that single and half precision instructions give, whatever NaN they were given.
inline constexpr u32 f32_nan_bits = 0x7fff'ffff;
// The NaN that double precision gives where no operand is one; else an operand's is passed on.
inline constexpr u64 f64_nan_bits = 0xfff8'0000'0000'0000;
inline constexpr u64 f64_quiet_bit = 0x0008'0000'0000'0000;

// As the host's type that holds it exactly.
inline f32 widen(f16 a) {
  return f32_from_f16(a.bits);
}
inline f32 widen(bf16 a) {
  return f32_from_bf16(a.bits);
}
inline f32 widen(f32 a) {
  return a;
}
inline f64 widen(f64 a) {
  return a;
}

// Rounded to the nearest, ties to even. The host must round so too.
template <class T>
T narrow(f32 a) {
  if constexpr (std::is_same_v<T, f16>) {
    return {f16_from_f32(a)};
  } else if constexpr (std::is_same_v<T, bf16>) {
    return {bf16_from_f32(a)};
  } else {
    return a;
  }
}
template <class T>
T narrow(f64 a) {
  return a;
}

inline f32 canonical(f32 a) {
  return a == a ? a : std::bit_cast<f32>(f32_nan_bits);
}
inline f64 quieted(f64 a) {
  return std::bit_cast<f64>(std::bit_cast<u64>(a) | f64_quiet_bit);
}

// NaN payloads pass through double precision instructions (PTX ISA, "Floating Point Instructions");
// the first operand that is a NaN wins.
template <class... T>
f64 propagated(f64 result, T... operands) {
  f64 nan = std::bit_cast<f64>(f64_nan_bits);
  const f64 in_order[] = {operands...};
  for (std::size_t i = sizeof...(T); i-- > 0;) {
    nan = in_order[i] == in_order[i] ? nan : quieted(in_order[i]);
  }
  return result == result ? result : nan;
}

// Subnormals become zeros of the same sign.
inline f32 flushed(f32 a) {
  const u32 bits = std::bit_cast<u32>(a);
  return std::bit_cast<f32>((bits & 0x7f80'0000u) == 0 ? bits & 0x8000'0000u : bits);
}
inline f64 flushed(f64 a) {
  const u64 bits = std::bit_cast<u64>(a);
  return std::bit_cast<f64>((bits & 0x7ff0'0000'0000'0000u) == 0 ? bits & (u64{1} << 63) : bits);
}
inline f16 flushed(f16 a) {
  return {static_cast<u16>((a.bits & 0x7c00u) == 0 ? a.bits & 0x8000u : a.bits)};
}
inline bf16 flushed(bf16 a) {
  return {static_cast<u16>((a.bits & 0x7f80u) == 0 ? a.bits & 0x8000u : a.bits)};
}

// .sat: to [0, 1]; NaN and -0 become +0.
template <class T>
T saturated(T a) {
  const T above = T{0} < a ? a : T{0};
  return above < T{1} ? above : T{1};
}
// .relu: negative numbers become +0, NaN stays.
template <class T>
T rectified(T a) {
  return a <= T{0} ? T{0} : a;
}

}  // namespace tmaemu
