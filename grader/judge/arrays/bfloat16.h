// bfloat16 on the host: the upper half of an IEEE binary32.
#pragma once

#include <cstdint>

#include "common/half.h"

namespace judge {

struct Bfloat16 {
  std::uint16_t bits = 0;

  constexpr float value() const { return tmaemu::f32_from_bf16(bits); }

  // Rounds to nearest, ties to even; NaN stays one.
  static constexpr Bfloat16 nearest(float value) { return {tmaemu::bf16_from_f32(value)}; }

  friend constexpr bool operator==(Bfloat16, Bfloat16) = default;
};

// The sum with one rounding. The float addition in between rounds too, but harmlessly: binary32 has
// 24 bits of significand, more than twice the 8 of bfloat16 plus two (Figueroa, "When is double
// rounding innocuous?", 1995).
constexpr Bfloat16 operator+(Bfloat16 a, Bfloat16 b) {
  return Bfloat16::nearest(a.value() + b.value());
}

}  // namespace judge
