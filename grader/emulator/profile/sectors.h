// Global memory in sectors: what a warp's access touches of it.
#pragma once

#include <cstdint>
#include <span>

namespace tmaemu::profile {

// The unit in which the L1 and L2 caches look up and fetch.
inline constexpr unsigned sector_bytes = 32;

// How many different blocks of `block_bytes`, a power of two, hold these addresses; at most 32
// addresses. An access that is aligned to its size, and no larger than a block, touches one.
unsigned count_blocks(std::span<const std::uint64_t> addresses, unsigned block_bytes);

}  // namespace tmaemu::profile
