// A product of matrices as a stream's work.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/blas/gemm.h"
#include "emulator/runtime/blas/abi.h"

namespace tmaemu::runtime {

// Matrices of a batch, where they lie in device memory.
struct Operand {
  const void* start = nullptr;  // the first one, or on the device an array of pointers to all
  blas::Type type = blas::Type::f32;
  std::size_t rows = 0, columns = 0;  // as they lie in memory: before they are transposed
  std::size_t leading = 0;            // elements from one column to the next
  std::int64_t batch_stride = 0;      // elements from one matrix to the next
  bool is_row_major = false;          // `leading` leads from one row to the next
  bool is_transposed = false;
  bool is_array = false;
};

// alpha or beta.
struct Factor {
  blas::Type type = blas::Type::f32;
  const void* on_device = nullptr;   // null: it was on the host, and has been read
  std::array<std::byte, 8> value{};  // of `type`
};
Factor factor_of(blas::Type type, const void* pointer, PointerMode mode);

// Of cublasLt; pointers are to device memory, and may be null.
struct AfterProduct {
  const void* bias = nullptr;
  blas::Type bias_type = blas::Type::f32;
  std::int64_t bias_batch_stride = 0;
  blas::Activation activation = blas::Activation::none;
  std::array<const void*, 4> scales{};  // an f32 each: of A, B, C, D
  void* largest = nullptr;              // an f32
};

struct Product {
  const char* call = "";
  const void* stream = nullptr;
  std::size_t m = 0, n = 0, k = 0, batch = 1;
  Operand a, b, c, d;
  Factor alpha, beta;
  blas::Factors factors = blas::Factors::as_they_are;
  bool is_modular = false;
  bool sums_f16 = false;
  bool adds_fast = false;
  AfterProduct after;
};

// Computes it in stream order. Preconditions: what the two libraries check.
BlasStatus submit(const Product& product);

}  // namespace tmaemu::runtime
