// How the parts of a launch are numbered: CTAs, threads, lanes.
#pragma once

#include <compare>
#include <cstdint>

namespace tmaemu {

// An extent or an index in up to three dimensions.
struct Dimensions {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dimensions&) const = default;
};

// A thread of a cluster: the CTA's rank and the thread's linear index in its CTA.
struct ThreadId {
  std::uint16_t rank = 0;
  std::uint16_t index = 0;
  auto operator<=>(const ThreadId&) const = default;
};

inline constexpr unsigned warp_size = 32;
// The warps of a warpgroup follow each other, the first at a multiple of this. PTX ISA,
// "Asynchronous Warpgroup Level Matrix Instructions: Warpgroup".
inline constexpr unsigned warps_of_warpgroup = 4;
// One bit a lane of a warp.
using LaneMask = std::uint32_t;
inline constexpr LaneMask all_lanes = 0xFFFF'FFFF;

}  // namespace tmaemu
