// The operations of bulk and tensor reductions, and how PTX spells them and their types.
#pragma once

#include <cstdint>

// Of cuda_fp16.h and cuda_bf16.h.
struct __half;
struct __nv_bfloat16;

enum class ReduceOp { add, min, max, inc, dec, bit_and, bit_or, bit_xor };

// The operation's part of the instruction's name. (An asm operand with constraint "C" is a constant
// string that becomes part of the instruction: CUDA's "Inline PTX Assembly" guide, "Constraints".)
template <ReduceOp OP>
struct ReduceOpName;
// clang-format off
template <> struct ReduceOpName<ReduceOp::add> { static constexpr char text[] = ".add"; };
template <> struct ReduceOpName<ReduceOp::min> { static constexpr char text[] = ".min"; };
template <> struct ReduceOpName<ReduceOp::max> { static constexpr char text[] = ".max"; };
template <> struct ReduceOpName<ReduceOp::inc> { static constexpr char text[] = ".inc"; };
template <> struct ReduceOpName<ReduceOp::dec> { static constexpr char text[] = ".dec"; };
template <> struct ReduceOpName<ReduceOp::bit_and> { static constexpr char text[] = ".and"; };
template <> struct ReduceOpName<ReduceOp::bit_or> { static constexpr char text[] = ".or"; };
template <> struct ReduceOpName<ReduceOp::bit_xor> { static constexpr char text[] = ".xor"; };
// clang-format on

// Bitwise operations take any integer type as bits; for all others the type matters.
constexpr bool is_bitwise(ReduceOp op) {
  return op == ReduceOp::bit_and || op == ReduceOp::bit_or || op == ReduceOp::bit_xor;
}

// The element type's part of the instruction's name. A combination that PTX does not have fails to
// compile.
template <ReduceOp OP, typename T>
struct ReduceTypeName;

template <ReduceOp OP>
struct ReduceTypeName<OP, uint32_t> {
  static constexpr char text[] = {'.', is_bitwise(OP) ? 'b' : 'u', '3', '2', '\0'};
};

template <ReduceOp OP>
struct ReduceTypeName<OP, int32_t> {
  static_assert(OP != ReduceOp::inc && OP != ReduceOp::dec, "inc and dec are for uint32_t");
  static constexpr char text[] = {'.', is_bitwise(OP) ? 'b' : 's', '3', '2', '\0'};
};

template <ReduceOp OP>
struct ReduceTypeName<OP, uint64_t> {
  static_assert(OP != ReduceOp::inc && OP != ReduceOp::dec, "inc and dec are for uint32_t");
  static constexpr char text[] = {'.', is_bitwise(OP) ? 'b' : 'u', '6', '4', '\0'};
};

// In two's complement, adding is the same for signed and unsigned; PTX names only the latter.
template <ReduceOp OP>
struct ReduceTypeName<OP, int64_t> {
  static_assert(OP != ReduceOp::inc && OP != ReduceOp::dec, "inc and dec are for uint32_t");
  static constexpr char kind = is_bitwise(OP) ? 'b' : OP == ReduceOp::add ? 'u' : 's';
  static constexpr char text[] = {'.', kind, '6', '4', '\0'};
};

template <>
struct ReduceTypeName<ReduceOp::add, float> {
  static constexpr char text[] = ".f32";
};

template <>
struct ReduceTypeName<ReduceOp::add, double> {
  static constexpr char text[] = ".f64";
};

template <ReduceOp OP>
struct ReduceTypeName<OP, __half> {
  static_assert(OP == ReduceOp::min || OP == ReduceOp::max, "__half has add, min and max");
  static constexpr char text[] = ".f16";
};

template <ReduceOp OP>
struct ReduceTypeName<OP, __nv_bfloat16> {
  static_assert(OP == ReduceOp::min || OP == ReduceOp::max, "bfloat16 has add, min and max");
  static constexpr char text[] = ".bf16";
};

// Half-precision sums keep subnormal numbers; PTX requires that to be spelled out (.noftz).
template <>
struct ReduceTypeName<ReduceOp::add, __half> {
  static constexpr char text[] = ".noftz.f16";
};

template <>
struct ReduceTypeName<ReduceOp::add, __nv_bfloat16> {
  static constexpr char text[] = ".noftz.bf16";
};
