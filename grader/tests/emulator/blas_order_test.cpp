// In which order products on the host are added: as a Hopper GPU's units add them, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "emulator/blas/elements.h"
#include "emulator/blas/gemm.h"
#include "emulator/tensor/dot.h"

namespace tmaemu::blas {
namespace {

// Of no size that fits any tile or instruction.
constexpr std::size_t m = 201, n = 259, k = 301;

// Numbers of many magnitudes, so that every order of their sums has another result.
std::vector<std::byte> numbers(Type type, unsigned digits, std::size_t count, unsigned seed) {
  std::vector<std::byte> bytes(count * size_of(type));
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    const unsigned fraction = seed >> (32 - digits);
    seed = seed * 1664525 + 1013904223;
    const double number = std::ldexp(1 + std::ldexp(fraction, -static_cast<int>(digits)),
                                     -static_cast<int>(seed >> 24 & 7));
    store(type, (seed >> 31) != 0 ? -number : number, &bytes[i * size_of(type)]);
  }
  return bytes;
}

// Rows of A, and columns of B, lie one after the other: k runs along both.
struct Operands {
  explicit Operands(Type type, unsigned digits = 23)
      : a(numbers(type, digits, m * k, 1)), b(numbers(type, digits, n * k, 2)) {
    gemm.m = m;
    gemm.n = n;
    gemm.k = k;
    gemm.a = {a.data(), type, k, 1};
    gemm.b = {b.data(), type, 1, k};
    gemm.beta = 0;
  }
  template <class Number>
  std::vector<Number> product(Type type) {
    std::vector<Number> d(m * n);
    gemm.d = {reinterpret_cast<std::byte*>(d.data()), type, n, 1};
    multiply({&gemm, 1}, 2);
    return d;
  }
  const std::byte* row_of_a(std::size_t row) const { return &a[row * k * size_of(gemm.a.type)]; }
  const std::byte* column_of_b(std::size_t column) const {
    return &b[column * k * size_of(gemm.b.type)];
  }

  std::vector<std::byte> a, b;
  Gemm gemm;
};

// What PTX's instructions of this shape give, the slow and plain model of each after the other, for
// these of the k products.
u32 chained(const tensor::Product& instruction, const std::byte* a, const std::byte* b,
            std::size_t first = 0, std::size_t end = k) {
  constexpr std::size_t bytes = 32;
  const std::size_t size = tensor::bits_of(instruction.a) / 8;
  const std::size_t all = end * size;
  u32 sum = 0;
  for (std::size_t at = first * size; at < all; at += bytes) {
    std::byte x[bytes] = {}, y[bytes] = {};
    std::memcpy(x, a + at, std::min(bytes, all - at));
    std::memcpy(y, b + at, std::min(bytes, all - at));
    sum = tensor::dot(instruction, x, y, nullptr, sum);
  }
  return sum;
}

tensor::Product wgmma(tensor::Element element) {
  tensor::Product instruction;
  instruction.a = instruction.b = element;
  instruction.k = instruction.block = 256 / tensor::bits_of(element);
  instruction.is_coarse = tensor::is_fp8(element);
  return instruction;
}

void expect_chain(Operands& of, const tensor::Product& instruction) {
  const std::vector<u32> d = of.product<u32>(Type::f32);
  for (std::size_t row = 0; row < m; row += 8) {
    for (std::size_t column = 0; column < n; ++column) {
      ASSERT_EQ(d[row * n + column], chained(instruction, of.row_of_a(row), of.column_of_b(column)))
          << row << ", " << column;
    }
  }
}

TEST(BlasOrder, SumsOfHalvesAreTheChainOfWgmmasSteps) {
  Operands bf16(Type::bf16), f16(Type::f16);
  expect_chain(bf16, wgmma(tensor::Element::bf16));
  expect_chain(f16, wgmma(tensor::Element::f16));
}

TEST(BlasOrder, SumsOfTf32AreTheChainOfWgmmasSteps) {
  Operands of(Type::f32, 10);  // as many as TF32 has
  of.gemm.factors = Factors::tf32;
  expect_chain(of, wgmma(tensor::Element::tf32));
}

// Seen on an H200: unlike cvt.rna.tf32.
TEST(BlasOrder, FactorsAreRoundedToTf32WithTiesToEven) {
  Operands of(Type::f32);
  of.gemm.factors = Factors::tf32;
  of.gemm.m = of.gemm.n = of.gemm.k = 1;
  const float one = 1;
  std::memcpy(of.b.data(), &one, sizeof one);
  const auto rounded = [&](float number) {
    std::memcpy(of.a.data(), &number, sizeof number);
    return of.product<float>(Type::f32)[0];
  };
  EXPECT_EQ(rounded(1 + 0x1p-11f), 1);
  EXPECT_EQ(rounded(1 + 3 * 0x1p-11f), 1 + 0x1p-9f);
  EXPECT_EQ(rounded(1 + 0x1p-11f + 0x1p-23f), 1 + 0x1p-10f);
}

TEST(BlasOrder, WithFastAccumulationSumsOfFp8AreTheChainOfWgmmasSteps) {
  Operands of(Type::e4m3);
  of.gemm.adds_fast = true;
  expect_chain(of, wgmma(tensor::Element::e4m3));
}

TEST(BlasOrder, WithoutItSumsOf128ProductsOfFp8AreAddedInF32) {
  Operands of(Type::e4m3);
  const tensor::Product instruction = wgmma(tensor::Element::e4m3);
  const std::vector<float> d = of.product<float>(Type::f32);
  for (std::size_t row = 0; row < m; row += 8) {
    for (std::size_t column = 0; column < n; ++column) {
      float sum = 0;
      for (std::size_t first = 0; first < k; first += 128) {
        sum += std::bit_cast<float>(chained(instruction, of.row_of_a(row), of.column_of_b(column),
                                            first, std::min(first + 128, k)));
      }
      ASSERT_EQ(d[row * n + column], sum) << row << ", " << column;
    }
  }
}

TEST(BlasOrder, WithTheComputeTypeF16TheSumIsAnF16AfterEachStep) {
  Operands of(Type::f16);
  of.gemm.sums_f16 = true;
  tensor::Product instruction = wgmma(tensor::Element::f16);
  instruction.accumulator = tensor::Accumulator::f16;
  expect_chain(of, instruction);
}

template <class Number>
void expect_fma_chain(Type type) {
  Operands of(type);
  const std::vector<Number> d = of.product<Number>(type);
  for (std::size_t row = 0; row < m; row += 8) {
    for (std::size_t column = 0; column < n; ++column) {
      Number sum = 0;
      for (std::size_t i = 0; i < k; ++i) {
        sum = std::fma(tensor::element_at<Number>(of.row_of_a(row), i),
                       tensor::element_at<Number>(of.column_of_b(column), i), sum);
      }
      ASSERT_EQ(d[row * n + column], sum) << row << ", " << column;
    }
  }
}

TEST(BlasOrder, SumsOfF32AreAChainOfFusedMultiplyAdds) {
  expect_fma_chain<float>(Type::f32);
}

TEST(BlasOrder, SumsOfF64AreAChainOfFusedMultiplyAdds) {
  expect_fma_chain<double>(Type::f64);
}

}  // namespace
}  // namespace tmaemu::blas
