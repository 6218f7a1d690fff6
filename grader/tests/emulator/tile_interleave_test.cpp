// Boxes of interleaved layouts, as an H200 (driver 580.159.04, CUDA 13.0) laid them out.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "emulator/tma/tile.h"

namespace tmaemu::tma {
namespace {

// Tensors at address 0, so that addresses are offsets.
TensorMap interleaved(Interleave interleave, std::vector<std::uint64_t> size,
                      std::vector<std::uint64_t> stride, std::vector<std::uint32_t> box) {
  TensorMap map;
  map.type = DataType::f16;
  map.rank = static_cast<int>(size.size());
  map.interleave = interleave;
  for (int i = 0; i < map.rank; ++i) {
    map.global_size[i] = size[i];
    map.box_size[i] = box[i];
    map.element_stride[i] = 1;
    if (i < map.rank - 1) map.global_stride[i] = stride[i];
  }
  return map;
}

// Chunks of 16 bytes, in the order of shared memory: "shared:global" where a run of consecutive
// chunks starts, "x" its length; "o" is filled.
std::string layout(const TensorMap& map, const std::vector<std::int32_t>& coordinates,
                   std::uint32_t shared_address = 0) {
  constexpr std::int64_t filled = -1;
  std::map<std::int64_t, std::int64_t> chunks;
  for_each_run(map, coordinates, shared_address, [&](const Run& run) {
    for (std::uint32_t i = 0; i < run.bytes; i += 16) {
      chunks[(shared_address + run.shared_offset + i) / 16] =
          run.in_bounds ? static_cast<std::int64_t>((run.global_address + i) / 16) : filled;
    }
  });
  std::string text;
  for (auto chunk = chunks.begin(); chunk != chunks.end();) {
    const auto [shared, global] = *chunk;
    std::int64_t length = 0;
    for (; chunk != chunks.end() && chunk->first == shared + length &&
           chunk->second == (global == filled ? filled : global + length);
         ++chunk) {
      ++length;
    }
    text += text.empty() ? "" : " ";
    text += std::to_string(shared) + ":" + (global == filled ? "o" : std::to_string(global));
    if (length > 1) text += "x" + std::to_string(length);
  }
  return text;
}

TEST(InterleavedBox, HoldsOneSliceWhateverItsSize) {
  for (const std::uint32_t box : {1, 2, 4, 5, 8, 9, 16, 17, 32, 33}) {
    const TensorMap map = interleaved(Interleave::bytes16, {8, 40, 40}, {256, 16384}, {16, box, 1});
    EXPECT_EQ(layout(map, {0, 1, 1}), "0:1040x8 8:ox8") << box;
  }
}

TEST(InterleavedBox, SlicesAreTheLastDimensionButOne) {
  const std::vector<std::uint64_t> size{8, 40, 40, 40};
  const std::vector<std::uint64_t> stride{256, 16384, 65536};
  EXPECT_EQ(layout(interleaved(Interleave::bytes16, size, stride, {16, 2, 1, 1}), {0, 1, 1, 1}),
            "0:5136x8 8:ox8 16:5152x8 24:ox8");
  EXPECT_EQ(layout(interleaved(Interleave::bytes16, size, stride, {16, 1, 2, 1}), {0, 1, 1, 1}),
            "0:5136x8 8:ox8");
  EXPECT_EQ(layout(interleaved(Interleave::bytes16, size, stride, {16, 1, 1, 2}), {0, 1, 1, 1}),
            "0:5136x8 8:ox8 16:9232x8 24:ox8");
}

TensorMap boxes_of_three_rows(Interleave interleave, Swizzle swizzle) {
  TensorMap map = interleaved(interleave, {20, 10, 10}, {1024, 16384}, {8, 1, 3});
  map.swizzle = swizzle;
  return map;
}

TEST(InterleavedBox, PositionsAreSteppedOver) {
  TensorMap map = boxes_of_three_rows(Interleave::bytes16, Swizzle::none);
  map.element_stride[0] = 3;
  EXPECT_EQ(layout(map, {1, 2, 3}),
            "0:3201 1:3204 2:3207 3:4225 4:4228 5:4231 6:5249 7:5252 8:5255");
  map = boxes_of_three_rows(Interleave::bytes32, Swizzle::none);
  map.element_stride[0] = 3;
  EXPECT_EQ(layout(map, {1, 2, 3}),
            "0:3202x2 2:3208x2 4:3214x2 6:4226x2 8:4232x2 10:4238x2 12:5250x2 14:5256x2 16:5262x2");
}

TEST(InterleavedBox, IsFilledWhereTheSliceIsOutside) {
  TensorMap map = boxes_of_three_rows(Interleave::bytes16, Swizzle::none);
  map.element_stride[1] = 2;
  EXPECT_EQ(layout(map, {1, -1, 9}), "0:ox24");
}

TEST(InterleavedBox, RowsNarrowerThanTheSwizzleSpanAreNotPadded) {
  TensorMap map = boxes_of_three_rows(Interleave::bytes16, Swizzle::bytes128);
  map.element_stride[0] = 3;
  EXPECT_EQ(layout(map, {1, 2, 3}),
            "0:3201 1:3204 2:3207 3:4225 4:4228 5:4231 6:5249 7:5252 9:5255");
}

TEST(InterleavedBox, IsSwizzledByTheAddressInSharedMemory) {
  EXPECT_EQ(layout(boxes_of_three_rows(Interleave::bytes16, Swizzle::bytes64), {1, 2, 3}, 128),
            "8:3202 9:3201 10:3204 11:3203 12:3206 13:3205 14:3208 15:3207 16:4227x2 18:4225x2 "
            "20:4231x2 22:4229x2 24:5252 25:5251 26:5250 27:5249 28:5256 29:5255 30:5254 31:5253");
}

}  // namespace
}  // namespace tmaemu::tma
