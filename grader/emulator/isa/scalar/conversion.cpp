// PTX ISA, "cvt" and "cvt.pack". The conversions that compilers write have a lane loop; the others
// are done by their definition (convert.cpp), which is also what these loops are tested against.
#include "emulator/isa/scalar/conversion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "emulator/isa/scalar/floating.h"

namespace tmaemu {
namespace {

// The bounds of an integer type as numbers of a floating-point type: the largest that is within it,
// and the first beyond.
template <class To, class From>
constexpr From first_beyond = [] {
  constexpr int digits = std::numeric_limits<To>::digits;
  return static_cast<From>(u64{1} << (digits - 1)) * 2;
}();

// An integral number as an integer, clamped; NaN is `of_nan`. The cast sees only what fits.
template <class To, class From>
To clamped_to(From a, To of_nan) {
  constexpr From beyond = first_beyond<To, From>;
  constexpr From smallest = std::is_signed_v<To> ? -beyond : From{0};
  const bool fits = (smallest <= a) & (a < beyond);
  const To inside = static_cast<To>(fits ? a : From{0});
  const To outside = a < From{0} ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
  const To clamped = fits ? inside : outside;
  return a == a ? clamped : of_nan;
}

template <class To, class From>
constexpr To integer_of_nan = sizeof(To) == 8 || sizeof(From) == 8
                                  ? static_cast<To>(u64{1} << (8 * sizeof(To) - 1))
                                  : To{0};

// The integral number that a rounding mode gives.
struct ToNearest {
  template <class T>
  static T of(T a) {
    return std::nearbyint(a);
  }
};
struct TowardZero {
  template <class T>
  static T of(T a) {
    return std::trunc(a);
  }
};
struct Down {
  template <class T>
  static T of(T a) {
    return std::floor(a);
  }
};
struct Up {
  template <class T>
  static T of(T a) {
    return std::ceil(a);
  }
};

void decode_conversion(Decoder& decoder, Instruction& instruction, Operation& op,
                       const Definition& definition);

// A lane loop for registers of just the types' sizes.
template <auto function>
constexpr Definition conversion(std::string_view names) {
  Definition definition = lanewise<function>(names, Computation::conversion);
  definition.decode = decode_conversion;
  return definition;
}

template <auto function>
constexpr Definition packed_conversion(std::string_view names) {
  Definition definition = lanewise<function>(names);
  definition.decode = decode_floating_in_order;
  return definition;
}

template <class To, class From, class Round, bool ftz = false>
constexpr Definition to_integer(std::string_view names) {
  return conversion<[](From a) -> To {
    return clamped_to<To>(Round::of(ftz ? flushed(a) : a), integer_of_nan<To, From>);
  }>(names);
}

template <class Round>
constexpr Definition to_integral_single(std::string_view names) {
  return conversion<[](f32 a) -> f32 { return canonical(Round::of(a)); }>(names);
}
template <class Round>
constexpr Definition to_integral_double(std::string_view names) {
  return conversion<[](f64 a) -> f64 { return propagated(Round::of(a), a); }>(names);
}

// Where a register is wider than its type, the loop does not fit.
void decode_conversion(Decoder& decoder, Instruction& instruction, Operation& op,
                       const Definition& definition) {
  const auto fits = [&](std::size_t i) {
    const ptx::Operand& operand = instruction.operand(i);
    return !decoder.is_register(operand) || decoder.register_bytes(operand) == definition.bytes[i];
  };
  instruction.expect_operands(2);
  if (fits(0) && fits(1)) return decode_floating_in_order(decoder, instruction, op, definition);
  instruction.match("cvt");
  decode_general_conversion(decoder, instruction, op);
}

// cvt, packed where a type is.
void decode_cvt(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const auto modifiers = instruction.untaken();
  const bool is_packed =
      std::ranges::any_of(modifiers, [](std::string_view name) { return name.ends_with("x2"); });
  if (is_packed) return decode_packed_conversion(decoder, instruction, op);
  decoder.effects().computation = Computation::conversion;
  decode_general_conversion(decoder, instruction, op);
}

constexpr Definition table[] = {
    {"cvt", decode_cvt},
    {"cvt.pack", decode_integer_pack},

    // Integers: a narrower one is cut off, a wider one extended as its source is signed.
    conversion<[](u64 a) -> u32 { return static_cast<u32>(a); }>(
        "cvt.u32.u64 cvt.u32.s64 cvt.s32.u64 cvt.s32.s64"),
    conversion<[](u64 a) -> u16 { return static_cast<u16>(a); }>(
        "cvt.u16.u64 cvt.u16.s64 cvt.s16.u64 cvt.s16.s64"),
    conversion<[](u32 a) -> u16 { return static_cast<u16>(a); }>(
        "cvt.u16.u32 cvt.u16.s32 cvt.s16.u32 cvt.s16.s32"),
    conversion<[](u32 a) -> u64 { return a; }>("cvt.u64.u32 cvt.s64.u32"),
    conversion<[](s32 a) -> s64 { return a; }>("cvt.u64.s32 cvt.s64.s32"),
    conversion<[](u16 a) -> u32 { return a; }>("cvt.u32.u16 cvt.s32.u16"),
    conversion<[](s16 a) -> s32 { return a; }>("cvt.u32.s16 cvt.s32.s16"),
    conversion<[](u16 a) -> u64 { return a; }>("cvt.u64.u16 cvt.s64.u16"),
    conversion<[](s16 a) -> s64 { return a; }>("cvt.u64.s16 cvt.s64.s16"),
    conversion<[](u16 a) -> u32 { return a & 0xffu; }>("cvt.u32.u8 cvt.s32.u8"),
    conversion<[](u16 a) -> s32 { return static_cast<s8>(a); }>("cvt.u32.s8 cvt.s32.s8"),
    conversion<[](u16 a) -> u16 { return a & 0xffu; }>("cvt.u16.u8 cvt.s16.u8"),
    conversion<[](u16 a) -> s16 { return static_cast<s8>(a); }>("cvt.u16.s8 cvt.s16.s8"),

    // Integers to floating point.
    conversion<[](s32 a) -> f32 { return static_cast<f32>(a); }>("cvt.rn.f32.s32"),
    conversion<[](u32 a) -> f32 { return static_cast<f32>(a); }>("cvt.rn.f32.u32"),
    conversion<[](s64 a) -> f32 { return static_cast<f32>(a); }>("cvt.rn.f32.s64"),
    conversion<[](u64 a) -> f32 { return static_cast<f32>(a); }>("cvt.rn.f32.u64"),
    conversion<[](s32 a) -> f64 { return a; }>("cvt.rn.f64.s32"),
    conversion<[](u32 a) -> f64 { return a; }>("cvt.rn.f64.u32"),
    conversion<[](s64 a) -> f64 { return static_cast<f64>(a); }>("cvt.rn.f64.s64"),
    conversion<[](u64 a) -> f64 { return static_cast<f64>(a); }>("cvt.rn.f64.u64"),

    // Floating point to integers.
    to_integer<s32, f32, ToNearest>("cvt.rni.s32.f32"),
    to_integer<s32, f32, TowardZero>("cvt.rzi.s32.f32"),
    to_integer<s32, f32, Down>("cvt.rmi.s32.f32"),
    to_integer<s32, f32, Up>("cvt.rpi.s32.f32"),
    to_integer<s32, f32, ToNearest, true>("cvt.rni.ftz.s32.f32"),
    to_integer<s32, f32, TowardZero, true>("cvt.rzi.ftz.s32.f32"),
    to_integer<u32, f32, ToNearest>("cvt.rni.u32.f32"),
    to_integer<u32, f32, TowardZero>("cvt.rzi.u32.f32"),
    to_integer<u32, f32, TowardZero, true>("cvt.rzi.ftz.u32.f32"),
    to_integer<s64, f32, TowardZero>("cvt.rzi.s64.f32"),
    to_integer<u64, f32, TowardZero>("cvt.rzi.u64.f32"),
    to_integer<s32, f64, ToNearest>("cvt.rni.s32.f64"),
    to_integer<s32, f64, TowardZero>("cvt.rzi.s32.f64"),
    to_integer<u32, f64, TowardZero>("cvt.rzi.u32.f64"),
    to_integer<s64, f64, TowardZero>("cvt.rzi.s64.f64"),
    to_integer<u64, f64, TowardZero>("cvt.rzi.u64.f64"),

    // Between floating-point types.
    conversion<[](f32 a) -> f64 { return propagated(f64{a}, f64{a}); }>("cvt.f64.f32"),
    conversion<[](f64 a) -> f32 { return static_cast<f32>(a); }>("cvt.rn.f32.f64"),
    conversion<[](f16 a) -> f32 { return canonical(widen(a)); }>("cvt.f32.f16"),
    conversion<[](bf16 a) -> f32 { return widen(a); }>("cvt.f32.bf16"),
    conversion<[](f32 a) -> f16 { return narrow<f16>(a); }>("cvt.rn.f16.f32"),
    conversion<[](f32 a) -> bf16 { return narrow<bf16>(a); }>("cvt.rn.bf16.f32"),
    packed_conversion<[](f32 a, f32 b) -> Pair<f16> {
      return {narrow<f16>(b), narrow<f16>(a)};
    }>("cvt.rn.f16x2.f32"),
    packed_conversion<[](f32 a, f32 b) -> Pair<bf16> {
      return {narrow<bf16>(b), narrow<bf16>(a)};
    }>("cvt.rn.bf16x2.f32"),
    conversion<[](f32 a) -> f32 { return saturated(a); }>("cvt.sat.f32.f32"),
    to_integral_single<ToNearest>("cvt.rni.f32.f32"),
    to_integral_single<TowardZero>("cvt.rzi.f32.f32"),
    to_integral_single<Down>("cvt.rmi.f32.f32"),
    to_integral_single<Up>("cvt.rpi.f32.f32"),
    to_integral_double<ToNearest>("cvt.rni.f64.f64"),
    to_integral_double<TowardZero>("cvt.rzi.f64.f64"),
    to_integral_double<Down>("cvt.rmi.f64.f64"),
    to_integral_double<Up>("cvt.rpi.f64.f64"),
};

}  // namespace

std::span<const Definition> conversion_definitions() {
  return table;
}

}  // namespace tmaemu
