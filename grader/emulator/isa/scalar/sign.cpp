// PTX ISA, "Floating-Point Instructions" and "Half Precision Floating-Point Instructions": abs,
// neg, min and max, which round nothing.
#include <array>
#include <bit>

#include "emulator/isa/scalar/floating.h"
#include "emulator/numeric/extremum.h"

namespace tmaemu {
namespace {

// neg and abs act on the sign alone, but a NaN becomes the canonical one, or in double precision a
// quiet one with its sign and its payload.
struct Negate {
  static f32 of(f32 a) { return canonical(-a); }
  static f64 of(f64 a) { return a == a ? -a : quieted(a); }
};
struct Absolute {
  static f32 of(f32 a) {
    return canonical(std::bit_cast<f32>(std::bit_cast<u32>(a) & ~(u32{1} << 31)));
  }
  static f64 of(f64 a) {
    const f64 positive = std::bit_cast<f64>(std::bit_cast<u64>(a) & ~(u64{1} << 63));
    return a == a ? positive : quieted(a);
  }
};

template <class Operator, class T, bool ftz = false>
T with_sign(T a) {
  if constexpr (is_pair<T>) {
    using Element = decltype(T::low);
    return {with_sign<Operator, Element, ftz>(a.low), with_sign<Operator, Element, ftz>(a.high)};
  } else if constexpr (is_half<T>) {
    return narrow<T>(Operator::of(widen(ftz ? flushed(a) : a)));
  } else {
    return Operator::of(ftz ? flushed(a) : a);
  }
}

template <class Operator, class T, bool ftz = false>
constexpr Definition sign(std::string_view names) {
  return floating_lanewise<[](T a) -> T { return with_sign<Operator, T, ftz>(a); }>(names);
}

// [maximum][ftz][NaN][xorsign]
using ExtremumHandlers = std::array<Handler, 16>;

constexpr std::size_t index_of(bool is_maximum, bool ftz, bool passes_nan, bool xors_signs) {
  return is_maximum * 8u + ftz * 4u + passes_nan * 2u + xors_signs;
}

template <std::size_t i>
constexpr ExtremumForm form_at{i & 8 ? Extremum::maximum : Extremum::minimum, (i & 4) != 0,
                               (i & 2) != 0, (i & 1) != 0};

template <class T, std::size_t i>
constexpr Handler extremum_handler() {
  constexpr bool is_f64 = std::is_same_v<T, f64>;
  constexpr bool is_bf16 = std::is_same_v<T, bf16> || std::is_same_v<T, Pair<bf16>>;
  if constexpr ((is_f64 && (i & 7) != 0) || (is_bf16 && form_at<i>.ftz)) {
    return nullptr;
  } else {
    return lanewise<[](T a, T b) -> T { return extremum<form_at<i>>(a, b); }>("").handler;
  }
}

template <class T, std::size_t... i>
constexpr ExtremumHandlers make_handlers(std::index_sequence<i...>) {
  return {extremum_handler<T, i>()...};
}
template <class T>
constexpr ExtremumHandlers extremum_handlers = make_handlers<T>(std::make_index_sequence<16>());

const ExtremumHandlers& extremum_handlers_of(Instruction& instruction, ptx::Type type) {
  using ptx::Type;
  switch (type) {
    case Type::f32:
      return extremum_handlers<f32>;
    case Type::f64:
      return extremum_handlers<f64>;
    case Type::f16:
      return extremum_handlers<f16>;
    case Type::f16x2:
      return extremum_handlers<Pair<f16>>;
    case Type::bf16:
      return extremum_handlers<bf16>;
    case Type::bf16x2:
      return extremum_handlers<Pair<bf16>>;
    default:
      refuse_type(instruction, type);
  }
}

// min{.ftz}{.NaN}{.xorsign.abs}.type, and max.
template <bool is_maximum>
void decode_extremum(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const ptx::Type type = instruction.take_type();
  const ExtremumHandlers& handlers = extremum_handlers_of(instruction, type);
  const bool ftz = instruction.take("ftz");
  const bool passes_nan = instruction.take("NaN");
  const bool xors_signs = instruction.take("xorsign");
  if (xors_signs) instruction.require("abs");
  op.execute = handlers[index_of(is_maximum, ftz, passes_nan, xors_signs)];
  if (op.execute == nullptr) {
    refuse_modifier(ftz ? "ftz" : passes_nan ? "NaN" : "xorsign", type);
  }
  decode_floating_operands(decoder, instruction, op, static_cast<unsigned>(ptx::size_of(type)), 2);
}

constexpr Definition table[] = {
    sign<Negate, f32>("neg.f32"),
    sign<Negate, f32, true>("neg.ftz.f32"),
    sign<Negate, f64>("neg.f64"),
    sign<Negate, f16>("neg.f16"),
    sign<Negate, f16, true>("neg.ftz.f16"),
    sign<Negate, Pair<f16>>("neg.f16x2"),
    sign<Negate, Pair<f16>, true>("neg.ftz.f16x2"),
    sign<Negate, bf16>("neg.bf16"),
    sign<Negate, Pair<bf16>>("neg.bf16x2"),

    sign<Absolute, f32>("abs.f32"),
    sign<Absolute, f32, true>("abs.ftz.f32"),
    sign<Absolute, f64>("abs.f64"),
    sign<Absolute, f16>("abs.f16"),
    sign<Absolute, f16, true>("abs.ftz.f16"),
    sign<Absolute, Pair<f16>>("abs.f16x2"),
    sign<Absolute, Pair<f16>, true>("abs.ftz.f16x2"),
    sign<Absolute, bf16>("abs.bf16"),
    sign<Absolute, Pair<bf16>>("abs.bf16x2"),

    {"min", decode_extremum<false>},
    {"max", decode_extremum<true>},
};

}  // namespace

std::span<const Definition> sign_definitions() {
  return table;
}

}  // namespace tmaemu
