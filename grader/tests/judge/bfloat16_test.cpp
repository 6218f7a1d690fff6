#include "judge/arrays/bfloat16.h"

#include <gtest/gtest.h>

#include <limits>

namespace {

using judge::Bfloat16;

constexpr Bfloat16 bf16(float value) {
  return Bfloat16::nearest(value);
}

TEST(Bfloat16, KeepsWhatItCanRepresent) {
  EXPECT_EQ(bf16(-1.5F).value(), -1.5F);
}

TEST(Bfloat16, RoundsATieToTheEvenNeighborBelow) {
  EXPECT_EQ(bf16(1.0F + 0x1p-8F).value(), 1.0F);
}

TEST(Bfloat16, RoundsATieToTheEvenNeighborAbove) {
  EXPECT_EQ(bf16(1.0F + 0x3p-8F).value(), 1.0F + 0x4p-8F);
}

TEST(Bfloat16, RoundsUpJustAboveATie) {
  EXPECT_EQ(bf16(1.0F + 0x1p-8F + 0x1p-20F).value(), 1.0F + 0x2p-8F);
}

TEST(Bfloat16, RoundsBeyondTheLargestToInfinity) {
  EXPECT_EQ(bf16(std::numeric_limits<float>::max()).value(),
            std::numeric_limits<float>::infinity());
}

TEST(Bfloat16, KeepsANanWhosePayloadIsInTheLowerHalf) {
  const float nan = std::bit_cast<float>(0x7F800001U);
  EXPECT_NE(bf16(nan).value(), bf16(nan).value());
}

TEST(Bfloat16, AddsMinusZerosToMinusZero) {
  EXPECT_EQ((bf16(-0.0F) + bf16(-0.0F)).bits, bf16(-0.0F).bits);
}

TEST(Bfloat16, AddsOppositesToPlusZero) {
  EXPECT_EQ((bf16(3.0F) + bf16(-3.0F)).bits, bf16(0.0F).bits);
}

}  // namespace
