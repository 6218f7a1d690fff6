// tf32, as a load of the TMA engine rounds to it: an f32 whose last 13 fraction bits are zero.
#pragma once

#include <cstdint>

namespace tmaemu {

// Nearest even at the 10 fraction bits, subnormals included; every NaN becomes one. What encode()
// of float_format.h gives, without its branches.
constexpr std::uint32_t tf32_from_f32(std::uint32_t bits) {
  const bool is_nan = (bits & 0x7fff'ffffu) > 0x7f80'0000u;
  const std::uint32_t half = 0xfffu + (bits >> 13 & 1);
  return is_nan ? 0x7fff'e000u : (bits + half) & ~0x1fffu;
}

}  // namespace tmaemu
