// Elements of matrices as numbers of f64, which holds those of every type exactly.
#pragma once

#include "emulator/blas/types.h"

namespace tmaemu::blas {

double load(Type type, const std::byte* from);

// Rounded once: to the nearest, ties to even. What is too large for fp8 or an integer becomes the
// largest number.
void store(Type type, double value, std::byte* to);
void store(Type type, float value, std::byte* to);  // the same, sooner

// Part of a matrix as the inner loop reads it: strips of `width` lines, the numbers of one step
// beside each other. A line is a row of A or a column of B, and a step is one of the k products
// that an element sums. Lines that are missing in the last strip are zeros.
struct Part {
  const std::byte* start = nullptr;
  Type type = Type::f32;
  std::size_t lines = 0, line_stride = 0;  // strides in elements
  std::size_t steps = 0, step_stride = 0;
};
template <class Number>
void pack(const Part& part, std::size_t width, Number* to);

// The same as bits, for the model of the matrix units: for each `length` steps one line behind the
// other, of so many elements. What is missing of the last steps, and of `lines`, is zeros.
// f32 becomes TF32, rounded to the nearest, ties to even.
void pack_bits(const Part& part, std::size_t lines, std::size_t length, std::byte* to);

}  // namespace tmaemu::blas
