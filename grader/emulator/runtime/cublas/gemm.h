// What the many forms of cuBLAS's gemm have in common.
#pragma once

#include <cstdint>

#include "emulator/runtime/blas/abi.h"

namespace tmaemu::runtime {

// As the program gives it.
struct GivenMatrix {
  const void* start = nullptr;  // or an array of pointers, on the device
  int type = 0;                 // a cudaDataType
  std::int64_t leading = 0;
  std::int64_t stride = 0;
};

struct GivenGemm {
  const char* call = "";
  int transpose_a = 0, transpose_b = 0;  // each a cublasOperation_t
  std::int64_t m = 0, n = 0, k = 0;
  const void* alpha = nullptr;
  GivenMatrix a, b;
  const void* beta = nullptr;
  GivenMatrix c;
  std::int64_t batch = 1;
  bool has_arrays = false;
  ComputeType compute = ComputeType::f32;
};

// Checks what is given, and computes it in the order of the handle's stream.
int gemm(const void* handle, const GivenGemm& given);

}  // namespace tmaemu::runtime
