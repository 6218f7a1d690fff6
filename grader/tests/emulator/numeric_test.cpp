// Formats of numbers: what is written fast gives what the definition says.
#include <gtest/gtest.h>

#include <cstdint>

#include "emulator/numeric/float_format.h"
#include "emulator/numeric/half.h"
#include "emulator/numeric/tf32.h"

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

}  // namespace
}  // namespace tmaemu
