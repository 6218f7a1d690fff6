// Which tensor copies the TMA engine refuses, as an H200 (driver 580.159.04, CUDA 13.0) did.
#include "emulator/tma/operation_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/findings/sentences.h"

namespace tmaemu::tma {
namespace {

TensorMap map_of(DataType type, int rank = 2, Interleave interleave = Interleave::none) {
  TensorMap map;
  map.type = type;
  map.rank = rank;
  map.global_size.fill(64);
  map.global_stride = {1024, 65536, 1 << 22, 1 << 28};
  map.box_size = {16, 4, 1, 1, 1};
  map.element_stride.fill(1);
  map.interleave = interleave;
  return map;
}

// Two images of 8 by 4 pixels of 64 channels.
TensorMap im2col_map() {
  TensorMap map = map_of(DataType::u32, 4);
  map.mode = Mode::im2col;
  map.global_size = {64, 8, 4, 2, 0};
  map.channels_per_pixel = 16;
  map.pixels_per_column = 4;
  return map;
}

std::string answer(const TensorMap& map, const std::vector<std::int32_t>& coordinates,
                   Direction direction = Direction::from_global) {
  const auto refused = check_operation(map, map.mode, coordinates, {}, direction);
  return refused ? refused->rule : "executes";
}

// Which rule is broken, of an operation that is refused.
Sentence broken(const TensorMap& map, const std::vector<std::int32_t>& coordinates,
                Direction direction = Direction::from_global) {
  const auto refused = check_operation(map, map.mode, coordinates, {}, direction);
  return refused ? refused->sentence : Sentence::findings_not_told;
}

TEST(OperationRules, BoxStartsAtAMultipleOf16Bytes) {
  EXPECT_EQ(answer(map_of(DataType::u32), {4, 1}), "executes");
  EXPECT_EQ(
      answer(map_of(DataType::u32), {1, 1}),
      "the innermost coordinate is 1, so the box starts 4 bytes along the row, which is not "
      "a multiple of 16: with elements of 4 bytes the innermost coordinate must be a multiple "
      "of 4");
}

TEST(OperationRules, AlignmentFollowsTheElementSize) {
  EXPECT_NE(answer(map_of(DataType::u8), {8, 0}), "executes");
  EXPECT_EQ(answer(map_of(DataType::u8), {16, 0}), "executes");
  EXPECT_EQ(answer(map_of(DataType::bf16), {8, 0}), "executes");
  EXPECT_EQ(answer(map_of(DataType::f64), {2, 0}), "executes");
}

TEST(OperationRules, BoxOutsideTheTensorStartsAtAMultipleOf16BytesToo) {
  EXPECT_NE(answer(map_of(DataType::u32), {INT32_MAX, 1}), "executes");
  EXPECT_EQ(answer(map_of(DataType::u32), {INT32_MIN, 1}), "executes");
  EXPECT_EQ(answer(map_of(DataType::u32), {-1000, 1}), "executes");
}

TEST(OperationRules, OtherCoordinatesAreFree) {
  for (const std::int32_t coordinate : {1, -1, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(answer(map_of(DataType::u32), {4, coordinate}), "executes") << coordinate;
  }
}

TEST(OperationRules, InterleavedBoxStartsAnywhere) {
  for (const Interleave interleave : {Interleave::bytes16, Interleave::bytes32}) {
    EXPECT_EQ(answer(map_of(DataType::f16, 3, interleave), {1, 2, 3}), "executes");
    EXPECT_EQ(answer(map_of(DataType::f16, 3, interleave), {-1, 2, 3}), "executes");
  }
}

TEST(OperationRules, WrittenBoxBeginsNotBeforeTheTensor) {
  EXPECT_EQ(answer(map_of(DataType::u32), {0, -1}, Direction::to_global),
            "coordinate 1 is -1: the box of a TMA store or reduction must not begin before the "
            "tensor; only loads take negative coordinates");
  EXPECT_NE(answer(map_of(DataType::u32), {-4, 0}, Direction::to_global), "executes");
  EXPECT_NE(answer(map_of(DataType::u32, 4), {0, 0, 0, -8}, Direction::to_global), "executes");
}

TEST(OperationRules, WrittenInterleavedBoxBeginsNotBeforeTheTensor) {
  const TensorMap map = map_of(DataType::f16, 4, Interleave::bytes32);
  EXPECT_NE(answer(map, {0, 0, -2, 1}, Direction::to_global), "executes");
  EXPECT_NE(answer(map, {-1, 0, 0, 0}, Direction::to_global), "executes");
}

TEST(OperationRules, WrittenBoxReachesPastTheTensor) {
  EXPECT_EQ(answer(map_of(DataType::u32), {60, 62}, Direction::to_global), "executes");
  EXPECT_EQ(answer(map_of(DataType::u32), {1000, 1000}, Direction::to_global), "executes");
}

// Each has its own help: what to write instead is another thing for each.
TEST(OperationRules, EachKindOfRefusalHasItsSentence) {
  const TensorMap map = map_of(DataType::u32);
  EXPECT_EQ(broken(map, {1, 1}), Sentence::loaded_box_between_units);
  EXPECT_EQ(broken(map, {-1, 1}), Sentence::loaded_box_between_units);  // loads may be negative
  EXPECT_EQ(broken(map, {1, 1}, Direction::to_global), Sentence::written_box_between_units);
  EXPECT_EQ(broken(map, {-1, 1}, Direction::to_global), Sentence::written_box_before_tensor);
  EXPECT_EQ(broken(map, {0}), Sentence::tensor_operation_of_other_map);
}

TEST(OperationRules, InstructionHasTheRankOfItsMap) {
  EXPECT_EQ(answer(map_of(DataType::u32, 3), {0, 0}),
            "a 2-dimensional TMA instruction is given a tensor map of rank 3");
}

TEST(OperationRules, InstructionHasTheModeOfItsMap) {
  const std::vector<std::int32_t> origin{0, 0, 0, 0};
  EXPECT_EQ(check_operation(im2col_map(), Mode::tiled, origin, {}, Direction::from_global)->rule,
            "a tiled instruction is given a tensor map of cuTensorMapEncodeIm2col");
  EXPECT_EQ(
      check_operation(map_of(DataType::u32, 4), Mode::im2col, origin, {}, Direction::from_global)
          ->rule,
      "an im2col instruction is given a tensor map of cuTensorMapEncodeTiled");
}

TEST(OperationRules, Im2colStartsInTheBoundingBox) {
  TensorMap map = im2col_map();
  map.lower_corner = {-1, 0};
  map.upper_corner = {-2, 0};
  EXPECT_EQ(answer(map, {0, -1, 0, 0}), "executes");
  EXPECT_EQ(answer(map, {0, 6, 0, 0}),
            "coordinate 1 is 6, outside the bounding box of the im2col tensor map, which goes from "
            "-1 to 5");
}

TEST(OperationRules, WrittenBoundingBoxStaysWithinTheImage) {
  TensorMap map = im2col_map();
  EXPECT_EQ(answer(map, {0, 1, 1, 0}, Direction::to_global), "executes");
  map.lower_corner = {0, -1};
  EXPECT_EQ(answer(map, {0, 1, 1, 0}, Direction::to_global),
            "an im2col store or reduction is given a tensor map whose bounding box leaves the "
            "image: its lower corner has to be at least 0 and its upper corner at most 0, and in "
            "dimension 2 they are -1 and 0");
}

TEST(OperationRules, Im2colOffsetsShareTheirBits) {
  const std::vector<std::int32_t> origin{0, 0, 0, 0};
  const auto refused = check_operation(im2col_map(), Mode::im2col, origin,
                                       std::vector<std::int32_t>{1, 256}, Direction::from_global);
  EXPECT_EQ(refused->rule, "im2col offset 1 is 256; with 2 offsets each is less than 256");
}

}  // namespace
}  // namespace tmaemu::tma
