// The forms of cp.reduce.async.bulk, as PTX spells them (PTX ISA, "cp.reduce.async.bulk", the table
// of operations and types). The order is part of the recorded file: append only.
#pragma once

// X(operation and type, values)
// clang-format off
#define BULK_REDUCE_TO_GLOBAL(X) \
  X("add.u32", integers) \
  X("add.s32", integers) \
  X("add.u64", integers) \
  X("add.noftz.f16", f16) \
  X("add.noftz.bf16", bf16) \
  X("add.f32", f32) \
  X("add.f64", f64) \
  X("min.u32", integers) \
  X("min.s32", integers) \
  X("min.u64", integers) \
  X("min.s64", integers) \
  X("min.f16", f16) \
  X("min.bf16", bf16) \
  X("max.u32", integers) \
  X("max.s32", integers) \
  X("max.u64", integers) \
  X("max.s64", integers) \
  X("max.f16", f16) \
  X("max.bf16", bf16) \
  X("inc.u32", integers) \
  X("dec.u32", integers) \
  X("and.b32", integers) \
  X("and.b64", integers) \
  X("or.b32", integers) \
  X("or.b64", integers) \
  X("xor.b32", integers) \
  X("xor.b64", integers)

#define BULK_REDUCE_TO_SHARED(X) \
  X("add.u32", integers) \
  X("add.s32", integers) \
  X("add.u64", integers) \
  X("min.u32", integers) \
  X("min.s32", integers) \
  X("max.u32", integers) \
  X("max.s32", integers) \
  X("inc.u32", integers) \
  X("dec.u32", integers) \
  X("and.b32", integers) \
  X("or.b32", integers) \
  X("xor.b32", integers)

// The operations of cp.reduce.async.bulk.tensor.
#define TENSOR_REDUCE(X) \
  X("add") \
  X("min") \
  X("max") \
  X("inc") \
  X("dec") \
  X("and") \
  X("or") \
  X("xor")
// clang-format on
