// PTX ISA, "Floating-Point Instructions" and "Half Precision Floating-Point Instructions": the
// instructions whose results are rounded exactly.
#include "emulator/isa/scalar/floating.h"

#include <cmath>
#include <string>

#include "emulator/numeric/half_fma.h"

namespace tmaemu {
namespace {

// An operation: how many sources it has, which modifiers and types its instruction has beside f32
// and f64, and what it does.
struct Add {
  static constexpr unsigned sources = 2;
  static constexpr bool has_halves = true, clamps = true, rectifies = false;
  static constexpr bool needs_rounding = false, takes_first_nan = false;
  template <class T>
  static T of(T a, T b) {
    return a + b;
  }
};
struct Subtract : Add {
  template <class T>
  static T of(T a, T b) {
    return a - b;
  }
};
struct Multiply : Add {
  template <class T>
  static T of(T a, T b) {
    return a * b;
  }
  static f32 scaled(f32 a, f32 b) { return a * 0x1p64f * b; }
};
struct FusedMultiplyAdd {
  static constexpr unsigned sources = 3;
  static constexpr bool has_halves = true, clamps = true, rectifies = true;
  static constexpr bool needs_rounding = true, takes_first_nan = false;
  template <class T>
  static T of(T a, T b, T c) {
    return std::fma(a, b, c);
  }
  static f32 scaled(f32 a, f32 b, f32 c) { return std::fma(a * 0x1p64f, b, c * 0x1p64f); }
  template <class T>
  requires is_half<T>
  static T of_half(T a, T b, T c) { return half_fma(a, b, c); }
  template <class T>
  requires is_half<T>
  static f32 unrounded_half(T a, T b, T c) { return unrounded_half_fma(a, b, c); }
};
// .oob: the NaN that a tensor map's fill puts outside of the tensor, of either sign, makes the
// result +0 where it is a factor.
struct FusedMultiplyAddInBounds : FusedMultiplyAdd {
  template <class T>
  requires is_half<T>
  static T of_half(T a, T b, T c) {
    return is_outside_nan(a.bits) || is_outside_nan(b.bits) ? T{0} : half_fma(a, b, c);
  }
};
// mad has no halves; it is fma since sm_20.
struct MultiplyAdd {
  static constexpr unsigned sources = 3;
  static constexpr bool has_halves = false, clamps = true, rectifies = false;
  static constexpr bool needs_rounding = true, takes_first_nan = false;
  template <class T>
  static T of(T a, T b, T c) {
    return std::fma(a, b, c);
  }
  static f32 scaled(f32 a, f32 b, f32 c) { return std::fma(a * 0x1p64f, b, c * 0x1p64f); }
};
struct Divide {
  static constexpr unsigned sources = 2;
  static constexpr bool has_halves = false, clamps = false, rectifies = false;
  static constexpr bool needs_rounding = true, takes_first_nan = true;
  template <class T>
  static T of(T a, T b) {
    return a / b;
  }
  static f32 scaled(f32 a, f32 b) { return a * 0x1p64f / b; }
};
struct Reciprocal : Divide {
  static constexpr unsigned sources = 1;
  template <class T>
  static T of(T a) {
    return T{1} / a;
  }
  static f32 scaled(f32 a) { return 0x1p64f / a; }
};
struct SquareRoot : Divide {
  static constexpr unsigned sources = 1;
  template <class T>
  static T of(T a) {
    return std::sqrt(a);
  }
};

// With .relu and without.
struct InBoundsHandlers {
  unsigned bytes;
  Handler plain, rectified;
};
template <class T>
constexpr InBoundsHandlers in_bounds = {
    sizeof(T), floating_lanes<FusedMultiplyAddInBounds, T, Form{}>().handler,
    floating_lanes<FusedMultiplyAddInBounds, T, Form{false, Clamp::rectify}>().handler};

// fma{.rnd}{.ftz}{.sat}{.relu}.type, fma.rn.oob{.relu}.type
void decode_fma(Decoder& decoder, Instruction& instruction, Operation& op,
                const Definition& definition) {
  if (!instruction.take("oob")) {
    return decode_rounded<FusedMultiplyAdd>(decoder, instruction, op, definition);
  }
  static constexpr Choice<InBoundsHandlers> types[] = {{"f16", in_bounds<f16>},
                                                       {"f16x2", in_bounds<Pair<f16>>},
                                                       {"bf16", in_bounds<bf16>},
                                                       {"bf16x2", in_bounds<Pair<bf16>>}};
  instruction.require("rn");
  const InBoundsHandlers type = instruction.require_one_of(types, "type that is modeled");
  op.execute = instruction.take("relu") ? type.rectified : type.plain;
  decode_floating_operands(decoder, instruction, op, type.bytes, 3);
}

constexpr Definition table[] = {
    {"add", decode_rounded<Add>},         {"sub", decode_rounded<Subtract>},
    {"mul", decode_rounded<Multiply>},    {"fma", decode_fma},
    {"mad", decode_rounded<MultiplyAdd>}, {"div", decode_rounded<Divide>},
    {"rcp", decode_rounded<Reciprocal>},  {"sqrt", decode_rounded<SquareRoot>},
};

constexpr Slot Operation::*sources_of[] = {&Operation::a, &Operation::b, &Operation::c};

}  // namespace

void decode_floating_operands(Decoder& decoder, Instruction& instruction, Operation& op,
                              unsigned bytes, unsigned sources) {
  instruction.expect_operands(sources + 1);
  op.d = decoder.destination(instruction.operand(0), bytes);
  for (unsigned i = 0; i < sources; ++i) {
    op.*sources_of[i] = decoder.floating_source(instruction.operand(i + 1), bytes);
  }
}

void decode_floating_in_order(Decoder& decoder, Instruction& instruction, Operation& op,
                              const Definition& definition) {
  instruction.expect_operands(definition.operand_count);
  op.d = decoder.destination(instruction.operand(0), definition.bytes[0]);
  for (unsigned i = 1; i < definition.operand_count; ++i) {
    op.*sources_of[i - 1] = decoder.floating_source(instruction.operand(i), definition.bytes[i]);
  }
  op.execute = definition.handler;
}

void refuse_type(Instruction& instruction, ptx::Type type) {
  const std::string name(ptx::name_of(type));
  instruction.take_one_of(
      {"lo", "hi", "wide"});  // products of integers have one, and not what is left
  instruction.refuse_rest("which is not modeled with ." + name);
  refuse("has the type ." + name + ", which is not modeled here");
}

void refuse_modifier(std::string_view modifier, ptx::Type type) {
  refuse("has the modifier ." + std::string(modifier) + ", which is not modeled with ." +
         std::string(ptx::name_of(type)));
}

std::span<const Definition> floating_definitions() {
  return table;
}

}  // namespace tmaemu
