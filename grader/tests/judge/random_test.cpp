#include "judge/arrays/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace {

using judge::InputData;
using judge::Random;

TEST(Random, CountsWhereTheIndexIsAskedFor) {
  const std::vector<std::int32_t> expected{0, 1, 2, 3};
  EXPECT_EQ(Random(7, InputData::index).integers(4), expected);
}

TEST(Random, GivesOnesWhereTheyAreAskedFor) {
  EXPECT_EQ(Random(7, InputData::ones).floats(3), std::vector<float>(3, 1.0F));
}

TEST(Random, StartsTheIndexAnewWhereTheTypeHasNoFurtherWholeNumber) {
  const auto drawn = Random(7, InputData::index).bfloat16(257);
  EXPECT_EQ(drawn[255].bits, judge::Bfloat16::nearest(255).bits);
  EXPECT_EQ(drawn[256].bits, judge::Bfloat16::nearest(0).bits);
}

TEST(Random, DrawsWholeFactorsUpToTheirLimitWhateverTheData) {
  const auto numbers = [](Random random) {
    std::vector<float> made;
    for (const judge::Bfloat16 number : random.whole_bfloat16(4000, 2)) {
      made.push_back(number.value());
    }
    return made;
  };
  const std::vector<float> drawn = numbers(Random(7));
  EXPECT_EQ(std::set<float>(drawn.begin(), drawn.end()), (std::set<float>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(numbers(Random(7, InputData::ones)), std::vector<float>(4000, 1.0F));
  const std::vector<float> counted = numbers(Random(7, InputData::index));
  EXPECT_EQ(std::vector<float>(counted.begin(), counted.begin() + 4),
            (std::vector<float>{0, 1, 2, 0}));
}

// What arithmetic changes: the sign of a zero, bits of a NaN, what is limited.
TEST(Random, DrawsEveryKindOfFloatThatACopyKeeps) {
  const std::vector<float> drawn = Random(7).any_floats(2000, judge::Subnormals::drawn);
  const auto some = [&](auto holds) { return std::ranges::any_of(drawn, holds); };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float largest = std::numeric_limits<float>::max();
  EXPECT_TRUE(some([](float value) { return std::isnan(value); }));
  EXPECT_TRUE(some([](float value) { return value == infinity; }));
  EXPECT_TRUE(some([](float value) { return value == -infinity; }));
  EXPECT_TRUE(some([](float value) { return value == 0 && std::signbit(value); }));
  EXPECT_TRUE(some([](float value) { return value == largest; }));
  EXPECT_TRUE(some([](float value) { return std::fpclassify(value) == FP_SUBNORMAL; }));
  EXPECT_TRUE(some([](float value) { return value > 1e30F && value < largest; }));
}

TEST(Random, LeavesSubnormalNumbersOut) {
  const std::vector<float> drawn = Random(7).any_floats(2000, judge::Subnormals::left_out);
  EXPECT_TRUE(std::ranges::none_of(
      drawn, [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; }));
}

TEST(Random, FillsBytesWithTheirIndex) {
  std::array<std::byte, 3> bytes{};
  Random(7, InputData::index).fill(bytes.data(), bytes.size());
  EXPECT_EQ(bytes, (std::array{std::byte{0}, std::byte{1}, std::byte{2}}));
}

TEST(Random, DrawsPlacesAtRandomWhateverTheDataAre) {
  EXPECT_EQ(Random(7, InputData::index).bits(), Random(7).bits());
}

}  // namespace
