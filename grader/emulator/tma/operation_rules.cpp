#include "emulator/tma/operation_rules.h"

#include <algorithm>
#include <string>

#include "contract/findings/sentences.h"

namespace tmaemu::tma {
namespace {

using Refusal = std::optional<RefusedOperation>;

Refusal check_rank(const TensorMap& map, std::size_t rank) {
  if (static_cast<std::size_t>(map.rank) == rank) return {};
  return RefusedOperation{Sentence::tensor_operation_of_other_map,
                          "a " + std::to_string(rank) +
                              "-dimensional TMA instruction is given a tensor map of rank " +
                              std::to_string(map.rank)};
}

// A box starts at a multiple of 16 bytes, wholly outside the tensor too. The manual is silent. A
// position of an interleaved layout is 16 or 32 bytes, so that every coordinate will do there.
Refusal check_inner_coordinate(const TensorMap& map, std::int32_t coordinate, Direction direction) {
  constexpr std::int64_t alignment = 16;
  const auto position_bytes = static_cast<std::int64_t>(map.position_bytes());
  const std::int64_t start = coordinate * position_bytes;
  if (start % alignment == 0) return {};
  // A load may begin further left and bring more; a store would write what belongs to others.
  const Sentence sentence = direction == Direction::from_global
                                ? Sentence::loaded_box_between_units
                                : Sentence::written_box_between_units;
  return RefusedOperation{
      sentence, "the innermost coordinate is " + std::to_string(coordinate) +
                    ", so the box starts " + std::to_string(start) +
                    " bytes along the row, which is not a multiple of 16: with elements of " +
                    std::to_string(position_bytes) +
                    " bytes the innermost coordinate must be a multiple of " +
                    std::to_string(alignment / position_bytes)};
}

// A box that is written may reach past the end of the tensor but not begin before it, whatever the
// dimension, also where part of it lies within. The manual is silent.
Refusal check_not_negative(std::span<const std::int32_t> coordinates) {
  const auto negative = std::ranges::find_if(coordinates, [](auto c) { return c < 0; });
  if (negative == coordinates.end()) return {};
  return RefusedOperation{
      Sentence::written_box_before_tensor,
      "coordinate " + std::to_string(negative - coordinates.begin()) + " is " +
          std::to_string(*negative) +
          ": the box of a TMA store or reduction must not begin before the tensor; "
          "only loads take negative coordinates"};
}

Refusal check_mode(const TensorMap& map, Mode mode) {
  if (map.mode == mode) return {};
  return RefusedOperation{Sentence::tensor_operation_of_other_map,
                          mode == Mode::im2col ? "an im2col instruction is given a tensor map of "
                                                 "cuTensorMapEncodeTiled"
                                               : "a tiled instruction is given a tensor map of "
                                                 "cuTensorMapEncodeIm2col"};
}

// PTX ISA, "im2col mode": "the filter corner location must be within the bounding box". An H200
// executes nothing else.
Refusal check_in_bounding_box(const TensorMap& map, std::span<const std::int32_t> coordinates) {
  for (int i = 0; i < map.pixel_rank(); ++i) {
    const auto dimension = static_cast<std::size_t>(map.pixel_dimension(i));
    const auto size = static_cast<std::int64_t>(map.global_size[dimension]);
    const auto axis = static_cast<std::size_t>(i);
    const std::int64_t first = map.lower_corner[axis];
    const std::int64_t last = size - 1 + map.upper_corner[axis];
    const std::int64_t at = coordinates[dimension];
    if (at >= first && at <= last) continue;
    return RefusedOperation{
        Sentence::pixel_outside_bounding_box,
        "coordinate " + std::to_string(dimension) + " is " + std::to_string(at) +
            ", outside the bounding box of the im2col tensor map, which goes from " +
            std::to_string(first) + " to " + std::to_string(last)};
  }
  return {};
}

// A bounding box that is written stays within the image, also where its pixels do not reach the
// border: so PTX ISA, "Restriction on Tensor Copy instructions", and an H200.
Refusal check_written_bounding_box(const TensorMap& map) {
  for (int i = 0; i < map.pixel_rank(); ++i) {
    const auto axis = static_cast<std::size_t>(i);
    if (map.lower_corner[axis] >= 0 && map.upper_corner[axis] <= 0) continue;
    return RefusedOperation{Sentence::written_bounding_box_beyond_image,
                            "an im2col store or reduction is given a tensor map whose bounding box "
                            "leaves the image: its lower corner has to be at least 0 and its upper "
                            "corner at most 0, and in dimension " +
                                std::to_string(map.pixel_dimension(i)) + " they are " +
                                std::to_string(map.lower_corner[axis]) + " and " +
                                std::to_string(map.upper_corner[axis])};
  }
  return {};
}

// Offsets have 16 bits for all dimensions together, or less. What larger ones do depends on the
// compiler.
Refusal check_offsets(std::span<const std::int32_t> offsets) {
  constexpr std::int32_t limits[] = {0, 1 << 16, 1 << 8, 1 << 5};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] < limits[offsets.size()]) continue;
    return RefusedOperation{Sentence::im2col_offset_too_large,
                            "im2col offset " + std::to_string(i) + " is " +
                                std::to_string(offsets[i]) + "; with " +
                                std::to_string(offsets.size()) + " offsets each is less than " +
                                std::to_string(limits[offsets.size()])};
  }
  return {};
}

}  // namespace

std::optional<RefusedOperation> check_operation(const TensorMap& map, Mode mode,
                                                std::span<const std::int32_t> coordinates,
                                                std::span<const std::int32_t> offsets,
                                                Direction direction) {
  if (Refusal broken = check_mode(map, mode)) return broken;
  if (Refusal broken = check_rank(map, coordinates.size())) return broken;
  if (mode == Mode::im2col) {
    if (Refusal broken = check_in_bounding_box(map, coordinates)) return broken;
    if (Refusal broken = check_offsets(offsets)) return broken;
  }
  if (mode == Mode::im2col && direction == Direction::to_global) {
    if (Refusal broken = check_written_bounding_box(map)) return broken;
  }
  if (direction == Direction::to_global) {
    if (Refusal broken = check_not_negative(coordinates)) return broken;
  }
  return check_inner_coordinate(map, coordinates[0], direction);
}

}  // namespace tmaemu::tma
