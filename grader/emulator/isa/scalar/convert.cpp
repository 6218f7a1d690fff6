// What a conversion gives, by its definition. PTX ISA, "cvt".
#include "emulator/isa/scalar/conversion.h"

namespace tmaemu {
namespace {

u64 low_bits(unsigned count) {
  return count >= 64 ? ~u64{0} : (u64{1} << count) - 1;
}

// The value of an integer type in the lowest bits, extended to 64 bits.
u64 extended(const NumberType& type, u64 bits) {
  bits &= low_bits(type.bits);
  const bool is_negative = type.is_signed && (bits >> (type.bits - 1) & 1) != 0;
  return is_negative ? bits | ~low_bits(type.bits) : bits;
}

ExactNumber exact_integer(const NumberType& type, u64 bits) {
  const u64 value = extended(type, bits);
  ExactNumber number;
  number.is_negative = type.is_signed && static_cast<s64>(value) < 0;
  number.significand = number.is_negative ? 0 - value : value;
  return number;
}

// The nearest value that the integer type has.
u64 clamped_integer(const NumberType& type, bool is_negative, u64 magnitude) {
  const u64 largest = low_bits(type.bits - (type.is_signed ? 1 : 0));
  if (!is_negative) return std::min(magnitude, largest);
  const u64 smallest = type.is_signed ? largest + 1 : 0;
  return 0 - std::min(magnitude, smallest);
}

// NaN becomes zero, but where 64 bits or double precision are involved the integer with the top bit
// alone. PTX ISA, "cvt", notes on NaN.
u64 integer_of_nan(const Conversion& conversion) {
  const bool gives_zero = conversion.from.bits != 64 && conversion.to.bits != 64;
  return gives_zero ? 0 : u64{1} << (conversion.to.bits - 1);
}

u64 float_to_integer(const Conversion& conversion, const ExactNumber& number) {
  switch (number.kind) {
    case ExactNumber::Kind::nan:
      return extended(conversion.to, integer_of_nan(conversion));
    case ExactNumber::Kind::infinite:
      return clamped_integer(conversion.to, number.is_negative, ~u64{0});
    default:
      return clamped_integer(conversion.to, number.is_negative,
                             integral_magnitude(number, conversion.rounding));
  }
}

bool is_subnormal(const FloatFormat& format, u64 bits) {
  return ((bits & ~format.sign()) >> format.fraction_bits) == 0;
}

// .ftz applies to single precision, as a source and as a result; but not where the result is half
// precision: there the hardware has no use for it.
u64 flushed_single(const Conversion& conversion, const FloatFormat& format, u64 bits) {
  const bool flushes =
      conversion.ftz && &format == &float_format::f32 && conversion.to.format != &float_format::f16;
  return flushes && is_subnormal(format, bits) ? bits & format.sign() : bits;
}

u64 saturated_float(const FloatFormat& format, const ExactNumber& number, u64 bits) {
  if (number.kind == ExactNumber::Kind::nan || number.is_negative) return 0;
  return std::min(bits, format.one());
}

// Conversions from and to double precision keep the sign of a NaN and as much of its payload as the
// result has room for, and make it quiet.
u64 kept_nan(const FloatFormat& from, const FloatFormat& to, u64 bits) {
  const u64 payload = bits & low_bits(static_cast<unsigned>(from.fraction_bits));
  const int shift = to.fraction_bits - from.fraction_bits;
  const u64 quiet = to.beyond_finite() | u64{1} << (to.fraction_bits - 1);
  const u64 sign = bits & from.sign() ? to.sign() : 0;
  return sign | quiet | (shift >= 0 ? payload << shift : payload >> -shift);
}

// A number that is moved and not converted.
bool is_move(const Conversion& conversion) {
  const bool has_same_type =
      conversion.from.format == conversion.to.format &&
      (conversion.to.format == &float_format::f32 || conversion.to.format == &float_format::f64);
  const bool is_shift =
      conversion.from.format == &float_format::bf16 && conversion.to.format == &float_format::f32;
  return (has_same_type || is_shift) && !conversion.ftz && !conversion.saturates &&
         !conversion.to_integral;
}

// .rna to tf32 cuts infinities and NaNs off, and .satfinite then takes one unit of the last digit
// from them.
u64 cut_off_tf32(const Conversion& conversion, u64 bits) {
  const u64 unit = u64{1} << float_format::tf32.unused_bits;
  return (bits & ~(unit - 1)) - (conversion.satfinite ? unit : 0);
}

u64 to_float(const Conversion& conversion, ExactNumber number) {
  const FloatFormat& format = *conversion.to.format;
  if (conversion.to_integral && number.kind == ExactNumber::Kind::finite && number.exponent < 0) {
    number.significand = integral_magnitude(number, conversion.rounding);
    number.exponent = 0;
  }
  if (conversion.rectifies && number.is_negative && number.kind != ExactNumber::Kind::nan) return 0;
  const u64 bits = encode(format, number, conversion.rounding, conversion.satfinite);
  return flushed_single(conversion, format,
                        conversion.saturates ? saturated_float(format, number, bits) : bits);
}

}  // namespace

u64 convert(const Conversion& conversion, u64 bits) {
  const NumberType& from = conversion.from;
  const NumberType& to = conversion.to;
  if (!from.is_float()) {
    const ExactNumber number = exact_integer(from, bits);
    if (to.is_float()) return to_float(conversion, number);
    if (conversion.saturates) return clamped_integer(to, number.is_negative, number.significand);
    return extended(to, extended(from, bits));
  }
  bits &= low_bits(from.bits);
  if (is_move(conversion)) return bits << (to.bits - from.bits);
  bits = flushed_single(conversion, *from.format, bits);
  const ExactNumber number = decompose(*from.format, bits);
  if (!to.is_float()) return float_to_integer(conversion, number);
  if (to.format == &float_format::tf32 && conversion.rounding == Rounding::nearest_away &&
      number.kind != ExactNumber::Kind::finite) {
    return cut_off_tf32(conversion, bits);
  }
  const bool has_double = from.format == &float_format::f64 || to.format == &float_format::f64;
  if (number.kind == ExactNumber::Kind::nan && has_double && !conversion.saturates) {
    // With .ftz a step of single precision comes first, which has one NaN only.
    const bool is_canonical = conversion.ftz && from.format == &float_format::f32;
    return kept_nan(*from.format, *to.format, is_canonical ? float_format::f32.nan : bits);
  }
  return to_float(conversion, number);
}

}  // namespace tmaemu
