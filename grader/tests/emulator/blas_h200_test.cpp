// Products that cuBLAS 13.1 computed on an H200 (by PyTorch 2.11), again on the host: the same
// bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "emulator/blas/elements.h"
#include "emulator/blas/gemm.h"
#include "emulator/numeric/float_format.h"

namespace tmaemu::blas {
namespace {

enum class Rule { plain, tf32, fast, f16_sums };

struct Seen {
  Type a, b, d;
  Rule rule;
  std::size_t m, n, k;
  std::size_t every;     // of D's elements, row by row, every so many
  std::uint64_t digest;  // of their bytes: FNV-1a
  float alpha = 1, beta = 0;
};

constexpr Seen all_seen[] = {
    {Type::bf16, Type::bf16, Type::bf16, Rule::plain, 64, 64, 64, 1, 0x54319625b8878b91},
    {Type::bf16, Type::bf16, Type::bf16, Rule::plain, 128, 128, 128, 1, 0x86f4276b142f78e4},
    {Type::bf16, Type::bf16, Type::f32, Rule::plain, 64, 64, 64, 1, 0x9789c7c308b64527},
    {Type::bf16, Type::bf16, Type::f32, Rule::plain, 256, 256, 256, 11, 0x37ebe906cfa3dd1b},
    {Type::bf16, Type::bf16, Type::f32, Rule::plain, 64, 64, 4096, 1, 0x1ba4ee49d94fc281},
    {Type::f16, Type::f16, Type::f32, Rule::plain, 256, 256, 256, 11, 0xc03a5fa97ed9e292},
    {Type::f16, Type::f16, Type::f32, Rule::plain, 100, 100, 100, 1, 0xd3f714946c0b9cd5},
    {Type::f16, Type::f16, Type::f16, Rule::plain, 127, 129, 131, 1, 0xe016578e35654a2d},
    {Type::f16, Type::f16, Type::f16, Rule::f16_sums, 256, 256, 256, 3, 0xfa1cd371c2588ce0},
    {Type::f32, Type::f32, Type::f32, Rule::tf32, 128, 128, 128, 3, 0xf12972e16d7487a5},
    {Type::f32, Type::f32, Type::f32, Rule::tf32, 100, 100, 100, 1, 0x2ec3dcbf96f35e05},
    {Type::f32, Type::f32, Type::f32, Rule::tf32, 127, 129, 131, 3, 0xe01fcd39a6c9fdea},
    {Type::f32, Type::f32, Type::f32, Rule::plain, 128, 128, 128, 3, 0xa5cc312c77919fc0},
    {Type::f64, Type::f64, Type::f64, Rule::plain, 256, 256, 256, 11, 0x11f0acc0e88b5594},
    {Type::e4m3, Type::e4m3, Type::f32, Rule::plain, 256, 256, 256, 11, 0xc81f4e43396abfd3},
    {Type::e4m3, Type::e4m3, Type::f32, Rule::fast, 256, 256, 256, 11, 0x677cba35238b8701},
    {Type::e5m2, Type::e4m3, Type::f32, Rule::plain, 64, 64, 4096, 1, 0xc4dd211e5a08feef},
    {Type::e5m2, Type::e4m3, Type::f32, Rule::fast, 192, 320, 448, 11, 0x1550e980be5023e0},
    // Split along k.
    {Type::bf16, Type::bf16, Type::f32, Rule::plain, 64, 64, 4096, 1, 0x15e206f6b38cb66c, .7f,
     -1.3f},
    {Type::f16, Type::f16, Type::f16, Rule::plain, 64, 64, 4096, 1, 0xd12edf0e0adb1400, 1, 1},
    {Type::e5m2, Type::e4m3, Type::f32, Rule::fast, 64, 64, 65536, 1, 0xa3c778fc71fc886b},
    {Type::f32, Type::f32, Type::f32, Rule::plain, 64, 64, 4096, 1, 0x06a62a249592f184},
    {Type::f32, Type::f32, Type::f32, Rule::plain, 192, 320, 448, 11, 0x52aae664bc311a93},
    // What k leaves over comes first.
    {Type::f16, Type::f16, Type::f32, Rule::plain, 128, 128, 76, 3, 0x4477d8c75089d323},
    {Type::f16, Type::f16, Type::f32, Rule::plain, 196, 196, 196, 7, 0xaa53f253e569ca94},
    {Type::bf16, Type::bf16, Type::f32, Rule::plain, 128, 128, 140, 3, 0xa1f8140656078bef},
    // Scaled, and with C.
    {Type::e4m3, Type::e4m3, Type::f32, Rule::plain, 128, 192, 256, 5, 0x0e5158aa6512e5be,
     .37f * 1.83f},
    {Type::bf16, Type::bf16, Type::bf16, Rule::plain, 64, 64, 64, 1, 0x1e0d995b4cc2eeb0, .5f, 1},
    {Type::bf16, Type::bf16, Type::f32, Rule::plain, 64, 64, 64, 1, 0x3bb51fef5d19d2c6, .7f, -1.3f},
    {Type::f16, Type::f16, Type::f32, Rule::plain, 100, 100, 100, 1, 0x307a537ede7daa47, .7f,
     -1.3f},
};

// SplitMix64's numbers.
std::uint64_t drawn(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t x = index + (seed << 40) + 0x9e37'79b9'7f4a'7c15 * (seed + 1);
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
  return x ^ x >> 31;
}

const FloatFormat& format_of(Type type) {
  switch (type) {
    case Type::f16:
      return float_format::f16;
    case Type::bf16:
      return float_format::bf16;
    case Type::e4m3:
      return float_format::e4m3;
    case Type::e5m2:
      return float_format::e5m2;
    case Type::f64:
      return float_format::f64;
    default:
      return float_format::f32;
  }
}

// Of (-2, 2): about uniform; or as many of each of 12 binades.
enum class Spread { even, wide };

std::vector<std::byte> numbers(Type type, Spread spread, std::size_t count, std::uint64_t seed) {
  const FloatFormat& format = format_of(type);
  const int digits = format.fraction_bits;
  const int exponent_bits = static_cast<int>(8 * size_of(type)) - 1 - digits;
  const std::uint64_t bias = (std::uint64_t{1} << (exponent_bits - 1)) - 1;
  std::vector<std::byte> bytes(count * size_of(type));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t number = drawn(seed, i);
    const std::uint64_t top = number >> 52 & 0xff;
    const std::uint64_t smaller =
        spread == Spread::wide ? top % 12
                               : static_cast<std::uint64_t>(std::min(6, std::countr_zero(top)));
    const std::uint64_t fraction = (number & 0xf'ffff'ffff'ffff) >> (52 - digits);
    const std::uint64_t code =
        number >> 63 << (exponent_bits + digits) | (bias - smaller) << digits | fraction;
    std::memcpy(&bytes[i * size_of(type)], &code, size_of(type));
  }
  return bytes;
}

std::uint64_t digest_of_product(const Seen& seen) {
  const std::vector<std::byte> a = numbers(seen.a, Spread::even, seen.m * seen.k, 1);
  const std::vector<std::byte> b = numbers(seen.b, Spread::even, seen.k * seen.n, 2);
  const std::vector<std::byte> c = numbers(seen.d, Spread::wide, seen.m * seen.n, 3);
  const std::size_t size = size_of(seen.d);
  std::vector<std::byte> d(seen.m * seen.n * size);
  Gemm gemm;
  gemm.m = seen.m;
  gemm.n = seen.n;
  gemm.k = seen.k;
  gemm.a = {a.data(), seen.a, seen.k, 1};
  gemm.b = {b.data(), seen.b, seen.n, 1};
  gemm.d = {d.data(), seen.d, seen.n, 1};
  gemm.c = {c.data(), seen.d, seen.n, 1};
  gemm.alpha = seen.alpha;
  gemm.beta = seen.beta;
  if (seen.rule == Rule::tf32) gemm.factors = Factors::tf32;
  gemm.adds_fast = seen.rule == Rule::fast;
  gemm.sums_f16 = seen.rule == Rule::f16_sums;
  multiply({&gemm, 1}, 1);
  std::uint64_t digest = 0xcbf2'9ce4'8422'2325;
  for (std::size_t i = 0; i < seen.m * seen.n; i += seen.every) {
    for (std::size_t byte = 0; byte < size; ++byte) {
      digest = (digest ^ static_cast<std::uint64_t>(d[i * size + byte])) * 0x100'0000'01b3;
    }
  }
  return digest;
}

class BlasOnH200 : public testing::TestWithParam<Seen> {};

TEST_P(BlasOnH200, TheProductHasTheSameBits) {
  EXPECT_EQ(digest_of_product(GetParam()), GetParam().digest);
}

// All lines of A have a one in each 64 steps, a huge number in front of all and its negative after
// the one of number `at`: D counts the ones of the parts that follow the negative's, or in the part
// of both those that follow it. Of bf16.
struct Counted {
  std::size_t m, n, k, at;
  float count;
};

constexpr Counted all_counted[] = {
    {64, 64, 2560, 20, 19},   {64, 64, 3072, 23, 24},   {64, 64, 3072, 24, 0},
    {128, 64, 6144, 24, 48},  {192, 192, 6144, 24, 48}, {256, 256, 4096, 22, 20},
    {16, 1024, 8192, 22, 84},
};

class SplitOnH200 : public testing::TestWithParam<Counted> {};

TEST_P(SplitOnH200, PartsEndWhereTheyDoThere) {
  const Counted& counted = GetParam();
  const std::size_t k = counted.k;
  std::vector<float> line(k), d(counted.m * counted.n);
  for (std::size_t step = 32; step < k; step += 64) line[step] = 1;
  line[0] = 0x1p100f;
  line[counted.at * 64 + 48] = -0x1p100f;
  std::vector<std::byte> a(counted.m * k * 2), b(k * counted.n * 2);
  for (std::size_t i = 0; i < counted.m * k; ++i) store(Type::bf16, line[i % k], &a[i * 2]);
  for (std::size_t i = 0; i < k * counted.n; ++i) store(Type::bf16, 1.0f, &b[i * 2]);
  Gemm gemm;
  gemm.m = counted.m;
  gemm.n = counted.n;
  gemm.k = k;
  gemm.a = {a.data(), Type::bf16, k, 1};
  gemm.b = {b.data(), Type::bf16, counted.n, 1};
  gemm.d = {reinterpret_cast<std::byte*>(d.data()), Type::f32, counted.n, 1};
  multiply({&gemm, 1}, 1);
  EXPECT_EQ(d.front(), counted.count);
}

INSTANTIATE_TEST_SUITE_P(All, SplitOnH200, testing::ValuesIn(all_counted));

INSTANTIATE_TEST_SUITE_P(All, BlasOnH200, testing::ValuesIn(all_seen));

}  // namespace
}  // namespace tmaemu::blas
