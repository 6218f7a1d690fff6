// PTX ISA, "Logic and Shift Instructions", and the integer instructions that look at bits.
#include <array>
#include <bit>

#include "emulator/isa/lanes.h"

namespace tmaemu {
namespace {

// Shift amounts are clamped at the width, not taken modulo it.
template <class T>
T shift_left(T a, u32 amount) {
  return amount >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << amount);
}
template <class T>
T shift_right(T a, u32 amount) {
  constexpr u32 width = 8 * sizeof(T);
  if (amount >= width) return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T{0};
  return static_cast<T>(a >> amount);
}

// Any Boolean function of three words: bit (a<<2 | b<<1 | c) of the table is the result.
u32 lop3(u32 a, u32 b, u32 c, u32 truth) {
  u32 result = 0;
  if (truth & 0x01) result |= ~a & ~b & ~c;
  if (truth & 0x02) result |= ~a & ~b & c;
  if (truth & 0x04) result |= ~a & b & ~c;
  if (truth & 0x08) result |= ~a & b & c;
  if (truth & 0x10) result |= a & ~b & ~c;
  if (truth & 0x20) result |= a & ~b & c;
  if (truth & 0x40) result |= a & b & ~c;
  if (truth & 0x80) result |= a & b & c;
  return result;
}

// A 64-bit funnel: {high, low} shifted, the upper or lower half kept.
u32 funnel_left(u32 low, u32 high, u32 amount) {
  const u64 both = u64{high} << 32 | low;
  return static_cast<u32>(both << amount >> 32);
}
u32 funnel_right(u32 low, u32 high, u32 amount) {
  const u64 both = u64{high} << 32 | low;
  return static_cast<u32>(both >> amount);
}
u32 clamp32(u32 amount) {
  return amount > 32 ? 32 : amount;
}

// Selects four of the eight bytes of {b, a}; a selector's top bit replicates the byte's sign.
u32 permute(u32 a, u32 b, u32 selectors) {
  const u64 bytes = u64{b} << 32 | a;
  u32 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const u32 selector = selectors >> (4 * i) & 0xF;
    u32 byte = static_cast<u32>(bytes >> (8 * (selector & 7))) & 0xFF;
    if (selector & 8) byte = byte & 0x80 ? 0xFF : 0;
    result |= byte << (8 * i);
  }
  return result;
}

// Of the position and the length of a field the hardware takes 8 bits with 32-bit operands, as the
// manual says, but all bits with 64-bit ones.
template <class T>
u32 field_number(u32 value) {
  return sizeof(T) == 4 ? value & 0xFF : value;
}

template <class T>
T extract(T a, u32 position, u32 length) {
  constexpr u32 width = 8 * sizeof(T);
  using U = std::make_unsigned_t<T>;
  position = field_number<T>(position);
  length = field_number<T>(length);
  if (length == 0) return 0;
  // Beyond the top, a signed field continues with the value's sign.
  const bool sign = std::is_signed_v<T> && a < 0;
  const U shifted =
      position >= width ? (sign ? ~U{0} : U{0}) : static_cast<U>(shift_right<T>(a, position));
  if (length >= width) return static_cast<T>(shifted);
  const U field = shifted & ((U{1} << length) - 1);
  const u64 top = u64{position} + length - 1;
  const bool field_sign =
      std::is_signed_v<T> && (static_cast<U>(a) >> (top < width ? top : width - 1) & 1) != 0;
  return static_cast<T>(field_sign ? field | ~((U{1} << length) - 1) : field);
}

template <class T>
T insert(T a, T b, u32 position, u32 length) {
  constexpr u32 width = 8 * sizeof(T);
  position = field_number<T>(position);
  length = field_number<T>(length);
  if (position >= width || length == 0) return b;
  const T ones = length >= width ? ~T{0} : (T{1} << length) - 1;
  const T mask = ones << position;
  return (b & ~mask) | (a << position & mask);
}

template <class T>
T reverse(T a) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i) result |= (a >> i & 1) << (8 * sizeof(T) - 1 - i);
  return result;
}

// Position of the highest bit that differs from the sign; all ones where there is none.
template <class T>
u32 find_leading(T a) {
  using U = std::make_unsigned_t<T>;
  const U bits = std::is_signed_v<T> && a < 0 ? ~static_cast<U>(a) : static_cast<U>(a);
  return bits == 0 ? ~u32{0}
                   : static_cast<u32>(8 * sizeof(T) - 1) - static_cast<u32>(std::countl_zero(bits));
}
template <class T>
u32 find_leading_shift(T a) {
  const u32 position = find_leading(a);
  return position == ~u32{0} ? position : static_cast<u32>(8 * sizeof(T) - 1) - position;
}

u32 mask_of(u32 position, u32 length) {
  u32 result = 0;
  for (u64 i = position; i < 32 && i < u64{position} + length; ++i) result |= u32{1} << i;
  return result;
}

// The modes of prmt: what the selectors of its general form are for the low two bits of c, as in
// the manual's table.
using Selectors = std::array<u32, 4>;
constexpr Selectors forward_four{0x3210, 0x4321, 0x5432, 0x6543};
constexpr Selectors backward_four{0x5670, 0x6701, 0x7012, 0x0123};
constexpr Selectors replicate_8{0x0000, 0x1111, 0x2222, 0x3333};
constexpr Selectors clamp_left{0x3210, 0x3211, 0x3222, 0x3333};
constexpr Selectors clamp_right{0x0000, 0x1110, 0x2210, 0x3210};
constexpr Selectors replicate_16{0x1010, 0x3232, 0x1010, 0x3232};

template <Selectors selectors>
constexpr auto permute_by =
    [](u32 a, u32 b, u32 c) -> u32 { return permute(a, b, selectors[c & 3]); };

// lop3.and.b32 d|p, a, b, c, truth, q: also p = (d != 0) and q; the same with or.
struct Lop3Form {
  u32 truth;
  Slot p, q;
  bool negates_q, is_conjunction;
};

const Operation* lop3_with_predicate(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const Lop3Form*>(op.detail);
  LaneMask nonzero = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const u32 result = lop3(warp.lanes<u32>(op.a)[lane], warp.lanes<u32>(op.b)[lane],
                            warp.lanes<u32>(op.c)[lane], form.truth);
    warp.lanes<u32>(op.d)[lane] = result;
    nonzero |= LaneMask{result != 0} << lane;
  }
  const LaneMask q = form.negates_q ? ~warp.predicate(form.q) : warp.predicate(form.q);
  write_lanes(warp.predicate(form.p), form.is_conjunction ? nonzero & q : nonzero | q, lanes);
  return &op + 1;
}

template <bool is_conjunction>
void decode_lop3_with_predicate(Decoder& decoder, Instruction& instruction, Operation& op,
                                const Definition&) {
  instruction.require("b32");
  instruction.expect_operands(6);
  const ptx::Operand& truth = instruction.operand(4);
  if (truth.kind != ptx::Operand::Kind::integer) refuse("has no immediate truth table");
  const auto predicate = decoder.second_destination(instruction.operand(0), 0);
  if (!predicate) refuse("needs a predicate destination");
  Lop3Form form{};
  form.truth = static_cast<u32>(truth.bits);
  form.p = *predicate;
  form.q = decoder.predicate(instruction.operand(5));
  form.negates_q = instruction.operand(5).negated;
  form.is_conjunction = is_conjunction;
  op.d = decoder.first_destination(instruction.operand(0), 4);
  op.a = decoder.source(instruction.operand(1), 4);
  op.b = decoder.source(instruction.operand(2), 4);
  op.c = decoder.source(instruction.operand(3), 4);
  op.detail = decoder.program().keep(form);
  op.execute = lop3_with_predicate;
}

using enum Computation;

constexpr Definition table[] = {
    lanewise<[](u16 a, u16 b) -> u16 { return a & b; }>("and.b16", masked_bits),
    lanewise<[](u32 a, u32 b) -> u32 { return a & b; }>("and.b32", masked_bits),
    lanewise<[](u64 a, u64 b) -> u64 { return a & b; }>("and.b64", masked_bits),
    lanewise<[](bool a, bool b) -> bool { return a && b; }>("and.pred"),
    lanewise<[](u16 a, u16 b) -> u16 { return a | b; }>("or.b16", joined_bits),
    lanewise<[](u32 a, u32 b) -> u32 { return a | b; }>("or.b32", joined_bits),
    lanewise<[](u64 a, u64 b) -> u64 { return a | b; }>("or.b64", joined_bits),
    lanewise<[](bool a, bool b) -> bool { return a || b; }>("or.pred"),
    lanewise<[](u16 a, u16 b) -> u16 { return a ^ b; }>("xor.b16"),
    lanewise<[](u32 a, u32 b) -> u32 { return a ^ b; }>("xor.b32"),
    lanewise<[](u64 a, u64 b) -> u64 { return a ^ b; }>("xor.b64"),
    lanewise<[](bool a, bool b) -> bool { return a != b; }>("xor.pred"),
    lanewise<[](u16 a) -> u16 { return static_cast<u16>(~a); }>("not.b16"),
    lanewise<[](u32 a) -> u32 { return ~a; }>("not.b32"),
    lanewise<[](u64 a) -> u64 { return ~a; }>("not.b64"),
    lanewise<[](bool a) -> bool { return !a; }>("not.pred"),
    lanewise<[](u16 a) -> u16 { return a == 0 ? 1 : 0; }>("cnot.b16"),
    lanewise<[](u32 a) -> u32 { return a == 0 ? 1 : 0; }>("cnot.b32"),
    lanewise<[](u64 a) -> u64 { return a == 0 ? 1 : 0; }>("cnot.b64"),
    lanewise<[](u32 a, u32 b, u32 c, u32 truth) -> u32 { return lop3(a, b, c, truth); }>(
        "lop3.b32", masked_bits),
    {"lop3.and", decode_lop3_with_predicate<true>},
    {"lop3.or", decode_lop3_with_predicate<false>},

    lanewise<[](u16 a, u32 b) -> u16 { return shift_left(a, b); }>("shl.b16"),
    lanewise<[](u32 a, u32 b) -> u32 { return shift_left(a, b); }>("shl.b32"),
    lanewise<[](u64 a, u32 b) -> u64 { return shift_left(a, b); }>("shl.b64"),
    lanewise<[](u16 a, u32 b) -> u16 { return shift_right(a, b); }>("shr.u16 shr.b16"),
    lanewise<[](s16 a, u32 b) -> s16 { return shift_right(a, b); }>("shr.s16"),
    lanewise<[](u32 a, u32 b) -> u32 { return shift_right(a, b); }>("shr.u32 shr.b32"),
    lanewise<[](s32 a, u32 b) -> s32 { return shift_right(a, b); }>("shr.s32"),
    lanewise<[](u64 a, u32 b) -> u64 { return shift_right(a, b); }>("shr.u64 shr.b64"),
    lanewise<[](s64 a, u32 b) -> s64 { return shift_right(a, b); }>("shr.s64"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return funnel_left(a, b, c & 31); }>(
        "shf.l.wrap.b32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return funnel_left(a, b, clamp32(c)); }>(
        "shf.l.clamp.b32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return funnel_right(a, b, c & 31); }>(
        "shf.r.wrap.b32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return funnel_right(a, b, clamp32(c)); }>(
        "shf.r.clamp.b32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return permute(a, b, c); }>("prmt.b32"),
    lanewise<permute_by<forward_four>>("prmt.b32.f4e"),
    lanewise<permute_by<backward_four>>("prmt.b32.b4e"),
    lanewise<permute_by<replicate_8>>("prmt.b32.rc8"),
    lanewise<permute_by<clamp_left>>("prmt.b32.ecl"),
    lanewise<permute_by<clamp_right>>("prmt.b32.ecr"),
    lanewise<permute_by<replicate_16>>("prmt.b32.rc16"),

    lanewise<[](u32 a) -> u32 { return static_cast<u32>(std::popcount(a)); }>("popc.b32"),
    lanewise<[](u64 a) -> u32 { return static_cast<u32>(std::popcount(a)); }>("popc.b64"),
    lanewise<[](u32 a) -> u32 { return static_cast<u32>(std::countl_zero(a)); }>("clz.b32"),
    lanewise<[](u64 a) -> u32 { return static_cast<u32>(std::countl_zero(a)); }>("clz.b64"),
    lanewise<[](u32 a) -> u32 { return find_leading(a); }>("bfind.u32"),
    lanewise<[](s32 a) -> u32 { return find_leading(a); }>("bfind.s32"),
    lanewise<[](u64 a) -> u32 { return find_leading(a); }>("bfind.u64"),
    lanewise<[](s64 a) -> u32 { return find_leading(a); }>("bfind.s64"),
    lanewise<[](u32 a) -> u32 { return find_leading_shift(a); }>("bfind.shiftamt.u32"),
    lanewise<[](s32 a) -> u32 { return find_leading_shift(a); }>("bfind.shiftamt.s32"),
    lanewise<[](u64 a) -> u32 { return find_leading_shift(a); }>("bfind.shiftamt.u64"),
    lanewise<[](s64 a) -> u32 { return find_leading_shift(a); }>("bfind.shiftamt.s64"),
    lanewise<[](u32 a) -> u32 { return reverse(a); }>("brev.b32"),
    lanewise<[](u64 a) -> u64 { return reverse(a); }>("brev.b64"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return extract(a, b, c); }>("bfe.u32"),
    lanewise<[](s32 a, u32 b, u32 c) -> s32 { return extract(a, b, c); }>("bfe.s32"),
    lanewise<[](u64 a, u32 b, u32 c) -> u64 { return extract(a, b, c); }>("bfe.u64"),
    lanewise<[](s64 a, u32 b, u32 c) -> s64 { return extract(a, b, c); }>("bfe.s64"),
    lanewise<[](u32 a, u32 b, u32 c, u32 d) -> u32 { return insert(a, b, c, d); }>("bfi.b32",
                                                                                   masked_bits),
    lanewise<[](u64 a, u64 b, u32 c, u32 d) -> u64 { return insert(a, b, c, d); }>("bfi.b64",
                                                                                   masked_bits),
    lanewise<[](u32 a, u32 b) -> u32 { return mask_of(a, b); }>("bmsk.clamp.b32"),
    lanewise<[](u32 a, u32 b) -> u32 { return mask_of(a & 31, b & 31); }>("bmsk.wrap.b32"),
};

}  // namespace

std::span<const Definition> bit_definitions() {
  return table;
}

}  // namespace tmaemu
