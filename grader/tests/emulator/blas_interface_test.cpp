// What the emulator says of cuBLAS's interface is what cuBLAS's own headers say, on machines that
// have them; and which types are multiplied.
#include <gtest/gtest.h>

#include "emulator/blas/types.h"
#include "emulator/runtime/blas/abi.h"
#include "emulator/runtime/blas/arithmetic.h"
#include "emulator/runtime/blas/library.h"
#include "emulator/runtime/cublaslt/descriptions.h"

#if __has_include(<cublasLt.h>)
#include <cublasLt.h>

namespace tmaemu::runtime {
namespace {

using blas::Type;

template <class Ours, class Theirs>
constexpr bool equal(Ours ours, Theirs theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}

static_assert(equal(Type::f32, CUDA_R_32F) && equal(Type::f64, CUDA_R_64F));
static_assert(equal(Type::f16, CUDA_R_16F) && equal(Type::bf16, CUDA_R_16BF));
static_assert(equal(Type::s8, CUDA_R_8I) && equal(Type::s32, CUDA_R_32I));
static_assert(equal(Type::e4m3, CUDA_R_8F_E4M3) && equal(Type::e5m2, CUDA_R_8F_E5M2));

static_assert(equal(BlasStatus::not_initialized, CUBLAS_STATUS_NOT_INITIALIZED));
static_assert(equal(BlasStatus::alloc_failed, CUBLAS_STATUS_ALLOC_FAILED));
static_assert(equal(BlasStatus::invalid_value, CUBLAS_STATUS_INVALID_VALUE));
static_assert(equal(BlasStatus::arch_mismatch, CUBLAS_STATUS_ARCH_MISMATCH));
static_assert(equal(BlasStatus::mapping_error, CUBLAS_STATUS_MAPPING_ERROR));
static_assert(equal(BlasStatus::execution_failed, CUBLAS_STATUS_EXECUTION_FAILED));
static_assert(equal(BlasStatus::internal_error, CUBLAS_STATUS_INTERNAL_ERROR));
static_assert(equal(BlasStatus::not_supported, CUBLAS_STATUS_NOT_SUPPORTED));
static_assert(equal(BlasStatus::license_error, CUBLAS_STATUS_LICENSE_ERROR));

static_assert(equal(Operation::none, CUBLAS_OP_N) && equal(Operation::transposed, CUBLAS_OP_T));
static_assert(equal(Operation::conjugate_transposed, CUBLAS_OP_C));
static_assert(equal(PointerMode::device, CUBLAS_POINTER_MODE_DEVICE));
static_assert(equal(MathMode::pedantic, CUBLAS_PEDANTIC_MATH));
static_assert(equal(MathMode::tf32, CUBLAS_TF32_TENSOR_OP_MATH));
static_assert(no_reduced_precision_reduction == CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);

static_assert(equal(ComputeType::f16, CUBLAS_COMPUTE_16F));
static_assert(equal(ComputeType::f16_pedantic, CUBLAS_COMPUTE_16F_PEDANTIC));
static_assert(equal(ComputeType::f32, CUBLAS_COMPUTE_32F));
static_assert(equal(ComputeType::f32_pedantic, CUBLAS_COMPUTE_32F_PEDANTIC));
static_assert(equal(ComputeType::f32_fast_f16, CUBLAS_COMPUTE_32F_FAST_16F));
static_assert(equal(ComputeType::f32_fast_bf16, CUBLAS_COMPUTE_32F_FAST_16BF));
static_assert(equal(ComputeType::f32_fast_tf32, CUBLAS_COMPUTE_32F_FAST_TF32));
static_assert(equal(ComputeType::f64, CUBLAS_COMPUTE_64F));
static_assert(equal(ComputeType::f64_pedantic, CUBLAS_COMPUTE_64F_PEDANTIC));
static_assert(equal(ComputeType::s32, CUBLAS_COMPUTE_32I));
static_assert(equal(ComputeType::s32_pedantic, CUBLAS_COMPUTE_32I_PEDANTIC));

static_assert(opaque_size<MatrixLayout> == sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(opaque_size<MatmulDescription> == sizeof(cublasLtMatmulDescOpaque_t));
static_assert(opaque_size<MatmulPreference> == sizeof(cublasLtMatmulPreferenceOpaque_t));

static_assert(equal(MatmulDescription{}.fill_mode, CUBLAS_FILL_MODE_FULL));
static_assert(equal(MatmulDescription{}.epilogue, CUBLASLT_EPILOGUE_DEFAULT));

}  // namespace
}  // namespace tmaemu::runtime
#endif

namespace tmaemu::runtime {
namespace {

int number(blas::Type type) {
  return static_cast<int>(type);
}

MatrixTypes types_of(blas::Type factor, blas::Type result) {
  return {number(factor), number(factor), number(result), number(result)};
}

TEST(BlasInterface, HalvesAreMultipliedWithFactorsOfF32) {
  for (const blas::Type half : {blas::Type::f16, blas::Type::bf16}) {
    const auto found = arithmetic_of(ComputeType::f32, types_of(half, half), 0);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->scale, blas::Type::f32);
  }
}

TEST(BlasInterface, FactorsOfF16BelongToSumsOfF16) {
  const auto found = arithmetic_of(ComputeType::f16, types_of(blas::Type::f16, blas::Type::f16), 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->scale, blas::Type::f16);
  EXPECT_FALSE(arithmetic_of(ComputeType::f16, types_of(blas::Type::bf16, blas::Type::bf16), 0));
}

TEST(BlasInterface, AModeOfTf32RoundsFactorsOfF32) {
  const MatrixTypes types = types_of(blas::Type::f32, blas::Type::f32);
  const auto mode = static_cast<int>(MathMode::tf32) | no_reduced_precision_reduction;
  EXPECT_EQ(arithmetic_of(ComputeType::f32, types, mode)->factors, blas::Factors::tf32);
  EXPECT_EQ(arithmetic_of(ComputeType::f32_pedantic, types, mode)->factors,
            blas::Factors::as_they_are);
  EXPECT_EQ(arithmetic_of(ComputeType::f32, types, 0)->factors, blas::Factors::as_they_are);
}

TEST(BlasInterface, EachFastComputeTypeOfF32RoundsFactorsToTf32) {
  const MatrixTypes types = types_of(blas::Type::f32, blas::Type::f32);
  for (const ComputeType compute :
       {ComputeType::f32_fast_f16, ComputeType::f32_fast_bf16, ComputeType::f32_fast_tf32}) {
    EXPECT_EQ(arithmetic_of(compute, types, 0)->factors, blas::Factors::tf32);
  }
}

TEST(BlasInterface, EachFastComputeTypeOfF32MultipliesHalvesAsTheyAre) {
  for (const ComputeType compute :
       {ComputeType::f32_fast_f16, ComputeType::f32_fast_bf16, ComputeType::f32_fast_tf32}) {
    for (const blas::Type half : {blas::Type::bf16, blas::Type::f16}) {
      for (const blas::Type result : {half, blas::Type::f32}) {
        const auto found = arithmetic_of(compute, types_of(half, result), 0);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->factors, blas::Factors::as_they_are);
        EXPECT_EQ(found->scale, blas::Type::f32);
        EXPECT_FALSE(found->sums_f16);
      }
    }
  }
}

TEST(BlasInterface, TwoFactorsOfE5m2AreNotMultiplied) {
  const int e4m3 = number(blas::Type::e4m3), e5m2 = number(blas::Type::e5m2);
  const int bf16 = number(blas::Type::bf16), f32 = number(blas::Type::f32);
  EXPECT_TRUE(light_arithmetic_of(ComputeType::f32, f32, {e4m3, e5m2, bf16, bf16}));
  EXPECT_FALSE(light_arithmetic_of(ComputeType::f32, f32, {e5m2, e5m2, bf16, bf16}));
}

TEST(BlasInterface, AStatusHasItsName) {
  EXPECT_STREQ(blas_status_text(7).name, "CUBLAS_STATUS_INVALID_VALUE");
}

}  // namespace
}  // namespace tmaemu::runtime
