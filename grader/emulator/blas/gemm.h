// What cuBLAS computes, D = alpha * A * B + beta * C and what may follow it, on the host.
//
// Products are added as a Hopper GPU's units do, in the order of k, however many threads there are:
// those of f16, bf16, fp8 and TF32 by its matrix units, those of f32 and f64 by one fused
// multiply-add after the other. Sums of integers are exact. What follows is computed in f32 (of f64
// in f64), and rounded once to D's type.
#pragma once

#include <span>

#include "emulator/blas/types.h"

namespace tmaemu::blas {

enum class Activation : std::uint8_t { none, relu, gelu };

struct Gemm {
  std::size_t m = 0, n = 0, k = 0;
  ConstView a;  // m rows, k columns: not read where alpha or k is 0
  ConstView b;  // k rows, n columns
  ConstView c;  // m rows, n columns: not read where beta is 0
  View d;
  std::size_t batch = 1;  // how many such products a GPU has to do at the same time
  Factors factors = Factors::as_they_are;
  bool sums_f16 = false;   // after each instruction of the matrix units the sum is an f16
  bool adds_fast = false;  // sums of fp8 stay in the matrix units, which have 14 digits for them
  double alpha = 1;
  double beta = 0;
  bool is_modular = false;  // alpha, beta and D are integers, and D is what 32 bits keep

  // What follows, in this order.
  const std::byte* bias = nullptr;  // one number a row, or none
  Type bias_type = Type::f32;
  Activation activation = Activation::none;
  float* largest = nullptr;  // raised to the largest magnitude of all; NaN where one is
  double scale = 1;
};

// By up to so many threads. All have the same types and the same `factors`, `sums_f16` and
// `adds_fast`.
void multiply(std::span<const Gemm> batch, unsigned threads);

}  // namespace tmaemu::blas
