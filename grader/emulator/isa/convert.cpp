// What a conversion gives, by its definition. PTX ISA, "cvt".
#include "emulator/isa/conversion.h"

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

// .ftz applies to single precision, as a source and as a result.
u64 flushed_single(const Conversion& conversion, const FloatFormat& format, u64 bits) {
  const bool flushes = conversion.ftz && &format == &float_format::f32;
  return flushes && is_subnormal(format, bits) ? bits & format.sign() : bits;
}

u64 saturated_float(const FloatFormat& format, const ExactNumber& number, u64 bits) {
  if (number.kind == ExactNumber::Kind::nan || number.is_negative) return 0;
  return std::min(bits, format.one());
}

// A NaN that double precision keeps: it has room for its payload.
u64 kept_nan(const FloatFormat& from, u64 bits) {
  const u64 sign = bits & from.sign() ? u64{1} << 63 : 0;
  const u64 payload = (bits & low_bits(static_cast<unsigned>(from.fraction_bits)))
                      << (float_format::f64.fraction_bits - from.fraction_bits);
  return sign | 0x7ff8'0000'0000'0000 | payload;
}

u64 to_float(const Conversion& conversion, ExactNumber number) {
  const FloatFormat& format = *conversion.to.format;
  if (conversion.to_integral && number.kind == ExactNumber::Kind::finite && number.exponent < 0) {
    number.significand = integral_magnitude(number, conversion.rounding);
    number.exponent = 0;
  }
  if (conversion.rectifies && number.is_negative && number.kind != ExactNumber::Kind::nan) return 0;
  const u64 bits = encode(format, number, conversion.rounding, conversion.satfinite);
  if (conversion.saturates) return saturated_float(format, number, bits);
  return flushed_single(conversion, format, bits);
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
  bits = flushed_single(conversion, *from.format, bits & low_bits(from.bits));
  const ExactNumber number = decompose(*from.format, bits);
  if (!to.is_float()) return float_to_integer(conversion, number);
  const bool keeps_nan = number.kind == ExactNumber::Kind::nan && !conversion.saturates &&
                         to.format == &float_format::f64;
  return keeps_nan ? kept_nan(*from.format, bits) : to_float(conversion, number);
}

}  // namespace tmaemu
