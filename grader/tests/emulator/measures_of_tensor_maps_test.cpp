// What counts of a tile that is loaded by a tensor map: its swizzle, its dimensions, its element
// strides.
#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>

#include "contract/protocol/measures.h"
#include "emulator/tma/tensor_map.h"
#include "tests/emulator/isa_test_support.h"
#include "tests/emulator/measured_kernel.h"

namespace tmaemu {
namespace {

TEST(MeasuresOfTensorMaps, OfABoxThatOverhangsItsTensorTheInsideCounts) {
  const ImportedBuffer buffer;
  tma::TensorMap map;  // 8 columns, 2 rows
  map.type = tma::DataType::u32;
  map.rank = 2;
  map.global_address = buffer.address();
  map.global_size = {8, 2};
  map.global_stride = {32};
  map.box_size = {8, 4};
  map.element_stride = {1, 1};
  Device::instance().start_measuring();
  launch(".param .align 128 .b8 map[128]", tma::encode(map),
         std::string("mov.b64 %g, map;\ncvta.param.u64 %g, %g;\n.reg .b32 %x, %y;\n"
                     "mov.u32 %x, 4;\nmov.u32 %y, -1;\n") +
             init +
             "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], "
             "[%g, {%x, %y}], [%b];\n" +
             landed(128));
  EXPECT_EQ(Device::instance().measured()[index_of(Measure::through_tma)], 2 * 16u);
}

// A map of rows of 64 bytes, of which a tile has so many.
tma::TensorMap rows_map(const ImportedBuffer& buffer, std::uint32_t rows) {
  tma::TensorMap map;
  map.type = tma::DataType::u32;
  map.rank = 2;
  map.global_address = buffer.address();
  map.global_size = {16, 8};
  map.global_stride = {64};
  map.box_size = {16, rows};
  map.element_stride = {1, 1};
  return map;
}

// How many bytes count for the measure if a tile of this map is loaded to this place.
std::uint64_t loaded(Measure measure, const tma::TensorMap& map, int place = 0) {
  Device::instance().start_measuring();
  launch(".param .align 128 .b8 map[128]", tma::encode(map),
         std::string("mov.b64 %g, map;\ncvta.param.u64 %g, %g;\n.reg .b32 %x;\n"
                     "mov.u32 %x, 0;\n") +
             init +
             "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t+" +
             std::to_string(place) + "], [%g, {%x, %x}], [%b];\n" +
             landed(static_cast<int>(map.transfer_bytes())));
  return Device::instance().measured()[index_of(measure)];
}

TEST(MeasuresOfTensorMaps, ATileOfWhichASwizzleMovesNothingIsSwizzledForShow) {
  const ImportedBuffer buffer;
  const auto swizzled = [&](std::uint32_t rows, int place) {
    tma::TensorMap map = rows_map(buffer, rows);
    map.swizzle = Swizzle::bytes64;
    return loaded(Measure::swizzle_64, map, place);
  };
  EXPECT_EQ(swizzled(2, 0), 0u);  // the first line of four stays as it is
  EXPECT_EQ(swizzled(2, 128), 128u);
  EXPECT_EQ(swizzled(2, 512), 0u);
  EXPECT_EQ(swizzled(4, 0), 256u);
}

TEST(MeasuresOfTensorMaps, ASwizzleOnBothSidesOfATileIsNone) {
  const ImportedBuffer buffer;
  tma::TensorMap map = rows_map(buffer, 4);
  map.swizzle = Swizzle::bytes64;
  Device::instance().start_measuring();
  launch(".param .align 128 .b8 map[128]", tma::encode(map),
         std::string("mov.b64 %g, map;\ncvta.param.u64 %g, %g;\n.reg .b32 %x, %y;\n"
                     "mov.u32 %x, 0;\nmov.u32 %y, 4;\n") +
             init +
             "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], "
             "[%g, {%x, %x}], [%b];\n" +
             landed(256) +
             "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%g, {%x, %y}], [%t];\n" +
             wait_for_stores);
  EXPECT_EQ(Device::instance().measured()[index_of(Measure::swizzle_64)], 0u);
}

TEST(MeasuresOfTensorMaps, ATileOfTwoDimensionsHasNoThird) {
  const ImportedBuffer buffer;
  EXPECT_EQ(loaded(Measure::rank_2, rows_map(buffer, 4)), 256u);
  EXPECT_EQ(loaded(Measure::rank_3, rows_map(buffer, 4)), 0u);
}

TEST(MeasuresOfTensorMaps, WhatAMapWithElementStridesPicksIsPickedByIt) {
  const ImportedBuffer buffer;
  tma::TensorMap map = rows_map(buffer, 4);
  EXPECT_EQ(loaded(Measure::element_strides, map), 0u);
  map.element_stride = {1, 2};
  EXPECT_EQ(loaded(Measure::element_strides, map), 128u);
}

TEST(MeasuresOfTensorMaps, AnElementStrideThatPicksNothingIsForShow) {
  const ImportedBuffer buffer;
  tma::TensorMap map = rows_map(buffer, 4);
  map.element_stride = {2, 1};  // without interleave the engine ignores that of dimension 0
  EXPECT_EQ(loaded(Measure::element_strides, map), 0u);
  map = rows_map(buffer, 2);
  map.element_stride = {1, 2};  // the box has no second row,
  EXPECT_EQ(loaded(Measure::element_strides, map), 0u);
  map.box_size[1] = 4;
  map.global_size[1] = 2;  // or the tensor has none
  EXPECT_EQ(loaded(Measure::element_strides, map), 0u);
}

}  // namespace
}  // namespace tmaemu
