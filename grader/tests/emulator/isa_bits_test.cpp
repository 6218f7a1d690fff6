// Bits: masks and fields.
#include "tests/emulator/isa_test_support.h"

namespace tmaemu::testing {
namespace {

TEST(BitMask, HasItsOnesFromThePositionOn) {
  EXPECT_EQ(run_one({"bmsk.clamp.b32 %d, %a, %b;", 4, {4, 4}}, {4, 8}), 0x00000FF0u);
}

TEST(BitMask, EndsAtTheTopWhenItIsClamped) {
  EXPECT_EQ(run_one({"bmsk.clamp.b32 %d, %a, %b;", 4, {4, 4}}, {28, 40}), 0xF0000000u);
  EXPECT_EQ(run_one({"bmsk.clamp.b32 %d, %a, %b;", 4, {4, 4}}, {36, 8}), 0u);
}

TEST(BitMask, TakesItsOperandsModulo32WhenItWraps) {
  EXPECT_EQ(run_one({"bmsk.wrap.b32 %d, %a, %b;", 4, {4, 4}}, {36, 40}), 0x00000FF0u);
}

TEST(BitField, ReachesBeyondTheTopAsSignsOrZeros) {
  EXPECT_EQ(run_one({"bfe.s32 %d, %a, %b, %c;", 4, {4, 4, 4}}, {0x80000000, 28, 8}), 0xFFFFFFF8u);
  EXPECT_EQ(run_one({"bfe.u32 %d, %a, %b, %c;", 4, {4, 4, 4}}, {0x80000000, 28, 8}), 8u);
}

}  // namespace
}  // namespace tmaemu::testing
