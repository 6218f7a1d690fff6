// .approx and .full instructions: within the error that the PTX manual states, and its special
// values.
#include <cmath>
#include <functional>

#include "isa_oracle.h"
#include "isa_test_support.h"

namespace tmaemu::testing {
namespace {

constexpr float infinity = INFINITY;
const Bits nan = 0x7fff'ffff;

Code unary(const std::string& mnemonic, unsigned bytes = 4) {
  return {mnemonic + " %d, %a;", bytes, {bytes}};
}
float approximate(const std::string& mnemonic, float a) {
  return float_of(run_one(unary(mnemonic), {bits_of(a)}));
}

using Function = std::function<long double(long double)>;

// Largest error over random operands in [low, high], by `error(result, exact)`.
template <class Error>
long double largest_error(const std::string& mnemonic, float low, float high,
                          const Function& function, Error error) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> operand(low, high);
  std::vector<Tuple> tuples(4000);
  for (Tuple& tuple : tuples) tuple = {bits_of(operand(random))};
  const std::vector<Bits> results = run(unary(mnemonic), tuples);
  long double largest = 0;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    const long double exact = function(float_of(tuples[i][0]));
    largest = std::max(largest, error(static_cast<long double>(float_of(results[i])), exact));
  }
  return largest;
}

long double absolute_error(long double result, long double exact) {
  return std::fabs(result - exact);
}
long double relative_error(long double result, long double exact) {
  return std::fabs(result - exact) / std::fabs(exact);
}

TEST(Approximate, StaysWithinTheManualsErrors) {
  const auto reciprocal = [](long double a) { return 1 / a; };
  const auto reciprocal_root = [](long double a) { return 1 / std::sqrt(a); };
  EXPECT_LE(largest_error("rcp.approx.f32", 0.5f, 1e6f, reciprocal, relative_error), 0x1p-23L);
  EXPECT_LE(largest_error("rsqrt.approx.f32", 1e-3f, 1e6f, reciprocal_root, relative_error),
            0x1p-22L);
  EXPECT_LE(largest_error(
                "sqrt.approx.f32", 1e-3f, 1e6f, [](long double a) { return std::sqrt(a); },
                relative_error),
            0x1p-23L);
  EXPECT_LE(
      largest_error(
          "ex2.approx.f32", -100, 100, [](long double a) { return std::exp2(a); }, relative_error),
      0x1p-22L);
  EXPECT_LE(
      largest_error(
          "lg2.approx.f32", 0.5f, 2, [](long double a) { return std::log2(a); }, absolute_error),
      0x1p-22L);
  EXPECT_LE(largest_error(
                "sin.approx.f32", -6, 6, [](long double a) { return std::sin(a); }, absolute_error),
            0x1p-20L);
  EXPECT_LE(largest_error(
                "cos.approx.f32", -6, 6, [](long double a) { return std::cos(a); }, absolute_error),
            0x1p-20L);
  EXPECT_LE(
      largest_error(
          "tanh.approx.f32", -5, 5, [](long double a) { return std::tanh(a); }, relative_error),
      0x1p-11L);
}

TEST(Approximate, ReciprocalsOfSpecialValues) {
  EXPECT_EQ(approximate("rcp.approx.f32", -infinity), 0.0f);
  EXPECT_EQ(approximate("rcp.approx.ftz.f32", -1e-40f), -infinity);
  EXPECT_EQ(run_one(unary("rcp.approx.ftz.f32"), {bits_of(0x1.8p127f)}), 0u);
  EXPECT_EQ(approximate("rsqrt.approx.f32", -0.0f), -infinity);
  EXPECT_EQ(approximate("rsqrt.approx.f32", infinity), 0.0f);
  EXPECT_EQ(run_one(unary("rsqrt.approx.f32"), {bits_of(-1.0f)}), nan);
  EXPECT_EQ(run_one(unary("sqrt.approx.f32"), {bits_of(-0.0f)}), bits_of(-0.0f));
}

TEST(Approximate, ExponentialsAndLogarithmsOfSpecialValues) {
  EXPECT_EQ(approximate("ex2.approx.ftz.f32", -infinity), 0.0f);
  EXPECT_EQ(approximate("ex2.approx.ftz.f32", 1e-40f), 1.0f);
  EXPECT_EQ(approximate("ex2.approx.ftz.f32", -140), 0.0f);
  EXPECT_EQ(approximate("ex2.approx.f32", -140), 0x1p-140f);
  EXPECT_EQ(approximate("lg2.approx.f32", -0.0f), -infinity);
  EXPECT_EQ(approximate("lg2.approx.ftz.f32", 1e-40f), -infinity);
  EXPECT_EQ(approximate("lg2.approx.f32", 0x1p-140f), -140);
  EXPECT_EQ(run_one(unary("lg2.approx.f32"), {bits_of(-1.0f)}), nan);
}

TEST(Approximate, TrigonometryOfSpecialValues) {
  EXPECT_EQ(run_one(unary("sin.approx.f32"), {bits_of(infinity)}), nan);
  EXPECT_EQ(run_one(unary("sin.approx.f32"), {bits_of(-0.0f)}), bits_of(-0.0f));
  EXPECT_EQ(approximate("cos.approx.f32", 0), 1.0f);
  EXPECT_EQ(approximate("tanh.approx.f32", -infinity), -1.0f);
}

// Divisors above 2^126 have no reciprocal: the quotient is zero, of infinity NaN.
TEST(Approximate, DivisionByLargeNumbersVanishes) {
  const Code approximate{"div.approx.f32 %d, %a, %b;", 4, {4, 4}};
  const Code full{"div.full.f32 %d, %a, %b;", 4, {4, 4}};
  const Bits huge = bits_of(0x1.8p126f);
  EXPECT_EQ(run_one(approximate, {bits_of(0x1p100f), huge}), 0u);
  EXPECT_EQ(run_one(approximate, {bits_of(infinity), huge}), nan);
  EXPECT_EQ(run_one(approximate, {bits_of(1.0f), bits_of(infinity)}), 0u);
  EXPECT_EQ(run_one(full, {huge, huge}), bits_of(1.0f));
  EXPECT_EQ(run_one(approximate, {bits_of(6.0f), bits_of(-3.0f)}), bits_of(-2.0f));
}

TEST(Approximate, DoublePrecisionGivesTheUpperWord) {
  for (const double a : {3.0, -7.0, 1e-200, 1e200}) {
    const Bits bits = run_one(unary("rcp.approx.ftz.f64", 8), {bits_of(a)});
    EXPECT_EQ(bits & 0xffff'ffff, 0u);
    EXPECT_LE(relative_error(double_of(bits), 1 / a), 0x1p-20L);
  }
  EXPECT_EQ(run_one(unary("rcp.approx.ftz.f64", 8), {5}), 0x7ff0'0000'0000'0000u);
  EXPECT_EQ(run_one(unary("rsqrt.approx.ftz.f64", 8), {bits_of(4.0)}), bits_of(0.5));
}

TEST(Approximate, HalfPrecisionForms) {
  EXPECT_EQ(run_one(unary("ex2.approx.f16", 2), {0x4200}), 0x4800u);
  EXPECT_EQ(run_one(unary("ex2.approx.f16x2"), {0x4200'0000}), 0x4800'3c00u);
  EXPECT_EQ(run_one(unary("ex2.approx.ftz.bf16", 2), {0x4040}), 0x4100u);
  EXPECT_EQ(run_one(unary("tanh.approx.f16", 2), {0x7c00}), 0x3c00u);
  EXPECT_EQ(run_one(unary("tanh.approx.bf16x2"), {0xff80'0000}), 0xbf80'0000u);
}

}  // namespace
}  // namespace tmaemu::testing
