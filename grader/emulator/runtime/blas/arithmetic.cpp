#include "emulator/runtime/blas/arithmetic.h"

#include <span>

namespace tmaemu::runtime {
namespace {

using blas::Factors;
using blas::Type;

struct Row {
  Type factor;  // of A and B
  Type result;  // of C and D
};

// Compute types of f32.
constexpr Row rows_of_f32[] = {
    {Type::bf16, Type::bf16}, {Type::f16, Type::f16}, {Type::s8, Type::f32},
    {Type::bf16, Type::f32},  {Type::f16, Type::f32}, {Type::f32, Type::f32},
};
// Beyond the manuals' tables: an H200 multiplies bf16 and f16 with them, as without `fast`.
constexpr Row rows_of_fast_f32[] = {
    {Type::bf16, Type::bf16}, {Type::f16, Type::f16}, {Type::bf16, Type::f32},
    {Type::f16, Type::f32},   {Type::f32, Type::f32},
};
constexpr Row rows_of_f16[] = {{Type::f16, Type::f16}};
constexpr Row rows_of_f64[] = {{Type::f64, Type::f64}};
constexpr Row rows_of_s32[] = {{Type::s8, Type::s32}};

std::span<const Row> rows_of(ComputeType compute) {
  switch (compute) {
    case ComputeType::f16:
    case ComputeType::f16_pedantic:
      return rows_of_f16;
    case ComputeType::f32:
    case ComputeType::f32_pedantic:
      return rows_of_f32;
    case ComputeType::f32_fast_f16:
    case ComputeType::f32_fast_bf16:
    case ComputeType::f32_fast_tf32:
    case ComputeType::f32_emulated_bf16x9:
      return rows_of_fast_f32;
    case ComputeType::f64:
    case ComputeType::f64_pedantic:
    case ComputeType::f64_emulated_fixed_point:
      return rows_of_f64;
    case ComputeType::s32:
    case ComputeType::s32_pedantic:
      return rows_of_s32;
  }
  return {};
}

Factors factors_of(ComputeType compute, int math_mode) {
  switch (compute) {
    // Seen on an H200: products of all three and of any size have TF32's digits.
    case ComputeType::f32_fast_f16:
    case ComputeType::f32_fast_bf16:
    case ComputeType::f32_fast_tf32:
      return Factors::tf32;
    case ComputeType::f32:
      return static_cast<MathMode>(math_mode & math_mode_bits) == MathMode::tf32
                 ? Factors::tf32
                 : Factors::as_they_are;
    default:
      return Factors::as_they_are;
  }
}

bool is(int number, Type type) {
  return number == static_cast<int>(type);
}

bool is_f32(ComputeType compute) {
  return compute == ComputeType::f32 || compute == ComputeType::f32_pedantic;
}

// The table of fp8 in cublasLtMatmul's manual, of alpha and beta in f32.
bool is_fp8_row(const MatrixTypes& types) {
  const auto is_fp8_number = [](int number) {
    return is(number, Type::e4m3) || is(number, Type::e5m2);
  };
  if (!is_fp8_number(types.a) || !is_fp8_number(types.b)) return false;
  if (is(types.a, Type::e5m2) && is(types.b, Type::e5m2)) return false;
  const bool is_half = is(types.c, Type::bf16) || is(types.c, Type::f16);
  if (types.c == types.d) return is_half || is(types.c, Type::f32);
  if (!is_half || !is_fp8_number(types.d)) return false;
  // e5m2 comes only of a factor of e5m2.
  return is(types.d, Type::e4m3) || types.a != types.b;
}

}  // namespace

std::optional<Arithmetic> arithmetic_of(ComputeType compute, const MatrixTypes& types,
                                        int math_mode) {
  if (types.a != types.b || types.c != types.d) return std::nullopt;
  for (const Row& row : rows_of(compute)) {
    if (!is(types.a, row.factor) || !is(types.c, row.result)) continue;
    Arithmetic found;
    const bool is_half = row.result == Type::bf16 || row.result == Type::f16;
    const bool sums_f32 = is_half && rows_of(compute).data() != rows_of_f16;
    found.scale = sums_f32 ? Type::f32 : row.result;
    found.is_modular = row.result == Type::s32;
    found.sums_f16 = found.scale == Type::f16;
    if (row.factor == Type::f32) found.factors = factors_of(compute, math_mode);
    return found;
  }
  return std::nullopt;
}

std::optional<Arithmetic> light_arithmetic_of(ComputeType compute, int scale,
                                              const MatrixTypes& types) {
  if (const auto found = arithmetic_of(compute, types, 0); found && is(scale, found->scale)) {
    return found;
  }
  if (!is(scale, Type::f32)) return std::nullopt;
  const bool is_s8 = is(types.a, Type::s8) && is(types.b, Type::s8) && is(types.c, Type::s8) &&
                     is(types.d, Type::s8);
  const bool is_s32 = compute == ComputeType::s32 || compute == ComputeType::s32_pedantic;
  if ((is_s8 && is_s32) || (is_f32(compute) && is_fp8_row(types))) return Arithmetic{};
  return std::nullopt;
}

}  // namespace tmaemu::runtime
