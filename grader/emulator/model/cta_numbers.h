// The CTAs of a grid and of a cluster, by their places and by their numbers.
#pragma once

#include <cstdint>

#include "emulator/model/ids.h"

namespace tmaemu {

// A CTA's place in the order of the grid, and the CTA of a place.
constexpr std::uint64_t number_in_grid(const Dimensions& cta, const Dimensions& grid) {
  return cta.x + std::uint64_t{grid.x} * (cta.y + std::uint64_t{grid.y} * cta.z);
}
constexpr Dimensions cta_of_number(const Dimensions& grid, std::uint32_t number) {
  return {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
}

// The CTA of a rank in the cluster of that shape whose first CTA is `first`.
constexpr Dimensions cta_of_rank(const Dimensions& first, const Dimensions& shape,
                                 std::uint32_t rank) {
  return {first.x + rank % shape.x, first.y + rank / shape.x % shape.y,
          first.z + rank / shape.x / shape.y};
}

}  // namespace tmaemu
