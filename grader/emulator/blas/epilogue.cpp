#include "emulator/blas/epilogue.h"

#include <array>
#include <cmath>
#include <numbers>

#include "emulator/blas/elements.h"
#include "emulator/blas/tensor_order.h"

namespace tmaemu::blas {
namespace {

// Seen on an H200: f16 and bf16 that TMA can load are multiplied by kernels of Hopper's own, whose
// last steps differ from those of the others.
bool has_hopper_kernel(const Gemm& gemm) {
  return size_of(gemm.a.type) == 2 && !gemm.sums_f16 && is_aligned(gemm.a) && is_aligned(gemm.b) &&
         is_aligned(gemm.d);
}

// By cublasLt's manual the activation is GELU. Seen on an H200: the form with tanh, by tanh.approx,
// and in Hopper's kernels by a fused multiply-add, so that what is far below 0 becomes +0.
template <class Number>
Number gelu(const Gemm& gemm, Number x) {
  const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  const auto tanh = static_cast<Number>(std::tanh(inner));
  const Number half = x / 2;
  return has_hopper_kernel(gemm) ? std::fma(half, tanh, half) : half * (1 + tanh);
}

template <class Number>
Number activated(const Gemm& gemm, Number value) {
  if (gemm.activation == Activation::relu) return value <= 0 ? 0 : value;
  return gemm.activation == Activation::gelu ? gelu(gemm, value) : value;
}

template <class Number>
Number rounded_to(Type type, Number value) {
  std::array<std::byte, 8> element;
  store(type, value, element.data());
  return static_cast<Number>(load(type, element.data()));
}

// Seen on an H200: which of the two products is rounded, and that Hopper's kernels add a C that is
// not multiplied to the rounded sum.
template <class Number>
Number with_c(const Gemm& gemm, Number alpha, Number sum, Number beta, Number c) {
  const bool is_split = has_split_sums(gemm);
  if (beta == 1 && has_hopper_kernel(gemm) && !is_split) {
    return rounded_to(gemm.d.type, alpha * sum) + c;
  }
  const bool rounds_sum = is_split || (size_of(gemm.a.type) == 2 && !has_hopper_kernel(gemm));
  return rounds_sum ? std::fma(beta, c, alpha * sum) : std::fma(alpha, sum, beta * c);
}

template <class Number>
float store_any(const Gemm& gemm, std::size_t row, std::size_t column, Number sum) {
  const auto alpha = static_cast<Number>(gemm.alpha), beta = static_cast<Number>(gemm.beta);
  Number value = alpha * sum;
  if (beta != 0) {
    const auto c = static_cast<Number>(load(gemm.c.type, gemm.c.at(row, column)));
    value = with_c(gemm, alpha, sum, beta, c);
  }
  if (gemm.bias != nullptr) {
    value += static_cast<Number>(load(gemm.bias_type, gemm.bias + row * size_of(gemm.bias_type)));
  }
  value = activated(gemm, value);
  store(gemm.d.type, value * static_cast<Number>(gemm.scale), gemm.d.at(row, column));
  return static_cast<float>(std::abs(value));
}

}  // namespace

float store_rounded(const Gemm& gemm, std::size_t row, std::size_t column, float sum) {
  return store_any(gemm, row, column, sum);
}

float store_rounded(const Gemm& gemm, std::size_t row, std::size_t column, double sum) {
  return store_any(gemm, row, column, sum);
}

void store_modular(const Gemm& gemm, std::size_t row, std::size_t column, double sum) {
  const auto whole = [](double number) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  };
  std::uint64_t value = whole(gemm.alpha) * whole(sum);
  if (gemm.beta != 0) {
    value += whole(gemm.beta) * whole(load(gemm.c.type, gemm.c.at(row, column)));
  }
  const auto kept = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  store(gemm.d.type, static_cast<double>(kept), gemm.d.at(row, column));
}

}  // namespace tmaemu::blas
