// Products on the host against sums that are exact: of integers, and of numbers that are whole
// multiples of one power of two.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "emulator/blas/elements.h"
#include "emulator/blas/gemm.h"

namespace tmaemu::blas {
namespace {

// A matrix in memory, by column or by row, with a few elements behind each column or row.
struct Stored {
  Stored(Type of, std::size_t rows, std::size_t columns, bool is_by_row = false) : type(of) {
    row_stride = is_by_row ? columns + 3 : 1;
    column_stride = is_by_row ? 1 : rows + 2;
    bytes.resize((rows * row_stride + columns * column_stride) * size_of(type));
  }

  ConstView view() const { return {bytes.data(), type, row_stride, column_stride}; }
  View writable() { return {bytes.data(), type, row_stride, column_stride}; }
  double at(std::size_t row, std::size_t column) const {
    return load(type, view().at(row, column));
  }
  void set(std::size_t row, std::size_t column, double value) {
    store(type, value, writable().at(row, column));
  }

  Type type;
  std::size_t row_stride = 1, column_stride = 1;
  std::vector<std::byte> bytes;
};

// Small numbers, of which every type has all.
void fill(Stored& matrix, std::size_t rows, std::size_t columns, unsigned seed) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      seed = seed * 1664525 + 1013904223;
      matrix.set(row, column, static_cast<int>((seed >> 16) % 9) - 4);
    }
  }
}

struct Case {
  std::size_t m, n, k;
  Type factor, result;
  bool a_by_row, b_by_row;
};

template <class At>
std::vector<int> integers(std::size_t lines, std::size_t steps, At at) {
  std::vector<int> numbers;
  for (std::size_t line = 0; line < lines; ++line) {
    for (std::size_t step = 0; step < steps; ++step) {
      numbers.push_back(static_cast<int>(at(line, step)));
    }
  }
  return numbers;
}

void expect_exact(const Case& of, unsigned threads) {
  Stored a(of.factor, of.m, of.k, of.a_by_row);
  Stored b(of.factor, of.k, of.n, of.b_by_row);
  Stored c(of.result, of.m, of.n);
  Stored d(of.result, of.m, of.n);
  fill(a, of.m, of.k, 1);
  fill(b, of.k, of.n, 2);
  fill(c, of.m, of.n, 3);
  Gemm gemm;
  gemm.m = of.m;
  gemm.n = of.n;
  gemm.k = of.k;
  gemm.a = a.view();
  gemm.b = b.view();
  gemm.c = c.view();
  gemm.d = d.writable();
  gemm.alpha = 2;
  gemm.beta = -1;
  multiply({&gemm, 1}, threads);
  const std::vector<int> of_a =
      integers(of.m, of.k, [&](auto row, auto i) { return a.at(row, i); });
  const std::vector<int> of_b =
      integers(of.n, of.k, [&](auto column, auto i) { return b.at(i, column); });
  Stored expected(of.result, 1, 1);
  for (std::size_t row = 0; row < of.m; ++row) {
    for (std::size_t column = 0; column < of.n; ++column) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < of.k; ++i) {
        sum += of_a[row * of.k + i] * of_b[column * of.k + i];
      }
      const auto before = static_cast<std::int64_t>(c.at(row, column));
      expected.set(0, 0, static_cast<double>(2 * sum - before));
      ASSERT_EQ(d.at(row, column), expected.at(0, 0)) << row << ", " << column;
    }
  }
}

TEST(BlasGemm, SumsAreExactOfEveryTypeAndEveryOrderOfElements) {
  const std::pair<Type, Type> types[] = {
      {Type::f32, Type::f32},   {Type::f64, Type::f64},   {Type::f16, Type::f32},
      {Type::f16, Type::f16},   {Type::bf16, Type::bf16}, {Type::bf16, Type::f32},
      {Type::s8, Type::s32},    {Type::s8, Type::f32},    {Type::e4m3, Type::bf16},
      {Type::e5m2, Type::e4m3},
  };
  for (const auto& [factor, result] : types) {
    for (const bool a_by_row : {false, true}) {
      for (const bool b_by_row : {false, true}) {
        expect_exact({29, 18, 33, factor, result, a_by_row, b_by_row}, 1);
      }
    }
  }
}

TEST(BlasGemm, SumsAreExactWhateverTheTilesCutOff) {
  for (const std::size_t m : {1, 12, 193}) {
    for (const std::size_t n : {4, 257}) {
      for (const std::size_t k : {0, 1, 256, 257}) {
        expect_exact({m, n, k, Type::f32, Type::f32, false, false}, 1);
      }
    }
  }
}

TEST(BlasGemm, ThreadsShareTheWork) {
  expect_exact({400, 530, 65, Type::bf16, Type::f32, true, false}, 3);
}

// One element: its sum of products, and what becomes of that.
struct Element {
  explicit Element(Type of, std::vector<double> first, std::vector<double> second,
                   Type result = Type::f32)
      : a(of, 1, first.size()), b(of, second.size(), 1), c(result, 1, 1), d(result, 1, 1) {
    for (std::size_t i = 0; i < first.size(); ++i) a.set(0, i, first[i]);
    for (std::size_t i = 0; i < second.size(); ++i) b.set(i, 0, second[i]);
    gemm.m = gemm.n = 1;
    gemm.k = first.size();
    gemm.a = a.view();
    gemm.b = b.view();
    gemm.c = c.view();
    gemm.d = d.writable();
  }
  double result() {
    multiply({&gemm, 1}, 1);
    return d.at(0, 0);
  }
  Stored a, b, c, d;
  Gemm gemm;
};

TEST(BlasGemm, WhatFollowsTheSumIsComputedInF32AndRoundedToF16Then) {
  // 2049 is halfway between two numbers of f16; in f32 the rest is forgotten before.
  Element element(Type::bf16, {1}, {1}, Type::f16);
  element.c.set(0, 0, 2048);
  element.gemm.alpha = 1 + 0x1p-20;
  element.gemm.beta = 1;
  EXPECT_EQ(element.result(), 2048);
  element.gemm.alpha = 1 + 0x1p-12;
  EXPECT_EQ(element.result(), 2050);
}

TEST(BlasGemm, WithoutBetaCIsNotRead) {
  Element element(Type::f32, {3}, {2});
  element.c.set(0, 0, std::numeric_limits<double>::quiet_NaN());
  element.gemm.beta = 0;
  EXPECT_EQ(element.result(), 6);
  element.gemm.c = {};
  EXPECT_EQ(element.result(), 6);
}

TEST(BlasGemm, WithoutAlphaAAndBAreNotRead) {
  Element element(Type::f32, {3}, {2});
  element.c.set(0, 0, 5);
  element.gemm.alpha = 0;
  element.gemm.beta = 2;
  element.gemm.a = {};
  element.gemm.b = {};
  EXPECT_EQ(element.result(), 10);
}

TEST(BlasGemm, WhatHasNoElementsIsLeft) {
  Element element(Type::f32, {3}, {2});
  element.d.set(0, 0, 7);
  element.gemm.m = 0;
  EXPECT_EQ(element.result(), 7);
}

TEST(BlasGemm, FactorsAreRoundedAsTheComputeTypeAllows) {
  const double one_and_little = 1 + 0x1p-20;
  Element element(Type::f32, {one_and_little}, {1});
  EXPECT_EQ(element.result(), one_and_little);
  element.gemm.factors = Factors::tf32;
  EXPECT_EQ(element.result(), 1);
  Element finer(Type::f32, {1 + 0x1p-10}, {1});
  finer.gemm.factors = Factors::tf32;
  EXPECT_EQ(finer.result(), 1 + 0x1p-10);
}

TEST(BlasGemm, IntegersKeep32Bits) {
  Element element(Type::s8, {127, 127}, {127, 127}, Type::s32);
  element.gemm.is_modular = true;
  element.gemm.alpha = 1 << 20;
  const std::int64_t exact = (std::int64_t{1} << 20) * 2 * 127 * 127;
  EXPECT_EQ(element.result(), static_cast<std::int32_t>(static_cast<std::uint32_t>(exact)));
}

TEST(BlasGemm, TheNanOfF32IsAGpus) {
  Element element(Type::f32, {std::numeric_limits<double>::infinity()}, {0});
  element.result();
  std::uint32_t bits = 0;
  std::memcpy(&bits, element.d.bytes.data(), sizeof bits);
  EXPECT_EQ(bits, 0x7fff'ffffu);
}

TEST(BlasGemm, WhatIsTooLargeForFp8IsItsLargestNumber) {
  Element element(Type::f32, {1000}, {1}, Type::e4m3);
  EXPECT_EQ(element.result(), 448);
}

TEST(BlasGemm, ABiasComesBeforeTheActivationAndTheScaleBehind) {
  Element element(Type::f32, {3}, {2});
  const float bias = -10;
  float largest = 0;
  element.gemm.bias = reinterpret_cast<const std::byte*>(&bias);
  element.gemm.scale = 8;
  element.gemm.largest = &largest;
  EXPECT_EQ(element.result(), -32);
  EXPECT_EQ(largest, 4);
  element.gemm.activation = Activation::relu;
  EXPECT_EQ(element.result(), 0);
}

TEST(BlasGemm, TheLargestMagnitudeIsNanWhereOneIs) {
  Element element(Type::f32, {std::numeric_limits<double>::quiet_NaN()}, {1});
  float largest = 3;
  element.gemm.largest = &largest;
  element.result();
  EXPECT_NE(largest, largest);
  element.a.set(0, 0, 5);
  element.result();
  EXPECT_NE(largest, largest);
}

// Matrices of bf16 that TMA can load: of eight elements a line.
struct Loadable {
  Loadable() {
    gemm.m = gemm.n = gemm.k = size;
    gemm.a = gemm.b = gemm.c = {zeros.data(), Type::bf16, size, 1};
    gemm.d = {d.data(), Type::bf16, size, 1};
    gemm.beta = 0;
  }
  static constexpr std::size_t size = 8;
  alignas(16) std::array<std::byte, 2 * size * size> zeros{};
  alignas(16) std::array<std::byte, 2 * size*(size + 1)> d{};
  Gemm gemm;
};

// Seen on an H200: so do Hopper's own kernels where alpha and beta are 1, and no others.
TEST(BlasGemm, CIsAddedToTheRoundedSumWhereNeitherIsMultiplied) {
  Loadable of;
  alignas(16) std::array<std::byte, 2 * 64> a{}, b{}, c{};
  store(Type::bf16, 1 + 0x1p-7, a.data());
  store(Type::bf16, 1 + 0x1p-6, b.data());
  of.gemm.a.start = a.data();
  of.gemm.b.start = b.data();
  of.gemm.c.start = c.data();
  const auto result = [&](double beta) {
    of.gemm.beta = beta;
    multiply({&of.gemm, 1}, 1);
    return load(Type::bf16, of.d.data());
  };
  // The sum is 1 + 3 * 2^-7 + 2^-13, and rounded 1 + 3 * 2^-7; what follows is nearly half a unit.
  store(Type::bf16, 0x1p-8 - 0x1p-14, c.data());
  EXPECT_EQ(result(1), 1 + 3 * 0x1p-7);
  store(Type::bf16, (0x1p-8 - 0x1p-14) / 2, c.data());
  EXPECT_EQ(result(2), 1 + 4 * 0x1p-7);
}

TEST(BlasGemm, GeluOfWhatIsFarBelowZeroHasNoSignInHoppersKernels) {
  Loadable of;
  alignas(16) std::array<std::byte, 2 * 8> bias{};
  store(Type::bf16, -20.0, bias.data());
  of.gemm.bias = bias.data();
  of.gemm.bias_type = Type::bf16;
  of.gemm.activation = Activation::gelu;
  multiply({&of.gemm, 1}, 1);
  EXPECT_FALSE(std::signbit(load(Type::bf16, of.d.data())));
  of.gemm.d.row_stride = of.size + 1;  // TMA cannot load it
  multiply({&of.gemm, 1}, 1);
  EXPECT_TRUE(std::signbit(load(Type::bf16, of.d.data())));
}

TEST(BlasGemm, GeluIsTheFormWithTanh) {
  Element element(Type::f32, {1}, {1}, Type::f64);
  element.gemm.activation = Activation::gelu;
  EXPECT_NEAR(element.result(), 0.841192, 1e-6);  // with erf: 0.841345
}

}  // namespace
}  // namespace tmaemu::blas
