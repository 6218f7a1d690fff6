// Where the elements of a matrix in shared memory lie: by hand, for every layout, and in tiles as
// the TMA engine lays them out.
#include <gtest/gtest.h>

#include <vector>

#include "emulator/tensor/shared_matrix.h"

namespace tmaemu::tensor {
namespace {

struct Fields {
  u32 start = 0, leading = 0, stride = 0, base_offset = 0;
  Swizzle swizzle = Swizzle::none;
};

u64 bits_of(const Fields& fields) {
  constexpr u64 modes[] = {0, 3, 2, 1};  // none, 32, 64, 128
  return u64{fields.start / 16} | u64{fields.leading / 16} << 16 | u64{fields.stride / 16} << 32 |
         u64{fields.base_offset} << 49 | modes[static_cast<unsigned>(fields.swizzle)] << 62;
}

SharedMatrix matrix(const Fields& fields, bool is_transposed = false) {
  return {MatrixDescriptor(bits_of(fields)), is_transposed};
}

constexpr Swizzle swizzles[] = {Swizzle::bytes32, Swizzle::bytes64, Swizzle::bytes128};

TEST(MatrixDescriptor, HasItsFieldsInUnitsOf16Bytes) {
  const MatrixDescriptor descriptor(0x4006'0040'0008'3FFFu);
  EXPECT_EQ(descriptor.start, 0x3FFF0u);
  EXPECT_EQ(descriptor.leading, 128u);
  EXPECT_EQ(descriptor.stride, 1024u);
  EXPECT_EQ(descriptor.base_offset, 3u);
  EXPECT_EQ(descriptor.swizzle, Swizzle::bytes128);
}

TEST(SharedMatrix, WithoutSwizzleHasCoreMatricesAtItsOffsets) {
  const SharedMatrix k_major = matrix({4096, 128, 256});
  EXPECT_EQ(k_major.address(0, 0), 4096u);
  EXPECT_EQ(k_major.address(3, 5), 4096u + 3 * 16 + 5);
  EXPECT_EQ(k_major.address(0, 16), 4096u + 128);
  EXPECT_EQ(k_major.address(17, 0), 4096u + 2 * 256 + 16);
  EXPECT_EQ(k_major.address(8, 50), 4096u + 256 + 3 * 128 + 2);
}

// Line and k change places, and so do the two offsets.
TEST(SharedMatrix, TransposedWithoutSwizzleStridesOverLinesAndLeadsOverK) {
  const SharedMatrix mn_major = matrix({4096, 128, 256}, true);
  EXPECT_EQ(mn_major.address(1, 0), 4096u + 2);
  EXPECT_EQ(mn_major.address(0, 2), 4096u + 16);
  EXPECT_EQ(mn_major.address(8, 0), 4096u + 256);
  EXPECT_EQ(mn_major.address(0, 16), 4096u + 128);
  EXPECT_EQ(mn_major.address(9, 18), 4096u + 256 + 2 + 128 + 16);
}

TEST(SharedMatrix, WithSwizzleReadsATileAsTmaHasWrittenIt) {
  for (const Swizzle swizzle : swizzles) {
    const u32 span = swizzle_span(swizzle);
    const SharedMatrix tile = matrix({4096, 16, 8 * span, 0, swizzle});
    for (u32 line = 0; line < 64; ++line) {
      for (u32 byte = 0; byte < 32; ++byte) {
        EXPECT_EQ(tile.address(line, byte), swizzle_address(swizzle, 4096 + line * span + byte));
      }
    }
  }
}

TEST(SharedMatrix, TransposedWithSwizzleReadsATileAsTmaHasWrittenIt) {
  for (const Swizzle swizzle : swizzles) {
    const u32 span = swizzle_span(swizzle), lines = span / 2;
    const SharedMatrix tile = matrix({4096, 2048, 8 * span, 0, swizzle}, true);
    for (u32 k = 0; k < 16; ++k) {
      for (u32 line = 0; line < 2 * lines; ++line) {
        const u32 row = 4096 + line / lines * 2048 + k * span;
        EXPECT_EQ(tile.address(line, 2 * k), swizzle_address(swizzle, row + line % lines * 2));
      }
    }
  }
}

TEST(SharedMatrix, MayBeginWithinAnAtom) {
  const SharedMatrix step = matrix({4096 + 64, 16, 1024, 0, Swizzle::bytes128});
  EXPECT_EQ(step.address(0, 0), 4096u + 64);
  EXPECT_EQ(step.address(1, 0), 4096u + 128 + (64 ^ 16));
  EXPECT_EQ(step.address(5, 16), 4096u + 5 * 128 + (80 ^ 80));
}

// As if the tile began where the pattern does.
TEST(SharedMatrix, ABaseOffsetMovesThePatternToItsStart) {
  const u32 start = 4096 + 3 * 128;
  const SharedMatrix moved = matrix({start, 16, 1024, 3, Swizzle::bytes128});
  for (u32 line = 0; line < 8; ++line) {
    EXPECT_EQ(moved.address(line, 0), start + line * 128 + line * 16);
  }
  const SharedMatrix plain = matrix({start, 128, 256, 3});
  EXPECT_EQ(plain.address(9, 16), start + 256 + 16 + 128) << "without a swizzle it does nothing";
}

TEST(SharedMatrix, PacksTheBytesAtItsAddresses) {
  std::vector<std::byte> memory(16384);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = std::byte(i * 2654435761u >> 13);
  for (const bool is_transposed : {false, true}) {
    for (unsigned mode = 0; mode < 4; ++mode) {
      const SharedMatrix some =
          matrix({1040, 528, 784, 5, static_cast<Swizzle>(mode)}, is_transposed);
      std::vector<std::byte> rows(16 * 64);
      some.pack(memory.data(), 8, 16, 64, rows.data());
      for (u32 line = 0; line < 16; ++line) {
        for (u32 byte = 0; byte < 64; ++byte) {
          EXPECT_EQ(rows[line * 64 + byte], memory[some.address(8 + line, byte)]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tmaemu::tensor
