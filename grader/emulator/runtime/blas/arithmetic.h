// Which types of matrices cuBLAS multiplies how: the tables of cublasGemmEx and cublasLtMatmul.
#pragma once

#include <optional>

#include "emulator/blas/types.h"
#include "emulator/runtime/blas/abi.h"

namespace tmaemu::runtime {

// As a program gives them: any numbers.
struct MatrixTypes {
  int a = 0, b = 0, c = 0, d = 0;
};

struct Arithmetic {
  blas::Type scale = blas::Type::f32;  // of alpha and beta
  blas::Factors factors = blas::Factors::as_they_are;
  bool is_modular = false;
  bool sums_f16 = false;
};

// Nothing where cuBLAS has no such product, or one of complex numbers. `math_mode`: a cublasMath_t.
std::optional<Arithmetic> arithmetic_of(ComputeType compute, const MatrixTypes& types,
                                        int math_mode);

// What cublasLt multiplies besides, and where alpha and beta have another type.
std::optional<Arithmetic> light_arithmetic_of(ComputeType compute, int scale,
                                              const MatrixTypes& types);

}  // namespace tmaemu::runtime
