// Conversions between f32 and the two 16-bit formats, exact or rounded to nearest even, by bits: no
// dependence on the host's instructions for them. NaN becomes PTX's canonical NaN of the format.
//
// The functions are written as selections, without branches, so that loops over lanes vectorize.
#pragma once

#include <bit>
#include <cstdint>

namespace tmaemu {

inline constexpr std::uint16_t canonical_half_nan = 0x7fff;  // of f16 and of bf16
// What a tensor map's fill puts outside of the tensor: PTX ISA, "Out of Boundary Access".
inline constexpr std::uint16_t outside_nan_bits = 0x7ff7;
constexpr bool is_outside_nan(std::uint16_t half) {
  return (half & 0x7fffu) == outside_nan_bits;
}

constexpr float f32_from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

constexpr std::uint16_t bf16_from_f32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
  return static_cast<std::uint16_t>(value == value ? rounded : canonical_half_nan);
}

constexpr float f32_from_f16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t magnitude = (bits & 0x7fffu) << 13;
  // As an f32 the magnitude is 2^112 too small, exactly, for subnormals too.
  const auto finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  const bool is_finite = (bits & 0x7c00u) != 0x7c00u;
  return std::bit_cast<float>(sign | (is_finite ? finite : magnitude | 0x7f80'0000u));
}

constexpr std::uint16_t f16_from_f32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fff'ffffu;
  // Between numbers of f16, carrying into the exponent, which is rebiased.
  const std::uint32_t normal = (magnitude + 0xfffu + (magnitude >> 13 & 1) - 0x3800'0000u) >> 13;
  // Below 2^-14: beside 0.5 the digits that f16 keeps are the last of an f32; the host rounds
  // there.
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
      std::bit_cast<std::uint32_t>(0.5f);
  std::uint32_t result = magnitude < 0x3880'0000u ? subnormal : normal;
  // From 65520 on, halfway to the number that f16 has no more.
  result = magnitude < 0x477f'f000u ? result : 0x7c00u;
  result |= bits >> 16 & 0x8000u;
  return static_cast<std::uint16_t>(value == value ? result : canonical_half_nan);
}

}  // namespace tmaemu
