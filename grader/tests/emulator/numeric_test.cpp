// Formats of numbers: what is written fast gives what the definition says.
#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>

#include "common/half.h"
#include "emulator/numeric/bits.h"
#include "emulator/numeric/float_format.h"
#include "emulator/numeric/vectors.h"

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

using EightFloats = VectorOf<f32, 8>::Type;
using EightInts = VectorOf<s32, 8>::Type;

// Each lane is its own number: one of them is looked at.
f32 in_a_lane(f32 value, EightFloats (*function)(EightFloats)) {
  const EightFloats all{1.5f, -0.0f, 0x1p-24f, 65504.0f, value, 1e30f, -1.0f, 3.0f};
  return function(all)[4];
}

// Products run so.
class RoundingTowardZero {
 public:
  RoundingTowardZero() { std::fesetround(FE_TOWARDZERO); }
  ~RoundingTowardZero() { std::fesetround(FE_TONEAREST); }
};

// The f16 next to the f32, as an f32; all NaNs are one here.
f32 next_half(std::uint32_t bits) {
  return f32_from_f16(static_cast<std::uint16_t>(encoded(float_format::f16, bits)));
}

void expect_next_half(EightFloats (*function)(EightFloats)) {
  for_numbers([&](std::uint32_t bits) {
    const f32 expected = next_half(bits);
    f32 rounded = 0;
    {
      const RoundingTowardZero mode;
      rounded = in_a_lane(std::bit_cast<f32>(bits), function);
    }
    if (expected != expected) {
      ASSERT_NE(rounded, rounded) << std::hex << bits;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(rounded), std::bit_cast<std::uint32_t>(expected))
          << std::hex << bits;
    }
  });
}

TEST(Vectors, RoundToHalfToNearestWhileTheHostRoundsTowardZero) {
  expect_next_half(&rounded_to_half<8>);
}

TEST(Vectors, RoundToHalfByBitsAlikeOnEveryProcessor) {
  expect_next_half(&rounded_to_half_by_bits<8>);
}

TEST(Vectors, SayWhetherAnyLaneHasABit) {
  EXPECT_FALSE(any_lane<8>(EightInts{}));
  for (unsigned lane = 0; lane < 8; ++lane) {
    for (const s32 bit : {1, 0x100, s32{-1} << 31}) {
      EightInts mask{};
      mask[lane] = bit;
      EXPECT_TRUE(any_lane<8>(mask)) << lane;
    }
  }
}

}  // namespace
}  // namespace tmaemu
