// TMA reductions. The 16-bit formats are compared with exact arithmetic in double.
#include "emulator/tma/reduce.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "common/half.h"

namespace tmaemu::tma {
namespace {

using Op = ReduceOperation;

template <class T>
T reduced(Op operation, ReduceType type, T destination, T source) {
  reduce(operation, type, std::as_writable_bytes(std::span(&destination, 1)),
         std::as_bytes(std::span(&source, 1)));
  return destination;
}

TEST(Reduce, WorksOnEveryElement) {
  std::array<std::uint32_t, 5> destination{1, 2, 3, 4, 5};
  const std::array<std::uint32_t, 5> source{10, 20, 30, 40, 50};
  reduce(Op::add, ReduceType::u32, std::as_writable_bytes(std::span(destination)),
         std::as_bytes(std::span(source)));
  EXPECT_EQ(destination, (std::array<std::uint32_t, 5>{11, 22, 33, 44, 55}));
}

TEST(Reduce, IntegerAddWraps) {
  EXPECT_EQ(reduced<std::uint32_t>(Op::add, ReduceType::u32, 0xffffffff, 2), 1u);
  EXPECT_EQ(reduced<std::int32_t>(Op::add, ReduceType::s32, INT32_MAX, 1), INT32_MIN);
  EXPECT_EQ(reduced<std::uint64_t>(Op::add, ReduceType::u64, UINT64_MAX, 2), 1u);
}

TEST(Reduce, MinAndMaxKnowTheSign) {
  EXPECT_EQ(reduced<std::uint32_t>(Op::min, ReduceType::u32, 0xffffffff, 1), 1u);
  EXPECT_EQ(reduced<std::int32_t>(Op::min, ReduceType::s32, -1, 1), -1);
  EXPECT_EQ(reduced<std::uint64_t>(Op::max, ReduceType::u64, UINT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(reduced<std::int64_t>(Op::max, ReduceType::s64, -1, 1), 1);
}

TEST(Reduce, IncWrapsAtTheOperand) {
  EXPECT_EQ(reduced<std::uint32_t>(Op::inc, ReduceType::u32, 6, 7), 7u);
  EXPECT_EQ(reduced<std::uint32_t>(Op::inc, ReduceType::u32, 7, 7), 0u);
  EXPECT_EQ(reduced<std::uint32_t>(Op::inc, ReduceType::u32, 8, 7), 0u);
}

TEST(Reduce, DecWrapsToTheOperand) {
  EXPECT_EQ(reduced<std::uint32_t>(Op::dec, ReduceType::u32, 7, 7), 6u);
  EXPECT_EQ(reduced<std::uint32_t>(Op::dec, ReduceType::u32, 0, 7), 7u);
  EXPECT_EQ(reduced<std::uint32_t>(Op::dec, ReduceType::u32, 9, 7), 7u);
}

TEST(Reduce, BitwiseOperations) {
  EXPECT_EQ(reduced<std::uint32_t>(Op::bit_and, ReduceType::b32, 0xc, 0xa), 0x8u);
  EXPECT_EQ(reduced<std::uint32_t>(Op::bit_or, ReduceType::s32, 0xc, 0xa), 0xeu);
  EXPECT_EQ(reduced<std::uint64_t>(Op::bit_xor, ReduceType::b64, 0xcull << 40, 0xaull << 40),
            0x6ull << 40);
}

float add(float a, float b) {
  return reduced(Op::add, ReduceType::f32, a, b);
}

TEST(ReduceF32, AddRoundsToNearestEven) {
  EXPECT_EQ(add(1.0f, 0x1p-24f), 1.0f);
  EXPECT_EQ(add(1.0f + 0x1p-23f, 0x1p-24f), 1.0f + 0x1p-22f);
}

// Pairs and sums as an H200 (driver 580.159.04, CUDA 13.0) gave them.
TEST(ReduceF32, AddKeepsSubnormals) {
  constexpr std::uint32_t recorded[][3] = {
      {0x00000000, 0x00000001, 0x00000001}, {0x80000000, 0x80000001, 0x80000001},
      {0x00000001, 0x00000001, 0x00000002}, {0x00000001, 0x007fffff, 0x00800000},
      {0x00000001, 0x807fffff, 0x807ffffe}, {0x00000001, 0x80800000, 0x807fffff},
      {0x80000001, 0x807fffff, 0x80800000}, {0x80000001, 0x00800000, 0x007fffff},
  };
  for (const auto& [a, b, sum] : recorded) {
    EXPECT_EQ(reduced(Op::add, ReduceType::f32, a, b), sum) << std::hex << a << " + " << b;
  }
}

float add_ftz(float a, float b) {
  return reduced(Op::add, ReduceType::f32_ftz, a, b);
}

TEST(ReduceF32Ftz, AddFlushesSubnormalOperands) {
  EXPECT_EQ(add_ftz(0x1p-126f, 0x1p-127f), 0x1p-126f);
  EXPECT_EQ(add_ftz(0x1p-127f, 0x1p-126f), 0x1p-126f);
}

TEST(ReduceF32Ftz, AddFlushesSubnormalResults) {
  const float sum = add_ftz(-0x1.8p-126f, 0x1p-126f);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(sum), 0x80000000u);
}

TEST(ReduceF32, NanIsCanonical) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(std::bit_cast<std::uint32_t>(add(infinity, -infinity)), 0x7fffffffu);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(add(std::bit_cast<float>(0xffc12345u), 1.0f)),
            0x7fffffffu);
}

TEST(ReduceF64, AddKeepsSubnormals) {
  EXPECT_EQ(reduced(Op::add, ReduceType::f64, 0x1p-1074, 0x1p-1074), 0x1p-1073);
}

TEST(ReduceF64, AddRoundsToNearestEven) {
  EXPECT_EQ(reduced(Op::add, ReduceType::f64, 1.0, 0x1p-53), 1.0);
}

std::uint64_t add_bits(std::uint64_t a, std::uint64_t b) {
  return reduced(Op::add, ReduceType::f64, a, b);
}

TEST(ReduceF64, NanComesOutAsItIs) {
  EXPECT_EQ(add_bits(0x3ff0000000000000, 0x7ff0000000000001), 0x7ff0000000000001u);
  EXPECT_EQ(add_bits(0xfff4000000000abc, 0x3ff0000000000000), 0xfff4000000000abcu);
}

TEST(ReduceF64, NanOfTheOperandGoesBeforeThatOfTheMemory) {
  EXPECT_EQ(add_bits(0x7ff8000000012345, 0x7ff0000000000001), 0x7ff0000000000001u);
}

TEST(ReduceF64, InfinityMinusInfinityIsTheDefaultNan) {
  EXPECT_EQ(add_bits(0x7ff0000000000000, 0xfff0000000000000), 0xfff8000000000000u);
}

// A 16-bit format, decoded by its definition.
struct Format {
  int exponent_bits, fraction_bits;
  ReduceType type;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }

  double value(std::uint16_t bits) const {
    const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    const double fraction = bits & ((1 << fraction_bits) - 1);
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1) {
      return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
    }
    const double significand = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
    return sign * std::ldexp(significand, std::max(exponent, 1) - bias() - fraction_bits);
  }

  // Nearest even of an exact value: scaled so that the last place is 1, rounded by the host.
  std::uint16_t nearest(double exact) const {
    if (std::isnan(exact)) return 0x7fff;
    const std::uint16_t sign = std::signbit(exact) ? 0x8000 : 0;
    const double magnitude = std::fabs(exact);
    const std::uint16_t infinity = ((1 << exponent_bits) - 1) << fraction_bits;
    if (std::isinf(magnitude)) return sign | infinity;
    const int exponent = magnitude == 0 ? 1 - bias() : std::max(std::ilogb(magnitude), 1 - bias());
    const double places = std::nearbyint(std::ldexp(magnitude, fraction_bits - exponent));
    const double rounded = std::ldexp(places, exponent - fraction_bits);
    for (std::uint32_t low = 0, high = infinity;
         ;) {  // the pattern of a number that is in the format
      const auto middle = static_cast<std::uint16_t>((low + high) / 2);
      if (low == high || value(middle) == rounded) return sign | middle;
      if (value(middle) < rounded)
        low = middle + 1;
      else
        high = middle;
    }
  }
};

constexpr Format formats[] = {{5, 10, ReduceType::f16}, {8, 7, ReduceType::bf16}};

TEST(Half, EveryF16WidensExactly) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double expected = formats[0].value(bits);
    const float widened = f32_from_f16(bits);
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(widened)) << bits;
    else
      ASSERT_EQ(std::bit_cast<std::uint32_t>(widened),
                std::bit_cast<std::uint32_t>(static_cast<float>(expected)))
          << bits;
  }
}

// Every number of the format and the three values around the midpoint above it.
TEST(Half, NarrowingRoundsToNearestEvenAtEveryMidpoint) {
  for (const Format& format : formats) {
    const bool is_f16 = format.type == ReduceType::f16;
    const std::uint16_t infinity = format.nearest(std::numeric_limits<double>::infinity());
    for (std::uint16_t bits = 0; bits < infinity - 1; ++bits) {
      const auto midpoint = static_cast<float>((format.value(bits) + format.value(bits + 1)) / 2);
      for (const float number :
           {static_cast<float>(format.value(bits)), std::nextafterf(midpoint, 0.0f), midpoint,
            std::nextafterf(midpoint, 1e38f)}) {
        const std::uint16_t narrowed = is_f16 ? f16_from_f32(number) : bf16_from_f32(number);
        ASSERT_EQ(narrowed, format.nearest(number)) << bits;
      }
    }
  }
}

TEST(Half, F16OverflowsToInfinityFromTheMidpointOn) {
  EXPECT_EQ(f16_from_f32(65519.996f), 0x7bff);
  EXPECT_EQ(f16_from_f32(65520.0f), 0x7c00);
  EXPECT_EQ(f16_from_f32(-1e10f), 0xfc00);
}

TEST(ReduceHalf, AddIsExactThenRounded) {
  std::mt19937 random(1);
  for (const Format& format : formats) {
    for (int i = 0; i < 200000; ++i) {
      const auto a = static_cast<std::uint16_t>(random());
      // Half of the pairs have near exponents and differing signs, where cancellation happens.
      const auto b = static_cast<std::uint16_t>(i % 2 ? random() : a ^ 0x8000 ^ (random() & 0xfff));
      ASSERT_EQ(reduced(Op::add, format.type, a, b),
                format.nearest(format.value(a) + format.value(b)))
          << std::hex << a << " + " << b;
    }
  }
}

TEST(ReduceHalf, MinAndMaxOrderAllNumbers) {
  std::mt19937 random(2);
  for (const Format& format : formats) {
    for (int i = 0; i < 50000; ++i) {
      const auto a = static_cast<std::uint16_t>(random());
      const auto b = static_cast<std::uint16_t>(random());
      if (std::isnan(format.value(a)) || std::isnan(format.value(b))) continue;
      const bool a_less =
          format.value(a) < format.value(b) || (format.value(a) == format.value(b) && (a & 0x8000));
      ASSERT_EQ(reduced(Op::min, format.type, a, b), a_less ? a : b);
      ASSERT_EQ(reduced(Op::max, format.type, a, b), a_less ? b : a);
    }
  }
}

TEST(ReduceHalf, NegativeZeroIsLessThanZero) {
  EXPECT_EQ(reduced<std::uint16_t>(Op::min, ReduceType::f16, 0x0000, 0x8000), 0x8000);
  EXPECT_EQ(reduced<std::uint16_t>(Op::max, ReduceType::bf16, 0x8000, 0x0000), 0x0000);
}

TEST(ReduceHalf, MinAndMaxPreferNumbersToNan) {
  EXPECT_EQ(reduced<std::uint16_t>(Op::min, ReduceType::f16, 0x7e00, 0x3c00), 0x3c00);
  EXPECT_EQ(reduced<std::uint16_t>(Op::max, ReduceType::bf16, 0x3f80, 0x7fc0), 0x3f80);
  EXPECT_EQ(reduced<std::uint16_t>(Op::max, ReduceType::f16, 0x7e00, 0xfe00), 0x7fff);
}

// PTX ISA, "cp.reduce.async.bulk": the table of operations and types.
TEST(ReduceSupport, OfGlobalMemory) {
  EXPECT_TRUE(is_supported(Op::add, ReduceType::f64));
  EXPECT_TRUE(is_supported(Op::max, ReduceType::s64));
  EXPECT_TRUE(is_supported(Op::bit_xor, ReduceType::b64));
  EXPECT_FALSE(is_supported(Op::add, ReduceType::s64));
  EXPECT_FALSE(is_supported(Op::min, ReduceType::f32));
  EXPECT_FALSE(is_supported(Op::inc, ReduceType::s32));
  EXPECT_FALSE(is_supported(Op::bit_or, ReduceType::f32));
  EXPECT_FALSE(is_supported(Op::add, ReduceType::b32));
}

TEST(ReduceSupport, OfSharedMemoryIsNarrower) {
  EXPECT_TRUE(is_supported(Op::add, ReduceType::u64, ReduceTarget::shared_cluster));
  EXPECT_FALSE(is_supported(Op::min, ReduceType::u64, ReduceTarget::shared_cluster));
  EXPECT_FALSE(is_supported(Op::bit_and, ReduceType::b64, ReduceTarget::shared_cluster));
  EXPECT_FALSE(is_supported(Op::add, ReduceType::f32, ReduceTarget::shared_cluster));
}

TEST(ReduceSupport, TensorReductionTakesItsTypeFromTheMap) {
  const auto type = reduce_type_of(Op::add, DataType::bf16);
  ASSERT_TRUE(type);
  EXPECT_EQ(*type, ReduceType::bf16);
}

// What an H200 executes, by CUtensorMapDataType: bits for add, min, max, inc, dec, and, or, xor
// from the lowest. All else is an illegal instruction there.
TEST(ReduceSupport, TensorReductionsOfEveryType) {
  constexpr std::uint32_t add = 1, min_max = 6, inc_dec = 0x18, bitwise = 0xe0;
  constexpr std::uint32_t recorded[] = {
      0,
      0,
      add | min_max | inc_dec | bitwise,
      add | min_max | bitwise,
      add | min_max | bitwise,
      min_max,
      add | min_max,
      add,
      add,
      add | min_max,
      add,
      add,
      add,
  };
  for (int type = 0; type < 13; ++type) {
    std::uint32_t supported = 0;
    for (int operation = 0; operation < 8; ++operation) {
      const auto found = reduce_type_of(static_cast<Op>(operation), static_cast<DataType>(type));
      supported |= static_cast<std::uint32_t>(found.ok()) << operation;
    }
    EXPECT_EQ(supported, recorded[type]) << name_of(static_cast<DataType>(type));
  }
}

TEST(ReduceSupport, Tf32MapsAddAsF32) {
  const auto plain = reduce_type_of(Op::add, DataType::tf32);
  const auto ftz = reduce_type_of(Op::add, DataType::tf32_ftz);
  ASSERT_TRUE(plain && ftz);
  EXPECT_EQ(*plain, ReduceType::f32);
  EXPECT_EQ(*ftz, ReduceType::f32_ftz);
}

TEST(ReduceSupport, TensorReductionNamesWhatTheTypeCannotDo) {
  const auto type = reduce_type_of(Op::min, DataType::f32);
  ASSERT_FALSE(type);
  EXPECT_EQ(type.error().message,
            "a tensor reduction cannot apply .min to a tensor map of data type FLOAT32");
}

TEST(Reduce, RefusesWhatTheHardwareLacks) {
  EXPECT_THROW(reduced(Op::min, ReduceType::f32, 1.0f, 2.0f), std::logic_error);
}

}  // namespace
}  // namespace tmaemu::tma
