// PTX ISA, "Integer Arithmetic Instructions" on parts of registers: 24-bit products, dot products
// of bytes and halves, 16x2 pairs, and the clamping forms of min and max.
#include <algorithm>
#include <bit>
#include <limits>

#include "emulator/isa/lanes.h"

namespace tmaemu {
namespace {

// The low 24 bits of a register, extended as the type says.
s64 low24(s32 a) {
  return static_cast<s32>(static_cast<u32>(a) << 8) >> 8;
}
u64 low24(u32 a) {
  return a & 0xFF'FFFF;
}

// mul24.lo keeps the low 32 bits of the 48-bit product, mul24.hi the high 32.
template <class T>
u32 product24_low(T a, T b) {
  return static_cast<u32>(low24(a) * low24(b));
}
template <class T>
u32 product24_high(T a, T b) {
  return static_cast<u32>(low24(a) * low24(b) >> 16);
}

s32 saturate(s64 value) {
  return static_cast<s32>(
      std::clamp<s64>(value, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max()));
}

// A field of a register as a number: A is u8, s8, u16 or s16.
template <class A>
u32 field(u32 bits, unsigned index) {
  return static_cast<u32>(static_cast<A>(bits >> (8 * sizeof(A) * index)));
}

// Products of the bytes of a and b, added to c; modulo 2^32, so signs do not matter to the sum.
template <class A, class B>
u32 dp4a(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 4; ++i) c += field<A>(a, i) * field<B>(b, i);
  return c;
}
// Products of the halves of a with two bytes of b: the lower ones or the upper ones.
template <class A, class B>
u32 dp2a(u32 a, u32 b, u32 c, unsigned first) {
  for (unsigned i = 0; i < 2; ++i) c += field<A>(a, i) * field<B>(b, first + i);
  return c;
}

// Both halves of a pair; T is u16 or s16.
template <class T, auto function>
u32 pairwise(u32 a, u32 b) {
  const auto apply = [](u32 x, u32 y) {
    return u32{static_cast<u16>(function(static_cast<T>(x), static_cast<T>(y)))};
  };
  return apply(a, b) | apply(a >> 16, b >> 16) << 16;
}
template <class T>
T smaller(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T larger(T a, T b) {
  return a < b ? b : a;
}
template <class T>
T rectified(T a) {
  return a < 0 ? T{0} : a;
}

// The n-th set bit, counted from `base` up or down. PTX ISA, "fns". Of the offset whose magnitude
// is no s32 the hardware makes zero, whatever the rest.
u32 nth_set_bit(u32 mask, u32 base, s32 offset) {
  if (offset == std::numeric_limits<s32>::min()) return 0;
  if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : ~u32{0};
  s64 left = offset < 0 ? -s64{offset} : s64{offset};
  for (s64 position = base; position >= 0 && position<32; position += offset> 0 ? 1 : -1) {
    if ((mask >> position & 1) != 0 && --left == 0) return static_cast<u32>(position);
  }
  return ~u32{0};
}

// The lowest `bits` bits, extended. PTX ISA, "szext".
template <class T>
T extend(T a, u32 bits) {
  if (bits == 0) return 0;
  if (bits >= 32) return a;
  return static_cast<T>(static_cast<T>(static_cast<u32>(a) << (32 - bits)) >> (32 - bits));
}

constexpr Definition table[] = {
    lanewise<[](u32 a, u32 b) -> u32 { return product24_low(a, b); }>("mul24.lo.u32"),
    lanewise<[](s32 a, s32 b) -> u32 { return product24_low(a, b); }>("mul24.lo.s32"),
    lanewise<[](u32 a, u32 b) -> u32 { return product24_high(a, b); }>("mul24.hi.u32"),
    lanewise<[](s32 a, s32 b) -> u32 { return product24_high(a, b); }>("mul24.hi.s32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return product24_low(a, b) + c; }>("mad24.lo.u32"),
    lanewise<[](s32 a, s32 b, u32 c) -> u32 { return product24_low(a, b) + c; }>("mad24.lo.s32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return product24_high(a, b) + c; }>("mad24.hi.u32"),
    lanewise<[](s32 a, s32 b, u32 c) -> u32 { return product24_high(a, b) + c; }>("mad24.hi.s32"),
    lanewise<[](s32 a, s32 b, s32 c) -> s32 {
      return saturate(s64{static_cast<s32>(product24_high(a, b))} + c);
    }>("mad24.hi.sat.s32"),
    lanewise<[](s32 a, s32 b, s32 c) -> s32 { return saturate((s64{a} * b >> 32) + c); }>(
        "mad.hi.sat.s32"),

    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp4a<u8, u8>(a, b, c); }>("dp4a.u32.u32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp4a<u8, s8>(a, b, c); }>("dp4a.u32.s32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp4a<s8, u8>(a, b, c); }>("dp4a.s32.u32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp4a<s8, s8>(a, b, c); }>("dp4a.s32.s32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp2a<u16, u8>(a, b, c, 0); }>(
        "dp2a.lo.u32.u32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp2a<u16, s8>(a, b, c, 0); }>(
        "dp2a.lo.u32.s32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp2a<s16, u8>(a, b, c, 0); }>(
        "dp2a.lo.s32.u32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp2a<s16, s8>(a, b, c, 0); }>(
        "dp2a.lo.s32.s32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp2a<u16, u8>(a, b, c, 2); }>(
        "dp2a.hi.u32.u32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp2a<u16, s8>(a, b, c, 2); }>(
        "dp2a.hi.u32.s32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp2a<s16, u8>(a, b, c, 2); }>(
        "dp2a.hi.s32.u32"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return dp2a<s16, s8>(a, b, c, 2); }>(
        "dp2a.hi.s32.s32"),

    lanewise<[](s32 a, s32 b) -> s32 { return rectified(smaller(a, b)); }>("min.relu.s32"),
    lanewise<[](s32 a, s32 b) -> s32 { return rectified(larger(a, b)); }>("max.relu.s32"),
    lanewise<[](u32 a, u32 b) -> u32 {
      return pairwise<u16, [](u16 x, u16 y) { return x + y; }>(a, b);
    }>("add.u16x2 add.s16x2"),
    lanewise<[](u32 a, u32 b) -> u32 { return pairwise<u16, smaller<u16>>(a, b); }>("min.u16x2"),
    lanewise<[](u32 a, u32 b) -> u32 { return pairwise<s16, smaller<s16>>(a, b); }>("min.s16x2"),
    lanewise<[](u32 a, u32 b) -> u32 { return pairwise<u16, larger<u16>>(a, b); }>("max.u16x2"),
    lanewise<[](u32 a, u32 b) -> u32 { return pairwise<s16, larger<s16>>(a, b); }>("max.s16x2"),
    lanewise<[](u32 a, u32 b) -> u32 {
      return pairwise<s16, [](s16 x, s16 y) { return rectified(smaller(x, y)); }>(a, b);
    }>("min.relu.s16x2"),
    lanewise<[](u32 a, u32 b) -> u32 {
      return pairwise<s16, [](s16 x, s16 y) { return rectified(larger(x, y)); }>(a, b);
    }>("max.relu.s16x2"),

    lanewise<[](u32 a, u32 b, s32 c) -> u32 { return nth_set_bit(a, b, c); }>("fns.b32"),
    lanewise<[](u32 a, u32 b) -> u32 { return extend(a, b); }>("szext.clamp.u32"),
    lanewise<[](s32 a, u32 b) -> s32 { return extend(a, b); }>("szext.clamp.s32"),
    lanewise<[](u32 a, u32 b) -> u32 { return extend(a, b & 31); }>("szext.wrap.u32"),
    lanewise<[](s32 a, u32 b) -> s32 { return extend(a, b & 31); }>("szext.wrap.s32"),
};

}  // namespace

std::span<const Definition> small_integer_definitions() {
  return table;
}

}  // namespace tmaemu
