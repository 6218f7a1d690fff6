#include "bench/cublas_lt.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

namespace bench {
namespace {

void check(cublasStatus_t status, const char* doing) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "bench: %s: %s\n", doing, cublasLtGetStatusString(status));
  std::exit(EXIT_FAILURE);
}
void check(cudaError_t error, const char* doing) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "bench: %s: %s\n", doing, cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}

// A matrix of bfloat16, one column after the other, as cublasLt sees them.
cublasLtMatrixLayout_t layout(int rows, int columns) {
  cublasLtMatrixLayout_t made;
  check(cublasLtMatrixLayoutCreate(&made, CUDA_R_16BF, static_cast<uint64_t>(rows),
                                   static_cast<uint64_t>(columns), rows),
        "cublasLtMatrixLayoutCreate");
  return made;
}

}  // namespace

CublasLt::CublasLt(int m, int n, int k) : a_(layout(k, m)), b_(layout(k, n)), c_(layout(m, n)) {
  check(cublasLtCreate(&handle_), "cublasLtCreate");
  check(cublasLtMatmulDescCreate(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F),
        "cublasLtMatmulDescCreate");
  const cublasOperation_t transposed = CUBLAS_OP_T;  // of A, as cublasLt sees it
  check(cublasLtMatmulDescSetAttribute(product_, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                       sizeof transposed),
        "cublasLtMatmulDescSetAttribute");
  check(cudaMalloc(&workspace_, workspace_bytes), "cudaMalloc");

  cublasLtMatmulPreference_t preference;
  check(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &workspace_bytes, sizeof workspace_bytes),
        "cublasLtMatmulPreferenceSetAttribute");
  check(cublasLtMatmulAlgoGetHeuristic(handle_, product_, a_, b_, c_, c_, preference, most,
                                       results_, &found_),
        "cublasLtMatmulAlgoGetHeuristic");
  cublasLtMatmulPreferenceDestroy(preference);
}

CublasLt::~CublasLt() {
  cudaFree(workspace_);
  for (const cublasLtMatrixLayout_t one : {a_, b_, c_}) cublasLtMatrixLayoutDestroy(one);
  cublasLtMatmulDescDestroy(product_);
  cublasLtDestroy(handle_);
}

void CublasLt::multiply(int algorithm, const void* a, const void* b, void* c) {
  const float one = 1;
  const float zero = 0;
  check(cublasLtMatmul(handle_, product_, &one, a, a_, b, b_, &zero, c, c_, c, c_,
                       &results_[algorithm].algo, workspace_, workspace_bytes, nullptr),
        "cublasLtMatmul");
}

}  // namespace bench
