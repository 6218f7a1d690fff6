// Integers in parts: carries, 24-bit products, dot products, pairs of halves.
#include "tests/emulator/isa_test_support.h"

namespace tmaemu::testing {
namespace {

const std::vector<Bits> words{0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678, 0xFEDCBA98};

TEST(Carry, GoesFromTheLowWordOfASumToTheHighWord) {
  const Code code{
      ".reg .b32 %l, %h, %x, %y;\n"
      "mov.b64 {%l, %h}, %a;\nmov.b64 {%x, %y}, %b;\n"
      "add.cc.u32 %l, %l, %x;\naddc.u32 %h, %h, %y;\nmov.b64 %d, {%l, %h};",
      8,
      {8, 8}};
  const std::vector<Tuple> tuples = random_tuples(64, 2, 200);
  const std::vector<Bits> results = run(code, tuples);
  for (std::size_t i = 0; i < tuples.size(); ++i)
    ASSERT_EQ(results[i], tuples[i][0] + tuples[i][1]);
}

TEST(Carry, IsTheBorrowOfADifference) {
  const Code code{
      ".reg .b32 %l, %h, %x, %y;\n"
      "mov.b64 {%l, %h}, %a;\nmov.b64 {%x, %y}, %b;\n"
      "sub.cc.u32 %l, %l, %x;\nsubc.u32 %h, %h, %y;\nmov.b64 %d, {%l, %h};",
      8,
      {8, 8}};
  const std::vector<Tuple> tuples = random_tuples(64, 2, 200);
  const std::vector<Bits> results = run(code, tuples);
  for (std::size_t i = 0; i < tuples.size(); ++i)
    ASSERT_EQ(results[i], tuples[i][0] - tuples[i][1]);
}

TEST(Carry, JoinsTheHalvesOfAProduct) {
  const Code code{
      ".reg .b32 %l, %h;\n"
      "mad.lo.cc.u32 %l, %a, %b, %c;\nmadc.hi.u32 %h, %a, %b, 0;\n"
      "mov.b64 %d, {%l, %h};",
      8,
      {4, 4, 4}};
  const std::vector<Tuple> tuples = all_tuples(words, 3);
  const std::vector<Bits> results = run(code, tuples);
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    ASSERT_EQ(results[i], tuples[i][0] * tuples[i][1] + tuples[i][2]);
  }
}

TEST(DotProduct, AddsTheProductsOfBytes) {
  EXPECT_EQ(run_one({"dp4a.u32.u32 %d, %a, %b, %c;", 4, {4, 4, 4}}, {0x01020304, 0x05060708, 9}),
            1u * 5 + 2 * 6 + 3 * 7 + 4 * 8 + 9);
  EXPECT_EQ(run_one({"dp4a.s32.u32 %d, %a, %b, %c;", 4, {4, 4, 4}}, {0xFF000000, 0xFF000000, 0}),
            0xFFFFFF01u);
}

TEST(DotProduct, OfHalvesTakesTheBytesThatTheModeNames) {
  EXPECT_EQ(run_one({"dp2a.lo.u32.u32 %d, %a, %b, %c;", 4, {4, 4, 4}}, {0x00030005, 0x09080706, 1}),
            5u * 6 + 3 * 7 + 1);
  EXPECT_EQ(run_one({"dp2a.hi.u32.u32 %d, %a, %b, %c;", 4, {4, 4, 4}}, {0x00030005, 0x09080706, 1}),
            5u * 8 + 3 * 9 + 1);
}

TEST(Product24, IgnoresTheUppermostByte) {
  EXPECT_EQ(run_one({"mul24.lo.u32 %d, %a, %b;", 4, {4, 4}}, {0xAB000003, 0xCD000004}), 12u);
  EXPECT_EQ(run_one({"mul24.lo.s32 %d, %a, %b;", 4, {4, 4}}, {0x00FFFFFF, 5}), 0xFFFFFFFBu);
  EXPECT_EQ(run_one({"mul24.hi.u32 %d, %a, %b;", 4, {4, 4}}, {0x00FFFFFF, 0x00FFFFFF}),
            0xFFFFFE00u);
}

TEST(HalfPairs, AreComparedAsTwoNumbers) {
  EXPECT_EQ(run_one({"min.s16x2 %d, %a, %b;", 4, {4, 4}}, {0xFFFF0005, 0x00010003}), 0xFFFF0003u);
  EXPECT_EQ(run_one({"max.u16x2 %d, %a, %b;", 4, {4, 4}}, {0xFFFF0005, 0x00010003}), 0xFFFF0005u);
  EXPECT_EQ(run_one({"min.relu.s16x2 %d, %a, %b;", 4, {4, 4}}, {0xFFFF0005, 0x00010003}), 3u);
  EXPECT_EQ(run_one({"add.u16x2 %d, %a, %b;", 4, {4, 4}}, {0xFFFFFFFF, 0x00010002}), 1u);
}

TEST(Relu, ReplacesNegativeMinimaByZero) {
  EXPECT_EQ(run_one({"min.relu.s32 %d, %a, %b;", 4, {4, 4}}, {0xFFFFFFFF, 7}), 0u);
  EXPECT_EQ(run_one({"max.relu.s32 %d, %a, %b;", 4, {4, 4}}, {0xFFFFFFFF, 7}), 7u);
}

TEST(FindNthSet, CountsUpAndDownFromTheBase) {
  const Code code{"fns.b32 %d, %a, %b, %c;", 4, {4, 4, 4}};
  EXPECT_EQ(run_one(code, {0b101101, 1, 2}), 3u);
  EXPECT_EQ(run_one(code, {0b101101, 3, 0xFFFFFFFE}), 2u);
  EXPECT_EQ(run_one(code, {0b101101, 1, 0}), 0xFFFFFFFFu);
}

}  // namespace
}  // namespace tmaemu::testing
