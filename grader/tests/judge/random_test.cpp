#include "judge/random.h"

#include <gtest/gtest.h>

#include <array>

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

TEST(Random, FillsBytesWithTheirIndex) {
  std::array<std::byte, 3> bytes{};
  Random(7, InputData::index).fill(bytes.data(), bytes.size());
  EXPECT_EQ(bytes, (std::array{std::byte{0}, std::byte{1}, std::byte{2}}));
}

TEST(Random, DrawsPlacesAtRandomWhateverTheDataAre) {
  EXPECT_EQ(Random(7, InputData::index).bits(), Random(7).bits());
}

}  // namespace
