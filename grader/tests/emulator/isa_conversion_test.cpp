// cvt between numbers.
#include <cmath>

#include "isa_conversion_support.h"

namespace tmaemu::testing {
namespace {

__extension__ using Integer = __int128;

struct IntegerType {
  std::string name;
  unsigned bits;
  bool is_signed;

  unsigned bytes() const { return bits == 8 ? 2 : bits / 8; }  // of the narrowest register
  Integer smallest() const { return is_signed ? -(Integer{1} << (bits - 1)) : 0; }
  Integer largest() const { return (Integer{1} << (bits - (is_signed ? 1 : 0))) - 1; }
  Integer value(Bits register_bits) const {
    const Integer modulus = Integer{1} << bits;
    const Integer low = static_cast<Integer>(register_bits) & (modulus - 1);
    return low > largest() ? low - modulus : low;
  }
  // Of the number modulo 2^bits, in a register of this many bytes.
  Bits bits_of(Integer number, unsigned register_bytes) const {
    const Integer wrapped = value(static_cast<Bits>(number));
    const Bits mask = register_bytes == 8 ? ~Bits{0} : (Bits{1} << (8 * register_bytes)) - 1;
    return static_cast<Bits>(wrapped) & mask;
  }
};
const IntegerType integers[] = {{"u8", 8, false},   {"s8", 8, true},    {"u16", 16, false},
                                {"s16", 16, true},  {"u32", 32, false}, {"s32", 32, true},
                                {"u64", 64, false}, {"s64", 64, true}};

struct FloatType {
  std::string name;
  Format format;
  Bits nan;
};
const FloatType floats[] = {{"f16", half, 0x7fff},
                            {"bf16", brain, 0x7fff},
                            {"f32", single, 0x7fff'ffff},
                            {"f64", twice, 0}};
const FloatType& f32 = floats[2];

const std::string modes[] = {"rn", "rz", "rm", "rp"};

std::vector<Tuple> integer_operands() {
  std::vector<Tuple> tuples;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const Bits power = Bits{1} << bit;
    for (const Bits bits : {power - 1, power, power + 1, 0 - power, power | power >> 11,
                            power | power >> 11 | power >> 12, power | power >> 24 | 1,
                            power | power >> 24, power | power >> 53, power | power >> 53 | 1}) {
      tuples.push_back({bits});
    }
  }
  for (const Tuple& tuple : random_tuples(64, 1, 500)) tuples.push_back(tuple);
  return tuples;
}

std::vector<Tuple> truncated(std::vector<Tuple> tuples, unsigned bytes) {
  for (Tuple& tuple : tuples) tuple[0] &= bytes == 8 ? ~Bits{0} : (Bits{1} << (8 * bytes)) - 1;
  return tuples;
}

long double integral(long double value, const std::string& mode) {
  if (mode == "rz") return std::trunc(value);
  if (mode == "rm") return std::floor(value);
  if (mode == "rp") return std::ceil(value);
  return std::nearbyint(value);
}

TEST(IntegerConversion, CutsOffOrExtends) {
  for (const IntegerType& from : integers) {
    for (const IntegerType& to : integers) {
      for (const unsigned from_bytes : {from.bytes(), 8u}) {
        for (const unsigned to_bytes : {to.bytes(), 8u}) {
          const std::vector<Tuple> tuples = truncated(integer_operands(), from_bytes);
          const std::string mnemonic = "cvt." + to.name + "." + from.name;
          const std::vector<Bits> results = run(unary(mnemonic, to_bytes, from_bytes), tuples);
          for (std::size_t i = 0; i < tuples.size(); ++i) {
            ASSERT_EQ(results[i], to.bits_of(from.value(tuples[i][0]), to_bytes))
                << mnemonic << std::hex << " " << tuples[i][0];
          }
        }
      }
    }
  }
}

TEST(IntegerConversion, SaturatesWhereAsked) {
  for (const IntegerType& from : integers) {
    for (const IntegerType& to : integers) {
      const std::vector<Tuple> tuples = truncated(integer_operands(), from.bytes());
      const std::string mnemonic = "cvt.sat." + to.name + "." + from.name;
      if (to.smallest() <= from.smallest() && from.largest() <= to.largest()) {
        EXPECT_EQ(try_run(unary(mnemonic, to.bytes(), from.bytes()), {{0}}).outcome,
                  LaunchOutcome::not_modeled)
            << mnemonic << " can saturate nothing";
        continue;
      }
      const std::vector<Bits> results = run(unary(mnemonic, to.bytes(), from.bytes()), tuples);
      for (std::size_t i = 0; i < tuples.size(); ++i) {
        const Integer value = std::clamp(from.value(tuples[i][0]), to.smallest(), to.largest());
        ASSERT_EQ(results[i], to.bits_of(value, to.bytes()))
            << mnemonic << std::hex << " " << tuples[i][0];
      }
    }
  }
}

Bits expected_integer(const FloatType& from, const IntegerType& to, const std::string& mode,
                      Bits bits) {
  if (from.format.is_nan(bits)) {
    const bool is_zero = from.name != "f64" && to.bits != 64;
    return to.bits_of(is_zero ? 0 : Integer{1} << (to.bits - 1), to.bytes());
  }
  if (from.format.is_infinite(bits)) {
    const bool negative = (bits & from.format.sign()) != 0;
    return to.bits_of(negative ? to.smallest() : to.largest(), to.bytes());
  }
  const long double rounded = integral(value_of(from.format, bits), mode);
  // Both bounds are exact as long double.
  if (rounded <= static_cast<long double>(to.smallest())) {
    return to.bits_of(to.smallest(), to.bytes());
  }
  if (rounded >= static_cast<long double>(to.largest())) {
    return to.bits_of(to.largest(), to.bytes());
  }
  return to.bits_of(static_cast<Integer>(rounded), to.bytes());
}

TEST(FloatToInteger, RoundsAndClamps) {
  for (const FloatType& from : floats) {
    const std::vector<Tuple> tuples = float_operands(from.format);
    for (const IntegerType& to : integers) {
      for (const std::string& mode : modes) {
        const std::string mnemonic = "cvt." + mode + "i." + to.name + "." + from.name;
        const std::vector<Bits> results =
            run(unary(mnemonic, to.bytes(), from.format.bytes()), tuples);
        for (std::size_t i = 0; i < tuples.size(); ++i) {
          ASSERT_EQ(results[i], expected_integer(from, to, mode, tuples[i][0]))
              << mnemonic << std::hex << " " << tuples[i][0];
        }
      }
    }
  }
}

TEST(FloatToInteger, FlushesSubnormals) {
  EXPECT_EQ(run_one(unary("cvt.rpi.s32.f32", 4, 4), {5}), 1u);
  EXPECT_EQ(run_one(unary("cvt.rpi.ftz.s32.f32", 4, 4), {5}), 0u);
  EXPECT_EQ(run_one(unary("cvt.rmi.ftz.s64.f32", 8, 4), {0x8000'0005}), 0u);
}

TEST(FloatToInteger, ExtendsIntoWiderRegisters) {
  EXPECT_EQ(run_one(unary("cvt.rzi.s8.f32", 4, 4), {bits_of(-3.5f)}), 0xffff'fffdu);
  EXPECT_EQ(run_one(unary("cvt.rzi.u8.f32", 4, 4), {bits_of(-3.5f)}), 0u);
}

TEST(IntegerToFloat, RoundsExactly) {
  for (const IntegerType& from : integers) {
    const std::vector<Tuple> tuples = truncated(integer_operands(), from.bytes());
    for (const FloatType& to : floats) {
      for (const std::string& mode : modes) {
        const std::string mnemonic = "cvt." + mode + "." + to.name + "." + from.name;
        const std::vector<Bits> results =
            run(unary(mnemonic, to.format.bytes(), from.bytes()), tuples);
        for (std::size_t i = 0; i < tuples.size(); ++i) {
          const Integer value = from.value(tuples[i][0]);
          const Dyadic exact{value < 0, static_cast<Wide>(value < 0 ? -value : value), 0};
          ASSERT_TRUE(is_rounded(to.format, results[i], mode,
                                 [&](const Dyadic& m) {
                                   return sign_of_sum({exact, -m});
                                 }))
              << mnemonic << std::hex << " " << tuples[i][0] << " gave " << results[i];
          ASSERT_TRUE(value != 0 || results[i] == 0) << "zero is positive";
        }
      }
    }
  }
}

bool is_superset(const FloatType& to, const FloatType& from) {
  return to.format.exponent_bits >= from.format.exponent_bits &&
         to.format.fraction_bits >= from.format.fraction_bits;
}

void expect_float_conversion(const FloatType& from, const FloatType& to, const std::string& mode) {
  const std::vector<Tuple> tuples = float_operands(from.format);
  const std::string mnemonic =
      "cvt." + (mode.empty() ? "" : mode + ".") + to.name + "." + from.name;
  const std::vector<Bits> results =
      run(unary(mnemonic, to.format.bytes(), from.format.bytes()), tuples);
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    const Bits bits = tuples[i][0];
    if (from.format.is_nan(bits)) {
      // Where payloads are kept is a test of its own, below.
      ASSERT_TRUE(to.format.is_nan(results[i])) << mnemonic;
      continue;
    }
    const Bits sign = bits & from.format.sign() ? to.format.sign() : 0;
    if (from.format.is_infinite(bits)) {
      ASSERT_EQ(results[i], sign | to.format.infinity()) << mnemonic;
      continue;
    }
    const Dyadic exact = from.format.value(bits);
    ASSERT_TRUE(is_rounded(to.format, results[i], mode.empty() ? "rn" : mode,
                           [&](const Dyadic& m) {
                             return sign_of_sum({exact, -m});
                           }))
        << mnemonic << std::hex << " " << bits << " gave " << results[i];
    ASSERT_EQ(results[i] & to.format.sign(), sign) << mnemonic;
  }
}

TEST(FloatToFloat, WidensExactly) {
  for (const FloatType& from : floats) {
    for (const FloatType& to : floats) {
      if (is_superset(to, from)) expect_float_conversion(from, to, "");
    }
  }
}

TEST(FloatToFloat, RoundsOnce) {
  for (const FloatType& from : floats) {
    for (const FloatType& to : floats) {
      if (is_superset(to, from)) continue;
      for (const std::string& mode : modes) expect_float_conversion(from, to, mode);
    }
  }
}

TEST(FloatToFloat, RoundsToIntegralValues) {
  for (const FloatType& type : floats) {
    const std::vector<Tuple> tuples = float_operands(type.format);
    for (const std::string& mode : modes) {
      const std::string mnemonic = "cvt." + mode + "i." + type.name + "." + type.name;
      const unsigned bytes = type.format.bytes();
      const std::vector<Bits> results = run(unary(mnemonic, bytes, bytes), tuples);
      for (std::size_t i = 0; i < tuples.size(); ++i) {
        const Bits bits = tuples[i][0];
        if (!type.format.is_finite(bits)) continue;
        ASSERT_TRUE(type.format.is_finite(results[i])) << mnemonic;
        ASSERT_EQ(value_of(type.format, results[i]), integral(value_of(type.format, bits), mode))
            << mnemonic << std::hex << " " << bits;
        ASSERT_EQ(results[i] & type.format.sign(), bits & type.format.sign()) << mnemonic;
      }
    }
  }
}

TEST(FloatToFloat, HalvesAndSinglesHaveOneNan) {
  EXPECT_EQ(run_one(unary("cvt.rn.f16.f32", 2, 4), {0xff80'0001}), 0x7fffu);
  EXPECT_EQ(run_one(unary("cvt.f32.f16", 4, 2), {0xfe01}), 0x7fff'ffffu);
  EXPECT_EQ(run_one(unary("cvt.ftz.f32.f32", 4, 4), {0xff80'0001}), 0x7fff'ffffu);
}

// As an H200 does it: these are moves.
// What ptxas takes beside the manual: a mode where nothing is rounded, and none between the halves.
TEST(Conversion, OfBfloat16MayNameARoundingModeOrNot) {
  EXPECT_EQ(run_one(unary("cvt.rm.f32.bf16", 4, 2), {0xbf81}), 0xbf81'0000u);
  EXPECT_EQ(run_one(unary("cvt.rp.ftz.f32.bf16", 4, 2), {0x8001}), 0x8000'0000u);
  EXPECT_EQ(run_one(unary("cvt.rz.f64.bf16", 8, 2), {0x3f80}), 0x3ff0'0000'0000'0000u);
  EXPECT_EQ(run_one(unary("cvt.f16.bf16", 2, 2), {0x3f80}), 0x3c00u);
  EXPECT_EQ(run_one(unary("cvt.bf16.f16", 2, 2), {0x3c03}), 0x3f80u);
}

TEST(FloatToFloat, MovesKeepNansAsTheyAre) {
  EXPECT_EQ(run_one(unary("cvt.f32.f32", 4, 4), {0xff80'0001}), 0xff80'0001u);
  EXPECT_EQ(run_one(unary("cvt.f64.f64", 8, 8), {0x7ff0'0000'0000'0001}), 0x7ff0'0000'0000'0001u);
  EXPECT_EQ(run_one(unary("cvt.f32.bf16", 4, 2), {0xff81}), 0xff81'0000u);
}

TEST(FloatToFloat, DoublePrecisionKeepsNanPayloads) {
  EXPECT_EQ(run_one(unary("cvt.rn.f32.f64", 4, 8), {0xfff0'0000'4000'0000}), 0xffc0'0002u);
  EXPECT_EQ(run_one(unary("cvt.rn.f16.f64", 2, 8), {0xffff'ffff'ffff'ffff}), 0xffffu);
  EXPECT_EQ(run_one(unary("cvt.f64.f32", 8, 4), {0xff80'0001}), 0xfff8'0000'2000'0000u);
  EXPECT_EQ(run_one(unary("cvt.rni.f64.f64", 8, 8), {0x7ff0'0000'0000'0123}),
            0x7ff8'0000'0000'0123u);
}

TEST(Modifiers, SatClampsFloats) {
  const Code code = unary("cvt.sat.f32.f32", 4, 4);
  EXPECT_EQ(run_one(code, {bits_of(1.5f)}), bits_of(1.0f));
  EXPECT_EQ(run_one(code, {bits_of(-1.5f)}), 0u);
  EXPECT_EQ(run_one(code, {0x8000'0000}), 0u);
  EXPECT_EQ(run_one(code, {0x7fc0'0000}), 0u);
  EXPECT_EQ(run_one(code, {bits_of(0.3f)}), bits_of(0.3f));
  EXPECT_EQ(run_one(unary("cvt.rn.sat.f16.f32", 2, 4), {bits_of(3.0f)}), 0x3c00u);
  EXPECT_EQ(run_one(unary("cvt.sat.f64.f32", 8, 4), {0x7fc0'0000}), 0u);
}

TEST(Modifiers, FtzAppliesToSinglePrecision) {
  EXPECT_EQ(run_one(unary("cvt.ftz.f32.f32", 4, 4), {0x8000'0005}), 0x8000'0000u);
  EXPECT_EQ(run_one(unary("cvt.ftz.f64.f32", 8, 4), {5}), 0u);
  EXPECT_EQ(run_one(unary("cvt.rn.ftz.f32.f64", 4, 8), {bits_of(-1e-40)}), 0x8000'0000u);
  EXPECT_EQ(run_one(unary("cvt.ftz.f32.f16", 4, 2), {0x0001}), bits_of(0x1p-24f));
}

TEST(Modifiers, ReluAndSatfinite) {
  EXPECT_EQ(run_one(unary("cvt.rn.relu.f16.f32", 2, 4), {bits_of(-2.0f)}), 0u);
  EXPECT_EQ(run_one(unary("cvt.rn.relu.bf16.f32", 2, 4), {0xffc0'0000}), 0x7fffu);
  EXPECT_EQ(run_one(unary("cvt.rn.satfinite.f16.f32", 2, 4), {bits_of(1e6f)}), 0x7bffu);
  EXPECT_EQ(run_one(unary("cvt.rn.f16.f32", 2, 4), {bits_of(1e6f)}), 0x7c00u);
  EXPECT_EQ(run_one(unary("cvt.rz.f16.f32", 2, 4), {bits_of(-1e6f)}), 0xfbffu);
}

TEST(Modifiers, RoundingIsNamedWhereAndOnlyWhereItMatters) {
  for (const auto& [mnemonic, to, from] :
       {std::tuple("cvt.f32.s32", 4u, 4u), std::tuple("cvt.f16.f32", 2u, 4u),
        std::tuple("cvt.s32.f32", 4u, 4u), std::tuple("cvt.rn.f64.f32", 8u, 4u),
        std::tuple("cvt.rn.s32.u32", 4u, 4u), std::tuple("cvt.rni.f64.f32", 8u, 4u)}) {
    EXPECT_EQ(try_run(unary(mnemonic, to, from), {{0}}).outcome, LaunchOutcome::not_modeled)
        << mnemonic;
  }
}

// tf32 has the exponents of f32 and 10 fraction bits; the 13 bits below are zero.
TEST(Tf32, RoundsTiesAsItsModeSays) {
  const Bits one = bits_of(1.0f), digit = 1 << 13, tie = 1 << 12;
  const Code away = unary("cvt.rna.tf32.f32", 4, 4), even = unary("cvt.rn.tf32.f32", 4, 4);
  const Code zero = unary("cvt.rz.tf32.f32", 4, 4);
  EXPECT_EQ(run_one(away, {one + tie}), one + digit);
  EXPECT_EQ(run_one(even, {one + tie}), one);
  EXPECT_EQ(run_one(even, {one + digit + tie}), one + 2 * digit);
  EXPECT_EQ(run_one(even, {one + tie + 1}), one + digit);
  EXPECT_EQ(run_one(zero, {one + digit - 1}), one);
  EXPECT_EQ(run_one(even, {0x7f80'0001}), 0x7fff'e000u);
  // Away from zero is a step of integers, as an H200 does it: a NaN is cut off.
  EXPECT_EQ(run_one(away, {0x7fc0'0005}), 0x7fc0'0000u);
  EXPECT_EQ(run_one(away, {0x7f7f'ffff}), 0x7f80'0000u);
  EXPECT_EQ(run_one(unary("cvt.rna.satfinite.tf32.f32", 4, 4), {0x7f7f'ffff}), 0x7f7f'e000u);
}

TEST(Immediates, AreSourcesToo) {
  EXPECT_EQ(run_one({"cvt.u64.u32 %d, 7;", 8, {4}}, {0}), 7u);
  EXPECT_EQ(run_one({"cvt.u64.u32 %d, %laneid;", 8, {4}}, {0}), 0u);
}

}  // namespace
}  // namespace tmaemu::testing
