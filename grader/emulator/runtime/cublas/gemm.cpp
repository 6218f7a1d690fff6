// cuBLAS, "cublas<t>gemm()" and "cublasGemmEx()": what is refused, and with which status.
#include "emulator/runtime/cublas/gemm.h"

#include <algorithm>
#include <string>

#include "emulator/runtime/blas/arithmetic.h"
#include "emulator/runtime/blas/library.h"
#include "emulator/runtime/blas/product.h"
#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {
namespace {

bool is_operation(int operation) {
  return operation >= 0 && operation <= static_cast<int>(Operation::conjugate_transposed);
}

// Why these are no matrices; empty where they are.
std::string wrong_shape(const GivenGemm& given) {
  if (given.m < 0 || given.n < 0 || given.k < 0) return "m, n or k is negative";
  if (given.batch < 0) return "batchCount is negative";
  if (!is_operation(given.transpose_a)) return "transa is no cublasOperation_t";
  if (!is_operation(given.transpose_b)) return "transb is no cublasOperation_t";
  const struct {
    const char* name;
    std::int64_t leading, rows;
  } matrices[] = {
      {"lda", given.a.leading, given.transpose_a == 0 ? given.m : given.k},
      {"ldb", given.b.leading, given.transpose_b == 0 ? given.k : given.n},
      {"ldc", given.c.leading, given.m},
  };
  for (const auto& [name, leading, rows] : matrices) {
    if (leading >= std::max<std::int64_t>(1, rows)) continue;
    return std::string(name) + " is " + std::to_string(leading) +
           ", and a column, of that matrix as it lies in memory, has " + std::to_string(rows) +
           " rows";
  }
  return {};
}

// cublasGemmEx's manual asks so much of matrices of int8.
bool is_aligned(const GivenMatrix& matrix) {
  return matrix.leading % 4 == 0 && reinterpret_cast<std::uintptr_t>(matrix.start) % 4 == 0;
}

Operand operand_of(const GivenMatrix& given, bool is_array, std::int64_t rows, std::int64_t columns,
                   bool is_transposed) {
  Operand operand;
  operand.start = given.start;
  operand.type = static_cast<blas::Type>(given.type);
  operand.rows = static_cast<std::size_t>(is_transposed ? columns : rows);
  operand.columns = static_cast<std::size_t>(is_transposed ? rows : columns);
  operand.leading = static_cast<std::size_t>(given.leading);
  operand.batch_stride = given.stride;
  operand.is_transposed = is_transposed;
  operand.is_array = is_array;
  return operand;
}

BlasStatus compute(const BlasHandle& handle, const GivenGemm& given) {
  if (const std::string why = wrong_shape(given); !why.empty()) {
    return refuse(BlasStatus::invalid_value, given.call, why);
  }
  if (any_null(given.alpha, given.beta)) {
    return refuse(BlasStatus::invalid_value, given.call, "alpha or beta is a null pointer");
  }
  const auto arithmetic = arithmetic_of(
      given.compute, {given.a.type, given.b.type, given.c.type, given.c.type}, handle.math_mode);
  if (!arithmetic) {
    return refuse(BlasStatus::not_supported, given.call,
                  "cuBLAS does not multiply these types of A, B and C with this compute type, or "
                  "they are complex, which is not modeled");
  }
  const bool is_s8 = given.a.type == static_cast<int>(blas::Type::s8);
  if (is_s8 && !(is_aligned(given.a) && is_aligned(given.b))) {
    return refuse(BlasStatus::not_supported, given.call,
                  "A and B of int8 begin at multiples of 4 bytes, and so do their columns");
  }
  Product product;
  product.call = given.call;
  product.stream = handle.stream;
  product.m = static_cast<std::size_t>(given.m);
  product.n = static_cast<std::size_t>(given.n);
  product.k = static_cast<std::size_t>(given.k);
  product.batch = static_cast<std::size_t>(given.batch);
  const bool is_array = given.has_arrays;
  product.a = operand_of(given.a, is_array, given.m, given.k, given.transpose_a != 0);
  product.b = operand_of(given.b, is_array, given.k, given.n, given.transpose_b != 0);
  product.c = product.d = operand_of(given.c, is_array, given.m, given.n, false);
  product.alpha = factor_of(arithmetic->scale, given.alpha, handle.pointer_mode);
  product.beta = factor_of(arithmetic->scale, given.beta, handle.pointer_mode);
  product.factors = arithmetic->factors;
  product.is_modular = arithmetic->is_modular;
  product.sums_f16 = arithmetic->sums_f16;
  return submit(product);
}

}  // namespace

int gemm(const void* handle, const GivenGemm& given) {
  return blas_call_on(handle, [&](const BlasHandle& own) { return compute(own, given); });
}

}  // namespace tmaemu::runtime
