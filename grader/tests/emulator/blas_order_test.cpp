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
constexpr unsigned tf32_digits = 10;
// From one row of A, or column of B, to the next: TMA loads the one of every type, the other of
// none.
constexpr std::size_t loadable = 304, not_loadable = 303;

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
  explicit Operands(Type type, std::size_t length = loadable, unsigned digits = 23)
      : line(length), a(numbers(type, digits, m * line, 1)), b(numbers(type, digits, n * line, 2)) {
    gemm.m = m;
    gemm.n = n;
    gemm.k = k;
    gemm.a = {a.data(), type, line, 1};
    gemm.b = {b.data(), type, 1, line};
    gemm.beta = 0;
  }
  template <class Number>
  std::vector<Number> product(Type type) {
    std::vector<Number> d(m * n);
    gemm.d = {reinterpret_cast<std::byte*>(d.data()), type, n, 1};
    multiply({&gemm, 1}, 2);
    return d;
  }
  const std::byte* row_of_a(std::size_t row) const { return &a[row * line * size_of(gemm.a.type)]; }
  const std::byte* column_of_b(std::size_t column) const {
    return &b[column * line * size_of(gemm.b.type)];
  }

  std::size_t line;
  std::vector<std::byte> a, b;
  Gemm gemm;
};

// What PTX's instructions of this shape give, the slow and plain model of each after the other, for
// these of the k products.
u32 chained(const tensor::Product& instruction, const std::byte* a, const std::byte* b,
            std::size_t first = 0, std::size_t end = k, u32 sum = 0) {
  constexpr std::size_t bytes = 32;
  const std::size_t size = tensor::bits_of(instruction.a) / 8;
  const std::size_t all = end * size;
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

// What is left over of k comes first.
void expect_rest_first(Operands& of, const tensor::Product& instruction, std::size_t rest) {
  const std::vector<u32> d = of.product<u32>(Type::f32);
  for (std::size_t row = 0; row < m; row += 8) {
    for (std::size_t column = 0; column < n; ++column) {
      const std::byte *const a = of.row_of_a(row), *const b = of.column_of_b(column);
      const u32 first = chained(instruction, a, b, 0, rest);
      ASSERT_EQ(d[row * n + column], chained(instruction, a, b, rest, k, first))
          << row << ", " << column;
    }
  }
}

// Seen on an H200, as the next two: k is 4 * 64 + 45.
TEST(BlasOrder, SumsOfF16ThatTmaCannotLoadBeginWithWhat64LeaveOver) {
  Operands of(Type::f16, not_loadable);
  expect_rest_first(of, wgmma(tensor::Element::f16), 45);
}

// And 18 * 16 + 13.
TEST(BlasOrder, SumsOfTf32BeginWithWhat16LeaveOver) {
  Operands of(Type::f32, loadable, tf32_digits);
  of.gemm.factors = Factors::tf32;
  expect_rest_first(of, wgmma(tensor::Element::tf32), 13);
}

TEST(BlasOrder, SumsOfTf32ThatTmaCannotLoadAreTheChainOfWgmmasSteps) {
  Operands of(Type::f32, not_loadable, tf32_digits);
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

// Seen on an H200: 64 tiles of 64 steps are split as 22, 22 and 20.
TEST(BlasOrder, SumsOfManyProductsAreSplitWhereDIsSmallAndThePartsAddedInF32) {
  constexpr std::size_t size = 8, long_k = 4096, part = 22 * 64;
  const std::vector<std::byte> a = numbers(Type::bf16, 23, size * long_k, 1);
  const std::vector<std::byte> b = numbers(Type::bf16, 23, size * long_k, 2);
  std::vector<float> d(size * size);
  Gemm gemm;
  gemm.m = gemm.n = size;
  gemm.k = long_k;
  gemm.a = {a.data(), Type::bf16, long_k, 1};
  gemm.b = {b.data(), Type::bf16, 1, long_k};
  gemm.d = {reinterpret_cast<std::byte*>(d.data()), Type::f32, size, 1};
  gemm.beta = 0;
  multiply({&gemm, 1}, 1);
  for (std::size_t i = 0; i < d.size(); ++i) {
    const std::byte* const row = &a[i / size * long_k * 2];
    const std::byte* const column = &b[i % size * long_k * 2];
    float sum = 0;
    for (std::size_t first = 0; first < long_k; first += part) {
      const std::size_t end = std::min(first + part, long_k);
      sum += std::bit_cast<float>(chained(wgmma(tensor::Element::bf16), row, column, first, end));
    }
    ASSERT_EQ(d[i], sum) << i;
  }
}

TEST(BlasOrder, WithTheComputeTypeF16TheSumIsAnF16AfterEachStep) {
  Operands of(Type::f16);
  of.gemm.sums_f16 = true;
  tensor::Product instruction = wgmma(tensor::Element::f16);
  instruction.accumulator = tensor::Accumulator::f16;
  expect_chain(of, instruction);
}

// One for each so many of the k steps; they are added one after the other.
template <class Number>
void expect_fma_chains(Type type, std::size_t steps) {
  Operands of(type);
  const std::vector<Number> d = of.product<Number>(type);
  for (std::size_t row = 0; row < m; row += 8) {
    for (std::size_t column = 0; column < n; ++column) {
      Number sum = 0, chain = 0;
      for (std::size_t i = 0; i < k; ++i) {
        chain = std::fma(tensor::element_at<Number>(of.row_of_a(row), i),
                         tensor::element_at<Number>(of.column_of_b(column), i), chain);
        if ((i + 1) % steps != 0 && i + 1 != k) continue;
        sum += chain;
        chain = 0;
      }
      ASSERT_EQ(d[row * n + column], sum) << row << ", " << column;
    }
  }
}

TEST(BlasOrder, SumsOfF32AreChainsOfFusedMultiplyAddsForAFourthOfTheStepsEach) {
  expect_fma_chains<float>(Type::f32, 80);
}

TEST(BlasOrder, SumsOfF64AreAChainOfFusedMultiplyAdds) {
  expect_fma_chains<double>(Type::f64, k);
}

}  // namespace
}  // namespace tmaemu::blas
