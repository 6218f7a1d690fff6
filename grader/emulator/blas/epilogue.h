// What becomes of an element's sum: alpha, beta * C, the bias, the activation, the scale.
#pragma once

#include "emulator/blas/gemm.h"

namespace tmaemu::blas {

class Epilogue {
 public:
  explicit Epilogue(const Gemm& gemm);

  // Computed in the sum's format, f32 or f64, and rounded once to D's. Returns the magnitude that
  // AMAX_D is about.
  template <class Number>
  float store_rounded(std::size_t row, std::size_t column, Number sum) const;

  // Of integers: what 32 bits keep.
  void store_modular(std::size_t row, std::size_t column, double sum) const;

 private:
  template <class Number>
  Number gelu(Number x) const;
  template <class Number>
  Number activated(Number value) const;
  template <class Number>
  Number with_c(Number alpha, Number sum, Number beta, Number c) const;

  const Gemm& gemm_;
  // Seen on an H200: f16 and bf16 that TMA can load and store are multiplied by kernels of Hopper's
  // own, whose last steps differ from those of the others.
  bool is_hoppers_;
  bool is_split_;
};

}  // namespace tmaemu::blas
