// Tensor maps: the rules of cuTensorMapEncodeTiled, one test a rule, and the opaque form. What is
// accepted was recorded on an H200, driver 580.159.04, CUDA 13.0.
#include "emulator/tma/tensor_map.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace tmaemu::tma {
namespace {

// A map that breaks no rule: a dense 64 x 64 x 64 tensor of f16, boxes of 64 x 8 x 2.
TensorMap valid_map() {
  TensorMap map;
  map.type = DataType::f16;
  map.rank = 3;
  map.global_address = 0x7f0000000000;
  map.global_size = {64, 64, 64, 0, 0};
  map.global_stride = {128, 8192, 0, 0};
  map.box_size = {64, 8, 2, 0, 0};
  map.element_stride = {1, 1, 1, 0, 0};
  return map;
}

std::string answer_to(const std::function<void(TensorMap&)>& change) {
  TensorMap map = valid_map();
  change(map);
  const common::Status status = validate(map);
  return status ? "accepted" : status.error().message;
}

TEST(TensorMapRules, AcceptsAValidMap) {
  EXPECT_EQ(answer_to([](TensorMap&) {}), "accepted");
}

TEST(TensorMapRules, AcceptsEveryDataType) {
  for (int type = 0; type <= static_cast<int>(DataType::tf32_ftz); ++type) {
    EXPECT_EQ(answer_to([&](TensorMap& map) { map.type = static_cast<DataType>(type); }),
              "accepted")
        << type;
  }
}

TEST(TensorMapRules, RefusesPackedTypesThatHopperLacks) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.type = static_cast<DataType>(13); }),
            "tensorDataType 13 is a packed sub-byte type, which devices of compute capability 9.0 "
            "lack");
}

TEST(TensorMapRules, RefusesUnknownDataType) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.type = static_cast<DataType>(16); }),
            "tensorDataType 16 is not a CUtensorMapDataType");
}

TEST(TensorMapRules, RefusesRankZero) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.rank = 0; }), "tensorRank = 0 is not in 1..5");
}

TEST(TensorMapRules, RefusesRankSix) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.rank = 6; }), "tensorRank = 6 is not in 1..5");
}

TEST(TensorMapRules, RefusesInterleaveBelowThreeDimensions) {
  EXPECT_EQ(answer_to([](TensorMap& map) {
              map.rank = 2;
              map.interleave = Interleave::bytes16;
            }),
            "tensorRank = 2, but an interleaved layout needs 3 to 5 dimensions");
}

TEST(TensorMapRules, AcceptsThreeDimensionsWithInterleave) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.interleave = Interleave::bytes16; }), "accepted");
}

TEST(TensorMapRules, RefusesAddressThatIsNotAMultipleOf16) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_address += 8; }),
            "globalAddress = 0x7f0000000008 is not a multiple of 16");
}

TEST(TensorMapRules, AcceptsAnyAddressBelow2To57) {
  for (const std::uint64_t address : {0ull, 0x10ull, 1ull << 47, 1ull << 56}) {
    EXPECT_EQ(answer_to([&](TensorMap& map) { map.global_address = address; }), "accepted")
        << address;
  }
}

TEST(TensorMapRules, RefusesAddressOf2To57) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_address = 1ull << 57; }),
            "globalAddress = 0x200000000000000 is not below 2^57");
}

TensorMap interleaved_32() {
  TensorMap map = valid_map();
  map.interleave = Interleave::bytes32;
  map.swizzle = Swizzle::bytes32;
  return map;
}

TEST(TensorMapRules, RefusesAddressThatIsNotAMultipleOf32WithInterleave32) {
  EXPECT_EQ(answer_to([](TensorMap& map) {
              map = interleaved_32();
              map.global_address += 16;
            }),
            "globalAddress = 0x7f0000000010 is not a multiple of 32, as INTERLEAVE_32B needs");
}

TEST(TensorMapRules, RefusesEmptyDimension) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_size[1] = 0; }),
            "globalDim[1] is 0: a tensor has at least one element");
}

TEST(TensorMapRules, AcceptsDimensionOf2To32) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_size[2] = 1ull << 32; }), "accepted");
}

TEST(TensorMapRules, RefusesDimensionAbove2To32) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_size[2] = (1ull << 32) + 1; }),
            "globalDim[2] = 4294967297 is more than 2^32");
}

TEST(TensorMapRules, RefusesStrideThatIsNotAMultipleOf16) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_stride[0] = 12; }),
            "globalStrides[0] = 12 bytes is not a multiple of 16");
}

TEST(TensorMapRules, RefusesStrideThatIsNotAMultipleOf32WithInterleave32) {
  EXPECT_EQ(answer_to([](TensorMap& map) {
              map = interleaved_32();
              map.global_stride[1] = 48;
            }),
            "globalStrides[1] = 48 bytes is not a multiple of 32, as INTERLEAVE_32B needs");
}

TEST(TensorMapRules, RefusesStrideOf2To40) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_stride[1] = 1ull << 40; }),
            "globalStrides[1] = 1099511627776 bytes is not less than 2^40");
}

TEST(TensorMapRules, AcceptsLargestStride) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_stride[1] = (1ull << 40) - 16; }),
            "accepted");
}

TEST(TensorMapRules, AcceptsOverlappingRows) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_stride[0] = 16; }), "accepted");
}

TEST(TensorMapRules, IgnoresStridesPastTheRank) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.global_stride[2] = 3; }), "accepted");
}

TEST(TensorMapRules, RefusesEmptyBox) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.box_size[1] = 0; }),
            "boxDim[1] = 0 is not in 1..256");
}

TEST(TensorMapRules, RefusesBoxAbove256) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.box_size[1] = 257; }),
            "boxDim[1] = 257 is not in 1..256");
}

TEST(TensorMapRules, AcceptsBoxLargerThanTheTensor) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.box_size[0] = 256; }), "accepted");
}

TEST(TensorMapRules, RefusesInnerBoxThatIsNotAMultipleOf16Bytes) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.box_size[0] = 12; }),
            "boxDim[0] * element size = 12 * 2 = 24 bytes is not a multiple of 16");
}

TEST(TensorMapRules, InnerBoxIsAMultipleOf16BytesWithInterleaveToo) {
  EXPECT_EQ(answer_to([](TensorMap& map) {
              map.interleave = Interleave::bytes16;
              map.box_size[0] = 4;
            }),
            "boxDim[0] * element size = 4 * 2 = 8 bytes is not a multiple of 16");
}

struct BoxAnswer {
  DataType type;
  int rank;
  std::uint32_t element_stride;  // of every dimension
  std::uint32_t box;             // of every dimension
  bool accepted;
};

TEST(TensorMapRules, BoxTakesAtMostTheSharedMemoryOfAnSm) {
  constexpr BoxAnswer recorded[] = {
      {DataType::u8, 2, 1, 256, true},   {DataType::u8, 3, 1, 256, false},
      {DataType::u8, 3, 8, 256, true},   {DataType::u8, 4, 1, 256, false},
      {DataType::u8, 4, 8, 256, false},  {DataType::u8, 5, 8, 256, false},
      {DataType::f64, 1, 1, 256, true},  {DataType::f64, 2, 1, 256, false},
      {DataType::f64, 2, 8, 256, true},  {DataType::f64, 3, 8, 256, false},
      {DataType::f64, 4, 8, 256, false}, {DataType::f64, 5, 8, 256, false},
  };
  for (const BoxAnswer& answer : recorded) {
    TensorMap map;
    map.type = answer.type;
    map.rank = answer.rank;
    map.global_size.fill(256);
    map.global_stride = {2048, 1 << 19, 1 << 27, 1ull << 35};
    map.box_size.fill(answer.box);
    map.element_stride.fill(answer.element_stride);
    EXPECT_EQ(validate(map).ok(), answer.accepted)
        << name_of(answer.type) << " rank " << answer.rank << " stride " << answer.element_stride;
  }
}

TEST(TensorMapRules, SaysHowLargeTheBoxIs) {
  EXPECT_EQ(answer_to([](TensorMap& map) {
              map.box_size = {64, 256, 8, 0, 0};
            }),
            "the box takes 262144 bytes of shared memory (element size times boxDim / "
            "elementStrides of every dimension), more than the 233472 of an SM");
}

// 3 / 4 is 0, so the driver takes a box of any size for an empty one.
TEST(TensorMapRules, BoxBytesRoundElementStridesDown) {
  EXPECT_EQ(answer_to([](TensorMap& map) {
              map.box_size = {256, 256, 3, 0, 0};
              map.element_stride[2] = 4;
            }),
            "accepted");
}

TEST(TensorMapRules, RefusesElementStrideZero) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.element_stride[1] = 0; }),
            "elementStrides[1] = 0 is not in 1..8");
}

TEST(TensorMapRules, RefusesElementStrideNine) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.element_stride[2] = 9; }),
            "elementStrides[2] = 9 is not in 1..8");
}

TEST(TensorMapRules, InnerBoxMayNotExceedTheSwizzleSpan) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.swizzle = Swizzle::bytes64; }),
            "boxDim[0] * element size = 64 * 2 = 128 bytes is more than the 64 bytes of "
            "SWIZZLE_64B");
}

TEST(TensorMapRules, InnerBoxMayFillTheSwizzleSpan) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.swizzle = Swizzle::bytes128; }), "accepted");
}

TEST(TensorMapRules, InnerBoxIsFreeOfTheSwizzleSpanWithInterleave) {
  EXPECT_EQ(answer_to([](TensorMap& map) {
              map.interleave = Interleave::bytes16;
              map.swizzle = Swizzle::bytes64;
            }),
            "accepted");
}

// The documentation allows SWIZZLE_32B alone.
TEST(TensorMapRules, Interleave32AcceptsEverySwizzle) {
  for (int swizzle = 0; swizzle < 4; ++swizzle) {
    EXPECT_EQ(answer_to([&](TensorMap& map) {
                map = interleaved_32();
                map.swizzle = static_cast<Swizzle>(swizzle);
              }),
              "accepted")
        << swizzle;
  }
}

TEST(TensorMapRules, RefusesSwizzleAtomsThatHopperLacks) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.swizzle = static_cast<Swizzle>(4); }),
            "swizzle 4 (128B with another atom than 16 bytes) needs compute capability 10.0");
}

TEST(TensorMapRules, RefusesUnknownInterleave) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.interleave = static_cast<Interleave>(3); }),
            "interleave 3 is not a CUtensorMapInterleave");
}

TEST(TensorMapRules, RefusesUnknownL2Promotion) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.l2_promotion = 4; }),
            "l2Promotion 4 is not a CUtensorMapL2promotion");
}

TEST(TensorMapRules, RefusesUnknownFill) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.fill = static_cast<OutOfBoundsFill>(2); }),
            "oobFill 2 is not a CUtensorMapFloatOOBfill");
}

TEST(TensorMapRules, NanFillNeedsAFloatingType) {
  EXPECT_EQ(answer_to([](TensorMap& map) {
              map.type = DataType::u16;
              map.fill = OutOfBoundsFill::nan_request_zero_fma;
            }),
            "oobFill asks for NaN, but tensorDataType UINT16 is not a floating-point type");
}

TEST(TensorMapRules, AcceptsNanFillOfFloatingType) {
  EXPECT_EQ(answer_to([](TensorMap& map) { map.fill = OutOfBoundsFill::nan_request_zero_fma; }),
            "accepted");
}

TEST(TensorMap, BoxBytesCountEveryDimension) {
  EXPECT_EQ(valid_map().box_bytes(), 64u * 8 * 2 * 2);
}

TEST(TensorMap, BoxBytesRoundUpElementStrides) {
  TensorMap map = valid_map();
  map.element_stride = {1, 3, 2, 0, 0};
  EXPECT_EQ(map.box_bytes(), 64u * 3 * 1 * 2);
}

TEST(TensorMap, ElementStrideOfInnerDimensionIsIgnoredWithoutInterleave) {
  TensorMap map = valid_map();
  map.element_stride[0] = 4;
  EXPECT_EQ(map.box_bytes(), valid_map().box_bytes());
}

TEST(TensorMap, RowsNarrowerThanTheSwizzleSpanArePadded) {
  TensorMap map = valid_map();
  map.box_size[0] = 24;
  map.swizzle = Swizzle::bytes64;
  EXPECT_EQ(map.row_padding(), 16u);
  EXPECT_EQ(map.box_bytes(), 64u * 8 * 2);
  EXPECT_EQ(map.transfer_bytes(), 48u * 8 * 2);
}

TEST(TensorMap, RowsOfTheSwizzleSpanAreNotPadded) {
  TensorMap map = valid_map();
  map.swizzle = Swizzle::bytes128;
  EXPECT_EQ(map.row_padding(), 0u);
  EXPECT_EQ(map.transfer_bytes(), map.box_bytes());
}

TEST(TensorMap, InterleavedPositionIsASliceOfChannels) {
  TensorMap map = valid_map();
  map.interleave = Interleave::bytes16;
  map.box_size[1] = 1;
  map.element_stride[0] = 2;
  EXPECT_EQ(map.box_bytes(), 32u * 1 * 2 * 16);
}

TEST(TensorMap, InterleavedBoxHasOneSlice) {
  for (int rank = 3; rank <= 5; ++rank) {
    for (int dimension = 1; dimension < rank; ++dimension) {
      TensorMap map = valid_map();
      map.interleave = Interleave::bytes32;
      map.rank = rank;
      map.box_size = {16, 1, 1, 1, 1};
      map.box_size[dimension] = 17;
      map.element_stride.fill(1);
      const std::size_t boxes = dimension == rank - 2 ? 1 : 17;
      EXPECT_EQ(map.transfer_bytes(), 16u * 32 * boxes) << rank << " " << dimension;
    }
  }
}

TEST(OpaqueTensorMap, DecodesToWhatWasEncoded) {
  TensorMap map = interleaved_32();
  map.rank = 5;
  map.type = DataType::tf32_ftz;
  map.global_size = {1, 1ull << 32, 3, 4, 5};
  map.global_stride = {32, (1ull << 40) - 32, 64, 96};
  map.box_size = {256, 1, 2, 3, 4};
  map.element_stride = {8, 7, 6, 5, 4};
  map.l2_promotion = 3;
  map.fill = OutOfBoundsFill::nan_request_zero_fma;
  const auto decoded = decode(encode(map));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, map);
}

TEST(OpaqueTensorMap, RefusesZeros) {
  const std::array<std::byte, opaque_bytes> zeros{};
  const auto decoded = decode(zeros);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().message,
            "these 128 bytes are not a tensor map: cuTensorMapEncodeTiled did not write them");
}

TEST(OpaqueTensorMap, RefusesAnyFlippedBit) {
  auto opaque = encode(valid_map());
  for (std::size_t bit = 0; bit < 8 * opaque.size(); ++bit) {
    const auto mask = static_cast<std::byte>(1 << bit % 8);
    opaque[bit / 8] ^= mask;
    EXPECT_FALSE(decode(opaque)) << "bit " << bit;
    opaque[bit / 8] ^= mask;
  }
}

TEST(OpaqueTensorMap, SaysThatAChangedMapWasOverwritten) {
  auto opaque = encode(valid_map());
  opaque[40] ^= std::byte{1};
  const auto decoded = decode(opaque);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().message,
            "this tensor map was overwritten after cuTensorMapEncodeTiled wrote it: its bytes may "
            "only be copied whole");
}

}  // namespace
}  // namespace tmaemu::tma
