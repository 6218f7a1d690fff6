// Floating-point arithmetic: every result is the exact one, rounded as the instruction says.
#include "isa_oracle.h"
#include "isa_test_support.h"

namespace tmaemu::testing {
namespace {

struct Type {
  std::string name;
  Format format;
  Bits nan;
};
const Type f32{"f32", single, 0x7fff'ffff};
const Type f64{"f64", twice, 0xfff8'0000'0000'0000};
const Type f16{"f16", half, 0x7fff};
const Type bf16{"bf16", brain, 0x7fff};

const std::string modes[] = {"rn", "rz", "rm", "rp"};

// A kernel of one instruction.
Code code(const std::string& mnemonic, const Format& format, std::size_t operands) {
  static const std::string names[] = {"", " %d, %a;", " %d, %a, %b;", " %d, %a, %b, %c;"};
  return {mnemonic + names[operands], format.bytes(),
          std::vector<unsigned>(operands, format.bytes())};
}

std::vector<Tuple> operands_of(const Format& format, std::size_t count) {
  std::vector<Bits> edges = format.edges();
  if (count == 3) std::erase_if(edges, [&](Bits bits) { return bits % 3 == 1; });
  std::vector<Tuple> tuples = all_tuples(edges, count);
  const auto bits = static_cast<unsigned>(8 * format.bytes());
  for (Tuple& tuple : random_tuples(bits, count, 3000)) tuples.push_back(std::move(tuple));
  // Numbers of like size, where digits meet.
  for (Tuple tuple : random_tuples(bits, count, 3000)) {
    const Bits low = (Bits{1} << (format.fraction_bits + 2)) - 1;
    const Bits middle = format.infinity() / 2 & ~low;
    for (Bits& value : tuple) value = middle | (value & (low | format.sign()));
    tuples.push_back(std::move(tuple));
  }
  return tuples;
}

// Checks all tuples whose operands are finite; `compare(values, m)` is the sign of the exact result
// minus m.
template <class Compare>
void expect_rounded(const Type& type, const std::string& operation, std::size_t operands,
                    const std::string& mode, Compare compare) {
  const std::string mnemonic = operation + "." + mode + "." + type.name;
  const std::vector<Tuple> tuples = operands_of(type.format, operands);
  const std::vector<Bits> results = run(code(mnemonic, type.format, operands), tuples);
  int failures = 0;
  for (std::size_t i = 0; i < tuples.size() && failures < 5; ++i) {
    std::array<Dyadic, 3> values;
    bool finite = true;
    for (std::size_t k = 0; k < operands; ++k) {
      finite = finite && type.format.is_finite(tuples[i][k]);
      values[k] = type.format.value(tuples[i][k]);
    }
    if (!finite || (operation == "div" && values[1].significand == 0) ||
        (operation == "rcp" && values[0].significand == 0) ||
        (operation == "sqrt" && values[0].negative)) {
      continue;
    }
    const bool right = is_rounded(type.format, results[i], mode,
                                  [&](const Dyadic& m) { return compare(values, m); });
    EXPECT_TRUE(right) << mnemonic << std::hex << " " << tuples[i][0] << " "
                       << (operands > 1 ? tuples[i][1] : 0) << " "
                       << (operands > 2 ? tuples[i][2] : 0) << " gave " << results[i];
    failures += right ? 0 : 1;
  }
}

using Values = std::array<Dyadic, 3>;
int sum(const Values& v, const Dyadic& m) {
  return sign_of_sum({v[0], v[1], -m});
}
int difference(const Values& v, const Dyadic& m) {
  return sign_of_sum({v[0], -v[1], -m});
}
int product(const Values& v, const Dyadic& m) {
  return sign_of_sum({v[0] * v[1], -m});
}
int fused(const Values& v, const Dyadic& m) {
  return sign_of_sum({v[0] * v[1], v[2], -m});
}
int quotient(const Values& v, const Dyadic& m) {
  const int sign = sign_of_sum({v[0], -(m * v[1])});
  return v[1].negative ? -sign : sign;
}
int reciprocal(const Values& v, const Dyadic& m) {
  return quotient({Dyadic{false, 1, 0}, v[0], {}}, m);
}
// For m < 0 the root is larger.
int root(const Values& v, const Dyadic& m) {
  return m.negative && m.significand != 0 ? 1 : sign_of_sum({v[0], -(m * m)});
}

class Rounding : public ::testing::TestWithParam<std::string> {};

TEST_P(Rounding, AddsExactly) {
  for (const Type& type : {f32, f64}) expect_rounded(type, "add", 2, GetParam(), sum);
}
TEST_P(Rounding, SubtractsExactly) {
  for (const Type& type : {f32, f64}) expect_rounded(type, "sub", 2, GetParam(), difference);
}
TEST_P(Rounding, MultipliesExactly) {
  for (const Type& type : {f32, f64}) expect_rounded(type, "mul", 2, GetParam(), product);
}
TEST_P(Rounding, FusesMultiplyAndAdd) {
  for (const Type& type : {f32, f64}) expect_rounded(type, "fma", 3, GetParam(), fused);
}
TEST_P(Rounding, MadIsFused) {
  for (const Type& type : {f32, f64}) expect_rounded(type, "mad", 3, GetParam(), fused);
}
TEST_P(Rounding, DividesExactly) {
  for (const Type& type : {f32, f64}) expect_rounded(type, "div", 2, GetParam(), quotient);
}
TEST_P(Rounding, TakesReciprocalsExactly) {
  for (const Type& type : {f32, f64}) expect_rounded(type, "rcp", 1, GetParam(), reciprocal);
}
TEST_P(Rounding, TakesRootsExactly) {
  for (const Type& type : {f32, f64}) expect_rounded(type, "sqrt", 1, GetParam(), root);
}
// With operands of which none is subnormal, of which so is no result.
TEST_P(Rounding, FtzChangesNothingElse) {
  const auto is_subnormal = [](Bits bits) {
    const Bits magnitude = bits & ~single.sign();
    return magnitude != 0 && magnitude <= 0x0080'0000;  // the smallest normal number may be flushed
  };
  for (const auto& [operation, operands] :
       {std::pair("add.", 2), std::pair("mul.", 2), std::pair("div.", 2), std::pair("fma.", 3)}) {
    std::vector<Tuple> tuples = operands_of(single, operands);
    std::erase_if(tuples,
                  [&](const Tuple& tuple) { return std::ranges::any_of(tuple, is_subnormal); });
    const std::string name = operation + GetParam();
    const std::vector<Bits> plain = run(code(name + ".f32", single, operands), tuples);
    const std::vector<Bits> flushing = run(code(name + ".ftz.f32", single, operands), tuples);
    int failures = 0;
    for (std::size_t i = 0; i < tuples.size() && failures < 5; ++i) {
      if (is_subnormal(plain[i]) || flushing[i] == plain[i]) continue;
      ADD_FAILURE() << name << ".ftz gives " << std::hex << flushing[i] << " in place of "
                    << plain[i] << " for tuple " << std::dec << i;
      ++failures;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Modes, Rounding, ::testing::ValuesIn(modes),
                         [](const auto& info) { return info.param; });

TEST(HalfArithmetic, AddsExactly) {
  for (const Type& type : {f16, bf16}) expect_rounded(type, "add", 2, "rn", sum);
}
TEST(HalfArithmetic, SubtractsExactly) {
  for (const Type& type : {f16, bf16}) expect_rounded(type, "sub", 2, "rn", difference);
}
TEST(HalfArithmetic, MultipliesExactly) {
  for (const Type& type : {f16, bf16}) expect_rounded(type, "mul", 2, "rn", product);
}
TEST(HalfArithmetic, FusesMultiplyAndAdd) {
  for (const Type& type : {f16, bf16}) expect_rounded(type, "fma", 3, "rn", fused);
}

// (1 + ulp) * 1.5 lies halfway between two numbers; c, however small, decides.
TEST(HalfArithmetic, FmaRoundsOnlyOnce) {
  const Code fma = code("fma.rn.f16", half, 3);
  EXPECT_EQ(run_one(fma, {0x3c01, 0x3e00, 0x0000}), 0x3e02u);
  EXPECT_EQ(run_one(fma, {0x3c01, 0x3e00, 0x0001}), 0x3e02u);
  EXPECT_EQ(run_one(fma, {0x3c01, 0x3e00, 0x8001}), 0x3e01u);
  const Code brain_fma = code("fma.rn.bf16", brain, 3);
  EXPECT_EQ(run_one(brain_fma, {0x3f81, 0x3fc0, 0x0000}), 0x3fc2u);
  EXPECT_EQ(run_one(brain_fma, {0x3f81, 0x3fc0, 0x8001}), 0x3fc1u);
}

TEST(HalfArithmetic, PackedElementsAreIndependent) {
  for (const std::string& type : {std::string("f16"), std::string("bf16")}) {
    for (const std::string& operation :
         {std::string("add.rn."), std::string("sub.rn."), std::string("mul.rn."),
          std::string("fma.rn."), std::string("fma.rn.relu.")}) {
      const std::size_t operands = operation.starts_with("fma") ? 3 : 2;
      const std::vector<Tuple> packed = random_tuples(32, operands, 2000);
      std::vector<Tuple> low = packed, high = packed;
      for (Tuple& tuple : low) {
        for (Bits& value : tuple) value &= 0xffff;
      }
      for (Tuple& tuple : high) {
        for (Bits& value : tuple) value >>= 16;
      }
      const Code one = code(operation + type, half, operands);
      const std::vector<Bits> both = run(code(operation + type + "x2", single, operands), packed);
      const std::vector<Bits> lows = run(one, low), highs = run(one, high);
      for (std::size_t i = 0; i < packed.size(); ++i) {
        ASSERT_EQ(both[i], highs[i] << 16 | lows[i]) << operation << type;
      }
    }
  }
}

TEST(Modifiers, FtzFlushesOperandsAndResults) {
  const Bits subnormal = 0x0040'0000, negative_subnormal = 0x8040'0000, normal = 0x0080'0000;
  EXPECT_EQ(run_one(code("add.ftz.f32", single, 2), {subnormal, normal}), normal);
  EXPECT_EQ(run_one(code("mul.ftz.f32", single, 2), {normal, bits_of(0.5f)}), 0u);
  EXPECT_EQ(run_one(code("mul.ftz.f32", single, 2), {negative_subnormal, bits_of(1e30f)}),
            0x8000'0000u);
  EXPECT_EQ(run_one(code("fma.rn.ftz.f32", single, 3), {normal, bits_of(-0.5f), 0x8000'0000}),
            0x8000'0000u);
  EXPECT_EQ(run_one(code("add.f32", single, 2), {subnormal, 0}), subnormal);
  EXPECT_EQ(run_one(code("add.ftz.f16", half, 2), {0x0001, 0x0000}), 0u);
  EXPECT_EQ(run_one(code("add.f16", half, 2), {0x0001, 0x0000}), 1u);
}

TEST(Modifiers, SatClampsToUnitIntervalAndNanToZero) {
  const Code add = code("add.sat.f32", single, 2);
  EXPECT_EQ(run_one(add, {bits_of(0.5f), bits_of(0.75f)}), bits_of(1.0f));
  EXPECT_EQ(run_one(add, {bits_of(-0.5f), bits_of(0.25f)}), bits_of(0.0f));
  EXPECT_EQ(run_one(add, {bits_of(0.5f), bits_of(0.25f)}), bits_of(0.75f));
  EXPECT_EQ(run_one(add, {0x7fc0'0000, bits_of(0.25f)}), 0u);
  EXPECT_EQ(run_one(add, {0x8000'0000, 0x8000'0000}), 0u);
  EXPECT_EQ(run_one(code("fma.rn.sat.f16", half, 3), {0x4000, 0x4000, 0}), 0x3c00u);
}

TEST(Modifiers, DirectedSatRoundsFirst) {
  EXPECT_EQ(run_one(code("add.rp.sat.f32", single, 2), {bits_of(1.0f), bits_of(-1e-20f)}),
            bits_of(1.0f));
  EXPECT_EQ(run_one(code("add.rz.sat.f32", single, 2), {bits_of(1.0f), bits_of(-1e-20f)}),
            bits_of(1.0f) - 1);
}

TEST(HalfPrecision, OutsideOfATensorAFactorMakesTheResultZero) {
  const Code f16 = code("fma.rn.oob.f16", half, 3);
  EXPECT_EQ(run_one(f16, {0x7ff7, 0x3c00, 0x4000}), 0u);
  EXPECT_EQ(run_one(f16, {0x3c00, 0xfff7, 0x7fff}), 0u);
  EXPECT_EQ(run_one(f16, {0x3c00, 0x3c00, 0x7ff7}), 0x7fffu);
  EXPECT_EQ(run_one(f16, {0x7ff6, 0x3c00, 0x4000}), 0x7fffu);
  EXPECT_EQ(run_one({"fma.rn.oob.relu.bf16x2 %d, %a, %b, %c;", 4, {4, 4, 4}},
                    {0x3f80'7ff7, 0xbf80'3f80, 0x0000'3f80}),
            0u);
}

TEST(Modifiers, ReluClampsBelowAndKeepsNan) {
  const Code fma = code("fma.rn.relu.f16", half, 3);
  EXPECT_EQ(run_one(fma, {0x3c00, 0xbc00, 0}), 0u);
  EXPECT_EQ(run_one(fma, {0x3c00, 0x4000, 0}), 0x4000u);
  EXPECT_EQ(run_one(fma, {0x7e01, 0x4000, 0}), 0x7fffu);
  EXPECT_EQ(run_one(code("fma.rn.relu.bf16", brain, 3), {0x3f80, 0xbf80, 0}), 0u);
}

// Without a modifier, rounding is to nearest.
TEST(Modifiers, NearestIsTheDefault) {
  const std::vector<Tuple> tuples = operands_of(single, 2);
  EXPECT_EQ(run(code("add.f32", single, 2), tuples), run(code("add.rn.f32", single, 2), tuples));
  EXPECT_EQ(run(code("mul.f32", single, 2), tuples), run(code("mul.rn.f32", single, 2), tuples));
}

TEST(SpecialValues, SingleAndHalfPrecisionGiveOneNan) {
  for (const Type& type : {f32, f16, bf16}) {
    for (const Tuple& tuple : all_tuples(type.format.edges(), 2)) {
      if (!type.format.is_nan(tuple[0]) && !type.format.is_nan(tuple[1])) continue;
      ASSERT_EQ(run_one(code("add.rn." + type.name, type.format, 2), tuple), type.nan);
    }
  }
}

TEST(SpecialValues, InvalidOperationsGiveNan) {
  for (const Type& type : {f32, f64}) {
    const Bits infinity = type.format.infinity(), minus = type.format.sign();
    EXPECT_EQ(run_one(code("add." + type.name, type.format, 2), {infinity, infinity | minus}),
              type.nan);
    EXPECT_EQ(run_one(code("mul." + type.name, type.format, 2), {infinity, 0}), type.nan);
    EXPECT_EQ(run_one(code("div.rn." + type.name, type.format, 2), {0, minus}), type.nan);
    EXPECT_EQ(run_one(code("sqrt.rn." + type.name, type.format, 1), {minus | 1}), type.nan);
  }
}

TEST(SpecialValues, DivisionByZeroIsInfinite) {
  EXPECT_EQ(run_one(code("div.rn.f32", single, 2), {bits_of(-1.0f), 0}), 0xff80'0000u);
  EXPECT_EQ(run_one(code("rcp.rn.f64", twice, 1), {Bits{1} << 63}), 0xfff0'0000'0000'0000u);
}

// As an H200 does it: the second operand before the third before the first.
TEST(SpecialValues, DoublePrecisionPassesTheSecondNanOnQuiet) {
  const Bits signaling = 0x7ff0'0000'0000'0123, quiet = 0x7ff8'0000'0000'0123;
  const Bits other = 0xfff8'0000'0000'0456;
  EXPECT_EQ(run_one(code("add.f64", twice, 2), {other, signaling}), quiet);
  EXPECT_EQ(run_one(code("mul.f64", twice, 2), {other, bits_of(1.0)}), other);
  EXPECT_EQ(run_one(code("fma.rn.f64", twice, 3), {other, signaling, other}), quiet);
  EXPECT_EQ(run_one(code("fma.rn.f64", twice, 3), {other, bits_of(1.0), signaling}), quiet);
  EXPECT_EQ(run_one(code("div.rn.f64", twice, 2), {other, signaling}), other);
}

// Both round to the smallest normal number; only the first would do so with one more exponent.
TEST(SpecialValues, FtzFlushesWhatIsSubnormalToTheFullPrecision) {
  const Bits least = 0x0400, below_one = 0x3bff, tiny = 0x8400;
  EXPECT_EQ(run_one({"fma.rn.ftz.f16 %d, %a, %b, %c;", 2, {2, 2, 2}}, {least, tiny, least}), least);
  EXPECT_EQ(run_one({"mul.ftz.f16 %d, %a, %b;", 2, {2, 2}}, {least, below_one}), 0u);
  EXPECT_EQ(run_one(code("div.rp.ftz.f32", single, 2), {0x0080'0000, 0x3f80'0001}), 0u);
}

// PTX ISA: a sum that is exactly zero is +0, rounding down -0.
TEST(SpecialValues, ExactZeroSumsHaveTheSignOfTheMode) {
  const Tuple opposite{bits_of(1.5f), bits_of(-1.5f)};
  for (const std::string& mode : modes) {
    EXPECT_EQ(run_one(code("add." + mode + ".f32", single, 2), opposite),
              mode == "rm" ? 0x8000'0000u : 0u);
  }
}

TEST(Refusals, UnknownModifiersStopTheProgram) {
  for (const char* mnemonic : {"add.rn.sat.f64", "mul.rna.f32", "div.f32", "fma.rz.oob.f16"}) {
    const bool is_f64 = std::string(mnemonic).ends_with("f64");
    const std::size_t operands = std::string(mnemonic).starts_with("fma") ? 3 : 2;
    const Format& format = std::string(mnemonic).ends_with("f16") ? half : is_f64 ? twice : single;
    EXPECT_EQ(try_run(code(mnemonic, format, operands), {Tuple(operands, 0)}).outcome,
              LaunchOutcome::not_modeled)
        << mnemonic;
  }
}

TEST(Immediates, MayBeWrittenInAnotherPrecision) {
  EXPECT_EQ(run_one({"add.f32 %d, %a, 0f3FC00000;", 4, {4}}, {bits_of(1.0f)}), bits_of(2.5f));
  EXPECT_EQ(run_one({"add.f32 %d, %a, 1.5;", 4, {4}}, {bits_of(1.0f)}), bits_of(2.5f));
  EXPECT_EQ(run_one({"add.f64 %d, %a, 0d3FF8000000000000;", 8, {8}}, {bits_of(1.0)}), bits_of(2.5));
}

}  // namespace
}  // namespace tmaemu::testing
