// Which products of a warpgroup, or numbers that are handed over, are made wrong on purpose, for a
// judge who asks whether a result has come out of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/split_mix.h"

namespace tmaemu {

// Of whose elements' products the signs may be turned; or of what else.
enum class TurnedProducts : std::uint8_t {
  none,
  all,
  without_swizzle,  // of a factor that is read from shared memory in core matrices as they are
  from_registers,   // of a factor that is taken from registers
  // Of no product, but of ints in shared memory that a phase of an mbarrier has handed over, when a
  // thread of another warp reads them first (provenance/origins.h).
  handed_over,
};

// About every second pair of numbers has the sign of its product turned. Which, only the key says.
struct TurnedSigns {
  TurnedProducts products = TurnedProducts::none;
  std::uint32_t key = 0;
};

// Whether the sign of a * b is turned. That is asked of each pair, so what one number becomes
// alone, beside 1, tells nothing of it beside another. It is the same for b * a and for -a * b,
// which somebody may multiply as well.
constexpr bool turns_sign(std::uint32_t key, float a, float b) {
  constexpr std::uint32_t magnitude = 0x7FFFFFFF;
  const std::uint32_t x = std::bit_cast<std::uint32_t>(a) & magnitude;
  const std::uint32_t y = std::bit_cast<std::uint32_t>(b) & magnitude;
  const std::uint64_t pair = std::uint64_t{std::max(x, y)} << 32 | std::min(x, y);
  return common::SplitMix64(common::seed_of_sequence(key, pair)).next() & 1;
}

// Whether the sign of an int that is handed over is turned: so nothing that is handed over in its
// place tells what becomes of it. It is the same for -value.
constexpr bool turns_sign(std::uint32_t key, std::int32_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = std::min(bits, 0 - bits);
  return common::SplitMix64(common::seed_of_sequence(key, magnitude)).next() & 1;
}
constexpr std::int32_t turned_int(std::uint32_t key, std::int32_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  return turns_sign(key, value) ? static_cast<std::int32_t>(0 - bits) : value;
}

}  // namespace tmaemu
