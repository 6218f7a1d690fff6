// abs, neg, min and max.
#include <cmath>

#include "isa_oracle.h"
#include "isa_test_support.h"

namespace tmaemu::testing {
namespace {

struct Type {
  std::string name;
  Format format;
  Bits nan;
};
const Type types[] = {{"f32", single, 0x7fff'ffff}, {"f16", half, 0x7fff}, {"bf16", brain, 0x7fff}};

Code binary(const std::string& mnemonic, const Format& format) {
  return {mnemonic + " %d, %a, %b;", format.bytes(), {format.bytes(), format.bytes()}};
}
Code unary(const std::string& mnemonic, const Format& format) {
  return {mnemonic + " %d, %a;", format.bytes(), {format.bytes()}};
}

// Numbers in the order of their values; -0 before +0. Not for NaN.
std::int64_t rank(const Format& format, Bits bits) {
  const auto magnitude = static_cast<std::int64_t>(format.magnitude(bits));
  return bits & format.sign() ? -magnitude - 1 : magnitude;
}

Bits expected(const Type& type, bool is_maximum, bool passes_nan, Bits a, Bits b) {
  const Format& format = type.format;
  const bool a_is_nan = format.is_nan(a), b_is_nan = format.is_nan(b);
  if ((a_is_nan && b_is_nan) || (passes_nan && (a_is_nan || b_is_nan))) return type.nan;
  if (a_is_nan || b_is_nan) return a_is_nan ? b : a;
  return (rank(format, a) < rank(format, b)) != is_maximum ? a : b;
}

void expect_extremum(const Type& type, bool is_maximum, bool passes_nan) {
  const std::string mnemonic =
      std::string(is_maximum ? "max" : "min") + (passes_nan ? ".NaN." : ".") + type.name;
  const std::vector<Tuple> tuples = all_tuples(type.format.edges(), 2);
  const std::vector<Bits> results = run(binary(mnemonic, type.format), tuples);
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    ASSERT_EQ(results[i], expected(type, is_maximum, passes_nan, tuples[i][0], tuples[i][1]))
        << mnemonic << std::hex << " " << tuples[i][0] << " " << tuples[i][1];
  }
}

TEST(Extremum, OrdersNumbersAndPrefersThemToNan) {
  for (const Type& type : types) {
    expect_extremum(type, false, false);
    expect_extremum(type, true, false);
  }
}

TEST(Extremum, PassesNanOnWhereAsked) {
  for (const Type& type : types) {
    expect_extremum(type, false, true);
    expect_extremum(type, true, true);
  }
}

TEST(Extremum, OfDoublePrecision) {
  const Type type{"f64", twice, 0};
  for (const bool is_maximum : {false, true}) {
    const Code code = binary(is_maximum ? "max.f64" : "min.f64", twice);
    for (const Tuple& tuple : all_tuples(twice.edges(), 2)) {
      if (twice.is_nan(tuple[0]) && twice.is_nan(tuple[1])) continue;
      ASSERT_EQ(run_one(code, tuple), expected(type, is_maximum, false, tuple[0], tuple[1]));
    }
  }
}

TEST(Extremum, FlushesSubnormals) {
  EXPECT_EQ(run_one(binary("max.ftz.f32", single), {0x0000'0005, bits_of(-1.0f)}), 0u);
  EXPECT_EQ(run_one(binary("min.ftz.f32", single), {0x8000'0005, bits_of(1.0f)}), 0x8000'0000u);
  EXPECT_EQ(run_one(binary("max.ftz.f16", half), {0x0005, 0xbc00}), 0u);
}

// .xorsign.abs compares magnitudes and gives the sign of the product.
TEST(Extremum, XorsTheSigns) {
  const Code smaller = binary("min.xorsign.abs.f32", single);
  EXPECT_EQ(run_one(smaller, {bits_of(-2.0f), bits_of(3.0f)}), bits_of(-2.0f));
  EXPECT_EQ(run_one(smaller, {bits_of(-2.0f), bits_of(-3.0f)}), bits_of(2.0f));
  const Code larger = binary("max.NaN.xorsign.abs.f16", half);
  EXPECT_EQ(run_one(larger, {0xc000, 0x3c00}), 0xc000u);
  EXPECT_EQ(run_one(larger, {0x7e00, 0x3c00}), 0x7fffu);
}

TEST(Extremum, PackedElementsAreIndependent) {
  EXPECT_EQ(run_one(binary("min.f16x2", single), {0x3c00'4000, 0x4000'3c00}), 0x3c00'3c00u);
  EXPECT_EQ(run_one(binary("max.NaN.bf16x2", single), {0x7fc0'3f80, 0x3f80'4000}), 0x7fff'4000u);
}

TEST(Sign, NegChangesTheSignOfNumbersAndAbsRemovesIt) {
  for (const Type& type : types) {
    std::vector<Tuple> tuples = all_tuples(type.format.edges(), 1);
    const std::vector<Bits> negated = run(unary("neg." + type.name, type.format), tuples);
    const std::vector<Bits> absolute = run(unary("abs." + type.name, type.format), tuples);
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      const Bits bits = tuples[i][0];
      const bool is_nan = type.format.is_nan(bits);
      EXPECT_EQ(negated[i], is_nan ? type.nan : bits ^ type.format.sign());
      EXPECT_EQ(absolute[i], is_nan ? type.nan : type.format.magnitude(bits));
    }
  }
}

// As an H200 does it.
TEST(Sign, OfDoublePrecisionNanStaysWithItsPayload) {
  EXPECT_EQ(run_one(unary("neg.f64", twice), {0x7ff0'0000'0000'0123}), 0x7ff8'0000'0000'0123u);
  EXPECT_EQ(run_one(unary("abs.f64", twice), {0xfff0'0000'0000'0123}), 0xfff8'0000'0000'0123u);
  EXPECT_EQ(run_one(unary("neg.f64", twice), {bits_of(1.5)}), bits_of(-1.5));
}

TEST(Sign, FlushesSubnormals) {
  EXPECT_EQ(run_one(unary("neg.ftz.f32", single), {5}), 0x8000'0000u);
  EXPECT_EQ(run_one(unary("abs.ftz.f16x2", single), {0x8005'bc00}), 0x0000'3c00u);
}

}  // namespace
}  // namespace tmaemu::testing
