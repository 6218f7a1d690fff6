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

common::Status check_mode(const TensorMap& map, Mode mode) {
  if (map.mode == mode) return {};
  return common::Error{mode == Mode::im2col ? "an im2col instruction is given a tensor map of "
                                              "cuTensorMapEncodeTiled"
                                            : "a tiled instruction is given a tensor map of "
                                              "cuTensorMapEncodeIm2col"};
}

// PTX ISA, "im2col mode": "the filter corner location must be within the bounding box". An H200
// executes nothing else.
common::Status check_in_bounding_box(const TensorMap& map,
                                     std::span<const std::int32_t> coordinates) {
  for (int i = 0; i < map.pixel_rank(); ++i) {
    const auto dimension = static_cast<std::size_t>(map.pixel_dimension(i));
    const auto size = static_cast<std::int64_t>(map.global_size[dimension]);
    const auto axis = static_cast<std::size_t>(i);
    const std::int64_t first = map.lower_corner[axis];
    const std::int64_t last = size - 1 + map.upper_corner[axis];
    const std::int64_t at = coordinates[dimension];
    if (at >= first && at <= last) continue;
    return common::Error{"coordinate " + std::to_string(dimension) + " is " + std::to_string(at) +
                         ", outside the bounding box of the im2col tensor map, which goes from " +
                         std::to_string(first) + " to " + std::to_string(last)};
  }
  return {};
}

// A bounding box that is written stays within the image, also where its pixels do not reach the
// border: so PTX ISA, "Restriction on Tensor Copy instructions", and an H200.
common::Status check_written_bounding_box(const TensorMap& map) {
  for (int i = 0; i < map.pixel_rank(); ++i) {
    const auto axis = static_cast<std::size_t>(i);
    if (map.lower_corner[axis] >= 0 && map.upper_corner[axis] <= 0) continue;
    return common::Error{
        "an im2col store or reduction is given a tensor map whose bounding box "
        "leaves the image: its lower corner has to be at least 0 and its upper "
        "corner at most 0, and in dimension " +
        std::to_string(map.pixel_dimension(i)) + " they are " +
        std::to_string(map.lower_corner[axis]) + " and " + std::to_string(map.upper_corner[axis])};
  }
  return {};
}

// Offsets have 16 bits for all dimensions together, or less. What larger ones do depends on the
// compiler.
common::Status check_offsets(std::span<const std::int32_t> offsets) {
  constexpr std::int32_t limits[] = {0, 1 << 16, 1 << 8, 1 << 5};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] < limits[offsets.size()]) continue;
    return common::Error{"im2col offset " + std::to_string(i) + " is " +
                         std::to_string(offsets[i]) + "; with " + std::to_string(offsets.size()) +
                         " offsets each is less than " + std::to_string(limits[offsets.size()])};
  }
  return {};
}

}  // namespace

common::Status check_operation(const TensorMap& map, Mode mode,
                               std::span<const std::int32_t> coordinates,
                               std::span<const std::int32_t> offsets, Direction direction) {
  if (common::Status right = check_mode(map, mode); !right.ok()) return right;
  if (common::Status rank = check_rank(map, coordinates.size()); !rank.ok()) return rank;
  if (mode == Mode::im2col) {
    if (common::Status inside = check_in_bounding_box(map, coordinates); !inside.ok())
      return inside;
    if (common::Status valid = check_offsets(offsets); !valid.ok()) return valid;
  }
  if (mode == Mode::im2col && direction == Direction::to_global) {
    if (common::Status inside = check_written_bounding_box(map); !inside.ok()) return inside;
  }
  if (direction == Direction::to_global) {
    if (common::Status status = check_not_negative(coordinates); !status.ok()) return status;
  }
  return check_inner_coordinate(map, coordinates[0]);
}

}  // namespace tmaemu::tma
