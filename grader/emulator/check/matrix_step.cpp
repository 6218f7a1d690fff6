#include "emulator/check/matrix_step.h"

#include <algorithm>
#include <cstdlib>

namespace tmaemu::check {
namespace {

constexpr std::uint32_t lines_of_core = 8;
constexpr std::uint32_t core_bytes = lines_of_core * bytes_of_unit;
constexpr std::uint32_t bytes_of_element = 2;  // of a transposed matrix

Overlap overlap(std::uint32_t distance, std::uint32_t extent) {
  if (distance == 0) return Overlap::whole;
  return distance < extent ? Overlap::partial : Overlap::none;
}

bool are_alike(const events::MatrixInShared& one, const events::MatrixInShared& other) {
  return one.swizzle_bytes == other.swizzle_bytes && one.is_transposed == other.is_transposed &&
         one.base_offset == other.base_offset && one.lines == other.lines &&
         one.line_bytes == other.line_bytes && (!one.uses_stride || one.stride == other.stride) &&
         (!one.uses_leading || one.leading == other.leading);
}

// Rows of the swizzle's bytes lie one after another: each is a line, or, transposed, a k of
// several.
std::optional<StepRelation> relation_in_rows(const events::MatrixInShared& lower,
                                             const events::MatrixInShared& upper) {
  const std::uint32_t row = lower.swizzle_bytes;
  if (lower.uses_stride && lower.stride != lines_of_core * row) return std::nullopt;
  const std::uint32_t rows = upper.start / row - lower.start / row;
  const auto [left, right] = std::minmax({lower.start % row, upper.start % row});
  const std::uint32_t bytes = right - left;
  if (!lower.is_transposed) {
    return StepRelation{overlap(bytes, lower.line_bytes), overlap(rows, lower.lines)};
  }
  return StepRelation{overlap(rows, lower.line_bytes / bytes_of_element),
                      overlap(bytes / bytes_of_element, lower.lines)};
}

// Core matrices of 128 bytes, one offset apart along K and the other one across.
std::optional<StepRelation> relation_in_cores(const events::MatrixInShared& lower,
                                              const events::MatrixInShared& upper) {
  std::uint32_t distance = upper.start - lower.start;
  std::uint32_t along_k = 0;
  std::uint32_t across = 0;
  const auto take = [&](std::uint32_t offset, std::uint32_t& steps) {
    steps = distance / offset;
    distance %= offset;
  };
  if (lower.leading == 0 || (lower.uses_stride && lower.stride == 0)) return std::nullopt;
  if (is_k_outside(lower)) take(lower.leading, along_k);
  if (lower.uses_stride) take(lower.stride, across);
  if (!is_k_outside(lower)) take(lower.leading, along_k);
  if (distance != 0) return std::nullopt;
  return StepRelation{overlap(along_k, lower.line_bytes / bytes_of_unit),
                      overlap(across, lower.lines / lines_of_core)};
}

}  // namespace

std::optional<StepRelation> relation_of(const events::MatrixInShared& one,
                                        const events::MatrixInShared& other) {
  if (!are_alike(one, other)) return std::nullopt;
  const bool is_upward = one.start <= other.start;
  const events::MatrixInShared& lower = is_upward ? one : other;
  const events::MatrixInShared& upper = is_upward ? other : one;
  return lower.swizzle_bytes != 0 ? relation_in_rows(lower, upper)
                                  : relation_in_cores(lower, upper);
}

// A matrix may stay where it is while the other one goes on to other lines, and may slide while
// that does: a convolution's does over a tile with a halo. What nobody means is that K goes on in
// one of the two alone, or that both slide.
bool is_suspicious(const StepRelation& own, const std::optional<StepRelation>& partner) {
  if (own.overlaps_along_k()) return true;
  if (!partner) return false;
  if (own.stays()) return partner->advances();
  return own.slides() && (partner->advances() || partner->slides() || partner->overlaps_along_k());
}

bool meets_itself(const events::MatrixInShared& matrix) {
  if (matrix.swizzle_bytes != 0 || !matrix.uses_stride || matrix.leading == matrix.stride ||
      matrix.leading % core_bytes != 0 || matrix.stride % core_bytes != 0 || matrix.stride == 0) {
    return false;
  }
  const std::uint32_t cores_along_k = matrix.line_bytes / bytes_of_unit;
  const std::uint32_t cores_across = matrix.lines / lines_of_core;
  for (std::uint32_t i = 1; i < cores_along_k; ++i) {
    const std::uint32_t distance = i * matrix.leading;
    if (distance != 0 && distance % matrix.stride == 0 && distance / matrix.stride < cores_across) {
      return true;
    }
  }
  return false;
}

bool overlaps_itself(const events::MatrixInShared& matrix) {
  if (matrix.swizzle_bytes != 0) return false;
  const auto along_k = static_cast<std::int64_t>(matrix.line_bytes / bytes_of_unit);
  const auto across =
      static_cast<std::int64_t>(matrix.uses_stride ? matrix.lines / lines_of_core : 1);
  // From a core matrix to those that come behind it along K, before or behind it across.
  for (std::int64_t k = 0; k < along_k; ++k) {
    for (std::int64_t lines = k == 0 ? 1 : 1 - across; lines < across; ++lines) {
      const std::int64_t distance = k * matrix.leading + lines * matrix.stride;
      if (distance != 0 && std::abs(distance) < core_bytes) return true;
    }
  }
  return false;
}

}  // namespace tmaemu::check
