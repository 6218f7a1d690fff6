// PTX ISA, "Floating-Point Instructions" and "Half Precision Floating-Point Instructions": the
// instructions whose results are rounded exactly.
#include "emulator/isa/floating.h"

#include <cmath>
#include <vector>

#include "emulator/isa/half_fma.h"

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

constexpr Definition table[] = {
    {"add", decode_rounded<Add>},         {"sub", decode_rounded<Subtract>},
    {"mul", decode_rounded<Multiply>},    {"fma", decode_rounded<FusedMultiplyAdd>},
    {"mad", decode_rounded<MultiplyAdd>}, {"div", decode_rounded<Divide>},
    {"rcp", decode_rounded<Reciprocal>},  {"sqrt", decode_rounded<SquareRoot>},
};

std::vector<Definition> joined() {
  std::vector<Definition> all(std::begin(table), std::end(table));
  for (const auto part : {sign_definitions(), approximate_definitions()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

void decode_floating_operands(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                              unsigned bytes, unsigned sources) {
  static constexpr Slot Operation::*slots[] = {&Operation::a, &Operation::b, &Operation::c};
  expect_operands(instruction, sources + 1);
  op.d = decoder.destination(instruction.operands[0], bytes);
  for (unsigned i = 0; i < sources; ++i) {
    op.*slots[i] = floating_source(decoder, instruction.operands[i + 1], bytes);
  }
}

void decode_floating_in_order(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                              const Definition& definition) {
  decode_floating_operands(decoder, instruction, op, definition.bytes[0],
                           definition.operand_count - 1u);
  op.execute = definition.handler;
}

std::span<const Definition> floating_definitions() {
  static const std::vector<Definition> all = joined();
  return all;
}

}  // namespace tmaemu
