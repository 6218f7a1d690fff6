// PTX ISA, "Comparison and Selection Instructions", and testp and copysign.
#include <bit>
#include <string>

#include "emulator/isa/lanes.h"
#include "emulator/isa/scalar/comparison.h"
#include "emulator/numeric/float_types.h"

namespace tmaemu {
namespace {

// setp with two destinations or a combination: p|q = (a op b) .bool c.
const Operation* full_setp(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const ComparisonForm*>(op.detail);
  const LaneMask predicate = warp.predicate(op.c);
  const LaneMask low = form.low(warp, op, lanes);
  // q is the outcome of the upper elements, or the complement of the only one.
  const LaneMask high = form.high != nullptr ? form.high(warp, op, lanes) : ~low;
  write_lanes(warp.predicate(op.d), form.combined(low, predicate), lanes);
  write_lanes(warp.predicate(op.e), form.combined(high, predicate), lanes);
  return &op + 1;
}

void decode_setp(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  decoder.effects().computation = Computation::choice;
  const ptx::Type type = instruction.take_type();
  const ComparisonForm form = decode_comparison(decoder, instruction, type, op);
  const ptx::Operand& destination = instruction.operand(0);
  op.d = decoder.first_destination(destination, 0);
  const auto second = decoder.second_destination(destination, 0);
  if (form.plain_setp != nullptr && !second && form.combination == Combination::none) {
    op.execute = form.plain_setp;
    return;
  }
  op.e = second ? *second : decoder.sink(0);
  op.detail = decoder.program().keep(form);
  op.execute = full_setp;
}

// set: as setp, but the outcome is a number: all ones or one for true, zero for false.
struct SetForm {
  ComparisonForm comparison;
  u32 true_bits = 0;
};

template <class T>
const Operation* set(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const SetForm*>(op.detail);
  const LaneMask predicate = warp.predicate(op.c);
  const LaneMask low = form.comparison.combined(form.comparison.low(warp, op, lanes), predicate);
  T* const d = warp.lanes<T>(op.d);
  const auto true_value = static_cast<T>(form.true_bits);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (lanes >> lane & 1) d[lane] = low >> lane & 1 ? true_value : T{0};
  }
  return &op + 1;
}

const Operation* set_packed(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const SetForm*>(op.detail);
  const LaneMask predicate = warp.predicate(op.c);
  const LaneMask low = form.comparison.combined(form.comparison.low(warp, op, lanes), predicate);
  const LaneMask high = form.comparison.combined(form.comparison.high(warp, op, lanes), predicate);
  u32* const d = warp.lanes<u32>(op.d);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const u32 value =
        (low >> lane & 1 ? form.true_bits : 0) | (high >> lane & 1 ? form.true_bits << 16 : 0);
    if (lanes >> lane & 1) d[lane] = value;
  }
  return &op + 1;
}

// True as a number of the type; of one element where it is packed.
u32 true_bits(ptx::Type type, bool is_packed) {
  using ptx::Type;
  switch (type) {
    case Type::u16:
    case Type::s16:
      return 0xffff;
    case Type::u32:
    case Type::s32:
      return is_packed ? 0xffff : 0xffff'ffff;
    case Type::f32:
      return std::bit_cast<u32>(1.0f);
    case Type::f16:
    case Type::f16x2:
      return 0x3c00;
    case Type::bf16:
    case Type::bf16x2:
      return 0x3f80;
    default:
      refuse("sets a type that is not modeled");
  }
}

void decode_set(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  decoder.effects().computation = Computation::choice;
  const ptx::Type source = instruction.take_type();
  const ptx::Type result = instruction.take_type();
  SetForm form;
  form.comparison = decode_comparison(decoder, instruction, source, op);
  const bool is_packed = form.comparison.high != nullptr;
  form.true_bits = true_bits(result, is_packed);
  const auto bytes = static_cast<unsigned>(ptx::size_of(result));
  const bool result_is_packed = result == ptx::Type::f16x2 || result == ptx::Type::bf16x2;
  if (is_packed ? bytes != 4 || result == ptx::Type::f32 : result_is_packed) {
    refuse("mixes packed and single elements");
  }
  op.d = decoder.destination(instruction.operand(0), bytes);
  op.detail = decoder.program().keep(form);
  op.execute = is_packed ? set_packed : bytes == 2 ? set<u16> : set<u32>;
}

// By a mask: with a conditional operator the compiler would load one of the two, lane by lane.
template <class T>
constexpr Definition select = lanewise<[](T a, T b, bool c) -> T {
  const auto mask = static_cast<T>(static_cast<s32>(0 - u32{c}));
  return static_cast<T>((a & mask) | (b & ~mask));
}>("");

Handler select_handler(unsigned bytes) {
  switch (bytes) {
    case 2:
      return select<u16>.handler;
    case 4:
      return select<u32>.handler;
    case 8:
      return select<u64>.handler;
    default:
      refuse("selects a type that is not modeled");
  }
}

// selp d, a, b, p: p ? a : b.
void decode_selp(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  decoder.effects().computation = Computation::choice;
  const auto bytes = static_cast<unsigned>(ptx::size_of(instruction.take_type()));
  instruction.expect_operands(4);
  const ptx::Operand& predicate = instruction.operand(3);
  op.execute = select_handler(bytes);
  op.d = decoder.destination(instruction.operand(0), bytes);
  op.a = decoder.floating_source(instruction.operand(1), bytes);
  op.b = decoder.floating_source(instruction.operand(2), bytes);
  if (predicate.negated) std::swap(op.a, op.b);
  op.c = decoder.predicate(predicate);
}

// slct d, a, b, c: c >= 0 ? a : b. -0 counts as zero, NaN as negative.
template <class T, class C, bool ftz = false>
constexpr Definition slct =
    lanewise<[](T a, T b, C c) -> T { return C{0} <= (ftz ? flushed(f32(c)) : c) ? a : b; }>("");
template <class T>
constexpr Definition slct<T, s32, false> =
    lanewise<[](T a, T b, s32 c) -> T { return c >= 0 ? a : b; }>("");

template <class T>
Handler slct_handler(ptx::Type type, bool ftz) {
  if (type == ptx::Type::s32 && !ftz) return slct<T, s32>.handler;
  if (type == ptx::Type::f32) return ftz ? slct<T, f32, true>.handler : slct<T, f32>.handler;
  refuse("selects by a type that is not modeled");
}

void decode_slct(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  decoder.effects().computation = Computation::choice;
  const ptx::Type selector = instruction.take_type();
  const auto bytes = static_cast<unsigned>(ptx::size_of(instruction.take_type()));
  const bool ftz = instruction.take("ftz");
  instruction.expect_operands(4);
  if (bytes != 2 && bytes != 4 && bytes != 8) {
    refuse("selects a type that is not modeled");
  }
  op.execute = bytes == 2   ? slct_handler<u16>(selector, ftz)
               : bytes == 4 ? slct_handler<u32>(selector, ftz)
                            : slct_handler<u64>(selector, ftz);
  op.d = decoder.destination(instruction.operand(0), bytes);
  op.a = decoder.floating_source(instruction.operand(1), bytes);
  op.b = decoder.floating_source(instruction.operand(2), bytes);
  op.c = decoder.floating_source(instruction.operand(3), 4);
}

// Floating-point numbers by their bits: testp and copysign know no arithmetic.
template <class U>
constexpr U sign_bit = U{1} << (8 * sizeof(U) - 1);
template <class U>
constexpr U infinity_bits = sizeof(U) == 4 ? U{0x7f80'0000u}
                                           : static_cast<U>(0x7ff0'0000'0000'0000u);
template <class U>
constexpr U smallest_normal = sizeof(U) == 4 ? U{0x0080'0000u}
                                             : static_cast<U>(0x0010'0000'0000'0000u);

template <class U>
U magnitude(U a) {
  return a & ~sign_bit<U>;
}
template <class U>
bool is_subnormal(U a) {
  return magnitude(a) != 0 && magnitude(a) < smallest_normal<U>;
}
// Zeros count as normal. PTX ISA, "testp".
template <class U>
bool is_normal(U a) {
  return magnitude(a) < infinity_bits<U> && !is_subnormal(a);
}
template <class U>
U with_sign_of(U sign, U a) {
  return magnitude(a) | (sign & sign_bit<U>);
}

constexpr Definition table[] = {
    {"setp", decode_setp},
    {"set", decode_set},
    {"selp", decode_selp},
    {"slct", decode_slct},

    lanewise<[](u32 a) -> bool { return magnitude(a) < infinity_bits<u32>; }>("testp.finite.f32"),
    lanewise<[](u64 a) -> bool { return magnitude(a) < infinity_bits<u64>; }>("testp.finite.f64"),
    lanewise<[](u32 a) -> bool { return magnitude(a) == infinity_bits<u32>; }>(
        "testp.infinite.f32"),
    lanewise<[](u64 a) -> bool { return magnitude(a) == infinity_bits<u64>; }>(
        "testp.infinite.f64"),
    lanewise<[](u32 a) -> bool { return magnitude(a) <= infinity_bits<u32>; }>("testp.number.f32"),
    lanewise<[](u64 a) -> bool { return magnitude(a) <= infinity_bits<u64>; }>("testp.number.f64"),
    lanewise<[](u32 a) -> bool { return infinity_bits<u32> < magnitude(a); }>(
        "testp.notanumber.f32"),
    lanewise<[](u64 a) -> bool { return infinity_bits<u64> < magnitude(a); }>(
        "testp.notanumber.f64"),
    lanewise<[](u32 a) -> bool { return is_normal(a); }>("testp.normal.f32"),
    lanewise<[](u64 a) -> bool { return is_normal(a); }>("testp.normal.f64"),
    lanewise<[](u32 a) -> bool { return is_subnormal(a); }>("testp.subnormal.f32"),
    lanewise<[](u64 a) -> bool { return is_subnormal(a); }>("testp.subnormal.f64"),

    lanewise<[](u32 a, u32 b) -> u32 { return with_sign_of(a, b); }>("copysign.f32"),
    lanewise<[](u64 a, u64 b) -> u64 { return with_sign_of(a, b); }>("copysign.f64"),
};

}  // namespace

std::span<const Definition> comparison_definitions() {
  return table;
}

}  // namespace tmaemu
