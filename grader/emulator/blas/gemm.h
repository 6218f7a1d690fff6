// What cuBLAS computes, D = alpha * A * B + beta * C and what may follow it, on the host.
//
// Products are added in f64, where those of all types but f64 are exact, and the result is rounded
// once, to D's type. Sums of integers are exact. An element's products are added in one order,
// however many threads there are.
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
  Factors factors = Factors::as_they_are;
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

// One after the other, by up to so many threads.
void multiply(std::span<const Gemm> batch, unsigned threads);

}  // namespace tmaemu::blas
