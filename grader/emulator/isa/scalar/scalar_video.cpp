// PTX ISA, "Scalar Video Instructions": an operation on parts of registers, whose result is added
// to a third operand or has a place in it.
#include <functional>
#include <string>

#include "emulator/isa/scalar/video.h"

namespace tmaemu {
namespace {

using namespace video;

// A byte, a half or all of a register.
struct Part {
  std::uint8_t shift = 0, bits = 32;
  bool is_signed = false;

  s64 of(u32 value) const { return extended(value >> shift, bits, is_signed); }
  u32 merged(u32 whole, u32 value) const {
    const u32 ones = bits == 32 ? ~0u : (1u << bits) - 1;
    return (whole & ~(ones << shift)) | (value & ones) << shift;
  }
};

struct ScalarForm {
  Part a, b, to;
  bool accumulates = false;  // c is added to the result, instead of having a place for it
};

template <class Operator>
const Operation* scalar(Warp& warp, const Operation& op, LaneMask lanes) {
  const ScalarForm form = *static_cast<const ScalarForm*>(op.detail);
  const u32* const a = warp.lanes<u32>(op.a);
  const u32* const b = warp.lanes<u32>(op.b);
  const u32* const c = warp.lanes<u32>(op.c);
  u32* const d = warp.lanes<u32>(op.d);
  for_lanes(lanes, [&](unsigned lane) {
    const auto result = static_cast<u32>(Operator::of(form.a.of(a[lane]), form.b.of(b[lane])));
    d[lane] = form.accumulates ? result + c[lane] : form.to.merged(c[lane], result);
  });
  return &op + 1;
}

// What ptxas makes of the modifiers and of this part is not what PTX says: it loses the upper bits
// of intermediate results that have more than 32 (handout/reference/ptxas.md).
constexpr std::string_view is_translated_otherwise =
    ", of which ptxas makes something else than PTX says";

void refuse_what_is_translated_otherwise(Instruction& instruction) {
  const auto name = instruction.take_one_of({"sat", "min", "max", "shr7", "shr15"});
  if (!name.empty()) {
    refuse("has the modifier ." + std::string(name) + std::string(is_translated_otherwise));
  }
  if (instruction.operand_count() != 0 && instruction.operand(0).part == "h1") {
    refuse("has a result in .h1" + std::string(is_translated_otherwise));
  }
}

Part part_of(const ptx::Operand& operand, bool is_signed) {
  if (operand.part.empty()) return {0, 32, is_signed};
  const bool is_byte = operand.part[0] == 'b';
  const auto index = static_cast<unsigned>(operand.part[1] - '0');
  if (operand.part.size() != 2 || index >= (is_byte ? 4u : 2u)) {
    refuse("has the part ." + std::string(operand.part) + ", which a register has not");
  }
  const unsigned bits = is_byte ? 8 : 16;
  return {static_cast<std::uint8_t>(index * bits), static_cast<std::uint8_t>(bits), is_signed};
}

// The types are taken; c is there to be added or merged with, and then alone.
void decode_operands(Decoder& decoder, Instruction& instruction, Operation& op, ScalarForm form) {
  refuse_what_is_translated_otherwise(instruction);
  form.accumulates = instruction.take("add");
  instruction.expect_operands(3, 4);
  const ptx::Operand& to = instruction.operand(0);
  if (form.accumulates && !to.part.empty())
    refuse("has a second operation and a part for a result");
  const bool has_third = form.accumulates || !to.part.empty();
  instruction.expect_operands(has_third ? 4 : 3);
  form.to = part_of(to, form.to.is_signed);
  form.a = part_of(instruction.operand(1), form.a.is_signed);
  form.b = part_of(instruction.operand(2), form.b.is_signed);
  op.d = decoder.whole_destination(to, 4);
  if (instruction.operand(1).negated || instruction.operand(2).negated)
    refuse("negates an operand");
  op.a = decoder.part_source(instruction.operand(1), 4);
  op.b = decoder.part_source(instruction.operand(2), 4);
  op.c = has_third ? decoder.source(instruction.operand(3), 4) : decoder.constant(0, 4);
  op.detail = decoder.program().keep(form);
}

// vop.dtype.atype.btype{.add} d{.dsel}, a{.asel}, b{.bsel}{, c}
template <class Operator>
void decode_scalar(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  ScalarForm form;
  form.to.is_signed = take_signedness(instruction);
  form.a.is_signed = take_signedness(instruction);
  form.b.is_signed = take_signedness(instruction);
  op.execute = scalar<Operator>;
  decode_operands(decoder, instruction, op, form);
}

constexpr Choice<Handler> comparisons[] = {
    {"eq", scalar<Compare<std::equal_to<>>>}, {"ne", scalar<Compare<std::not_equal_to<>>>},
    {"lt", scalar<Compare<std::less<>>>},     {"le", scalar<Compare<std::less_equal<>>>},
    {"gt", scalar<Compare<std::greater<>>>},  {"ge", scalar<Compare<std::greater_equal<>>>},
};

// vset.atype.btype.cmp{.add} d{.dsel}, a{.asel}, b{.bsel}{, c}
void decode_set(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  ScalarForm form;
  form.a.is_signed = take_signedness(instruction);
  form.b.is_signed = take_signedness(instruction);
  op.execute = instruction.require_one_of(comparisons, "comparison");
  decode_operands(decoder, instruction, op, form);
}

// The amount is unsigned: more than all bits is as many, or what is left of it by them.
template <bool is_left, bool wraps>
struct Shift {
  static s64 of(s64 a, s64 amount) {
    const s64 by = wraps ? amount & 31 : std::min<s64>(amount, 32);
    return is_left ? static_cast<s64>(static_cast<u64>(a) << by) : a >> by;
  }
};

template <bool is_left>
constexpr Choice<Handler> shifts[] = {
    {"clamp", scalar<Shift<is_left, false>>},
    {"wrap", scalar<Shift<is_left, true>>},
};

// vop.dtype.atype.u32.mode{.add} d{.dsel}, a{.asel}, b{.bsel}{, c}
template <bool is_left>
void decode_shift(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  ScalarForm form;
  form.to.is_signed = take_signedness(instruction);
  form.a.is_signed = take_signedness(instruction);
  instruction.require("u32");
  op.execute = instruction.require_one_of(shifts<is_left>, "mode");
  decode_operands(decoder, instruction, op, form);
}

struct ProductForm {
  Part a, b;
  bool negates_product = false, negates_c = false;
  bool adds_one = false;
};

u32 product(const ProductForm& form, u32 a, u32 b, u32 c) {
  const auto exact = static_cast<u32>(form.a.of(a) * form.b.of(b));
  return (form.negates_product ? 0 - exact : exact) + (form.negates_c ? 0 - c : c) +
         (form.adds_one ? 1 : 0);
}

const Operation* multiply_add(Warp& warp, const Operation& op, LaneMask lanes) {
  const ProductForm form = *static_cast<const ProductForm*>(op.detail);
  const u32* const a = warp.lanes<u32>(op.a);
  const u32* const b = warp.lanes<u32>(op.b);
  const u32* const c = warp.lanes<u32>(op.c);
  u32* const d = warp.lanes<u32>(op.d);
  for_lanes(lanes, [&](unsigned lane) { d[lane] = product(form, a[lane], b[lane], c[lane]); });
  return &op + 1;
}

// vmad.dtype.atype.btype{.po} d, {-}a{.asel}, {-}b{.bsel}, {-}c
void decode_multiply_add(Decoder& decoder, Instruction& instruction, Operation& op,
                         const Definition&) {
  ProductForm form;
  take_signedness(instruction);
  const bool a_is_signed = take_signedness(instruction);
  const bool b_is_signed = take_signedness(instruction);
  refuse_what_is_translated_otherwise(instruction);
  form.adds_one = instruction.take("po");
  instruction.expect_operands(4);
  const ptx::Operand &a = instruction.operand(1), &b = instruction.operand(2),
                     &c = instruction.operand(3);
  form.a = part_of(a, a_is_signed);
  form.b = part_of(b, b_is_signed);
  form.negates_product = a.negated != b.negated;
  form.negates_c = c.negated;
  if (form.adds_one && (a.negated || b.negated || c.negated)) refuse("negates an operand with .po");
  if (!c.part.empty()) refuse("has a part of a register for its last operand");
  op.d = decoder.destination(instruction.operand(0), 4);
  op.a = decoder.part_source(a, 4);
  op.b = decoder.part_source(b, 4);
  op.c = decoder.part_source(c, 4);
  op.detail = decoder.program().keep(form);
  op.execute = multiply_add;
}

constexpr Definition table[] = {
    {"vadd", decode_scalar<Add>},          {"vsub", decode_scalar<Subtract>},
    {"vabsdiff", decode_scalar<Distance>}, {"vmin", decode_scalar<Minimum>},
    {"vmax", decode_scalar<Maximum>},      {"vset", decode_set},
    {"vshl", decode_shift<true>},          {"vshr", decode_shift<false>},
    {"vmad", decode_multiply_add},
};

}  // namespace

std::span<const Definition> scalar_video_definitions() {
  return table;
}

}  // namespace tmaemu
