#include "emulator/tma/tensor_map.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>

namespace tmaemu::tma {
namespace {

struct TypeFacts {
  const char* name;
  std::uint8_t bytes;
  bool floating;
};

constexpr TypeFacts type_facts[] = {
    {"UINT8", 1, false},       {"UINT16", 2, false},     {"UINT32", 4, false},
    {"INT32", 4, false},       {"UINT64", 8, false},     {"INT64", 8, false},
    {"FLOAT16", 2, true},      {"FLOAT32", 4, true},     {"FLOAT64", 8, true},
    {"BFLOAT16", 2, true},     {"FLOAT32_FTZ", 4, true}, {"TFLOAT32", 4, true},
    {"TFLOAT32_FTZ", 4, true},
};

const TypeFacts& facts_of(DataType type) {
  assert(static_cast<std::size_t>(type) < std::size(type_facts));
  return type_facts[static_cast<std::size_t>(type)];
}

}  // namespace

std::size_t size_of(DataType type) {
  return facts_of(type).bytes;
}
const char* name_of(DataType type) {
  return facts_of(type).name;
}
bool is_floating(DataType type) {
  return facts_of(type).floating;
}

std::size_t TensorMap::position_bytes() const {
  switch (interleave) {
    case Interleave::bytes16:
      return 16;
    case Interleave::bytes32:
      return 32;
    case Interleave::none:
      break;
  }
  return size_of(type);
}

std::uint32_t TensorMap::step(int dimension) const {
  return dimension == 0 && interleave == Interleave::none ? 1 : element_stride[dimension];
}

std::uint32_t TensorMap::box_extent(int dimension) const {
  if (interleave != Interleave::none && dimension == slice_dimension()) return 1;
  return (box_size[dimension] + step(dimension) - 1) / step(dimension);
}

bool TensorMap::skips_along(int dimension) const {
  if (step(dimension) <= 1) return false;
  if (mode == Mode::im2col) return true;
  return box_extent(dimension) > 1 && global_size[dimension] > step(dimension);
}

std::size_t TensorMap::row_bytes() const {
  if (mode == Mode::tiled) return box_extent(0) * position_bytes();
  return interleave == Interleave::none ? channels_per_pixel * position_bytes() : position_bytes();
}

std::size_t TensorMap::row_padding() const {
  if (swizzle == Swizzle::none || interleave != Interleave::none) return 0;
  const std::size_t span = swizzle_span(swizzle);
  const std::size_t row = row_bytes();
  return row < span ? span - row : 0;
}

std::size_t TensorMap::rows() const {
  if (mode == Mode::im2col) return pixels_per_column;
  std::size_t count = 1;
  for (int dimension = 1; dimension < rank; ++dimension) count *= box_extent(dimension);
  return count;
}

std::size_t TensorMap::box_bytes() const {
  const std::size_t bytes = rows() * (row_bytes() + row_padding());
  // The swizzle moves chunks within a whole span.
  const std::size_t span = swizzle_span(swizzle);
  return swizzle == Swizzle::none ? bytes : (bytes + span - 1) / span * span;
}

std::size_t TensorMap::transfer_bytes() const {
  return rows() * row_bytes();
}

TensorMap TensorMap::as_written() const {
  constexpr std::uint64_t piece = 16;
  const std::uint64_t positions = std::max<std::uint64_t>(1, piece / position_bytes());
  TensorMap written = *this;
  written.global_size[0] = (global_size[0] + positions - 1) / positions * positions;
  return written;
}

namespace {

// The opaque form. The mark tells a map from bytes that never were one, the checksum tells a map
// that something wrote over.
struct Opaque {
  std::uint32_t mark;
  std::uint8_t mode, type, rank, interleave, swizzle, l2_promotion, fill;
  std::uint8_t element_stride[max_rank];
  std::uint16_t box_size[max_rank];  // im2col: channels_per_pixel, pixels_per_column
  std::int16_t corner[2][max_pixel_rank];
  std::uint8_t unused[2];
  std::uint64_t global_address;
  std::uint64_t global_size[max_rank];
  std::uint64_t global_stride[max_rank - 1];
  std::uint64_t checksum;
};
static_assert(sizeof(Opaque) == opaque_bytes);

constexpr std::uint32_t map_mark = 0x70616d74;  // "tmap"

// Every bit of every word reaches the result: an odd multiplier keeps differences, the shift
// brings high bits down to where the next word is added.
std::uint64_t checksum_of(const Opaque& opaque) {
  std::array<std::uint64_t, offsetof(Opaque, checksum) / sizeof(std::uint64_t)> words;
  std::memcpy(words.data(), &opaque, sizeof words);
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) {
    sum = (sum ^ word) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 29;
  }
  return sum;
}

}  // namespace

std::array<std::byte, opaque_bytes> encode(const TensorMap& map) {
  Opaque opaque{};
  opaque.mark = map_mark;
  opaque.mode = static_cast<std::uint8_t>(map.mode);
  opaque.type = static_cast<std::uint8_t>(map.type);
  opaque.rank = static_cast<std::uint8_t>(map.rank);
  opaque.interleave = static_cast<std::uint8_t>(map.interleave);
  opaque.swizzle = static_cast<std::uint8_t>(map.swizzle);
  opaque.l2_promotion = map.l2_promotion;
  opaque.fill = static_cast<std::uint8_t>(map.fill);
  opaque.global_address = map.global_address;
  for (int i = 0; i < max_rank; ++i) {
    assert(map.box_size[i] <= UINT16_MAX && map.element_stride[i] <= UINT8_MAX);
    opaque.box_size[i] = static_cast<std::uint16_t>(map.box_size[i]);
    opaque.element_stride[i] = static_cast<std::uint8_t>(map.element_stride[i]);
    opaque.global_size[i] = map.global_size[i];
  }
  for (int i = 0; i < max_rank - 1; ++i) opaque.global_stride[i] = map.global_stride[i];
  if (map.mode == Mode::im2col) {
    opaque.box_size[0] = static_cast<std::uint16_t>(map.channels_per_pixel);
    opaque.box_size[1] = static_cast<std::uint16_t>(map.pixels_per_column);
    for (int i = 0; i < max_pixel_rank; ++i) {
      opaque.corner[0][i] = static_cast<std::int16_t>(map.lower_corner[i]);
      opaque.corner[1][i] = static_cast<std::int16_t>(map.upper_corner[i]);
    }
  }
  opaque.checksum = checksum_of(opaque);

  std::array<std::byte, opaque_bytes> bytes{};
  std::memcpy(bytes.data(), &opaque, sizeof opaque);
  return bytes;
}

common::Result<TensorMap> decode(std::span<const std::byte, opaque_bytes> bytes) {
  Opaque opaque;
  std::memcpy(&opaque, bytes.data(), sizeof opaque);
  if (opaque.mark != map_mark) {
    return common::Error{
        "these 128 bytes are not a tensor map: cuTensorMapEncodeTiled did not write them"};
  }
  if (opaque.checksum != checksum_of(opaque)) {
    return common::Error{
        "this tensor map was overwritten after cuTensorMapEncodeTiled wrote it: its bytes may only "
        "be copied whole"};
  }
  if (opaque.mode > static_cast<std::uint8_t>(Mode::im2col)) {
    return common::Error{"this tensor map has a mode that cuTensorMapEncode* does not write"};
  }
  TensorMap map;
  map.mode = static_cast<Mode>(opaque.mode);
  map.type = static_cast<DataType>(opaque.type);
  map.rank = opaque.rank;
  map.interleave = static_cast<Interleave>(opaque.interleave);
  map.swizzle = static_cast<Swizzle>(opaque.swizzle);
  map.l2_promotion = opaque.l2_promotion;
  map.fill = static_cast<OutOfBoundsFill>(opaque.fill);
  map.global_address = opaque.global_address;
  for (int i = 0; i < max_rank; ++i) {
    map.box_size[i] = opaque.box_size[i];
    map.element_stride[i] = opaque.element_stride[i];
    map.global_size[i] = opaque.global_size[i];
  }
  for (int i = 0; i < max_rank - 1; ++i) map.global_stride[i] = opaque.global_stride[i];
  if (map.mode == Mode::tiled) return map;
  map.box_size = {};
  map.channels_per_pixel = opaque.box_size[0];
  map.pixels_per_column = opaque.box_size[1];
  for (int i = 0; i < max_pixel_rank; ++i) {
    map.lower_corner[i] = opaque.corner[0][i];
    map.upper_corner[i] = opaque.corner[1][i];
  }
  return map;
}

}  // namespace tmaemu::tma
