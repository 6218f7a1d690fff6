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

// A warp of a cluster.
struct WarpId {
  std::uint16_t rank = 0;   // of its CTA
  std::uint16_t index = 0;  // in its CTA
  bool operator==(const WarpId&) const = default;
};
constexpr WarpId warp_of(ThreadId thread) {
  return {thread.rank, static_cast<std::uint16_t>(thread.index / warp_size)};
}
constexpr unsigned place_in_warpgroup(WarpId warp) {
  return warp.index % warps_of_warpgroup;
}
constexpr WarpId first_of_warpgroup(WarpId warp) {
  return {warp.rank, static_cast<std::uint16_t>(warp.index - place_in_warpgroup(warp))};
}
constexpr WarpId warp_behind(WarpId first, unsigned place) {
  return {first.rank, static_cast<std::uint16_t>(first.index + place)};
}

}  // namespace tmaemu
