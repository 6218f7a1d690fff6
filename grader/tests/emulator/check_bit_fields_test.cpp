// Loads whose bits are put back as they were.
#include <gtest/gtest.h>

#include <string>

#include "emulator/check/bit_fields.h"
#include "tests/emulator/decoded_program.h"

namespace tmaemu::check {
namespace {

// Of the first instruction, a load.
bool is_only_put_back(const std::string& body) {
  const testing::DecodedText text(".reg .b32 %a, %b, %c, %d;\n.shared .align 8 .b8 word[8];\n" +
                                  body);
  return BitFields(text.function(), text.effects()).is_only_put_back(0);
}

TEST(CheckBitFields, AWriteToABitFieldPutsTheOtherBitsBack) {
  EXPECT_TRUE(
      is_only_put_back("ld.shared.u32 %a, [word];\nand.b32 %b, %a, -16;\nor.b32 %c, %b, 3;\n"
                       "st.shared.u32 [word], %c;"));
}

TEST(CheckBitFields, WhatIsStoredElsewhereIsLookedAt) {
  EXPECT_FALSE(
      is_only_put_back("ld.shared.u32 %a, [word];\nand.b32 %b, %a, -16;\nor.b32 %c, %b, 3;\n"
                       "st.shared.u32 [word+4], %c;"));
}

TEST(CheckBitFields, AnElementOfAVectorThatIsStoredIsLookedAt) {
  EXPECT_FALSE(
      is_only_put_back("ld.shared.u32 %a, [word];\nand.b32 %b, %a, -16;\nor.b32 %c, %b, 3;\n"
                       "st.shared.u32 [word], %c;\nst.shared.v2.u32 [word], {%a, %d};"));
}

TEST(CheckBitFields, WhatIsAddedToIsLookedAt) {
  EXPECT_FALSE(
      is_only_put_back("ld.shared.u32 %a, [word];\nadd.s32 %b, %a, 1;\nst.shared.u32 [word], %b;"));
}

TEST(CheckBitFields, BitsThatAreOnlySetAreLookedAt) {
  EXPECT_FALSE(
      is_only_put_back("ld.shared.u32 %a, [word];\nor.b32 %b, %a, 1;\nst.shared.u32 [word], %b;"));
}

TEST(CheckBitFields, AnAnswerThatSomebodyElseUsesIsLookedAt) {
  EXPECT_FALSE(
      is_only_put_back("ld.shared.u32 %a, [word];\nand.b32 %b, %a, -16;\nor.b32 %c, %b, 3;\n"
                       "st.shared.u32 [word], %c;\nshr.u32 %d, %a, 4;"));
}

}  // namespace
}  // namespace tmaemu::check
