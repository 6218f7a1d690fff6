#include "judge/compare/compare.h"

#include <gtest/gtest.h>

#include <limits>

namespace {

using judge::compare;
using judge::Tensor;
using judge::tensor;

constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();

Tensor floats(const std::vector<float>& elements) {
  return tensor({elements.size()}, elements);
}
Tensor ints(const std::vector<std::int32_t>& elements) {
  return tensor({elements.size()}, elements);
}

TEST(Compare, FindsEqualTensorsEqual) {
  EXPECT_TRUE(compare(ints({1, 2}), ints({1, 2})).equal());
}

TEST(Compare, CountsEveryMismatch) {
  EXPECT_EQ(compare(ints({1, 2, 3}), ints({1, 5, 6})).mismatches, 2U);
}

TEST(Compare, TakesANanForANanAtTheSamePlace) {
  EXPECT_TRUE(compare(floats({quiet_nan}), floats({-quiet_nan})).equal());
}

TEST(Compare, KeepsTheBitsOfANanWhereItIsCopied) {
  const Tensor expected = floats({quiet_nan});
  EXPECT_TRUE(compare(expected, expected, {}, nullptr, judge::Nans::bit_for_bit).equal());
  const Tensor got = floats({-quiet_nan});
  const auto comparison = compare(expected, got, {}, nullptr, judge::Nans::bit_for_bit);
  EXPECT_FALSE(comparison.equal());
  EXPECT_NE(describe(comparison, "dest", expected, got).find("expected nan (0x7fc00000), got -nan"),
            std::string::npos);
}

TEST(Compare, TakesNothingForANanWhereNothingWasWritten) {
  EXPECT_EQ(compare(floats({quiet_nan}), judge::poison(judge::ElementType::float32, {1})).unwritten,
            1U);
}

TEST(Compare, TakesWhatIsWithinTheTolerance) {
  const judge::Tolerance tolerance{0.01, 0.5};
  EXPECT_TRUE(compare(floats({100.0F}), floats({101.5F}), tolerance).equal());
  EXPECT_FALSE(compare(floats({100.0F}), floats({101.6F}), tolerance).equal());
}

TEST(Compare, TakesNoNanForANumberWhateverTheTolerance) {
  EXPECT_FALSE(compare(floats({1.0F}), floats({quiet_nan}), {1e9, 1e9}).equal());
}

TEST(Compare, TakesNoInfinityForANumberWhateverTheTolerance) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(compare(floats({infinity}), floats({1.0F}), {1e9, 1e9}).equal());
  EXPECT_FALSE(compare(floats({1.0F}), floats({infinity}), {1e9, 1e9}).equal());
}

TEST(Compare, DoesNotTakeANanForANumber) {
  EXPECT_FALSE(compare(floats({1.0F}), floats({quiet_nan})).equal());
}

TEST(Compare, DoesNotTakeANumberForANan) {
  EXPECT_FALSE(compare(floats({quiet_nan}), floats({1.0F})).equal());
}

TEST(Compare, TellsMinusZeroFromZero) {
  EXPECT_FALSE(compare(floats({0.0F}), floats({-0.0F})).equal());
}

TEST(Compare, TakesNoIntegerForANan) {
  // Bit patterns that would be NaNs of float.
  EXPECT_FALSE(compare(ints({0x7FC00000}), ints({0x7FC00001})).equal());
}

TEST(Compare, CountsWhatWasNeverWritten) {
  Tensor got = judge::poison(judge::ElementType::int32, {3});
  const std::int32_t written = 1;
  std::memcpy(got.bytes.data(), &written, sizeof written);
  EXPECT_EQ(compare(ints({1, 2, 3}), got).unwritten, 2U);
}

TEST(Compare, AByteThatLooksUnwrittenMayBeWrong) {
  const auto expected = tensor<std::uint8_t>({5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(compare(expected, tensor<std::uint8_t>({5}, {1, 0xA5, 3, 4, 5})).unwritten, 0U);
}

TEST(Compare, BytesInARowThatLookUnwrittenAre) {
  const auto expected = tensor<std::uint8_t>({5}, {1, 2, 3, 4, 5});
  const auto got = tensor<std::uint8_t>({5}, {0xA5, 0xA5, 0xA5, 0xA5, 5});
  EXPECT_EQ(compare(expected, got).unwritten, 4U);
  EXPECT_EQ(compare(tensor<std::uint8_t>({1}, {1}), tensor<std::uint8_t>({1}, {0xA5})).unwritten,
            1U);
}

TEST(Compare, DescribesAMismatchByItsCoordinates) {
  const Tensor expected = tensor<std::int32_t>({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  const Tensor got = tensor<std::int32_t>({2, 4}, {0, 1, 2, 3, 4, 5, 9, 7});
  EXPECT_EQ(describe(compare(expected, got), "dest", expected, got),
            "1 of 8 elements is wrong: dest[1][2]: expected 6, got 9");
}

TEST(Compare, DescribesAnElementByItsName) {
  const Tensor expected = ints({132, 2048});
  const Tensor got = ints({132, 1024});
  const std::vector<std::string> names{"sms", "max_threads_per_sm"};
  EXPECT_EQ(describe(compare(expected, got), "facts", expected, got, names),
            "1 of 2 elements is wrong: facts[1] (max_threads_per_sm): expected 2048, got 1024");
}

TEST(Compare, DescribesNoMoreThanTheFirstFew) {
  const Tensor expected = ints(std::vector<std::int32_t>(100, 0));
  const Tensor got = ints(std::vector<std::int32_t>(100, 1));
  const std::string text = describe(compare(expected, got), "data", expected, got);
  EXPECT_TRUE(text.ends_with("data[3]: expected 0, got 1; ...")) << text;
}

}  // namespace
