// PTX ISA, "cvt": the forms that have no lane loop of their own, one lane after the other.
#include <cstring>
#include <string>

#include "emulator/isa/scalar/conversion.h"

namespace tmaemu {
namespace {

u64 load(const std::byte* place, unsigned bytes) {
  u64 bits = 0;
  std::memcpy(&bits, place, bytes);
  return bits;
}

const Operation* convert_lanes(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& conversion = *static_cast<const Conversion*>(op.detail);
  const auto* const a = warp.lanes<std::byte>(op.a);
  auto* const d = warp.lanes<std::byte>(op.d);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const u64 result =
        convert(conversion, load(a + lane * conversion.from_bytes, conversion.from_bytes));
    std::memcpy(d + lane * conversion.to_bytes, &result, conversion.to_bytes);
  }
  return &op + 1;
}

// Whether every number of the one type is one of the other.
bool holds_exactly(const NumberType& to, const NumberType& from) {
  return to.format->fraction_bits >= from.format->fraction_bits &&
         to.format->exponent_bits >= from.format->exponent_bits;
}

// Whether every integer of the one type is one of the other.
bool holds_integers(const NumberType& to, const NumberType& from) {
  if (from.is_signed == to.is_signed) return to.bits >= from.bits;
  return to.is_signed && to.bits > from.bits;
}

bool has_format(const Conversion& conversion, const FloatFormat& format) {
  return conversion.from.format == &format || conversion.to.format == &format;
}

// The rounding mode: there is one where the result may be inexact, and there alone. With bfloat16
// ptxas is less strict than the manual: it takes a mode where nothing is rounded, and does without
// one, rounding to nearest even, between the two halves.
void take_conversion_rounding(Instruction& instruction, Conversion& conversion) {
  const bool from_float = conversion.from.is_float(), to_float = conversion.to.is_float();
  const bool is_inexact =
      to_float && !(from_float && holds_exactly(conversion.to, conversion.from));
  const bool from_bf16 = conversion.from.format == &float_format::bf16;
  if (is_inexact || (from_bf16 && to_float && conversion.to.format != &float_format::bf16)) {
    const auto rounding = take_rounding(instruction);
    const bool is_optional = from_bf16 || (conversion.from.format == &float_format::f16 &&
                                           conversion.to.format == &float_format::bf16);
    if (!rounding && is_optional) return;
    if (!rounding) refuse("names no rounding mode");
    if (*rounding == Rounding::nearest_away && conversion.to.format != &float_format::tf32) {
      refuse("has the modifier .rna, which is not modeled with this type");
    }
    conversion.rounding = *rounding;
    return;
  }
  const bool may_round_to_integral = from_float && conversion.from.format == conversion.to.format;
  if (!from_float || (to_float && !may_round_to_integral)) return;
  const auto rounding = take_integer_rounding(instruction);
  if (!rounding && !to_float) refuse("names no integer rounding mode");
  conversion.rounding = rounding.value_or(Rounding::nearest_even);
  conversion.to_integral = rounding && to_float;
}

// .ftz is of single precision, .relu and .satfinite of conversions from it to less; .sat is of all
// but the formats that machine learning brought, and of integers that may not fit.
void take_conversion_clamps(Instruction& instruction, Conversion& conversion) {
  const FloatFormat* to = conversion.to.format;
  const bool is_narrow =
      to == &float_format::f16 || to == &float_format::bf16 || to == &float_format::tf32;
  const bool is_directed =
      conversion.rounding == Rounding::down || conversion.rounding == Rounding::up;
  if (conversion.from.format == &float_format::f32 && is_narrow && !is_directed) {
    conversion.satfinite = instruction.take("satfinite");
    const bool is_away = conversion.rounding == Rounding::nearest_away;
    conversion.rectifies = !is_away && instruction.take("relu");
  }
  if (conversion.rectifies || conversion.satfinite) return;
  if (has_format(conversion, float_format::tf32)) return;
  if (has_format(conversion, float_format::f32)) conversion.ftz = instruction.take("ftz");
  const bool is_integer = !conversion.from.is_float() && !conversion.to.is_float();
  const bool may_saturate = is_integer ? !holds_integers(conversion.to, conversion.from)
                                       : !has_format(conversion, float_format::bf16);
  if (may_saturate) conversion.saturates = instruction.take("sat");
}

// Sources wider than their type are allowed; so are destinations.
unsigned bytes_of(Decoder& decoder, const ptx::Operand& operand, const NumberType& type) {
  const unsigned least = std::max(2u, type.bits / 8);
  if (!decoder.is_register(operand)) return least;
  const unsigned bytes = decoder.register_bytes(operand);
  if (bytes < least) refuse("has an operand that is narrower than its type");
  return bytes;
}

// Two elements in one register; `per_lane` sources fill them.
struct PackedConversion {
  Conversion element;
  bool is_packed_source = false;  // one source with two elements, not two sources
};

// The first source is the upper element. PTX ISA, "cvt".
const Operation* convert_packed_lanes(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& packed = *static_cast<const PackedConversion*>(op.detail);
  const Conversion& element = packed.element;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    u64 upper = load(warp.lanes<std::byte>(op.a) + lane * element.from_bytes, element.from_bytes);
    u64 lower = upper;
    if (packed.is_packed_source) {
      upper >>= element.from.bits;
    } else {
      lower = load(warp.lanes<std::byte>(op.b) + lane * element.from_bytes, element.from_bytes);
    }
    const u64 result = convert(element, upper) << element.to.bits | convert(element, lower);
    std::memcpy(warp.lanes<std::byte>(op.d) + lane * element.to_bytes, &result, element.to_bytes);
  }
  return &op + 1;
}

std::string_view element_name(std::string_view packed) {
  if (!packed.ends_with("x2")) refuse("has a type that is not modeled");
  packed.remove_suffix(2);
  return packed;
}

}  // namespace

NumberType number_type(std::string_view name) {
  if (name == "f16") return {16, false, &float_format::f16};
  if (name == "bf16") return {16, false, &float_format::bf16};
  if (name == "f32") return {32, false, &float_format::f32};
  if (name == "f64") return {64, false, &float_format::f64};
  if (name == "tf32") return {32, false, &float_format::tf32};
  if (name == "e4m3") return {8, false, &float_format::e4m3};
  if (name == "e5m2") return {8, false, &float_format::e5m2};
  for (const unsigned bits : {8u, 16u, 32u, 64u}) {
    const std::string digits = std::to_string(bits);
    if (name.size() > 1 && name.substr(1) == digits && name[0] == 'u') return {bits, false};
    if (name.size() > 1 && name.substr(1) == digits && name[0] == 's') return {bits, true};
  }
  refuse("converts a type that is not modeled");
}

void decode_general_conversion(Decoder& decoder, Instruction& instruction, Operation& op) {
  Conversion conversion;
  conversion.from = number_type(instruction.take_last());
  conversion.to = number_type(instruction.take_last());
  if (conversion.from.format != nullptr && conversion.from.bits == 8) {
    refuse("converts a single 8-bit float");
  }
  take_conversion_rounding(instruction, conversion);
  take_conversion_clamps(instruction, conversion);
  instruction.expect_operands(2);
  conversion.to_bytes = bytes_of(decoder, instruction.operand(0), conversion.to);
  conversion.from_bytes = bytes_of(decoder, instruction.operand(1), conversion.from);
  op.d = decoder.destination(instruction.operand(0), conversion.to_bytes);
  op.a = decoder.floating_source(instruction.operand(1), conversion.from_bytes);
  op.detail = decoder.program().keep(conversion);
  op.execute = convert_lanes;
}

// cvt.rn{.satfinite}{.relu}.<type>x2.f32 d, a, b and cvt.<type>x2.<type>x2 d, a
void decode_packed_conversion(Decoder& decoder, Instruction& instruction, Operation& op) {
  PackedConversion packed;
  Conversion& element = packed.element;
  const std::string_view from = instruction.take_last();
  packed.is_packed_source = from.ends_with("x2");
  element.from = number_type(packed.is_packed_source ? element_name(from) : from);
  element.to = number_type(element_name(instruction.take_last()));
  if (!element.from.is_float() || !element.to.is_float() || element.to.bits > 16 ||
      (packed.is_packed_source ? element.from.bits + element.to.bits != 24
                               : element.from.bits != 32)) {
    refuse("converts between packed types that are not modeled");
  }
  // From 8 bits every number is exact, and yet PTX writes .rn.
  const bool widens = element.from.bits == 8;
  if (widens || element.to.bits == 8) {
    instruction.require("rn");
  } else {
    take_conversion_rounding(instruction, element);
  }
  if (!widens) element.satfinite = instruction.take("satfinite");
  element.rectifies = instruction.take("relu");
  if (element.to.bits == 8 && !element.satfinite) refuse("lacks .satfinite");
  instruction.expect_operands(packed.is_packed_source ? 2 : 3);
  element.to_bytes = 2 * element.to.bits / 8;
  element.from_bytes = (packed.is_packed_source ? 2 : 1) * element.from.bits / 8;
  op.d = decoder.destination(instruction.operand(0), element.to_bytes);
  op.a = decoder.floating_source(instruction.operand(1), element.from_bytes);
  if (!packed.is_packed_source) {
    op.b = decoder.floating_source(instruction.operand(2), element.from_bytes);
  }
  op.detail = decoder.program().keep(packed);
  op.execute = convert_packed_lanes;
}

}  // namespace tmaemu
