// The entry points of cuBLAS's gemm. Each is there twice: with numbers of int, and with those of
// int64_t, whose name ends in _64.
#include <cstdint>

#include "emulator/runtime/cublas/gemm.h"

using namespace tmaemu::runtime;

namespace {

// Numbers of cudaDataType.
constexpr int r_32f = 0, r_64f = 1, r_16f = 2;

// The compute type of the forms that are named after a type.
constexpr ComputeType compute_of(int type) {
  return type == r_64f ? ComputeType::f64 : type == r_16f ? ComputeType::f16 : ComputeType::f32;
}

ComputeType compute_type(int number) {
  return static_cast<ComputeType>(number);
}

}  // namespace

// What all forms begin with, and what they all do with it.
#define SHAPE(INT) void *handle, int transa, int transb, INT m, INT n, INT k, const void *alpha
#define PRODUCT(...) gemm(handle, {__func__, transa, transb, m, n, k, alpha, __VA_ARGS__})

#define GEMM(NAME, TYPE, INT)                                                                     \
  int NAME(SHAPE(INT), const void* a, INT lda, const void* b, INT ldb, const void* beta, void* c, \
           INT ldc) {                                                                             \
    return PRODUCT({a, TYPE, lda}, {b, TYPE, ldb}, beta, {c, TYPE, ldc}, 1, false,                \
                   compute_of(TYPE));                                                             \
  }

#define GEMM_BATCHED(NAME, TYPE, INT)                                                 \
  int NAME(SHAPE(INT), const void* const* a, INT lda, const void* const* b, INT ldb,  \
           const void* beta, void* const* c, INT ldc, INT count) {                    \
    return PRODUCT({a, TYPE, lda}, {b, TYPE, ldb}, beta, {c, TYPE, ldc}, count, true, \
                   compute_of(TYPE));                                                 \
  }

#define GEMM_STRIDED_BATCHED(NAME, TYPE, INT)                                                 \
  int NAME(SHAPE(INT), const void* a, INT lda, std::int64_t stride_a, const void* b, INT ldb, \
           std::int64_t stride_b, const void* beta, void* c, INT ldc, std::int64_t stride_c,  \
           INT count) {                                                                       \
    return PRODUCT({a, TYPE, lda, stride_a}, {b, TYPE, ldb, stride_b}, beta,                  \
                   {c, TYPE, ldc, stride_c}, count, false, compute_of(TYPE));                 \
  }

#define GEMM_EX(NAME, INT)                                                                     \
  int NAME(SHAPE(INT), const void* a, int type_a, INT lda, const void* b, int type_b, INT ldb, \
           const void* beta, void* c, int type_c, INT ldc, int compute, int) {                 \
    return PRODUCT({a, type_a, lda}, {b, type_b, ldb}, beta, {c, type_c, ldc}, 1, false,       \
                   compute_type(compute));                                                     \
  }

#define GEMM_BATCHED_EX(NAME, INT)                                                                \
  int NAME(SHAPE(INT), const void* const* a, int type_a, INT lda, const void* const* b,           \
           int type_b, INT ldb, const void* beta, void* const* c, int type_c, INT ldc, INT count, \
           int compute, int) {                                                                    \
    return PRODUCT({a, type_a, lda}, {b, type_b, ldb}, beta, {c, type_c, ldc}, count, true,       \
                   compute_type(compute));                                                        \
  }

#define GEMM_STRIDED_BATCHED_EX(NAME, INT)                                                       \
  int NAME(SHAPE(INT), const void* a, int type_a, INT lda, std::int64_t stride_a, const void* b, \
           int type_b, INT ldb, std::int64_t stride_b, const void* beta, void* c, int type_c,    \
           INT ldc, std::int64_t stride_c, INT count, int compute, int) {                        \
    return PRODUCT({a, type_a, lda, stride_a}, {b, type_b, ldb, stride_b}, beta,                 \
                   {c, type_c, ldc, stride_c}, count, false, compute_type(compute));             \
  }

// Sums of f32, whatever the matrices hold.
#define S_GEMM_EX(NAME, INT)                                                                   \
  int NAME(SHAPE(INT), const void* a, int type_a, INT lda, const void* b, int type_b, INT ldb, \
           const void* beta, void* c, int type_c, INT ldc) {                                   \
    return PRODUCT({a, type_a, lda}, {b, type_b, ldb}, beta, {c, type_c, ldc}, 1, false,       \
                   ComputeType::f32);                                                          \
  }

extern "C" {

GEMM(cublasSgemm_v2, r_32f, int)
GEMM(cublasDgemm_v2, r_64f, int)
GEMM(cublasHgemm, r_16f, int)
GEMM(cublasSgemm_v2_64, r_32f, std::int64_t)
GEMM(cublasDgemm_v2_64, r_64f, std::int64_t)
GEMM(cublasHgemm_64, r_16f, std::int64_t)

GEMM_BATCHED(cublasSgemmBatched, r_32f, int)
GEMM_BATCHED(cublasDgemmBatched, r_64f, int)
GEMM_BATCHED(cublasHgemmBatched, r_16f, int)
GEMM_BATCHED(cublasSgemmBatched_64, r_32f, std::int64_t)
GEMM_BATCHED(cublasDgemmBatched_64, r_64f, std::int64_t)
GEMM_BATCHED(cublasHgemmBatched_64, r_16f, std::int64_t)

GEMM_STRIDED_BATCHED(cublasSgemmStridedBatched, r_32f, int)
GEMM_STRIDED_BATCHED(cublasDgemmStridedBatched, r_64f, int)
GEMM_STRIDED_BATCHED(cublasHgemmStridedBatched, r_16f, int)
GEMM_STRIDED_BATCHED(cublasSgemmStridedBatched_64, r_32f, std::int64_t)
GEMM_STRIDED_BATCHED(cublasDgemmStridedBatched_64, r_64f, std::int64_t)
GEMM_STRIDED_BATCHED(cublasHgemmStridedBatched_64, r_16f, std::int64_t)

GEMM_EX(cublasGemmEx, int)
GEMM_EX(cublasGemmEx_64, std::int64_t)
GEMM_BATCHED_EX(cublasGemmBatchedEx, int)
GEMM_BATCHED_EX(cublasGemmBatchedEx_64, std::int64_t)
GEMM_STRIDED_BATCHED_EX(cublasGemmStridedBatchedEx, int)
GEMM_STRIDED_BATCHED_EX(cublasGemmStridedBatchedEx_64, std::int64_t)
S_GEMM_EX(cublasSgemmEx, int)
S_GEMM_EX(cublasSgemmEx_64, std::int64_t)

}  // extern "C"
