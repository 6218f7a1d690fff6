#include "emulator/tma/tile.h"

#include <cassert>
#include <cstring>
#include <limits>

#include "common/half.h"
#include "emulator/numeric/float_format.h"

namespace tmaemu::tma {
namespace {

// Number of steps from `from` (at most `count`) that lie before `bound`.
std::int64_t steps_before(std::int64_t bound, std::int64_t from, std::int64_t step,
                          std::int64_t count) {
  if (bound <= from) return 0;
  return std::min(count, (bound - from + step - 1) / step);
}

}  // namespace

BoxWalk::BoxWalk(const TensorMap& map, Coordinates coordinates)
    : rows_are_padded_(map.row_padding() != 0), first_(map.global_address), axis_count_(1) {
  assert(static_cast<int>(coordinates.size()) >= map.rank);
  const auto position_bytes = static_cast<std::int64_t>(map.position_bytes());
  axes_[0] = {position_bytes, 1, 0, position_bytes};
  for (int dimension = 0; dimension < map.rank; ++dimension) {
    const std::int64_t coordinate = coordinates[dimension];
    const auto size = static_cast<std::int64_t>(map.global_size[dimension]);
    const auto stride = dimension == 0
                            ? position_bytes
                            : static_cast<std::int64_t>(map.global_stride[dimension - 1]);
    const std::int64_t step = map.step(dimension);
    const std::int64_t count = map.box_extent(dimension);
    // Unsigned, so that the address of a box that starts outside may wrap.
    first_ += static_cast<std::uint64_t>(coordinate) * static_cast<std::uint64_t>(stride);
    const std::int64_t begin = steps_before(0, coordinate, step, count);
    const std::int64_t end = steps_before(size, coordinate, step, count);
    const Axis axis{count, step * stride, begin, end};
    if (rows_are_padded_ && dimension == 1) {
      axes_[axis_count_++] = axis;
    } else {
      append(axis);
    }
  }
}

// Keeps the axes few: one position within the tensor is no loop, and an axis that continues where
// the one inside it ends extends that one.
void BoxWalk::append(const Axis& axis) {
  if (axis.count == 1 && axis.all_inside()) return;
  Axis& inner = axes_[axis_count_ - 1];
  if (inner.all_inside() && axis.step == inner.count * inner.step) {
    inner = {inner.count * axis.count, inner.step, inner.count * axis.begin,
             inner.count * axis.end};
    return;
  }
  axes_[axis_count_++] = axis;
}

PixelWalk::PixelWalk(const TensorMap& map, Coordinates coordinates)
    : first_(map.global_address),
      pixels_(map.pixels_per_column),
      row_bytes_(static_cast<std::uint32_t>(map.row_bytes())),
      begin_(0),
      end_(row_bytes_),
      axis_count_(map.pixel_rank() + 1) {
  assert(static_cast<int>(coordinates.size()) >= map.rank);
  const auto stride = [&](int dimension) {
    return dimension == 0 ? static_cast<std::int64_t>(map.position_bytes())
                          : static_cast<std::int64_t>(map.global_stride[dimension - 1]);
  };
  for (int i = 0; i < map.pixel_rank(); ++i) {
    const int dimension = map.pixel_dimension(i);
    const auto size = static_cast<std::int64_t>(map.global_size[dimension]);
    const bool has_offset = map.rank + i < static_cast<int>(coordinates.size());
    axes_[i] = {coordinates[dimension],
                map.lower_corner[i],
                size - 1 + map.upper_corner[i],
                map.element_stride[dimension],
                has_offset ? coordinates[map.rank + i] : 0,
                size,
                stride(dimension)};
  }
  const int batch = map.rank - 1;
  axes_[map.pixel_rank()] = {coordinates[batch],
                             0,
                             std::numeric_limits<std::int64_t>::max(),
                             map.element_stride[batch],
                             0,
                             static_cast<std::int64_t>(map.global_size[batch]),
                             stride(batch)};
  const int channels = map.interleave == Interleave::none ? 0 : map.slice_dimension();
  const std::int64_t coordinate = coordinates[channels];
  const auto size = static_cast<std::int64_t>(map.global_size[channels]);
  // Unsigned, as above.
  first_ += static_cast<std::uint64_t>(coordinate) * static_cast<std::uint64_t>(stride(channels));
  const std::int64_t position = static_cast<std::int64_t>(map.position_bytes());
  const std::int64_t count = row_bytes_ / position;
  begin_ = static_cast<std::uint32_t>(steps_before(0, coordinate, 1, count) * position);
  end_ = static_cast<std::uint32_t>(steps_before(size, coordinate, 1, count) * position);
}

void fill_out_of_bounds(const TensorMap& map, std::span<std::byte> destination) {
  if (map.fill == OutOfBoundsFill::zero) {
    std::memset(destination.data(), 0, destination.size());
    return;
  }
  // The same 16 bits for every type: NaN to f16 and bf16, and two or four of them to f32 and f64.
  for (std::size_t offset = 0; offset < destination.size(); offset += sizeof outside_nan_bits) {
    std::memcpy(destination.data() + offset, &outside_nan_bits, sizeof outside_nan_bits);
  }
}

bool converts_on_load(DataType type) {
  return type == DataType::tf32 || type == DataType::tf32_ftz;
}

void convert_loaded([[maybe_unused]] DataType type, std::span<std::byte> elements) {
  assert(converts_on_load(type) && elements.size() % sizeof(std::uint32_t) == 0);
  for (std::size_t offset = 0; offset < elements.size(); offset += sizeof(std::uint32_t)) {
    std::uint32_t bits;
    std::memcpy(&bits, elements.data() + offset, sizeof bits);
    bits = tf32_from_f32(bits);
    std::memcpy(elements.data() + offset, &bits, sizeof bits);
  }
}

}  // namespace tmaemu::tma
