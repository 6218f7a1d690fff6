// SIMD video instructions, with what an H100 gives for each of the forms and some operands.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/emulator/isa_test_support.h"

namespace tmaemu::testing {
namespace {

Bits of(const std::string& form, Bits a, Bits b, Bits c) {
  return run_one({form + " %d, %a, %b, %c;", 4, {4, 4, 4}}, {a, b, c});
}

TEST(SimdVideo, TakesTheDistanceOfBytes) {
  EXPECT_EQ(of("vabsdiff4.u32.u32.u32", 0x10203040, 0x10233241, 0), 0x00030201u);
}

TEST(SimdVideo, AddsUpTheDistancesOfBytes) {
  EXPECT_EQ(of("vabsdiff4.u32.u32.u32.add", 0x10203040, 0x10233241, 100), 106u);
}

TEST(SimdVideo, WrapsEachPartByItself) {
  EXPECT_EQ(of("vadd4.u32.u32.u32", 0xFF01'7F80, 0x0101'0180, 7), 0x0002'8000u);
}

TEST(SimdVideo, SaturatesToTheTypeOfTheResult) {
  EXPECT_EQ(of("vadd4.s32.u32.u32.sat", 0xFF01'7F80, 0x0101'0180, 7), 0x7F02'7F7Fu);
  EXPECT_EQ(of("vsub2.u32.s32.s32.sat", 0x0001'8000, 0x0002'7FFF, 7), 0u);
}

TEST(SimdVideo, DoesNotWrapWhatIsAddedUp) {
  EXPECT_EQ(of("vadd4.u32.u32.u32.add", 0xFFFF'FFFF, 0xFFFF'FFFF, 1), 4u * 510 + 1);
}

TEST(SimdVideo, RoundsAveragesAwayFromZero) {
  EXPECT_EQ(of("vavrg2.s32.s32.s32", 0x0001'FFFF, 0x0002'FFFE, 0), 0x0002'FFFEu);
}

TEST(SimdVideo, ExtendsEachOperandByItsOwnType) {
  EXPECT_EQ(of("vmax2.s32.s32.u32", 0xFFFF'0001, 0x0000'8000, 0), 0x0000'8000u);
}

TEST(SimdVideo, SetsAPartToOneWhereTheComparisonHolds) {
  EXPECT_EQ(of("vset4.s32.s32.lt", 0x80'00'7F'01, 0x00'00'80'02, 0), 0x01'00'00'01u);
}

TEST(SimdVideo, CountsThePartsWhereTheComparisonHolds) {
  EXPECT_EQ(of("vset2.u32.u32.ge.add", 0x0001'0002, 0x0001'0003, 10), 11u);
}

}  // namespace
}  // namespace tmaemu::testing
