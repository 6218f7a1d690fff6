// Pairs of CTAs, whose ranks differ in the last bit. PTX ISA, ".cta_group::2".
#pragma once

#include <cstdint>

#include "emulator/memory/address_space.h"

namespace tmaemu {

// The rank of the CTA whose mbarrier counts the bytes that an operation brings to `destination`:
// its own, or of a pair the one that has the last bit of `mbarrier`'s CTA.
constexpr std::uint32_t signaled_rank(std::uint32_t destination, std::uint32_t mbarrier,
                                      bool is_paired) {
  return is_paired ? (destination & ~1u) | (shared_rank(mbarrier) & 1u) : destination;
}

}  // namespace tmaemu
