// Tensor maps: what cuTensorMapEncodeTiled checks, and the 128 opaque bytes it writes.
// CUDA Driver API, "Tensor Map Object Management"; PTX ISA, "Tensors".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/result.h"

namespace tmaemu::tma {

inline constexpr int max_rank = 5;

// Values equal those of CUtensorMapDataType, ...Interleave, ...Swizzle, ...L2promotion,
// ...FloatOOBfill in cuda.h, so that the driver entry points can cast.
enum class DataType : std::uint8_t {
  u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz,
};
enum class Interleave : std::uint8_t { none, bytes16, bytes32 };
enum class Swizzle : std::uint8_t { none, bytes32, bytes64, bytes128 };
enum class OutOfBoundsFill : std::uint8_t { zero, nan_request_zero_fma };

std::size_t size_of(DataType type);

// A tiled tensor map in the clear. Dimension 0 is the innermost. Sizes are in elements, strides in
// bytes; stride i (i = 0 .. rank-2) is that of dimension i+1.
struct TensorMap {
  DataType type = DataType::u8;
  int rank = 0;
  std::uint64_t global_address = 0;
  std::array<std::uint64_t, max_rank> global_size{};
  std::array<std::uint64_t, max_rank - 1> global_stride{};
  std::array<std::uint32_t, max_rank> box_size{};
  std::array<std::uint32_t, max_rank> element_stride{};
  Interleave interleave = Interleave::none;
  Swizzle swizzle = Swizzle::none;
  std::uint8_t l2_promotion = 0;
  OutOfBoundsFill fill = OutOfBoundsFill::zero;

  // Bytes that one box takes in shared memory (and that a load adds to an mbarrier's tx-count).
  std::size_t box_bytes() const;
};

// What the driver would answer: nothing where it accepts, else the broken rule in words, with the
// values involved.
common::Status validate(const TensorMap& map);

// The opaque form, and back. The format is ours: code may only copy it, as with CUDA's own.
// decode fails on bytes that encode did not write (an uninitialised or overwritten tensor map).
std::array<std::byte, 128> encode(const TensorMap& map);
common::Result<TensorMap> decode(std::span<const std::byte, 128> opaque);

}  // namespace tmaemu::tma
