// The fast arithmetic of matrix instructions against the slow one, over inputs of every kind, and
// the slow one against sums that can be checked by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "common/half.h"
#include "emulator/numeric/float_format.h"
#include "emulator/numeric/rounding.h"
#include "emulator/tensor/block_lanes.h"
#include "emulator/tensor/dot.h"
#include "emulator/tensor/multiply.h"

namespace tmaemu::tensor {
namespace {

enum class Kind { near, wide, canceling, subnormal, special, full, raw };
constexpr Kind kinds[] = {Kind::near,    Kind::wide, Kind::canceling, Kind::subnormal,
                          Kind::special, Kind::full, Kind::raw};

const FloatFormat& format_of(Element type) {
  return type == Element::bf16   ? float_format::bf16
         : type == Element::tf32 ? float_format::tf32
         : type == Element::e4m3 ? float_format::e4m3
         : type == Element::e5m2 ? float_format::e5m2
                                 : float_format::f16;
}

// Random codes of a floating-point format.
class Codes {
 public:
  Codes(Kind kind, unsigned seed) : kind_(kind), random_(seed) {}

  u32 of(const FloatFormat& format) {
    const auto bits = static_cast<u32>(random_());
    const u32 fraction = bits & ((1u << format.fraction_bits) - 1);
    const u32 sign = (bits >> 31) * static_cast<u32>(format.sign());
    const int top = (1 << format.exponent_bits) - 1, middle = top / 2;
    int exponent = middle - 2 + static_cast<int>(random_() % 5);
    if (kind_ == Kind::wide) exponent = 1 + static_cast<int>(random_()) % (top - 1);
    if (kind_ == Kind::subnormal) exponent = static_cast<int>(random_() % 3);
    if (kind_ == Kind::special && random_() % 16 == 0) exponent = random_() % 2 ? top : 0;
    if (kind_ == Kind::full) return full(format) << format.unused_bits;
    if (exponent < 0) exponent = -exponent;
    u32 code = sign | static_cast<u32>(exponent) << format.fraction_bits | fraction;
    if (kind_ == Kind::special && random_() % 16 == 0) code &= ~((1u << format.fraction_bits) - 1);
    if (kind_ == Kind::raw) code = bits & static_cast<u32>(2 * format.sign() - 1);
    return code << format.unused_bits;
  }
  u32 raw() { return static_cast<u32>(random_()); }
  // Just below 2: sixteen products, and no 32-bit integer holds their sum.
  static u32 full(const FloatFormat& format) {
    return static_cast<u32>(format.one() >> format.unused_bits) |
           ((1u << format.fraction_bits) - 1);
  }
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
  std::mt19937 random_;
};

void set_code(Element type, std::byte* row, unsigned i, u32 code) {
  std::memcpy(row + i * bits_of(type) / 8, &code, bits_of(type) / 8);
}

bool is_floating(Element type) {
  return !is_integer(type) && type != Element::b1;
}

std::vector<std::byte> random_rows(Element type, unsigned rows, unsigned count, Codes& codes) {
  const unsigned row_bytes = count * bits_of(type) / 8;
  std::vector<std::byte> bytes(std::size_t{rows} * row_bytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(codes.raw());
  if (!is_floating(type)) return bytes;
  for (unsigned row = 0; row < rows; ++row) {
    std::byte* const start = bytes.data() + std::size_t{row} * row_bytes;
    for (unsigned i = 0; i < count; ++i) set_code(type, start, i, codes.of(format_of(type)));
    if (codes.kind() != Kind::canceling) continue;
    // Pairs that differ in sign: their products with equal factors cancel.
    for (unsigned i = 0; i + 1 < count; i += 2) {
      const u32 code = code_at(type, start, i);
      const bool flips = codes.raw() % 2 != 0;
      const auto sign = static_cast<u32>(format_of(type).sign() << format_of(type).unused_bits);
      set_code(type, start, i + 1, flips ? code ^ sign : code);
    }
  }
  return bytes;
}

std::vector<u8> random_columns(const Product& product, Codes& codes) {
  std::vector<u8> columns;
  for (unsigned i = 0; i < product.m * product.k; ++i) {
    columns.push_back(static_cast<u8>(2 * (i % product.k) + codes.raw() % 2));
  }
  return columns;
}

u32 random_accumulator(const Product& product, Codes& codes) {
  if (product.accumulator == Accumulator::s32) return codes.raw();
  if (codes.raw() % 16 == 0) return codes.raw() & 0x8000'0000;
  if (product.accumulator == Accumulator::f32) return codes.of(float_format::f32);
  return std::bit_cast<u32>(f32_from_f16(static_cast<u16>(codes.of(float_format::f16))));
}

std::string name_of(const Product& product) {
  return "types " + std::to_string(static_cast<int>(product.a)) + " and " +
         std::to_string(static_cast<int>(product.b)) + " to " +
         std::to_string(static_cast<int>(product.accumulator)) + ", summed as " +
         std::to_string(static_cast<int>(product.summation)) + ", k " + std::to_string(product.k) +
         ", n " + std::to_string(product.n) + (product.is_sparse ? ", sparse" : "");
}

void expect_fast_is_slow(const Product& product) {
  for (const Kind kind : kinds) {
    Codes codes(kind, 100 * product.k + product.n + static_cast<unsigned>(kind));
    const auto a = random_rows(product.a, product.m, product.k, codes);
    const auto b = random_rows(product.b, product.n, product.rows_of_b(), codes);
    const PackedRows rows_of_a{a.data(), product.k * bits_of(product.a) / 8};
    const PackedRows rows_of_b{b.data(), product.rows_of_b() * bits_of(product.b) / 8};
    const auto columns = random_columns(product, codes);
    const KeptColumns kept{product.is_sparse ? columns.data() : nullptr, product.k};
    std::vector<u32> before;
    for (unsigned i = 0; i < product.m * product.n; ++i) {
      before.push_back(random_accumulator(product, codes));
    }
    std::vector<u32> after = before;
    multiply(product, rows_of_a, rows_of_b, kept, after.data());
    unsigned wrong = 0;
    for (unsigned i = 0; i < after.size(); ++i) {
      const unsigned m = i / product.n, n = i % product.n;
      const u8* const own = product.is_sparse ? kept.row(m) : nullptr;
      const u32 expected = dot(product, rows_of_a.row(m), rows_of_b.row(n), own, before[i]);
      const bool are_nan =
          std::isnan(std::bit_cast<float>(after[i])) && std::isnan(std::bit_cast<float>(expected));
      const bool is_half = product.accumulator == Accumulator::f16;
      wrong += after[i] != expected && !(is_half && are_nan) ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0u) << name_of(product) << ", inputs of kind " << static_cast<int>(kind);
  }
}

Product floating(Element type, unsigned k, unsigned block, unsigned n, Accumulator accumulator) {
  Product product;
  product.m = 16;
  product.n = n;
  product.k = k;
  product.block = block;
  product.a = product.b = type;
  product.accumulator = accumulator;
  return product;
}

TEST(Multiply, InBlocksGivesWhatEachElementByItselfGives) {
  for (const unsigned n : {8u, 16u, 40u, 104u}) {
    for (const bool is_sparse : {false, true}) {
      std::vector<Product> products;
      for (const Accumulator sum : {Accumulator::f32, Accumulator::f16}) {
        products.push_back(floating(Element::f16, 16, 16, n, sum));
        products.push_back(floating(Element::f16, 8, 8, n, sum));
      }
      products.push_back(floating(Element::bf16, 16, 16, n, Accumulator::f32));
      products.push_back(floating(Element::tf32, 8, 8, n, Accumulator::f32));
      products.push_back(floating(Element::tf32, 4, 4, n, Accumulator::f32));
      products.push_back(floating(Element::tf32, 8, 4, n, Accumulator::f32));
      for (Product& product : products) {
        product.is_sparse = is_sparse;
        expect_fast_is_slow(product);
      }
    }
  }
}

TEST(Multiply, OfTwoInfinitiesIsInfinite) {
  std::vector<u16> a(16 * 16), b(8 * 16);
  for (std::size_t row = 0; row < 16; ++row) a[row * 16] = 0x7c00;
  for (std::size_t row = 0; row < 8; ++row) b[row * 16] = 0x7c00;
  const PackedRows rows_of_a{reinterpret_cast<const std::byte*>(a.data()), 32};
  const PackedRows rows_of_b{reinterpret_cast<const std::byte*>(b.data()), 32};
  std::vector<u32> sums(16 * 8);
  multiply(floating(Element::f16, 16, 16, 8, Accumulator::f32), rows_of_a, rows_of_b, {},
           sums.data());
  EXPECT_EQ(sums, std::vector<u32>(16 * 8, 0x7f80'0000));
}

TEST(Multiply, OfFp8GivesWhatEachElementByItselfGives) {
  for (const Element a : {Element::e4m3, Element::e5m2}) {
    for (const Element b : {Element::e4m3, Element::e5m2}) {
      for (const Accumulator sum : {Accumulator::f32, Accumulator::f16}) {
        for (const bool is_sparse : {false, true}) {
          Product wide = floating(a, 32, 32, 48, sum);
          wide.b = b;
          wide.is_coarse = true;
          wide.is_sparse = is_sparse;
          expect_fast_is_slow(wide);
          for (const unsigned k : {16u, 32u}) {
            Product halves = floating(a, k, k / 2, 8, sum);
            halves.b = b;
            halves.summation = Summation::halves_of_words;
            halves.is_sparse = is_sparse;
            expect_fast_is_slow(halves);
          }
        }
      }
    }
  }
}

TEST(Multiply, OfIntegersGivesWhatEachElementByItselfGives) {
  for (const Element a : {Element::s8, Element::u8, Element::s4, Element::u4}) {
    const bool is_byte = bits_of(a) == 8;
    for (const Element b :
         {is_byte ? Element::s8 : Element::s4, is_byte ? Element::u8 : Element::u4}) {
      for (const bool saturates : {false, true}) {
        Product product = floating(a, 32, 0, 24, Accumulator::s32);
        product.b = b;
        product.summation = Summation::integer;
        product.saturates = saturates;
        expect_fast_is_slow(product);
        product.is_sparse = true;
        expect_fast_is_slow(product);
      }
    }
  }
}

TEST(Multiply, OfBitsGivesWhatEachElementByItselfGives) {
  for (const Summation summation : {Summation::bits_and, Summation::bits_xor}) {
    Product product = floating(Element::b1, 256, 0, 8, Accumulator::s32);
    product.summation = summation;
    expect_fast_is_slow(product);
  }
}

// --- Vectors of each size that a processor may have ---

void expect_lanes_are_alike(const Product& product, Kind kind) {
  Codes codes(kind, product.k + static_cast<unsigned>(kind));
  const unsigned n = product.n, k = product.k, row_bytes = k * bits_of(product.a) / 8;
  const auto a_codes = random_rows(product.a, 1, k, codes);
  const auto b_codes = random_rows(product.b, n, k, codes);
  std::vector<f32> a(k);
  std::vector<s16> a_exponents(k);
  decode_rows(product.a, false, {a_codes.data(), row_bytes}, 1, k, a.data(), a_exponents.data());
  DecodedColumns b;
  b.hold(product.b, false, {b_codes.data(), row_bytes}, n, k);
  std::vector<u16> places(k);
  std::iota(places.begin(), places.end(), u16{0});
  std::vector<u32> all(n);
  for (u32& sum : all) sum = random_accumulator(product, codes);
  std::vector<u32> of_eight = all;

  const RoundingScope scope(Rounding::toward_zero);
  BlockRow row{k, places.data(), a.data(), a_exponents.data(), b.values.data(), b.exponents.data(),
               n, all.data()};
  const u32 left = add_vector_blocks(block_rule(product), row);
  row.sums = of_eight.data();
  unsigned column = 0;
  const u32 left_by_eight = add_block_lanes<8>(block_rule(product), row, column);
  EXPECT_EQ(column, n);
  EXPECT_EQ(left_by_eight & ~left, 0u) << "wider vectors added what is to be added slowly";
  unsigned wrong = 0;
  for (unsigned i = 0; i < n; ++i) {
    const bool is_left = (left >> i / block_columns & 1) != 0;
    wrong += !is_left && all[i] != of_eight[i] ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u) << name_of(product) << ", inputs of kind " << static_cast<int>(kind);
}

// On a processor without AVX-512 both are the same.
TEST(BlockRows, OfEightLanesAreThoseOfTheWidestVectors) {
  for (const Kind kind : kinds) {
    for (const Accumulator sum : {Accumulator::f32, Accumulator::f16}) {
      expect_lanes_are_alike(floating(Element::f16, 16, 16, 104, sum), kind);
      expect_lanes_are_alike(floating(Element::e5m2, 32, 32, 104, sum), kind);
    }
    expect_lanes_are_alike(floating(Element::bf16, 16, 16, 104, Accumulator::f32), kind);
    expect_lanes_are_alike(floating(Element::tf32, 8, 8, 104, Accumulator::f32), kind);
  }
}

// --- Sums that can be checked by hand ---

u32 f16_dot(const std::vector<float>& a, const std::vector<float>& b, u32 c, Accumulator sum) {
  std::vector<u16> x(16), y(16);
  std::ranges::transform(a, x.begin(), f16_from_f32);
  std::ranges::transform(b, y.begin(), f16_from_f32);
  const auto* const x_bytes = reinterpret_cast<const std::byte*>(x.data());
  const auto* const y_bytes = reinterpret_cast<const std::byte*>(y.data());
  return dot(floating(Element::f16, 16, 16, 8, sum), x_bytes, y_bytes, nullptr, c);
}
u32 bits(float value) {
  return std::bit_cast<u32>(value);
}

TEST(Block, KeepsTwentyFiveBitsBelowTheLargestExponent) {
  EXPECT_EQ(f16_dot({1, 0x1p-13f}, {1, 0x1p-12f}, bits(-1), Accumulator::f32), bits(0x1p-25f));
  EXPECT_EQ(f16_dot({1, 0x1p-13f}, {1, 0x1p-13f}, bits(-1), Accumulator::f32), 0u);
}

TEST(Block, OfHugeProductsThatCancelLosesASmallAccumulator) {
  EXPECT_EQ(f16_dot({65504, 65504}, {65504, -65504}, bits(1), Accumulator::f32), 0u);
}

TEST(Block, GivesNoZeroASign) {
  EXPECT_EQ(f16_dot({-0.0f}, {1}, bits(-0.0f), Accumulator::f32), 0u);
}

TEST(Block, RoundsF32TowardZeroAndF16ToNearestEven) {
  EXPECT_EQ(f16_dot({1, 0x1p-12f}, {1, 0x1.8p-12f}, 0, Accumulator::f32), bits(1));
  EXPECT_EQ(f16_dot({1, 0x1p-11f}, {1, 1.5f}, 0, Accumulator::f16), bits(1 + 0x1p-10f));
  EXPECT_EQ(f16_dot({1, 0x1p-11f}, {1, 1}, 0, Accumulator::f16), bits(1));
}

// 1.5 * 1.5 is 2.25, whose exponent counts as 0: so what weighs 2^-25 is kept.
TEST(Block, DoesNotNormalizeProducts) {
  EXPECT_EQ(f16_dot({1.5f, -1.5f, 0x1p-13f}, {1.5f, 1.5f, 0x1p-12f}, 0, Accumulator::f32),
            bits(0x1p-25f));
}

}  // namespace
}  // namespace tmaemu::tensor
