// Variables and their initializers.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/emulator/ptx_test_support.h"

namespace tmaemu::ptx {
namespace {

using testing::error_of;
using testing::parse_module;

Variable parse_variable(const std::string& text) {
  const auto module = parse_module(text);
  return module->variables.empty() ? Variable{} : module->variables.front();
}

template <class T>
T value_at(const Variable& variable, std::size_t index) {
  T value{};
  if ((index + 1) * sizeof value > variable.bytes.size()) {
    ADD_FAILURE() << "no initial value " << index;
    return value;
  }
  std::memcpy(&value, variable.bytes.data() + index * sizeof value, sizeof value);
  return value;
}

TEST(PtxVariable, AlignmentIsTheTypesOwnWhereNoneIsGiven) {
  EXPECT_EQ(parse_variable(".global .u32 x;").alignment, 4u);
  EXPECT_EQ(parse_variable(".global .v4 .f32 x;").alignment, 16u);
  EXPECT_EQ(parse_variable(".shared .align 1024 .b8 x[4096];").alignment, 1024u);
}

TEST(PtxVariable, AlignmentMustBeAPowerOfTwo) {
  EXPECT_NE(error_of(".global .align 12 .b8 x[4];").find("power of two"), std::string::npos);
}

TEST(PtxVariable, DimensionsMultiply) {
  const Variable x = parse_variable(".const .s32 x[4][3];");
  EXPECT_EQ(x.element_count, 12u);
  EXPECT_EQ(x.size(), 48u);
  EXPECT_EQ(x.space, StateSpace::constant);
}

TEST(PtxVariable, DynamicSharedMemoryHasNoSize) {
  const Variable x = parse_variable(".extern .shared .align 128 .b8 x[];");
  EXPECT_TRUE(x.is_unsized_array);
  EXPECT_TRUE(x.is_extern);
  EXPECT_EQ(x.size(), 0u);
}

TEST(PtxVariable, ManagedAttributeIsKept) {
  EXPECT_TRUE(parse_variable(".global .attribute(.managed) .align 4 .u32 x = 5;").is_managed);
}

TEST(PtxVariable, UnifiedAttributeIsAccepted) {
  const Variable x =
      parse_variable(".visible .global .attribute(.unified(19, 95), .managed) .f32 x;");
  EXPECT_TRUE(x.is_managed);
  EXPECT_TRUE(x.is_visible);
}

TEST(PtxVariable, WeakAndCommonAreKept) {
  EXPECT_TRUE(parse_variable(".weak .global .u32 x;").is_weak_or_common);
  EXPECT_TRUE(parse_variable(".common .global .u32 x;").is_weak_or_common);
}

TEST(PtxVariable, DefinitionTakesThePlaceOfAnExternDeclaration) {
  const auto module = parse_module(".extern .global .u32 x;\n.visible .global .u32 x = 3;");
  ASSERT_EQ(module->variables.size(), 1u);
  EXPECT_FALSE(module->variables.at(0).is_extern);
}

TEST(PtxVariable, ObjectTooLargeForAnyMemoryIsRefused) {
  EXPECT_NE(error_of(".global .b8 x[4294967296][4294967296];").find("too large"),
            std::string::npos);
  EXPECT_NE(error_of(".global .b8 x[0][4294967296][4294967296];").find("too large"),
            std::string::npos);
}

TEST(PtxVariable, LinesOfDeclarationsAreKept) {
  EXPECT_EQ(parse_variable("\n.global .u32 x;").line, 5);
}

TEST(PtxInitializer, ScalarTakesOneValue) {
  EXPECT_EQ(value_at<std::int16_t>(parse_variable(".global .s16 x = -2;"), 0), -2);
}

TEST(PtxInitializer, MissingValuesAreNotStored) {
  const Variable x = parse_variable(".global .b8 x[48] = {1, 0, 2};");
  EXPECT_EQ(x.bytes.size(), 3u);
  EXPECT_EQ(x.size(), 48u);
}

TEST(PtxInitializer, NestedBracesFillRows) {
  const Variable x = parse_variable(".global .s32 x[4][3] = {{1, 2, 3}, {4}, {7}};");
  EXPECT_EQ(value_at<std::int32_t>(x, 2), 3);
  EXPECT_EQ(value_at<std::int32_t>(x, 3), 4);
  EXPECT_EQ(value_at<std::int32_t>(x, 4), 0);
  EXPECT_EQ(value_at<std::int32_t>(x, 6), 7);
}

TEST(PtxInitializer, VectorTakesBracesOfItsOwn) {
  const Variable x = parse_variable(".global .v2 .u32 x[2] = {{1, 2}, {3, 4}};");
  EXPECT_EQ(value_at<std::uint32_t>(x, 2), 3u);
  EXPECT_EQ(x.size(), 16u);
}

TEST(PtxInitializer, UnsizedArrayTakesTheLengthOfItsValues) {
  const Variable x = parse_variable(".const .u32 x[][2] = {{1, 2}, {3, 4}, {5}};");
  EXPECT_FALSE(x.is_unsized_array);
  EXPECT_EQ(x.element_count, 6u);
}

TEST(PtxInitializer, FloatPatternsAreBits) {
  EXPECT_EQ(value_at<float>(parse_variable(".global .f32 x = 0f3FC00000;"), 0), 1.5f);
  EXPECT_EQ(value_at<double>(parse_variable(".global .f64 x = 0dBFF8000000000000;"), 0), -1.5);
}

TEST(PtxInitializer, DecimalFloatsTakeTheTypeOfTheVariable) {
  const Variable x = parse_variable(".global .f32 x[3] = {1.5, -0.25, 3};");
  EXPECT_EQ(value_at<float>(x, 0), 1.5f);
  EXPECT_EQ(value_at<float>(x, 1), -0.25f);
  EXPECT_EQ(value_at<float>(x, 2), 3.0f);
}

TEST(PtxInitializer, GenericAddressWithOffsetIsARelocation) {
  const Variable x = parse_variable(".global .u64 x[3] = {0, generic(table)+20, f};");
  ASSERT_EQ(x.relocations.size(), 2u);
  EXPECT_EQ(x.relocations.at(0).offset, 8u);
  EXPECT_EQ(x.relocations.at(0).symbol, "table");
  EXPECT_EQ(x.relocations.at(0).addend, 20);
  EXPECT_TRUE(x.relocations.at(0).is_generic);
  EXPECT_EQ(x.relocations.at(0).size, 8u);
  EXPECT_EQ(x.relocations.at(1).symbol, "f");
  EXPECT_FALSE(x.relocations.at(1).is_generic);
}

TEST(PtxInitializer, OffsetInsideGenericCountsToo) {
  const Variable x = parse_variable(".global .u64 x = generic(table+8)-4;");
  ASSERT_EQ(x.relocations.size(), 1u);
  EXPECT_EQ(x.relocations.at(0).addend, 4);
}

TEST(PtxInitializer, MaskTakesOneByteOfAnAddress) {
  const Variable x = parse_variable(".global .u8 x[] = {0xFF(s), 0xFF00(generic(s)+4), 7};");
  ASSERT_EQ(x.relocations.size(), 2u);
  EXPECT_EQ(x.relocations.at(0).size, 1u);
  EXPECT_EQ(x.relocations.at(0).byte_shift, 0u);
  EXPECT_EQ(x.relocations.at(1).offset, 1u);
  EXPECT_EQ(x.relocations.at(1).byte_shift, 8u);
  EXPECT_EQ(x.relocations.at(1).addend, 4);
  EXPECT_EQ(x.element_count, 3u);
}

TEST(PtxInitializer, AddressDoesNotFitAByte) {
  EXPECT_NE(error_of(".global .u8 x = s;").find("4 or 8 bytes"), std::string::npos);
}

TEST(PtxInitializer, MoreValuesThanElementsAreRefused) {
  EXPECT_NE(error_of(".global .u32 x[2] = {1, 2, 3};").find("too many"), std::string::npos);
  EXPECT_NE(error_of(".global .u32 x[2][2] = {{1, 2, 3}};").find("too many"), std::string::npos);
}

TEST(PtxInitializer, BracesDeeperThanTheArrayAreRefused) {
  EXPECT_NE(error_of(".global .u32 x[2] = {{1}};").find("braces"), std::string::npos);
}

TEST(PtxInitializer, FewBytesOfTextCannotAskForGigabytes) {
  EXPECT_NE(error_of(".global .u8 x[2][1073741824] = {{1}, {1}};").find("too large"),
            std::string::npos);
}

}  // namespace
}  // namespace tmaemu::ptx
