// Tensor maps: what cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col check, and the 128 opaque
// bytes they write.
// CUDA Driver API, "Tensor Map Object Management"; PTX ISA, "Tensors".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/result.h"
#include "emulator/memory/swizzle.h"

namespace tmaemu::tma {

inline constexpr int max_rank = 5;
inline constexpr int max_pixel_rank = max_rank - 2;  // im2col: all dimensions but C and N

// Values equal those of CUtensorMapDataType, ...Interleave, ...L2promotion,
// ...FloatOOBfill in cuda.h, so that the driver entry points can cast.
enum class DataType : std::uint8_t {
  u8,
  u16,
  u32,
  s32,
  u64,
  s64,
  f16,
  f32,
  f64,
  bf16,
  f32_ftz,
  tf32,
  tf32_ftz,
};
// How one operation goes through the tensor. PTX ISA, "Tensor Access Modes".
enum class Mode : std::uint8_t {
  tiled,   // a box
  im2col,  // a run of pixels in a batch of images
};
enum class Interleave : std::uint8_t { none, bytes16, bytes32 };
enum class OutOfBoundsFill : std::uint8_t { zero, nan_request_zero_fma };

// Precondition: an enumerator of DataType.
std::size_t size_of(DataType type);
// The type's name in cuda.h without its prefix: "FLOAT16".
const char* name_of(DataType type);
bool is_floating(DataType type);

// A tensor map in the clear. Dimension 0 is the innermost. Sizes are in elements, strides in
// bytes; stride i (i = 0 .. rank-2) is that of dimension i+1.
//
// With an interleaved layout, NC/8DHWC8 or NC/16HWC16, one position of dimension 0 is a whole slice
// of channels: 16 or 32 bytes, whatever the data type (PTX ISA, "Interleave layout"). The slices
// are the last dimension but one.
//
// In im2col mode the tensor is a batch of images: C, W, {H, {D,}} N from the innermost dimension,
// or interleaved W, {H, {D,}} slices of C, N. One operation moves `channels_per_pixel` channels of
// `pixels_per_column` pixels, which follow one another in a bounding box of W, H and D.
struct TensorMap {
  Mode mode = Mode::tiled;
  DataType type = DataType::u8;
  int rank = 0;
  std::uint64_t global_address = 0;
  std::array<std::uint64_t, max_rank> global_size{};
  std::array<std::uint64_t, max_rank - 1> global_stride{};
  std::array<std::uint32_t, max_rank> box_size{};  // tiled
  // im2col: the bounding box, W first. It begins at lower_corner and ends, inclusive, at the size
  // of the dimension less one plus upper_corner.
  std::array<std::int32_t, max_pixel_rank> lower_corner{};
  std::array<std::int32_t, max_pixel_rank> upper_corner{};
  std::uint32_t channels_per_pixel = 0;
  std::uint32_t pixels_per_column = 0;
  std::array<std::uint32_t, max_rank> element_stride{};
  Interleave interleave = Interleave::none;
  Swizzle swizzle = Swizzle::none;
  std::uint8_t l2_promotion = 0;
  OutOfBoundsFill fill = OutOfBoundsFill::zero;

  // Bytes of one position along dimension 0.
  std::size_t position_bytes() const;
  // Step of the box along a dimension. Without interleave the TMA engine ignores that of dimension
  // 0.
  std::uint32_t step(int dimension) const;
  // The dimension that counts slices of channels. Only with an interleaved layout.
  int slice_dimension() const { return rank - 2; }
  // Positions that the box visits along a dimension: ceil(box size / step), but one slice of an
  // interleaved layout, whatever the box size says (so on an H200; the manual is silent).
  std::uint32_t box_extent(int dimension) const;
  // Whether the box leaves out positions between two along a dimension: not if it visits one alone,
  // or if the tensor has no second one to be visited.
  bool skips_along(int dimension) const;
  // im2col: the number of dimensions of a pixel's place, and which dimension of the tensor each is.
  int pixel_rank() const { return rank - 2; }
  int pixel_dimension(int i) const { return interleave == Interleave::none ? i + 1 : i; }
  // Bytes that are one piece in shared memory: the box along dimension 0, or a pixel's channels
  // (one slice of an interleaved layout).
  std::size_t row_bytes() const;
  std::size_t rows() const;
  // With a swizzle, a row (dimension 0) narrower than the swizzle span starts at the next multiple
  // of the span: bytes that the engine leaves alone after each row. An H200 does so; the manual is
  // silent.
  std::size_t row_padding() const;
  // Bytes that one box covers in shared memory, padding included.
  std::size_t box_bytes() const;
  // Bytes that one box moves, and that a load subtracts from an mbarrier's tx-count: no padding.
  std::size_t transfer_bytes() const;
  // The tensor whose elements stores and reductions write. They cut a box at the end of a row (of
  // dimension 0) in 16-byte pieces: where the row's length is no multiple of 16 bytes, an H200
  // writes the rest of its last 16 bytes too. Loads fill there. The manual is silent.
  TensorMap as_written() const;

  bool operator==(const TensorMap&) const = default;
};

// What the driver would answer: nothing where it accepts, else the broken rule in words, with the
// values involved. Enumerations may hold any value. Only the first `rank` entries of an array, and
// the first `rank - 1` strides, are looked at.
common::Status validate(const TensorMap& map);

inline constexpr std::size_t opaque_bytes = 128;

// The opaque form, and back. The format is ours: code may only copy it, as with CUDA's own.
// decode fails on bytes that encode did not write (an uninitialized or overwritten tensor map).
// Precondition of encode: what the comments of the opaque form in tensor_map.cpp say, as in every
// valid map.
std::array<std::byte, opaque_bytes> encode(const TensorMap& map);
common::Result<TensorMap> decode(std::span<const std::byte, opaque_bytes> opaque);

}  // namespace tmaemu::tma
