// What becomes of an element's sum: alpha, beta * C, the bias, the activation, the scale.
#pragma once

#include "emulator/blas/gemm.h"

namespace tmaemu::blas {

// Computed in the sum's format, and rounded once to D's. Returns the magnitude that AMAX_D is
// about.
float store_rounded(const Gemm& gemm, std::size_t row, std::size_t column, float sum);
float store_rounded(const Gemm& gemm, std::size_t row, std::size_t column, double sum);

// Of integers: what 32 bits keep.
void store_modular(const Gemm& gemm, std::size_t row, std::size_t column, double sum);

}  // namespace tmaemu::blas
