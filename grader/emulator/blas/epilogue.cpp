#include "emulator/blas/epilogue.h"

#include <array>
#include <cmath>
#include <numbers>

#include "emulator/blas/elements.h"
#include "emulator/blas/tensor_order.h"

namespace tmaemu::blas {
namespace {

template <class Number>
Number rounded_to(Type type, Number value) {
  std::array<std::byte, 8> element;
  store(type, value, element.data());
  return static_cast<Number>(load(type, element.data()));
}

}  // namespace

Epilogue::Epilogue(const Gemm& gemm)
    : gemm_(gemm),
      is_hoppers_(size_of(gemm.a.type) == 2 && has_hopper_kernel(gemm) && is_aligned(gemm.d)),
      is_split_(has_split_sums(gemm)) {}

// By cublasLt's manual the activation is GELU. Seen on an H200: the form with tanh, by tanh.approx,
// and in Hopper's kernels by a fused multiply-add, so that what is far below 0 becomes +0.
template <class Number>
Number Epilogue::gelu(Number x) const {
  const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  const auto tanh = static_cast<Number>(std::tanh(inner));
  const Number half = x / 2;
  return is_hoppers_ ? std::fma(half, tanh, half) : half * (1 + tanh);
}

template <class Number>
Number Epilogue::activated(Number value) const {
  if (gemm_.activation == Activation::relu) return value <= 0 ? 0 : value;
  return gemm_.activation == Activation::gelu ? gelu(value) : value;
}

// Seen on an H200: which of the two products is rounded, and that Hopper's kernels add a C that is
// not multiplied to the rounded sum.
template <class Number>
Number Epilogue::with_c(Number alpha, Number sum, Number beta, Number c) const {
  if (beta == 1 && is_hoppers_ && !is_split_) return rounded_to(gemm_.d.type, alpha * sum) + c;
  const bool rounds_sum = is_split_ || (size_of(gemm_.a.type) == 2 && !is_hoppers_);
  return rounds_sum ? std::fma(beta, c, alpha * sum) : std::fma(alpha, sum, beta * c);
}

template <class Number>
float Epilogue::store_rounded(std::size_t row, std::size_t column, Number sum) const {
  const auto alpha = static_cast<Number>(gemm_.alpha), beta = static_cast<Number>(gemm_.beta);
  Number value = alpha * sum;
  if (beta != 0) {
    const auto c = static_cast<Number>(load(gemm_.c.type, gemm_.c.at(row, column)));
    value = with_c(alpha, sum, beta, c);
  }
  if (gemm_.bias != nullptr) {
    value +=
        static_cast<Number>(load(gemm_.bias_type, gemm_.bias + row * size_of(gemm_.bias_type)));
  }
  value = activated(value);
  store(gemm_.d.type, value * static_cast<Number>(gemm_.scale), gemm_.d.at(row, column));
  return static_cast<float>(std::abs(value));
}

template float Epilogue::store_rounded(std::size_t, std::size_t, float) const;
template float Epilogue::store_rounded(std::size_t, std::size_t, double) const;

void Epilogue::store_modular(std::size_t row, std::size_t column, double sum) const {
  const auto whole = [](double number) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  };
  std::uint64_t value = whole(gemm_.alpha) * whole(sum);
  if (gemm_.beta != 0) {
    value += whole(gemm_.beta) * whole(load(gemm_.c.type, gemm_.c.at(row, column)));
  }
  const auto kept = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  store(gemm_.d.type, static_cast<double>(kept), gemm_.d.at(row, column));
}

}  // namespace tmaemu::blas
