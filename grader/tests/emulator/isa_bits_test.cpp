// Bits: masks and fields; and prmt in its modes: the bytes of {b, a} that the low two bits of c
// pick.
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

// Byte k of {b, a} is k, so each digit of a result names the byte that went there.
std::vector<Bits> permuted(const std::string& mode) {
  std::vector<Tuple> tuples;
  for (Bits c = 0; c < 4; ++c) tuples.push_back({0x03020100, 0x07060504, c | 0xABCC});
  return run({"prmt.b32." + mode + " %d, %a, %b, %c;", 4, {4, 4, 4}}, tuples);
}
using Results = std::vector<Bits>;

TEST(Permute, ForwardFourExtract) {
  EXPECT_EQ(permuted("f4e"), (Results{0x03020100, 0x04030201, 0x05040302, 0x06050403}));
}
TEST(Permute, BackwardFourExtract) {
  EXPECT_EQ(permuted("b4e"), (Results{0x05060700, 0x06070001, 0x07000102, 0x00010203}));
}
TEST(Permute, ReplicateAByte) {
  EXPECT_EQ(permuted("rc8"), (Results{0x00000000, 0x01010101, 0x02020202, 0x03030303}));
}
TEST(Permute, EdgeClampLeft) {
  EXPECT_EQ(permuted("ecl"), (Results{0x03020100, 0x03020101, 0x03020202, 0x03030303}));
}
TEST(Permute, EdgeClampRight) {
  EXPECT_EQ(permuted("ecr"), (Results{0x00000000, 0x01010100, 0x02020100, 0x03020100}));
}
TEST(Permute, ReplicateAHalf) {
  EXPECT_EQ(permuted("rc16"), (Results{0x01000100, 0x03020302, 0x01000100, 0x03020302}));
}

}  // namespace
}  // namespace tmaemu::testing
