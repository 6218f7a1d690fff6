// The product of lab 12 by cublasLt: C = A * B^T, A M x K and B N x K row-major, element (m, n) of
// C at [n * M + m], all bfloat16, sums in float.
#pragma once

#include <cublasLt.h>

#include <chrono>
#include <vector>

namespace bench {

class CublasLt {
 public:
  // Asks cublasLt for the algorithms that it has for these sizes: those that its heuristic offers,
  // the best first, which are eight at most, and the same kernels with all settings that it
  // accepts.
  CublasLt(int m, int n, int k);
  ~CublasLt();
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  // Times the algorithms on these matrices, for a few seconds, and keeps the fastest, and what the
  // heuristic offers first, which stays number 0: what a caller gets who does not try all.
  void keep_fastest(int count, const void* a, const void* b, void* c);

  int algorithms() const { return static_cast<int>(algorithms_.size()); }
  // One product, by one of the algorithms.
  void multiply(int algorithm, const void* a, const void* b, void* c) const;

 private:
  static constexpr size_t workspace_bytes = size_t{64} << 20;
  static constexpr std::chrono::seconds most_seconds{5};

  void add_offered();
  void add_settings_of(int id);
  void add_clusters_of(cublasLtMatmulAlgo_t algorithm);
  void add_if_accepted(const cublasLtMatmulAlgo_t& algorithm);
  cublasStatus_t try_to_multiply(const cublasLtMatmulAlgo_t& algorithm, const void* a,
                                 const void* b, void* c) const;
  double seconds(const cublasLtMatmulAlgo_t& algorithm, const void* a, const void* b,
                 void* c) const;

  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, c_ = nullptr;
  std::vector<cublasLtMatmulAlgo_t> algorithms_;
  void* workspace_ = nullptr;
};

}  // namespace bench
