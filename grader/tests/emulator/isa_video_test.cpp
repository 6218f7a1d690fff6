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

Bits of_operands(const std::string& instruction, Bits a, Bits b, Bits c) {
  return run_one({instruction, 4, {4, 4, 4}}, {a, b, c});
}

TEST(SimdVideo, TakesTheHalvesThatAreSelectedOfBothOperands) {
  EXPECT_EQ(of_operands("vadd2.u32.u32.u32 %d, %a.h30, %b.h01, %c;", 0x0001'0002, 0x0030'0040, 0),
            0x0032'0003u);
}

TEST(SimdVideo, TakesTheBytesThatAreSelectedOfBothOperands) {
  EXPECT_EQ(of_operands("vmax4.u32.u32.u32 %d, %a.b7531, %b.b0000, %c;", 0x04030201, 0x80706050, 0),
            0x80600402u);
}

TEST(SimdVideo, LeavesTheThirdOperandWhereTheMaskHasNoPart) {
  EXPECT_EQ(
      of_operands("vadd4.u32.u32.u32 %d.b20, %a, %b, %c;", 0x04030201, 0x10101010, 0xAABBCCDD),
      0xAA13CC11u);
}

TEST(SimdVideo, AddsUpOnlyThePartsOfTheMask) {
  EXPECT_EQ(of_operands("vadd2.u32.u32.u32.add %d.h1, %a, %b, %c;", 0x0001'0002, 0x0030'0040, 5),
            0x31u + 5);
}

TEST(SimdVideo, RefusesPartsThatItHasNot) {
  for (const char* operands : {"%d.h01, %a, %b, %c", "%d.b1, %a, %b, %c", "%d, %a.h4, %b, %c",
                               "%d, %a.h40, %b, %c", "%d, %a, %b, %c.h10"}) {
    const Code code{std::string("vadd2.u32.u32.u32 ") + operands + ";", 4, {4, 4, 4}};
    EXPECT_EQ(try_run(code, {{1, 2, 3}}).outcome, LaunchOutcome::not_modeled) << operands;
  }
}

}  // namespace
}  // namespace tmaemu::testing
