// Tensor maps in im2col mode: the rules of cuTensorMapEncodeIm2col, and the opaque form.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "emulator/tma/tensor_map.h"

namespace tmaemu::tma {
namespace {

// A map that breaks no rule: images of 9 by 7 pixels of 64 channels, a border of one pixel.
TensorMap valid_map() {
  TensorMap map;
  map.mode = Mode::im2col;
  map.type = DataType::f16;
  map.rank = 4;
  map.global_address = 0x7f0000000000;
  map.global_size = {64, 9, 7, 3, 0};
  map.global_stride = {128, 1152, 8064, 0};
  map.element_stride = {1, 1, 1, 1, 0};
  map.lower_corner = {-1, -1, 0};
  map.upper_corner = {-1, -1, 0};
  map.channels_per_pixel = 64;
  map.pixels_per_column = 128;
  return map;
}

std::string answer_to(const std::function<void(TensorMap&)>& change) {
  TensorMap map = valid_map();
  change(map);
  const common::Status status = validate(map);
  return status ? "accepted" : status.error().message;
}

TEST(Im2colTensorMap, AcceptsAValidMap) {
  EXPECT_EQ(answer_to([](TensorMap&) {}), "accepted");
}

TEST(Im2colTensorMap, RefusesRankTwo) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.rank = 2; }),
            "tensorRank = 2, but im2col needs 3 to 5 dimensions");
}

TEST(Im2colTensorMap, RefusesACornerBeyondTheBitsOfItsRank) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.lower_corner[1] = -129; }),
            "pixelBoxLowerCorner[1] = -129 is not in -128..127, the range for rank 4");
}

TEST(Im2colTensorMap, RefusesAnEmptyBoundingBox) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.lower_corner[0] = 8; }),
            "the bounding box is empty: pixelBoxLowerCorner[0] = 8 is beyond its end, "
            "globalDim[1] - 1 + pixelBoxUpperCorner[0] = 7");
}

TEST(Im2colTensorMap, RefusesTooManyPixels) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.pixels_per_column = 1025; }),
            "pixelsPerColumn = 1025 is not in 1..1024");
}

TEST(Im2colTensorMap, RefusesTooManyChannels) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.channels_per_pixel = 264; }),
            "channelsPerPixel = 264 is not in 1..256");
}

TEST(Im2colTensorMap, RefusesAColumnLargerThanSharedMemory) {
  EXPECT_EQ(answer_to([](TensorMap& map) {
              map.channels_per_pixel = 256;
              map.pixels_per_column = 1024;
            }),
            "the column takes 524288 bytes of shared memory (element size times channelsPerPixel "
            "times pixelsPerColumn), more than the 233472 of an SM");
}

TEST(Im2colTensorMap, RefusesSizesThatTheDriverTakesForNegative) {
  EXPECT_NE(answer_to([](TensorMap& map) { map.global_size[1] = 0xffffffff; }), "accepted");
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_size[3] = 0xffffffff; }), "accepted");
}

TEST(Im2colTensorMap, SurvivesItsOpaqueForm) {
  const auto bytes = encode(valid_map());
  EXPECT_EQ(*decode(bytes), valid_map());
}

}  // namespace
}  // namespace tmaemu::tma
