#include <gtest/gtest.h>

#include "emulator/check/matrix_step.h"

namespace tmaemu::check {
namespace {

using Matrix = events::MatrixInShared;

// Rows of 128 bytes, 64 of them.
Matrix in_rows(std::uint32_t start) {
  return {.start = start,
          .leading = 16,
          .stride = 1024,
          .swizzle_bytes = 128,
          .uses_stride = true,
          .lines = 64,
          .line_bytes = 32};
}
// 64 elements of 16 bits for each k.
Matrix transposed(std::uint32_t start) {
  return {.start = start,
          .stride = 1024,
          .swizzle_bytes = 128,
          .uses_stride = true,
          .is_transposed = true,
          .lines = 64,
          .line_bytes = 32};
}
Matrix in_cores(std::uint32_t start, std::uint32_t leading, std::uint32_t stride) {
  return {.start = start,
          .leading = leading,
          .stride = stride,
          .uses_leading = true,
          .uses_stride = true,
          .lines = 64,
          .line_bytes = 32};
}

StepRelation relation(const Matrix& one, const Matrix& other) {
  const auto found = relation_of(one, other);
  EXPECT_TRUE(found.has_value());
  return found.value_or(StepRelation{});
}

TEST(MatrixStep, GoesOnAlongK) {
  EXPECT_TRUE(relation(in_rows(0x400), in_rows(0x420)).advances());
  EXPECT_TRUE(relation(in_rows(0x460), in_rows(0x400)).advances());
  EXPECT_TRUE(relation(transposed(0x400), transposed(0x400 + 16 * 128)).advances());
  EXPECT_TRUE(relation(in_cores(0, 1024, 128), in_cores(2048, 1024, 128)).advances());
  EXPECT_TRUE(relation(in_cores(0, 128, 1024), in_cores(256, 128, 1024)).advances());
}

TEST(MatrixStep, OverlapsAlongK) {
  EXPECT_TRUE(relation(in_rows(0x400), in_rows(0x410)).overlaps_along_k());
  EXPECT_TRUE(relation(transposed(0x400), transposed(0x400 + 8 * 128)).overlaps_along_k());
  EXPECT_TRUE(relation(in_cores(0, 1024, 128), in_cores(1024, 1024, 128)).overlaps_along_k());
}

TEST(MatrixStep, SlidesOverOtherLines) {
  EXPECT_TRUE(relation(in_rows(0x400), in_rows(0x480)).slides());
  EXPECT_TRUE(relation(in_cores(0, 128, 1024), in_cores(2048, 128, 1024)).slides());
  EXPECT_TRUE(relation(in_rows(0x400), in_rows(0x400)).stays());
  EXPECT_TRUE(relation(transposed(0x400), transposed(0x420)).slides());
  const StepRelation below = relation(in_rows(0), in_rows(64 * 128));
  EXPECT_EQ(below.of_lines, Overlap::none);
  EXPECT_FALSE(below.slides());
}

TEST(MatrixStep, IsNotAskedAboutBetweenMatricesOfTwoForms) {
  EXPECT_FALSE(relation_of(in_rows(0), transposed(0)).has_value());
  EXPECT_FALSE(relation_of(in_cores(0, 128, 1024), in_cores(0, 1024, 128)).has_value());
  EXPECT_FALSE(relation_of(in_cores(0, 128, 1024), in_cores(16, 128, 1024)).has_value());
  Matrix far_apart = in_rows(0);
  far_apart.stride = 2048;
  EXPECT_FALSE(relation_of(far_apart, far_apart).has_value());
}

// A convolution slides over its image and goes on in its weights, which lie elsewhere.
TEST(MatrixStep, IsSuspiciousWhereKGoesOnInOneMatrixAlone) {
  constexpr StepRelation advances{Overlap::none, Overlap::whole};
  constexpr StepRelation stays{Overlap::whole, Overlap::whole};
  constexpr StepRelation slides{Overlap::whole, Overlap::partial};
  constexpr StepRelation elsewhere{Overlap::whole, Overlap::none};
  constexpr StepRelation overlaps{Overlap::partial, Overlap::whole};
  EXPECT_TRUE(is_suspicious(overlaps, {}));
  EXPECT_TRUE(is_suspicious(stays, advances));
  EXPECT_TRUE(is_suspicious(slides, slides));
  EXPECT_TRUE(is_suspicious(slides, advances));
  EXPECT_FALSE(is_suspicious(advances, stays));
  EXPECT_FALSE(is_suspicious(stays, {}));
  EXPECT_FALSE(is_suspicious(stays, stays));
  EXPECT_FALSE(is_suspicious(stays, elsewhere));
  EXPECT_FALSE(is_suspicious(slides, elsewhere));
  EXPECT_FALSE(is_suspicious(slides, stays));
}

TEST(MatrixStep, MeetsItselfWhereItsOffsetsAreExchanged) {
  EXPECT_FALSE(meets_itself(in_cores(0, 128, 256)));
  EXPECT_TRUE(meets_itself(in_cores(0, 256, 128)));
  EXPECT_FALSE(meets_itself(in_cores(0, 1024, 128)));
  EXPECT_FALSE(meets_itself(in_cores(0, 128, 1024)));
  EXPECT_FALSE(meets_itself(in_cores(0, 0, 128)));    // one core matrix for all of K
  EXPECT_FALSE(meets_itself(in_cores(0, 128, 0)));    // or for all lines
  EXPECT_FALSE(meets_itself(in_cores(0, 128, 128)));  // windows of one row of core matrices
  Matrix narrow = in_cores(0, 256, 128);
  narrow.lines = 8;
  narrow.uses_stride = false;
  EXPECT_FALSE(meets_itself(narrow));
  EXPECT_FALSE(meets_itself(in_rows(0)));
}

}  // namespace
}  // namespace tmaemu::check
