// Generic addressing: where the windows of the state spaces lie in the 64-bit address space.
// PTX ISA, "Generic Addressing". Global memory has no window: every other address is global.
#pragma once

#include <cstdint>

namespace tmaemu {

// All device allocations lie in [device_range, device_range + device_range_size): between where
// Linux puts programs and where it maps files, and not where AddressSanitizer has its heap.
inline constexpr std::uint64_t device_range = 0x5800'0000'0000;
inline constexpr std::uint64_t device_range_size = 0x0100'0000'0000;  // 1 TiB

// A window is 4 GiB: the lower 32 bits are the address within the state space.
inline constexpr std::uint64_t window_size = 0x1'0000'0000;
inline constexpr std::uint64_t shared_window = 0x6A00'0000'0000;
inline constexpr std::uint64_t local_window = 0x6A01'0000'0000;
inline constexpr std::uint64_t param_window = 0x6A02'0000'0000;

constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
  return address - window < window_size;
}

// A shared::cluster address holds the rank of the CTA in its cluster above the offset. A CTA's own
// shared::cta addresses carry its own rank, so that they are valid shared::cluster addresses too.
inline constexpr unsigned cta_rank_shift = 24;
inline constexpr std::uint32_t shared_offset_mask = (1u << cta_rank_shift) - 1;

constexpr std::uint32_t shared_offset(std::uint32_t address) {
  return address & shared_offset_mask;
}
constexpr std::uint32_t shared_rank(std::uint32_t address) {
  return address >> cta_rank_shift;
}

}  // namespace tmaemu
