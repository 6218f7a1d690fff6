// How a floating-point operation becomes the handlers of its instruction: the operation is written
// once, on host types; rounding, .ftz, .sat, .relu and the rules for NaN come from here.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "emulator/isa/lanes.h"
#include "emulator/isa/modifiers.h"
#include "emulator/numeric/float_types.h"
#include "emulator/numeric/rounding.h"

namespace tmaemu {

enum class Clamp : std::uint8_t { none, saturate, rectify };

// What of the modifiers is compiled into a handler; the rounding mode is not.
struct Form {
  bool ftz = false;
  Clamp clamp = Clamp::none;
};

// Decodes operands of the sizes of the definition, with floating-point immediates.
void decode_floating_in_order(Decoder& decoder, Instruction& instruction, Operation& op,
                              const Definition& definition);
void decode_floating_operands(Decoder& decoder, Instruction& instruction, Operation& op,
                              unsigned bytes, unsigned sources);

// Refuses a type that the instruction has not together with its other modifiers, and a modifier
// that it has not with the type.
[[noreturn]] void refuse_type(Instruction& instruction, ptx::Type type);
[[noreturn]] void refuse_modifier(std::string_view modifier, ptx::Type type);

// lanewise() of an instruction whose immediates are floating-point numbers.
template <auto function>
constexpr Definition floating_lanewise(std::string_view names) {
  Definition definition = lanewise<function>(names);
  definition.decode = decode_floating_in_order;
  return definition;
}

// A NaN of double precision comes from the second operand before the third before the first; in a
// division, which is a sequence of instructions, from the dividend.
template <class Operator, class... A>
f64 with_nan(f64 result, f64 a, A... rest) {
  if constexpr (Operator::takes_first_nan) {
    return propagated(result, a, rest...);
  } else {
    return propagated(result, rest..., a);
  }
}

// The operation on the type: of halves, through single precision, which has more than twice the
// digits and two to spare, so that rounding twice does no harm; where it would (fma), the operation
// has a function for them.
template <class Operator, class T, class... A>
T evaluate(A... a) {
  if constexpr (std::is_same_v<T, f64>) {
    return with_nan<Operator>(Operator::of(a...), a...);
  } else if constexpr (requires { Operator::template of_half<T>(a...); }) {
    return Operator::template of_half<T>(a...);
  } else {
    return narrow<T>(canonical(Operator::of(widen(a)...)));
  }
}

// .ftz flushes what is subnormal when it is rounded as if exponents had no end, though the format's
// own rounding might make the smallest normal number of it.
//
// Halves: so does what is not rounded yet and less than all ones and a half.
template <class Operator, class T, class... A>
requires is_half<T> T evaluate_flushing(A... a) {
  constexpr f32 least = 0x1p-14f * (1 - 0x1p-12f);
  f32 unrounded = 0;
  if constexpr (requires { Operator::template unrounded_half<T>(a...); }) {
    unrounded = Operator::template unrounded_half<T>(a...);
  } else {
    unrounded = canonical(Operator::of(widen(a)...));  // a subnormal one is exact
  }
  return narrow<T>(std::fabs(unrounded) < least ? std::copysign(0.0f, unrounded) : unrounded);
}
// Single precision: where it matters the operation also gives its result times 2^64. Only of the
// smallest normal number is that asked, since there no operand times 2^64 leaves the format.
template <class Operator, class T, class... A>
requires(!is_half<T>) T evaluate_flushing(A... a) {
  const T result = flushed(evaluate<Operator, T>(a...));
  if constexpr (requires { Operator::scaled(a...); }) {
    if (std::fabs(result) == std::numeric_limits<T>::min() &&
        std::fabs(Operator::scaled(a...)) < 0x1p-62f) {
      return std::copysign(0.0f, result);
    }
  }
  return result;
}

template <class T, Clamp clamp>
T clamped(T a) {
  if constexpr (clamp == Clamp::none) {
    return a;
  } else if constexpr (clamp == Clamp::saturate) {
    return narrow<T>(saturated(widen(a)));
  } else {
    return narrow<T>(rectified(widen(a)));
  }
}

// One lane of one instruction.
template <class Operator, class T, Form form, class... A>
T compute(A... a) {
  if constexpr (is_pair<T>) {
    using Element = decltype(T::low);
    return {compute<Operator, Element, form>(a.low...),
            compute<Operator, Element, form>(a.high...)};
  } else if constexpr (form.ftz) {
    return clamped<T, form.clamp>(evaluate_flushing<Operator, T>(flushed(a)...));
  } else {
    return clamped<T, form.clamp>(evaluate<Operator, T>(a...));
  }
}

template <class Operator, class T, Form form>
constexpr Definition floating_lanes() {
  if constexpr (Operator::sources == 1) {
    return lanewise<[](T a) -> T { return compute<Operator, T, form>(a); }>("");
  } else if constexpr (Operator::sources == 2) {
    return lanewise<[](T a, T b) -> T { return compute<Operator, T, form>(a, b); }>("");
  } else {
    return lanewise<[](T a, T b, T c) -> T { return compute<Operator, T, form>(a, b, c); }>("");
  }
}

// op.immediate is the rounding mode.
template <Handler lanes_handler>
const Operation* directed(Warp& warp, const Operation& op, LaneMask lanes) {
  const RoundingScope scope(static_cast<Rounding>(op.immediate));
  return lanes_handler(warp, op, lanes);
}

// Handlers of one form: rounding to nearest, and in a direction.
struct FormHandlers {
  Handler nearest = nullptr;
  Handler in_direction = nullptr;
};

template <class Operator, class T, Form form>
constexpr FormHandlers form_handlers() {
  constexpr Handler nearest = floating_lanes<Operator, T, form>().handler;
  if constexpr (is_half<T> || is_pair<T>) {
    return {nearest, nullptr};
  } else {
    return {nearest, directed<nearest>};
  }
}

// All forms that some operation of the type has; null where the type has no such form.
struct TypeHandlers {
  unsigned bytes = 0;
  std::array<std::array<FormHandlers, 3>, 2> forms;  // [ftz][clamp]
};

template <class Operator, class T>
constexpr TypeHandlers type_handlers() {
  constexpr bool is_bf16 = std::is_same_v<T, bf16> || std::is_same_v<T, Pair<bf16>>;
  constexpr bool is_f16 = std::is_same_v<T, f16> || std::is_same_v<T, Pair<f16>>;
  constexpr bool has_ftz = std::is_same_v<T, f32> || is_f16;
  constexpr bool has_saturation = Operator::clamps && has_ftz;
  constexpr bool has_rectification = Operator::rectifies && (is_f16 || is_bf16);
  TypeHandlers handlers;
  handlers.bytes = sizeof(T);
  auto& [plain, flushing] = handlers.forms;
  plain[0] = form_handlers<Operator, T, Form{}>();
  if constexpr (has_ftz) flushing[0] = form_handlers<Operator, T, Form{true, Clamp::none}>();
  if constexpr (has_saturation) {
    plain[1] = form_handlers<Operator, T, Form{false, Clamp::saturate}>();
    flushing[1] = form_handlers<Operator, T, Form{true, Clamp::saturate}>();
  }
  if constexpr (has_rectification) {
    plain[2] = form_handlers<Operator, T, Form{false, Clamp::rectify}>();
    if constexpr (has_ftz) flushing[2] = form_handlers<Operator, T, Form{true, Clamp::rectify}>();
  }
  return handlers;
}

// The types an operation has.
template <class Operator>
const TypeHandlers& handlers_of(Instruction& instruction, ptx::Type type) {
  static constexpr TypeHandlers single = type_handlers<Operator, f32>();
  static constexpr TypeHandlers twice = type_handlers<Operator, f64>();
  if (type == ptx::Type::f32) return single;
  if (type == ptx::Type::f64) return twice;
  if constexpr (Operator::has_halves) {
    static constexpr TypeHandlers half = type_handlers<Operator, f16>();
    static constexpr TypeHandlers halves = type_handlers<Operator, Pair<f16>>();
    static constexpr TypeHandlers brain = type_handlers<Operator, bf16>();
    static constexpr TypeHandlers brains = type_handlers<Operator, Pair<bf16>>();
    if (type == ptx::Type::f16) return half;
    if (type == ptx::Type::f16x2) return halves;
    if (type == ptx::Type::bf16) return brain;
    if (type == ptx::Type::bf16x2) return brains;
  }
  refuse_type(instruction, type);
}

// opcode{.rnd}{.ftz}{.sat}{.relu}.type
template <class Operator>
void decode_rounded(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  static constexpr Choice<Clamp> clamps[] = {{"sat", Clamp::saturate}, {"relu", Clamp::rectify}};
  const ptx::Type name = instruction.take_type();
  const TypeHandlers& type = handlers_of<Operator>(instruction, name);
  const auto rounding = take_rounding(instruction);
  if (!rounding && Operator::needs_rounding) refuse("names no rounding mode");
  const Rounding mode = rounding.value_or(Rounding::nearest_even);
  const bool ftz = instruction.take("ftz");
  const Clamp clamp = instruction.take_one_of(clamps).value_or(Clamp::none);
  const auto& forms = type.forms[ftz ? 1 : 0];
  if (forms[0].nearest == nullptr) refuse_modifier("ftz", name);
  const FormHandlers& form = forms[static_cast<std::size_t>(clamp)];
  if (form.nearest == nullptr) refuse_modifier(clamp == Clamp::rectify ? "relu" : "sat", name);
  op.execute = mode == Rounding::nearest_even ? form.nearest : form.in_direction;
  if (op.execute == nullptr || mode == Rounding::nearest_away) {
    refuse("has a rounding mode that ." + std::string(ptx::name_of(name)) + " does not have here");
  }
  require_host_rounding(mode);
  op.immediate = static_cast<s64>(mode);
  decode_floating_operands(decoder, instruction, op, type.bytes, Operator::sources);
}

}  // namespace tmaemu
