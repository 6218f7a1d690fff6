#include "emulator/tma/operation_rules.h"

#include <algorithm>
#include <string>

namespace tmaemu::tma {
namespace {

common::Status check_rank(const TensorMap& map, std::size_t rank) {
  if (static_cast<std::size_t>(map.rank) == rank) return {};
  return common::Error{"a " + std::to_string(rank) +
                       "-dimensional TMA instruction is given a tensor map of rank " +
                       std::to_string(map.rank)};
}

// A box starts at a multiple of 16 bytes, wholly outside the tensor too. The manual is silent. A
// position of an interleaved layout is 16 or 32 bytes, so that every coordinate will do there.
common::Status check_inner_coordinate(const TensorMap& map, std::int32_t coordinate) {
  constexpr std::int64_t alignment = 16;
  const auto position_bytes = static_cast<std::int64_t>(map.position_bytes());
  const std::int64_t start = coordinate * position_bytes;
  if (start % alignment == 0) return {};
  return common::Error{"the innermost coordinate is " + std::to_string(coordinate) +
                       ", so the box starts " + std::to_string(start) +
                       " bytes along the row, which is not a multiple of 16: with elements of " +
                       std::to_string(position_bytes) +
                       " bytes the innermost coordinate must be a multiple of " +
                       std::to_string(alignment / position_bytes)};
}

// A box that is written may reach past the end of the tensor but not begin before it, whatever the
// dimension, also where part of it lies within. The manual is silent.
common::Status check_not_negative(std::span<const std::int32_t> coordinates) {
  const auto negative = std::ranges::find_if(coordinates, [](auto c) { return c < 0; });
  if (negative == coordinates.end()) return {};
  return common::Error{"coordinate " + std::to_string(negative - coordinates.begin()) + " is " +
                       std::to_string(*negative) +
                       ": the box of a TMA store or reduction must not begin before the tensor; "
                       "only loads take negative coordinates"};
}

}  // namespace

common::Status check_operation(const TensorMap& map, std::span<const std::int32_t> coordinates,
                               Direction direction) {
  if (common::Status rank = check_rank(map, coordinates.size()); !rank.ok()) return rank;
  if (direction == Direction::to_global) {
    if (common::Status status = check_not_negative(coordinates); !status.ok()) return status;
  }
  return check_inner_coordinate(map, coordinates[0]);
}

}  // namespace tmaemu::tma
