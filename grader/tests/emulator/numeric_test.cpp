// Formats of numbers: what is written fast gives what the definition says.
#include <gtest/gtest.h>

#include <cstdint>

#include "common/half.h"
#include "emulator/numeric/bits.h"
#include "emulator/numeric/float_format.h"

namespace tmaemu {
namespace {

// The f32 in another format, by the definition.
std::uint64_t encoded(const FloatFormat& format, std::uint32_t bits) {
  return encode(format, decompose(float_format::f32, bits), Rounding::nearest_even, false);
}

// Numbers of every exponent, with fractions about each halfway case of ten digits.
template <class Check>
void for_numbers(Check check) {
  for (std::uint32_t upper = 0; upper < 1u << 18; upper += 3) {
    for (const std::uint32_t lower : {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x1fffu}) {
      check(upper << 14 | lower | (upper & 1) << 13);
    }
  }
}

TEST(Tf32, IsRoundedAsItsFormatSays) {
  for_numbers([](std::uint32_t bits) {
    ASSERT_EQ(tf32_from_f32(bits), encoded(float_format::tf32, bits)) << std::hex << bits;
  });
}

TEST(Half, IsRoundedAsItsFormatSays) {
  for_numbers([](std::uint32_t bits) {
    ASSERT_EQ(f16_from_f32(std::bit_cast<float>(bits)), encoded(float_format::f16, bits))
        << std::hex << bits;
  });
}

TEST(Bfloat16, IsRoundedAsItsFormatSays) {
  for_numbers([](std::uint32_t bits) {
    ASSERT_EQ(bf16_from_f32(std::bit_cast<float>(bits)), encoded(float_format::bf16, bits))
        << std::hex << bits;
  });
}

TEST(Bits, AreGatheredByOneInstructionAsBitByBit) {
  for (u32 mask = 0; mask < 1u << 8; ++mask) {
    for (const u32 outer : {0u, 0x80000000u, 0xffffff00u}) {
      for (u32 number = 0; number < 1u << 8; number += 3) {
        const u32 bits = number * 0x01010101u;
        ASSERT_EQ(gathered_bits(bits, mask | outer), gathered_bits_by_bit(bits, mask | outer))
            << std::hex << bits << " by " << (mask | outer);
      }
    }
  }
  static_assert(gathered_bits_by_bit(0b101100, 0b110110) == 0b1010);
}

}  // namespace
}  // namespace tmaemu
