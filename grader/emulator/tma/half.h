// Conversions between f32 and the two 16-bit formats, exact or rounded to nearest even, by bits: no
// dependence on the host's instructions for them. NaN becomes PTX's canonical NaN of the format.
#pragma once

#include <bit>
#include <cstdint>

namespace tmaemu::tma {

inline constexpr std::uint16_t canonical_half_nan = 0x7fff;  // of f16 and of bf16

constexpr float f32_from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

constexpr std::uint16_t bf16_from_f32(float value) {
  if (value != value) return canonical_half_nan;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

constexpr float f32_from_f16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t magnitude = (bits & 0x7fffu) << 13;
  if ((bits & 0x7c00u) == 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | magnitude);
  // As an f32 the magnitude is 2^112 too small, exactly, for subnormals too.
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

constexpr std::uint16_t f16_from_f32(float value) {
  if (value != value) return canonical_half_nan;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  // 65520, the midpoint above f16's largest number, rounds to infinity.
  if (magnitude >= 0x477ff000u) return sign | 0x7c00;
  if (magnitude < 0x38800000u) {  // below 2^-14: subnormal in f16
    // Adding 0.5 leaves 24 fraction bits after the point; the host's addition rounds there.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

}  // namespace tmaemu::tma
