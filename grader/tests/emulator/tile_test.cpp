// The walk over a box, against a model that places one byte at a time.
#include "emulator/tma/tile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tmaemu::tma {
namespace {

constexpr std::uint64_t base = 0x7f1200000000;

TensorMap dense_map(DataType type, std::vector<std::uint64_t> sizes,
                    std::vector<std::uint32_t> box) {
  TensorMap map;
  map.type = type;
  map.rank = static_cast<int>(sizes.size());
  map.global_address = base;
  std::uint64_t stride = size_of(type);
  for (int i = 0; i < map.rank; ++i) {
    map.global_size[i] = sizes[i];
    map.box_size[i] = box[i];
    map.element_stride[i] = 1;
    stride *= sizes[i];
    if (i < map.rank - 1) map.global_stride[i] = stride;
  }
  return map;
}

std::vector<Run> runs_of(const TensorMap& map, const std::vector<std::int32_t>& coordinates,
                         std::uint32_t shared_address = 0) {
  std::vector<Run> runs;
  for_each_run(map, coordinates, shared_address, [&](const Run& run) { runs.push_back(run); });
  return runs;
}

constexpr std::uint64_t outside = ~std::uint64_t{0};
// Each byte's offset in shared memory, in order, and its global address.
using Placement = std::vector<std::pair<std::int64_t, std::uint64_t>>;

// Throws where two claim one byte of shared memory.
Placement in_order(Placement placement) {
  std::ranges::sort(placement);
  const auto is_same_byte = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (std::ranges::adjacent_find(placement, is_same_byte) != placement.end()) {
    throw std::logic_error("one byte is written twice");
  }
  return placement;
}

Placement placement_of(const std::vector<Run>& runs) {
  Placement placement;
  for (const Run& run : runs) {
    for (std::uint32_t i = 0; i < run.bytes; ++i) {
      const std::uint64_t address = run.in_bounds ? run.global_address + i : outside;
      placement.emplace_back(run.shared_offset + i, address);
    }
  }
  return in_order(std::move(placement));
}

// PTX ISA, "Swizzling modes": which 16-byte chunk of a row of eight goes where, row by row.
constexpr int table_128[8][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6},
                                 {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4},
                                 {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
                                 {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};
constexpr int rows_before_repeat[] = {1, 2, 4, 8};

std::uint32_t table_swizzle(Swizzle swizzle, std::uint32_t address) {
  const int row = (address / 128) % rows_before_repeat[static_cast<int>(swizzle)];
  return address / 128 * 128 + table_128[row][address % 128 / 16] * 16 + address % 16;
}

// One byte at a time, by the definitions.
Placement model(const TensorMap& map, const std::vector<std::int32_t>& coordinates,
                std::uint32_t shared_address) {
  std::array<std::uint32_t, max_rank> steps{};
  std::array<std::uint32_t, max_rank> extents{1, 1, 1, 1, 1};
  std::uint32_t unit = static_cast<std::uint32_t>(size_of(map.type));
  if (map.interleave == Interleave::bytes16) unit = 16;
  if (map.interleave == Interleave::bytes32) unit = 32;
  for (int i = 0; i < map.rank; ++i) {
    const bool ignored = i == 0 && map.interleave == Interleave::none;
    steps[i] = ignored ? 1 : map.element_stride[i];
    extents[i] = 0;
    if (map.interleave != Interleave::none && i == map.rank - 2) {
      extents[i] = 1;  // a box holds one slice of channels
      continue;
    }
    for (std::uint32_t at = 0; at < map.box_size[i]; at += steps[i]) ++extents[i];
  }
  Placement placement;
  std::uint32_t offset = 0;
  std::array<std::uint32_t, max_rank> at{};
  for (at[4] = 0; at[4] < extents[4]; ++at[4])
    for (at[3] = 0; at[3] < extents[3]; ++at[3])
      for (at[2] = 0; at[2] < extents[2]; ++at[2])
        for (at[1] = 0; at[1] < extents[1]; ++at[1])
          for (at[0] = 0; at[0] < extents[0]; ++at[0]) {
            bool in_bounds = true;
            std::uint64_t address = map.global_address;
            for (int i = 0; i < map.rank; ++i) {
              const std::int64_t position = std::int64_t{coordinates[i]} + at[i] * steps[i];
              in_bounds = in_bounds && position >= 0 &&
                          position < static_cast<std::int64_t>(map.global_size[i]);
              address +=
                  static_cast<std::uint64_t>(position) * (i == 0 ? unit : map.global_stride[i - 1]);
            }
            if (at[0] == 0 && map.swizzle != Swizzle::none && map.interleave == Interleave::none) {
              // Rows begin at multiples of the swizzle span.
              const std::uint32_t span = 16u << static_cast<int>(map.swizzle);
              offset = (offset + span - 1) / span * span;
            }
            for (std::uint32_t byte = 0; byte < unit; ++byte, ++offset) {
              const std::uint32_t to = table_swizzle(map.swizzle, shared_address + offset);
              placement.emplace_back(to - shared_address, in_bounds ? address + byte : outside);
            }
          }
  return in_order(std::move(placement));
}

struct RandomCase {
  TensorMap map;
  std::vector<std::int32_t> coordinates;
  std::uint32_t shared_address;
};

// Small boxes and tensors, so that edges are met often.
RandomCase random_case(std::mt19937& random) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  RandomCase drawn{};
  TensorMap& map = drawn.map;
  map.type = static_cast<DataType>(below(13));
  map.interleave = static_cast<Interleave>(below(3));
  map.rank = map.interleave == Interleave::none ? 1 + below(5) : 3 + below(3);
  map.swizzle = static_cast<Swizzle>(below(4));
  map.global_address = base;
  const std::uint32_t chunk = static_cast<std::uint32_t>(16 / size_of(map.type));
  std::uint64_t stride = 0;
  for (int i = 0; i < map.rank; ++i) {
    const bool in_chunks = i == 0;
    const std::uint32_t swizzle_chunks =
        map.swizzle == Swizzle::none || map.interleave != Interleave::none
            ? 6
            : 1u << static_cast<int>(map.swizzle);
    map.box_size[i] = in_chunks ? chunk * (1 + below(swizzle_chunks)) : 1 + below(5);
    map.global_size[i] = 1 + below(2 * map.box_size[i]);
    map.element_stride[i] = below(2) == 0 ? 1 : 1 + below(8);
    // Dense, padded or overlapping.
    stride = i == 0 ? (map.global_size[0] * map.position_bytes() + 31) / 32 * 32
                    : stride * map.global_size[i];
    if (below(3) == 0) stride = 32 * (1 + below(64));
    if (i < map.rank - 1) map.global_stride[i] = stride;
    const auto reach = static_cast<std::int32_t>(map.box_size[i] + map.global_size[i]);
    drawn.coordinates.push_back(
        below(3) == 0 ? 0 : static_cast<std::int32_t>(below(2 * reach)) - reach);
  }
  drawn.shared_address = 128 * below(16);
  return drawn;
}

// An H200 stores the last 16 bytes of a row whole: of rows of 7 u32, 32 bytes each.
TEST(AsWritten, RowEndsAtAMultipleOf16Bytes) {
  const TensorMap map = dense_map(DataType::u32, {7}, {8});
  EXPECT_EQ(map.as_written().global_size[0], 8u);
  const auto runs = runs_of(map.as_written(), {0});
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_TRUE(runs[0].in_bounds);
  EXPECT_EQ(runs[0].bytes, 32u);
}

TEST(AsWritten, RowOf16ByteMultiplesStays) {
  EXPECT_EQ(dense_map(DataType::bf16, {24}, {8}).as_written().global_size[0], 24u);
}

TEST(AsWritten, InterleavedPositionsAreWhole) {
  TensorMap map = dense_map(DataType::u8, {3, 1, 1}, {1, 1, 1});
  map.interleave = Interleave::bytes16;
  EXPECT_EQ(map.as_written().global_size[0], 3u);
}

TEST(BoxWalk, PlacesEveryByteAsTheModelDoes) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const RandomCase drawn = random_case(random);
    ASSERT_TRUE(validate(drawn.map)) << "case " << i << ": " << validate(drawn.map).error().message;
    ASSERT_EQ(placement_of(runs_of(drawn.map, drawn.coordinates, drawn.shared_address)),
              model(drawn.map, drawn.coordinates, drawn.shared_address))
        << "case " << i;
  }
}

TEST(BoxWalk, RunsAddUpToTransferBytes) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const RandomCase drawn = random_case(random);
    std::size_t bytes = 0;
    for (const auto& run : runs_of(drawn.map, drawn.coordinates, drawn.shared_address)) {
      bytes += run.bytes;
    }
    ASSERT_EQ(bytes, drawn.map.transfer_bytes()) << "case " << i;
  }
}

TEST(BoxWalk, RunsStayWithinBoxBytes) {
  std::mt19937 random(4);
  for (int i = 0; i < 2000; ++i) {
    const RandomCase drawn = random_case(random);
    for (const auto& run : runs_of(drawn.map, drawn.coordinates, drawn.shared_address)) {
      ASSERT_LE(run.shared_offset + run.bytes, drawn.map.box_bytes()) << "case " << i;
    }
  }
}

TEST(BoxWalk, RunsHoldWholeElements) {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    const RandomCase drawn = random_case(random);
    for (const auto& run : runs_of(drawn.map, drawn.coordinates, drawn.shared_address)) {
      ASSERT_EQ(run.bytes % size_of(drawn.map.type), 0u) << "case " << i;
      ASSERT_EQ(run.shared_offset % size_of(drawn.map.type), 0u) << "case " << i;
    }
  }
}

TEST(BoxWalk, BoxAsWideAsTheTensorIsOneRun) {
  const auto runs = runs_of(dense_map(DataType::f32, {32, 64, 4}, {32, 8, 1}), {0, 16, 2});
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].global_address, base + (2 * 64 + 16) * 32 * 4);
  EXPECT_EQ(runs[0].bytes, 32u * 8 * 4);
}

TEST(BoxWalk, NarrowBoxIsOneRunARow) {
  EXPECT_EQ(runs_of(dense_map(DataType::f32, {64, 64}, {32, 8}), {0, 0}).size(), 8u);
}

TEST(BoxWalk, OverhangingRowIsTwoRuns) {
  const auto runs = runs_of(dense_map(DataType::f32, {64}, {32}), {48});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_TRUE(runs[0].in_bounds);
  EXPECT_EQ(runs[0].bytes, 64u);
  EXPECT_FALSE(runs[1].in_bounds);
  EXPECT_EQ(runs[1].bytes, 64u);
}

TEST(BoxWalk, NegativeCoordinateStartsOutside) {
  const auto runs = runs_of(dense_map(DataType::f32, {64}, {32}), {-8});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_FALSE(runs[0].in_bounds);
  EXPECT_EQ(runs[0].bytes, 32u);
  EXPECT_TRUE(runs[1].in_bounds);
  EXPECT_EQ(runs[1].global_address, base);
}

TEST(BoxWalk, ExtremeCoordinatesAreOutside) {
  const TensorMap map = dense_map(DataType::f64, {4, 1ull << 32}, {2, 4});
  for (const std::int32_t coordinate : {INT32_MIN, INT32_MIN + 1}) {
    for (const auto& run : runs_of(map, {0, coordinate})) EXPECT_FALSE(run.in_bounds);
  }
  for (const auto& run : runs_of(map, {0, INT32_MAX})) EXPECT_TRUE(run.in_bounds);
}

TEST(BoxWalk, SwizzledLinesComeInTheLargestPiecesThatStayTogether) {
  TensorMap map = dense_map(DataType::u8, {128, 8}, {128, 8});
  map.swizzle = Swizzle::bytes128;
  std::vector<std::uint32_t> lengths;  // of the first run of each line
  std::uint32_t position = 0;
  for (const auto& run : runs_of(map, {0, 0})) {
    if (position % 128 == 0) lengths.push_back(run.bytes);
    position += run.bytes;
  }
  EXPECT_EQ(lengths, (std::vector<std::uint32_t>{128, 16, 32, 16, 64, 16, 32, 16}));
}

// 16-byte chunks of shared memory, by row * 10 + chunk of the box; ".." is left alone.
std::string chunks_of(Swizzle swizzle, std::uint32_t inner, std::uint32_t shared_address,
                      std::size_t count) {
  TensorMap map = dense_map(DataType::u8, {4096, 64}, {inner, 12});
  map.swizzle = swizzle;
  std::vector<std::string> chunks(count, "..");
  for (const auto& [offset, address] : placement_of(runs_of(map, {16, 1}, shared_address))) {
    const std::uint64_t from = address - base - 16;
    const auto chunk = static_cast<std::size_t>(offset) / 16;
    if (chunk < count) chunks[chunk] = std::to_string(from / 4096 * 10 + from % 4096 / 16);
  }
  std::string text;
  for (const std::string& chunk : chunks) text += (text.empty() ? "" : " ") + chunk;
  return text;
}

// As an H200 (driver 580.159.04, CUDA 13.0) laid out boxes of 12 rows, coordinates {16, 1}.
TEST(NarrowRows, StartAtMultiplesOfTheSwizzleSpan) {
  EXPECT_EQ(chunks_of(Swizzle::bytes32, 16, 0, 16),
            "10 .. 20 .. 30 .. 40 .. .. 50 .. 60 .. 70 .. 80");
  EXPECT_EQ(chunks_of(Swizzle::bytes64, 48, 0, 16),
            "10 11 12 .. 20 21 22 .. 31 30 .. 32 41 40 .. 42");
  EXPECT_EQ(chunks_of(Swizzle::bytes128, 48, 0, 16),
            "10 11 12 .. .. .. .. .. 21 20 .. 22 .. .. .. ..");
}

TEST(NarrowRows, AreSwizzledByTheAddressInSharedMemory) {
  EXPECT_EQ(chunks_of(Swizzle::bytes64, 48, 384, 16),
            ".. 12 11 10 .. 22 21 20 30 31 32 .. 40 41 42 ..");
  EXPECT_EQ(chunks_of(Swizzle::bytes128, 80, 0, 8), "10 11 12 13 14 .. .. ..");
}

TEST(Swizzle, FollowsTheTableOfThePtxManual) {
  for (int mode = 0; mode < 4; ++mode) {
    for (std::uint32_t address = 0; address < 4096; ++address) {
      ASSERT_EQ(swizzle_address(static_cast<Swizzle>(mode), address),
                table_swizzle(static_cast<Swizzle>(mode), address));
    }
  }
}

template <class Word>
Word filled(DataType type, OutOfBoundsFill fill) {
  TensorMap map = dense_map(type, {64}, {16});
  map.fill = fill;
  std::array<Word, 4> words;
  words.fill(0x55);
  fill_out_of_bounds(map, std::as_writable_bytes(std::span(words)));
  for (const Word word : words) EXPECT_EQ(word, words[0]);
  return words[0];
}

TEST(OutOfBoundsFill, ZeroIsZeroForEveryType) {
  for (int type = 0; type < 13; ++type) {
    EXPECT_EQ(filled<std::uint64_t>(static_cast<DataType>(type), OutOfBoundsFill::zero), 0u);
  }
}

TEST(OutOfBoundsFill, NanIsTheSame16BitsForEveryType) {
  constexpr auto nan = OutOfBoundsFill::nan_request_zero_fma;
  EXPECT_EQ(filled<std::uint16_t>(DataType::f16, nan), 0x7ff7);
  EXPECT_EQ(filled<std::uint16_t>(DataType::bf16, nan), 0x7ff7);
  EXPECT_EQ(filled<std::uint32_t>(DataType::f32, nan), 0x7ff77ff7u);
  EXPECT_EQ(filled<std::uint32_t>(DataType::tf32, nan), 0x7ff77ff7u);
  EXPECT_EQ(filled<std::uint64_t>(DataType::f64, nan), 0x7ff77ff77ff77ff7u);
}

std::uint32_t loaded(DataType type, std::uint32_t bits) {
  convert_loaded(type, std::as_writable_bytes(std::span(&bits, 1)));
  return bits;
}

// What an H200 (driver 580.159.04, CUDA 13.0) made of these words, the same for TFLOAT32 and
// TFLOAT32_FTZ.
struct Converted {
  std::uint32_t from, to;
};

TEST(ConvertLoaded, Tf32RoundsToNearestEven) {
  constexpr Converted recorded[] = {
      {0x3f800fff, 0x3f800000}, {0x3f801000, 0x3f800000}, {0x3f801001, 0x3f802000},
      {0x3f802fff, 0x3f802000}, {0x3f803000, 0x3f804000}, {0x3f803001, 0x3f804000},
      {0xbf801000, 0xbf800000}, {0xbf803000, 0xbf804000}, {0x7f7fe000, 0x7f7fe000},
      {0x7f7fffff, 0x7f800000}, {0xff7fffff, 0xff800000}, {0x7f800000, 0x7f800000},
  };
  for (const auto& [from, to] : recorded) {
    EXPECT_EQ(loaded(DataType::tf32, from), to) << std::hex << from;
    EXPECT_EQ(loaded(DataType::tf32_ftz, from), to) << std::hex << from;
  }
}

TEST(ConvertLoaded, Tf32RoundsSubnormalsAndFlushesNone) {
  constexpr Converted recorded[] = {
      {0x00000001, 0x00000000}, {0x80000001, 0x80000000}, {0x00001000, 0x00000000},
      {0x00001001, 0x00002000}, {0x00002000, 0x00002000}, {0x00003000, 0x00004000},
      {0x007ff000, 0x00800000}, {0x007fffff, 0x00800000}, {0x807fffff, 0x80800000},
  };
  for (const auto& [from, to] : recorded) {
    EXPECT_EQ(loaded(DataType::tf32, from), to) << std::hex << from;
    EXPECT_EQ(loaded(DataType::tf32_ftz, from), to) << std::hex << from;
  }
}

TEST(ConvertLoaded, Tf32HasOneNan) {
  for (const std::uint32_t nan : {0x7f800001u, 0x7f802000u, 0x7fa00000u, 0x7fc01234u, 0x7fffffffu,
                                  0xff800001u, 0xffffffffu}) {
    EXPECT_EQ(loaded(DataType::tf32, nan), 0x7fffe000u) << std::hex << nan;
  }
}

TEST(ConvertLoaded, OnlyTf32Converts) {
  EXPECT_TRUE(converts_on_load(DataType::tf32));
  EXPECT_TRUE(converts_on_load(DataType::tf32_ftz));
  EXPECT_FALSE(converts_on_load(DataType::f32_ftz));
  EXPECT_FALSE(converts_on_load(DataType::f32));
  EXPECT_FALSE(converts_on_load(DataType::bf16));
}

}  // namespace
}  // namespace tmaemu::tma
