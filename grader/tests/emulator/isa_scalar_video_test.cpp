// Scalar video instructions, with what an H100 gives.
#include <gtest/gtest.h>

#include <string>

#include "tests/emulator/isa_test_support.h"

namespace tmaemu::testing {
namespace {

Bits of(const std::string& instruction, Bits a, Bits b, Bits c = 0) {
  return run_one({instruction, 4, {4, 4, 4}}, {a, b, c});
}

TEST(ScalarVideo, ExtendsAPartByItsType) {
  EXPECT_EQ(of("vadd.s32.s32.u32 %d, %a.b1, %b.h0;", 0x0000'8000, 0xFFFF'8001), 0x8001u - 0x80);
  EXPECT_EQ(of("vadd.s32.u32.s32 %d, %a.b1, %b.h0;", 0x0000'8000, 0xFFFF'8001), 0x80u - 0x7FFF);
}

TEST(ScalarVideo, ComparesOperandsOfDifferentTypesByTheirValues) {
  EXPECT_EQ(of("vmax.s32.u32.s32 %d, %a, %b;", 0x8000'0000, 0xFFFF'FFFF), 0x8000'0000u);
  EXPECT_EQ(of("vset.s32.u32.lt %d, %a, %b;", 0xFFFF'FFFF, 0), 1u);
}

TEST(ScalarVideo, AddsTheThirdOperand) {
  EXPECT_EQ(of("vabsdiff.u32.u32.u32.add %d, %a, %b, %c;", 3, 10, 100), 107u);
}

TEST(ScalarVideo, PutsTheResultIntoAPartOfTheThirdOperand) {
  EXPECT_EQ(of("vsub.s32.u32.u32 %d.b2, %a, %b, %c;", 3, 4, 0x1122'3344), 0x11FF'3344u);
}

TEST(ScalarVideo, ShiftsByAsManyBitsAsThereAreWhereItClamps) {
  EXPECT_EQ(of("vshl.u32.u32.u32.clamp %d, %a, %b;", 5, 40), 0u);
  EXPECT_EQ(of("vshl.u32.u32.u32.wrap %d, %a, %b;", 5, 40), 0x500u);
  EXPECT_EQ(of("vshr.s32.s32.u32.clamp %d, %a, %b;", 0x8000'0000, 40), 0xFFFF'FFFFu);
}

TEST(ScalarVideo, NegatesTheProductWhereOneFactorIs) {
  EXPECT_EQ(of("vmad.s32.u32.u32 %d, -%a, %b, %c;", 3, 5, 20), 5u);
  EXPECT_EQ(of("vmad.s32.u32.u32 %d, -%a, -%b, %c;", 3, 5, 20), 35u);
  EXPECT_EQ(of("vmad.s32.u32.u32 %d, %a, %b, -%c;", 3, 5, 20), 0u - 5);
}

TEST(ScalarVideo, AddsOneInPlusOneMode) {
  EXPECT_EQ(of("vmad.u32.u32.u32.po %d, %a.b0, %b.h1, %c;", 0x103, 0x5'0000, 20), 36u);
}

TEST(ScalarVideo, RefusesWhatPtxasTranslatesOtherwise) {
  for (const char* instruction :
       {"vadd.u32.u32.u32.sat %d, %a, %b;", "vadd.u32.u32.u32.min %d, %a, %b, %c;",
        "vset.u32.u32.lt.max %d, %a, %b, %c;", "vmad.s32.s32.s32.shr7 %d, %a, %b, %c;",
        "vmin.u32.u32.u32 %d.h1, %a, %b, %c;"}) {
    const Code code{instruction, 4, {4, 4, 4}};
    EXPECT_EQ(try_run(code, {{1, 2, 3}}).outcome, LaunchOutcome::not_modeled) << instruction;
  }
}

}  // namespace
}  // namespace tmaemu::testing
