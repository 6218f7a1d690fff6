// cp.reduce.async.bulk and cp.reduce.async.bulk.tensor: the operations and what they do to
// elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/result.h"
#include "emulator/tma/tensor_map.h"

namespace tmaemu::tma {

enum class ReduceOperation : std::uint8_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor };
// Element types of a reduction: those of tensor maps and, for bulk copies, of the instruction.
// f32_ftz is that of maps of the types FLOAT32_FTZ and TFLOAT32_FTZ.
enum class ReduceType : std::uint8_t {
  u32,
  s32,
  u64,
  s64,
  f16,
  f32,
  f64,
  bf16,
  b32,
  b64,
  f32_ftz,
};

std::size_t size_of(ReduceType type);

// Where the reduced memory lies decides what the hardware can do.
enum class ReduceTarget : std::uint8_t { global, shared_cluster };

// Whether the hardware has the combination (PTX ISA, "cp.reduce.async.bulk", table of redOp and
// element type). s64 has min and max alone: no addition, and no bitwise operation either, which
// tensor maps of that type could ask for.
bool is_supported(ReduceOperation operation, ReduceType type,
                  ReduceTarget target = ReduceTarget::global);

// What a reduction does, as a number from 1 that two reductions share where the order of the two
// makes no difference but for rounding: the same operation, on elements of the same format.
std::uint8_t reduction_number(ReduceOperation operation, ReduceType type);

// The element type of a tensor reduction, which the instruction takes from the tensor map; an error
// where the type has no such operation.
common::Result<ReduceType> reduce_type_of(ReduceOperation operation, DataType type);

// destination[i] = destination[i] op source[i] over whole elements, as an H200 does it. Subnormals
// are kept, but for f32_ftz, which flushes those of inputs and results to zero. All round to
// nearest even. min and max return the operand that is a number where the other is NaN, and hold -0
// for less than +0. Precondition: is_supported(operation, type), and equal lengths.
void reduce(ReduceOperation operation, ReduceType type, std::span<std::byte> destination,
            std::span<const std::byte> source);

}  // namespace tmaemu::tma
