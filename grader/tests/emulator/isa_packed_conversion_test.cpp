// cvt of packed types, and cvt.pack.
#include "isa_conversion_support.h"

namespace tmaemu::testing {
namespace {

Code packed(const std::string& mnemonic, unsigned to) {
  return {mnemonic + " %d, %a, %b;", to, {4, 4}};
}

TEST(Packed, FirstSourceIsTheUpperElement) {
  for (const auto& [type, one_mnemonic] :
       {std::pair(std::string("f16x2"), std::string("f16")), {"bf16x2", "bf16"}}) {
    for (const std::string& mode : {std::string("rn"), std::string("rz")}) {
      for (const std::string& clamp : {std::string(""), std::string(".relu")}) {
        std::vector<Tuple> tuples, upper, lower;
        const std::vector<Tuple> operands = float_operands(single);
        for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
          upper.push_back(operands[i]);
          lower.push_back(operands[i + 1]);
          tuples.push_back({operands[i][0], operands[i + 1][0]});
        }
        const Code one = unary("cvt." + mode + clamp + "." + one_mnemonic + ".f32", 2, 4);
        const std::vector<Bits> uppers = run(one, upper), lowers = run(one, lower);
        const std::vector<Bits> both =
            run(packed("cvt." + mode + clamp + "." + type + ".f32", 4), tuples);
        for (std::size_t i = 0; i < tuples.size(); ++i) {
          ASSERT_EQ(both[i], uppers[i] << 16 | lowers[i]) << type << mode << clamp;
        }
      }
    }
  }
}

// The 8-bit formats by enumeration: the nearest of all finite numbers, ties to the even one.
double small_value(unsigned magnitude, int fraction_bits, int bias) {
  const int field = static_cast<int>(magnitude >> fraction_bits);
  const int fraction = static_cast<int>(magnitude & ((1u << fraction_bits) - 1));
  const int implicit = field == 0 ? 0 : 1 << fraction_bits;
  return std::ldexp(fraction + implicit, (field == 0 ? 1 : field) - bias - fraction_bits);
}

Bits nearest_small(float value, unsigned largest, int fraction_bits, int bias) {
  if (std::isnan(value)) return 0x7f;
  // No farther out than where differences are still exact.
  const double end = 2 * small_value(largest, fraction_bits, bias);
  const double magnitude = std::fmin(std::fabs(static_cast<double>(value)), end);
  unsigned best = 0;
  for (unsigned candidate = 1; candidate <= largest; ++candidate) {
    const double old_distance = std::fabs(magnitude - small_value(best, fraction_bits, bias));
    const double distance = std::fabs(magnitude - small_value(candidate, fraction_bits, bias));
    if (distance < old_distance || (distance == old_distance && candidate % 2 == 0)) {
      best = candidate;
    }
  }
  return best | (std::signbit(value) ? 0x80u : 0u);
}

void expect_small_format(const std::string& type, unsigned largest, int fraction_bits, int bias) {
  const std::vector<Tuple> operands = float_operands(single);
  std::vector<Tuple> tuples;
  for (const Tuple& tuple : operands) tuples.push_back({tuple[0], bits_of(1.0f)});
  const std::vector<Bits> results = run(packed("cvt.rn.satfinite." + type + ".f32", 2), tuples);
  const Bits one = static_cast<Bits>(bias) << fraction_bits;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    ASSERT_EQ(results[i],
              nearest_small(float_of(tuples[i][0]), largest, fraction_bits, bias) << 8 | one)
        << type << std::hex << " " << tuples[i][0];
  }
}

TEST(Packed, EightBitFormatsTakeTheNearestFiniteNumber) {
  expect_small_format("e4m3x2", 0x7e, 3, 7);
  expect_small_format("e5m2x2", 0x7b, 2, 15);
}

TEST(Packed, EightBitFormatsWidenExactly) {
  for (const auto& [type, fraction_bits, bias] :
       {std::tuple(std::string("e4m3x2"), 3, 7), {"e5m2x2", 2, 15}}) {
    const Code code = unary("cvt.rn.f16x2." + type, 4, 2);
    for (unsigned bits = 0; bits < 0x100; ++bits) {
      const Bits result = run_one(code, {bits << 8 | 0x01});
      const bool is_special = type == "e4m3x2" ? (bits & 0x7f) == 0x7f : (bits & 0x7f) >= 0x7c;
      if (is_special) continue;
      const double value = small_value(bits & 0x7f, fraction_bits, bias);
      const Bits upper = result >> 16;
      EXPECT_EQ(value_of(half, upper), bits & 0x80 ? -value : value) << type << bits;
      EXPECT_EQ(value_of(half, result & 0xffff), small_value(1, fraction_bits, bias));
    }
  }
  EXPECT_EQ(run_one(unary("cvt.rn.f16x2.e4m3x2", 4, 2), {0x7fff}), 0x7fff'7fffu);
  EXPECT_EQ(run_one(unary("cvt.rn.f16x2.e5m2x2", 4, 2), {0x7cfc}), 0x7c00'fc00u);
}

TEST(Packed, EightBitFormatsFromHalves) {
  const Code code = unary("cvt.rn.satfinite.e4m3x2.f16x2", 2, 4);
  EXPECT_EQ(run_one(code, {0x3c00'c000}), 0x38c0u);
  EXPECT_EQ(run_one(code, {0x7c00'fbff}), 0x7efeu);
  EXPECT_EQ(run_one(unary("cvt.rn.satfinite.relu.e5m2x2.f16x2", 2, 4), {0xbc00'3c00}), 0x003cu);
}

TEST(Pack, SaturatesAndPlacesTheFirstAbove) {
  EXPECT_EQ(run_one(packed("cvt.pack.sat.s16.s32", 4), {40000, 0xffff'fffe}), 0x7fff'fffeu);
  EXPECT_EQ(run_one(packed("cvt.pack.sat.u16.s32", 4), {70000, 0xffff'fffe}), 0xffff'0000u);
  const Code bytes{"cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;", 4, {4, 4, 4}};
  EXPECT_EQ(run_one(bytes, {300, 7, 0xabcd'1234}), 0x1234'ff07u);
  const Code nibbles{"cvt.pack.sat.s4.s32.b32 %d, %a, %b, %c;", 4, {4, 4, 4}};
  EXPECT_EQ(run_one(nibbles, {100, 0xffff'ff00, 0x1}), 0x0000'0178u);
}

}  // namespace
}  // namespace tmaemu::testing
