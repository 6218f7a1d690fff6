// bfloat16 on the host: the upper half of an IEEE binary32.
#pragma once

#include <bit>
#include <cstdint>

namespace judge {

struct Bfloat16 {
  std::uint16_t bits = 0;

  constexpr float value() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

  // Rounds to nearest, ties to even.
  static constexpr Bfloat16 nearest(float value) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    if (value != value) return {static_cast<std::uint16_t>(word >> 16 | 0x40)};  // stays a NaN
    const std::uint32_t half_ulp = 0x7FFF + (word >> 16 & 1);
    return {static_cast<std::uint16_t>((word + half_ulp) >> 16)};
  }

  friend constexpr bool operator==(Bfloat16, Bfloat16) = default;
};

// The sum with one rounding. The float addition in between rounds too, but harmlessly: binary32 has
// 24 bits of significand, more than twice the 8 of bfloat16 plus two (Figueroa, "When is double
// rounding innocuous?", 1995).
constexpr Bfloat16 operator+(Bfloat16 a, Bfloat16 b) {
  return Bfloat16::nearest(a.value() + b.value());
}

}  // namespace judge
