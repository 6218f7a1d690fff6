// The product of lab 12 by cublasLt: C = A * B^T, A M x K and B N x K row-major, element (m, n) of
// C at [n * M + m], all bfloat16, sums in float.
#pragma once

#include <cublasLt.h>

#include <span>

namespace bench {

class CublasLt {
 public:
  // Asks cublasLt for the algorithms that it thinks best for these sizes.
  CublasLt(int m, int n, int k);
  ~CublasLt();
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  int algorithms() const { return found_; }
  // One product, by one of the algorithms; 0 is what cublasLt would take.
  void multiply(int algorithm, const void* a, const void* b, void* c);

 private:
  static constexpr int most = 8;
  static constexpr size_t workspace_bytes = size_t{64} << 20;

  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, c_ = nullptr;
  cublasLtMatmulHeuristicResult_t results_[most];
  int found_ = 0;
  void* workspace_ = nullptr;
};

}  // namespace bench
