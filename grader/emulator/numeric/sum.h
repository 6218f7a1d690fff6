// Sums as memory makes them: of atomics, and of the TMA engine's reductions.
#pragma once

#include <bit>
#include <type_traits>

#include "emulator/numeric/float_types.h"

namespace tmaemu {

// Rounded to nearest even. The 16-bit formats add through f32: its 24 significant bits are at least
// twice their 11 or 8, plus two, so rounding twice gives what rounding once would.
template <class T>
T sum(T a, T b) {
  if constexpr (std::is_same_v<T, f64>) {
    return propagated(a + b, a, b);
  } else if constexpr (is_pair<T>) {
    return {sum(a.low, b.low), sum(a.high, b.high)};
  } else {
    return narrow<T>(canonical(widen(a) + widen(b)));
  }
}

// Without subnormals, neither coming in nor going out.
inline f32 flushing_sum(f32 a, f32 b) {
  return flushed(sum(flushed(a), flushed(b)));
}

// In double precision global memory's own adder, which the engine shares, lets a NaN out as it is,
// signaling ones too, the operand's before the memory's; inf - inf gives the default NaN. By bits,
// since C++ leaves to the compiler which NaN survives.
inline u64 sum_in_memory(u64 memory, u64 operand) {
  const f64 x = std::bit_cast<f64>(memory);
  const f64 y = std::bit_cast<f64>(operand);
  const f64 sum = x + y;
  if (y != y) return operand;
  if (x != x) return memory;
  return sum == sum ? std::bit_cast<u64>(sum) : f64_nan_bits;
}

}  // namespace tmaemu
