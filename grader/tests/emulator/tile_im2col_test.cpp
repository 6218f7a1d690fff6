// The pixels of im2col operations, by PTX ISA, "im2col mode".
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emulator/tma/tile.h"

namespace tmaemu::tma {
namespace {

// A batch of images at address 0, one pixel of four 32-bit channels after another.
TensorMap images(std::vector<std::uint64_t> size_whdn, std::uint32_t pixels) {
  TensorMap map;
  map.mode = Mode::im2col;
  map.type = DataType::u32;
  map.rank = static_cast<int>(size_whdn.size()) + 1;
  map.global_size[0] = 4;
  std::uint64_t stride = 16;
  for (int i = 1; i < map.rank; ++i) {
    map.global_size[i] = size_whdn[i - 1];
    map.global_stride[i - 1] = stride;
    stride *= size_whdn[i - 1];
  }
  map.element_stride.fill(1);
  map.channels_per_pixel = 4;
  map.pixels_per_column = pixels;
  return map;
}

// The pixels in the order of shared memory: "whn" of each, "--" where it is filled.
std::string pixels(const TensorMap& map, const std::vector<std::int32_t>& coordinates) {
  std::string text;
  for_each_run(map, coordinates, 0, [&](const Run& run) {
    EXPECT_EQ(run.bytes, 16u);
    text += text.empty() ? "" : " ";
    std::uint64_t place = run.global_address / 16;
    for (int i = 1; run.in_bounds && i < map.rank; ++i) {
      text += std::to_string(place % map.global_size[i]);
      place /= map.global_size[i];
    }
    if (!run.in_bounds) text += "--";
  });
  return text;
}

TEST(Im2col, PixelsFollowOneAnotherAlongWThenHThenN) {
  EXPECT_EQ(pixels(images({2, 2, 2}, 6), {0, 0, 0, 0}), "000 100 010 110 001 101");
}

TEST(Im2col, StartsAtTheCoordinates) {
  EXPECT_EQ(pixels(images({3, 2, 2}, 4), {0, 2, 0, 1}), "201 011 111 211");
}

TEST(Im2col, BoundingBoxLeavesOutPixels) {
  TensorMap map = images({4, 2, 2}, 5);
  map.lower_corner = {1, 0};
  map.upper_corner = {-1, 0};
  EXPECT_EQ(pixels(map, {0, 1, 0, 0}), "100 200 110 210 101");
}

TEST(Im2col, BoundingBoxBeyondTheImageIsFilled) {
  TensorMap map = images({2, 2, 2}, 8);
  map.lower_corner = {-1, 0};
  map.upper_corner = {1, 0};
  EXPECT_EQ(pixels(map, {0, -1, 0, 0}), "-- 000 100 -- -- 010 110 --");
}

TEST(Im2col, OffsetsMoveThePixelsAndNotTheBoundingBox) {
  TensorMap map = images({3, 2, 2}, 6);
  map.lower_corner = {-1, 0};
  map.upper_corner = {-1, 0};
  EXPECT_EQ(pixels(map, {0, -1, 0, 0, 1, 1}), "010 110 210 -- -- --");
}

TEST(Im2col, ElementStridesStepThroughTheBoundingBox) {
  TensorMap map = images({5, 3, 2}, 7);
  map.element_stride = {1, 2, 2, 1, 1};
  EXPECT_EQ(pixels(map, {0, 0, 0, 0}), "000 200 400 020 220 420 001");
}

TEST(Im2col, ElementStridesStepThroughTheImages) {
  TensorMap map = images({2, 1, 5}, 5);
  map.element_stride = {1, 1, 1, 2, 1};
  EXPECT_EQ(pixels(map, {0, 0, 0, 0}), "000 100 002 102 004");
}

TEST(Im2col, PixelsPastTheLastImageAreFilled) {
  EXPECT_EQ(pixels(images({2, 1, 2}, 4), {0, 1, 0, 1}), "101 -- -- --");
}

TEST(Im2col, RankFiveHasADepth) {
  EXPECT_EQ(pixels(images({1, 2, 2, 2}, 5), {0, 0, 1, 0, 0}), "0100 0010 0110 0001 0101");
}

TEST(Im2col, ChannelsPastTheLastAreFilled) {
  TensorMap map = images({2, 1, 1}, 1);
  map.channels_per_pixel = 8;
  EXPECT_EQ(pixels(map, {0, 1, 0, 0}), "100 --");
}

TEST(Im2col, MovesChannelsTimesPixels) {
  TensorMap map = images({2, 2, 2}, 7);
  map.channels_per_pixel = 12;
  EXPECT_EQ(map.transfer_bytes(), 7u * 12 * 4);
}

TEST(Im2col, NarrowPixelsArePaddedToTheSwizzleSpan) {
  TensorMap map = images({2, 2, 2}, 3);
  map.swizzle = Swizzle::bytes64;
  std::vector<std::uint32_t> offsets;
  for_each_run(map, std::vector<std::int32_t>{0, 0, 0, 0}, 0,
               [&](const auto& run) { offsets.push_back(run.shared_offset); });
  EXPECT_EQ(offsets, (std::vector<std::uint32_t>{0, 64, 128 + 16}));
}

}  // namespace
}  // namespace tmaemu::tma
