// Where the elements of a box lie: in global memory (coordinates, strides, bounds) and in shared
// memory (box order, padding, swizzle, interleave). One walk serves loads, stores and reductions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "emulator/memory/swizzle.h"
#include "emulator/tma/tensor_map.h"

namespace tmaemu::tma {

// A run of consecutive bytes of one box, whole elements: contiguous in global memory and in shared
// memory, and either all of it within the tensor or none.
struct Run {
  std::uint64_t global_address;  // first byte; meaningless where !in_bounds
  std::uint32_t shared_offset;   // bytes from the box's first byte in shared memory, swizzled
  std::uint32_t bytes;
  bool in_bounds;  // out-of-bounds runs are filled on loads and dropped on stores
};

// Where an operation works, by the instruction's operands: a coordinate each dimension, innermost
// first, in positions; im2col loads follow them with an offset each dimension of a pixel's place.
using Coordinates = std::span<const std::int32_t>;
inline constexpr int max_coordinates = max_rank + max_pixel_rank;

// A box as nested loops over bytes, innermost axis first. Dimensions that follow one another
// without a gap in global memory are one axis, so a box that is one piece of memory is one axis.
class BoxWalk {
 public:
  BoxWalk(const TensorMap& map, Coordinates coordinates);

  // Calls visit(global address, bytes, begin, end) for every innermost row, in box order. Of the
  // row's bytes, those in [begin, end) are within the tensor.
  template <class Visit>
  void for_each_row(Visit&& visit) const;

 private:
  // The positions with begin <= index < end are within the tensor.
  struct Axis {
    std::int64_t count;
    std::int64_t step;  // bytes
    std::int64_t begin, end;

    bool all_inside() const { return begin == 0 && end == count; }
    bool inside(std::int64_t index) const { return begin <= index && index < end; }
  };

  void append(const Axis& axis);

  bool rows_are_padded_;  // in shared memory: they must stay apart
  std::uint64_t first_;   // global address of the box's first byte
  int axis_count_;
  std::array<Axis, max_rank + 1> axes_;
};

// The pixels of one operation in im2col mode: from the pixel at the coordinates on along W, then H,
// then D, then N, in the steps of element_stride. Each dimension but N begins again at the lower
// corner of the bounding box when it has passed the upper one. The offsets of a load move every
// pixel, and not the bounding box. PTX ISA, "im2col mode".
class PixelWalk {
 public:
  PixelWalk(const TensorMap& map, Coordinates coordinates);

  // As BoxWalk's, a row a pixel.
  template <class Visit>
  void for_each_row(Visit&& visit) const;

 private:
  // A dimension of the walk: W, H, D, N.
  struct Axis {
    std::int64_t first;         // where the walk starts
    std::int64_t lower, upper;  // of the bounding box, inclusive
    std::int64_t step;
    std::int64_t offset;  // to the pixel that is accessed
    std::int64_t size;    // of the tensor
    std::int64_t stride;  // bytes
  };

  std::uint64_t first_;  // global address of the channels at the origin of all axes
  std::uint32_t pixels_;
  std::uint32_t row_bytes_;
  std::uint32_t begin_, end_;  // of a row, the bytes within the tensor's channels
  int axis_count_;
  std::array<Axis, max_pixel_rank + 1> axes_;
};

// Calls visit(Run) for every run of the box at `coordinates`, in ascending order of box position.
// `shared_address` is the address of the box's first byte within the shared window: the swizzle is
// a function of the address, not of the offset.
template <class Visit>
void for_each_run(const TensorMap& map, Coordinates coordinates, std::uint32_t shared_address,
                  Visit&& visit);

// Writes the out-of-bounds pattern of the map (zero, or its type's NaN) over `destination`, whole
// elements.
void fill_out_of_bounds(const TensorMap& map, std::span<std::byte> destination);

// True where a load changes values on their way: TFLOAT32 and TFLOAT32_FTZ round to the 10 fraction
// bits of tf32. No load flushes subnormals, whatever the type's name says; stores change nothing
// (measured on an H200).
bool converts_on_load(DataType type);
// Does so in place. Precondition: converts_on_load(type); whole elements.
void convert_loaded(DataType type, std::span<std::byte> elements);

// Implementation of the templates.

template <class Visit>
void BoxWalk::for_each_row(Visit&& visit) const {
  const Axis& row = axes_[0];
  std::array<std::int64_t, max_rank + 1> index{};
  std::uint64_t address = first_;
  while (true) {
    bool inside = true;
    for (int i = 1; i < axis_count_; ++i) inside = inside && axes_[i].inside(index[i]);
    visit(address, static_cast<std::uint32_t>(row.count),
          static_cast<std::uint32_t>(inside ? row.begin : 0),
          static_cast<std::uint32_t>(inside ? row.end : 0));
    int i = 1;
    for (; i < axis_count_; ++i) {
      address += static_cast<std::uint64_t>(axes_[i].step);
      if (++index[i] < axes_[i].count) break;
      address -= static_cast<std::uint64_t>(axes_[i].count * axes_[i].step);
      index[i] = 0;
    }
    if (i == axis_count_) return;
  }
}

template <class Visit>
void PixelWalk::for_each_row(Visit&& visit) const {
  std::array<std::int64_t, max_pixel_rank + 1> place{};
  for (int i = 0; i < axis_count_; ++i) place[i] = axes_[i].first;
  for (std::uint32_t pixel = 0; pixel < pixels_; ++pixel) {
    std::uint64_t address = first_;
    bool inside = true;
    for (int i = 0; i < axis_count_; ++i) {
      const std::int64_t at = place[i] + axes_[i].offset;
      inside = inside && at >= 0 && at < axes_[i].size;
      address += static_cast<std::uint64_t>(at) * static_cast<std::uint64_t>(axes_[i].stride);
    }
    visit(address, row_bytes_, inside ? begin_ : 0, inside ? end_ : 0);
    for (int i = 0; i < axis_count_; ++i) {
      place[i] += axes_[i].step;
      if (place[i] <= axes_[i].upper) break;
      place[i] = axes_[i].lower;
    }
  }
}

template <class Visit>
void for_each_run(const TensorMap& map, Coordinates coordinates, std::uint32_t shared_address,
                  Visit&& visit) {
  std::uint32_t offset = 0;  // of the next byte in box order, not swizzled
  const auto piece = [&](std::uint64_t address, std::uint32_t bytes, bool in_bounds) {
    if (map.swizzle == Swizzle::none) {
      if (bytes != 0) visit(Run{address, offset, bytes, in_bounds});
      offset += bytes;
      return;
    }
    while (bytes != 0) {
      const std::uint32_t from = shared_address + offset;
      // The swizzle XORs a whole 128-byte line with one number. Aligned blocks as large as the
      // number's lowest set bit stay in one piece.
      const std::uint32_t flip = swizzle_address(map.swizzle, from) ^ from;
      const std::uint32_t block = flip == 0 ? 128 : flip & (0 - flip);
      const std::uint32_t length = std::min(bytes, block - from % block);
      visit(Run{address, (from ^ flip) - shared_address, length, in_bounds});
      address += length;
      offset += length;
      bytes -= length;
    }
  };
  const auto padding = static_cast<std::uint32_t>(map.row_padding());
  const auto row = [&](std::uint64_t address, std::uint32_t bytes, std::uint32_t begin,
                       std::uint32_t end) {
    piece(address, begin, false);
    piece(address + begin, end - begin, true);
    piece(address + end, bytes - end, false);
    offset += padding;
  };
  if (map.mode == Mode::im2col) {
    PixelWalk(map, coordinates).for_each_row(row);
  } else {
    BoxWalk(map, coordinates).for_each_row(row);
  }
}

}  // namespace tmaemu::tma
