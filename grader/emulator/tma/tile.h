// Where the elements of a box lie: in global memory (coordinates, strides, bounds) and in shared
// memory (box order, swizzle, interleave). One walk serves loads, stores and reductions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "emulator/tma/tensor_map.h"

namespace tmaemu::tma {

// A run of consecutive bytes of one box: at most 16 bytes of shared memory are contiguous under a
// swizzle, more without one.
struct Run {
  std::uint64_t global_address;  // first byte; meaningless where !in_bounds
  std::uint32_t shared_offset;   // bytes from the box's first byte in shared memory, swizzled
  std::uint32_t bytes;
  bool in_bounds;  // out-of-bounds runs are filled on loads and dropped on stores
};

// Calls `visit` for every run of the box at `coordinates` (one each dimension, innermost first, in
// elements), in ascending order of box position. `shared_address` is the address of the box's first
// byte within the shared window: the swizzle is a function of the address, not of the offset.
void for_each_run(const TensorMap& map, std::span<const std::int32_t> coordinates,
                  std::uint32_t shared_address, const std::function<void(const Run&)>& visit);

// The swizzled place of the byte at shared-memory address `address`.
std::uint32_t swizzle_address(Swizzle swizzle, std::uint32_t address);

// Writes the out-of-bounds pattern of the map (zero, or its type's NaN) over `destination`.
void fill_out_of_bounds(const TensorMap& map, std::span<std::byte> destination);

// cp.reduce.async.bulk(.tensor): the operations and what they may be applied to.
enum class ReduceOperation : std::uint8_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor };
// Element types of a reduction: those of tensor maps and, for bulk copies, of the instruction.
enum class ReduceType : std::uint8_t { u32, s32, u64, s64, f16, f32, f64, bf16, b32, b64 };

// global[i] = global[i] op shared[i] over whole elements. f16 and bf16 add round to nearest even;
// f32 add keeps or flushes subnormals as the hardware does.
void reduce(ReduceOperation operation, ReduceType type, std::span<std::byte> global,
            std::span<const std::byte> shared);

}  // namespace tmaemu::tma
