#include "emulator/profile/sectors.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace tmaemu::profile {

unsigned count_blocks(std::span<const std::uint64_t> addresses, unsigned block_bytes) {
  constexpr std::size_t max_addresses = 32;
  assert(addresses.size() <= max_addresses);
  std::array<std::uint64_t, max_addresses> blocks;
  const auto end = std::ranges::transform(addresses, blocks.begin(), [&](std::uint64_t address) {
                     return address / block_bytes;
                   }).out;
  if (!std::is_sorted(blocks.begin(), end)) std::sort(blocks.begin(), end);
  return static_cast<unsigned>(std::unique(blocks.begin(), end) - blocks.begin());
}

}  // namespace tmaemu::profile
