// The numbers of cuBLAS's interface, which programs are compiled with. The headers that declare
// them come with cuBLAS, which nobody needs to build the emulator; a test holds the two together.
#pragma once

#include <cstdint>

namespace tmaemu::runtime {

enum class BlasStatus : int {
  success = 0,
  not_initialized = 1,
  alloc_failed = 3,
  invalid_value = 7,
  arch_mismatch = 8,
  mapping_error = 11,
  execution_failed = 13,
  internal_error = 14,
  not_supported = 15,
  license_error = 16,
};

// cublasOperation_t.
enum class Operation : int { none = 0, transposed = 1, conjugate_transposed = 2 };

// cublasPointerMode_t, and cublasLtPointerMode_t without its vectors.
enum class PointerMode : int { host = 0, device = 1 };

// cublasMath_t: the lower four bits are a mode, which may have a flag beside it.
enum class MathMode : int {
  standard = 0,
  tensor_op = 1,
  pedantic = 2,
  tf32 = 3,
  emulated_bf16x9 = 4,
  emulated_fixed_point = 8,
};
inline constexpr int math_mode_bits = 15;
inline constexpr int no_reduced_precision_reduction = 16;

// cublasComputeType_t.
enum class ComputeType : int {
  f16 = 64,
  f16_pedantic = 65,
  f32 = 68,
  f32_pedantic = 69,
  f64 = 70,
  f64_pedantic = 71,
  s32 = 72,
  s32_pedantic = 73,
  f32_fast_f16 = 74,
  f32_fast_bf16 = 75,
  f32_fast_tf32 = 77,
  f32_emulated_bf16x9 = 78,
  f64_emulated_fixed_point = 79,
};

}  // namespace tmaemu::runtime
