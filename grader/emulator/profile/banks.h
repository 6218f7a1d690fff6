// Shared memory in banks: how many wavefronts a warp's access takes.
//
// Shared memory has 32 banks; consecutive words of 4 bytes lie in consecutive banks (CUDA C++
// Programming Guide, "Shared Memory", compute capability 5.x and later). In one wavefront each bank
// delivers one word, to as many lanes as want it, or takes one.
//
// A warp that accesses more than 128 bytes does it in groups of lanes: halves where each lane has 8
// bytes, quarters where it has 16. The manuals are silent about what follows; an H200 does so:
// a load joins groups two by two where lanes share elements, in the whole warp: either lane i and
// lane i^1 have the same address, for every i, or lane i and lane i^2 (a lane that takes no part
// has any address). Stores and matrix instructions join nothing.
#pragma once

#include <cstdint>
#include <span>

namespace tmaemu::profile {

inline constexpr unsigned bank_count = 32;
inline constexpr unsigned bank_bytes = 4;

enum class SharedAccess : std::uint8_t {
  load,
  store,   // and matrix instructions
  atomic,  // lanes do not share: each is a word of its own, even where the words are one
};

struct Wavefronts {
  unsigned actual = 0;
  unsigned ideal = 0;  // one a group
  unsigned conflicts() const { return actual - ideal; }
  bool operator==(const Wavefronts&) const = default;
};

// One lane that takes part, and where it accesses shared memory.
struct LaneOffset {
  unsigned lane;
  std::uint32_t offset;
};

// Every lane accesses `bytes` bytes, 1 to 16, at an offset that is a multiple of them. Lanes in
// ascending order, none twice.
Wavefronts count_wavefronts(std::span<const LaneOffset> lanes, unsigned bytes, SharedAccess access);

}  // namespace tmaemu::profile
