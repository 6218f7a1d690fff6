// PTX ISA, "Video Instructions": the SIMD ones, which compute with the halves or the bytes of a
// register. Which of them an operand brings cannot be chosen here: compilers do not.
#include <algorithm>
#include <functional>

#include "emulator/isa/lanes.h"

namespace tmaemu {
namespace {

struct Add {
  static s32 of(s32 a, s32 b) { return a + b; }
};
struct Subtract {
  static s32 of(s32 a, s32 b) { return a - b; }
};
// Rounded away from zero.
struct Average {
  static s32 of(s32 a, s32 b) { return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1; }
};
struct Distance {
  static s32 of(s32 a, s32 b) { return a < b ? b - a : a - b; }
};
struct Minimum {
  static s32 of(s32 a, s32 b) { return std::min(a, b); }
};
struct Maximum {
  static s32 of(s32 a, s32 b) { return std::max(a, b); }
};

struct SimdForm {
  bool a_is_signed = false, b_is_signed = false, result_is_signed = false;
  bool saturates = false;
  bool accumulates = false;  // c and all results, instead of a result for each part
};

// Part i of the register.
template <unsigned bits>
s32 part_of(u32 value, unsigned i, bool is_signed) {
  const u32 above = value << (32 - bits - i * bits);
  return is_signed ? static_cast<s32>(above) >> (32 - bits)
                   : static_cast<s32>(above >> (32 - bits));
}

template <unsigned bits>
s32 saturated(s32 value, bool is_signed) {
  const s32 least = is_signed ? -(1 << (bits - 1)) : 0;
  return std::clamp(value, least, least + (1 << bits) - 1);
}

template <unsigned bits, class Operator>
u32 compute(const SimdForm& form, u32 a, u32 b, u32 c) {
  u32 parts = 0, sum = c;
  for (unsigned i = 0; i < 32 / bits; ++i) {
    s32 result =
        Operator::of(part_of<bits>(a, i, form.a_is_signed), part_of<bits>(b, i, form.b_is_signed));
    if (form.saturates) result = saturated<bits>(result, form.result_is_signed);
    parts |= (static_cast<u32>(result) & ((1u << bits) - 1)) << i * bits;
    sum += static_cast<u32>(result);
  }
  return form.accumulates ? sum : parts;
}

template <unsigned bits, class Operator>
const Operation* simd(Warp& warp, const Operation& op, LaneMask lanes) {
  const SimdForm form = *static_cast<const SimdForm*>(op.detail);
  const u32* const a = warp.lanes<u32>(op.a);
  const u32* const b = warp.lanes<u32>(op.b);
  const u32* const c = warp.lanes<u32>(op.c);
  u32* const d = warp.lanes<u32>(op.d);
  for_lanes(lanes, [&](unsigned lane) {
    d[lane] = compute<bits, Operator>(form, a[lane], b[lane], c[lane]);
  });
  return &op + 1;
}

bool take_signedness(Instruction& instruction) {
  return instruction.require_one_of({"u32", "s32"}, "type that is modeled") == "s32";
}

void decode_operands(Decoder& decoder, Instruction& instruction, Operation& op,
                     const SimdForm& form) {
  instruction.expect_operands(4);
  op.d = decoder.destination(instruction.operand(0), 4);
  op.a = decoder.source(instruction.operand(1), 4);
  op.b = decoder.source(instruction.operand(2), 4);
  op.c = decoder.source(instruction.operand(3), 4);
  op.detail = decoder.program().keep(form);
}

// vop.dtype.atype.btype{.sat,.add} d, a, b, c
template <unsigned bits, class Operator>
void decode_simd(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  SimdForm form;
  form.result_is_signed = take_signedness(instruction);
  form.a_is_signed = take_signedness(instruction);
  form.b_is_signed = take_signedness(instruction);
  form.saturates = instruction.take("sat");
  form.accumulates = !form.saturates && instruction.take("add");
  decode_operands(decoder, instruction, op, form);
  op.execute = simd<bits, Operator>;
}

template <class Holds>
struct Compare {
  static s32 of(s32 a, s32 b) { return Holds{}(a, b) ? 1 : 0; }
};

template <unsigned bits>
constexpr Choice<Handler> comparisons[] = {
    {"eq", simd<bits, Compare<std::equal_to<>>>}, {"ne", simd<bits, Compare<std::not_equal_to<>>>},
    {"lt", simd<bits, Compare<std::less<>>>},     {"le", simd<bits, Compare<std::less_equal<>>>},
    {"gt", simd<bits, Compare<std::greater<>>>},  {"ge", simd<bits, Compare<std::greater_equal<>>>},
};

// vset.atype.btype.cmp{.add} d, a, b, c
template <unsigned bits>
void decode_set(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  SimdForm form;
  form.a_is_signed = take_signedness(instruction);
  form.b_is_signed = take_signedness(instruction);
  op.execute = instruction.require_one_of(comparisons<bits>, "comparison");
  form.accumulates = instruction.take("add");
  decode_operands(decoder, instruction, op, form);
}

constexpr unsigned half = 16, byte = 8;

constexpr Definition table[] = {
    {"vadd2", decode_simd<half, Add>},
    {"vadd4", decode_simd<byte, Add>},
    {"vsub2", decode_simd<half, Subtract>},
    {"vsub4", decode_simd<byte, Subtract>},
    {"vavrg2", decode_simd<half, Average>},
    {"vavrg4", decode_simd<byte, Average>},
    {"vabsdiff2", decode_simd<half, Distance>},
    {"vabsdiff4", decode_simd<byte, Distance>},
    {"vmin2", decode_simd<half, Minimum>},
    {"vmin4", decode_simd<byte, Minimum>},
    {"vmax2", decode_simd<half, Maximum>},
    {"vmax4", decode_simd<byte, Maximum>},
    {"vset2", decode_set<half>},
    {"vset4", decode_set<byte>},
};

}  // namespace

std::span<const Definition> video_definitions() {
  return table;
}

}  // namespace tmaemu
