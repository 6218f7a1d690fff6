// PTX ISA, "Integer Arithmetic Instructions".
#include <algorithm>
#include <limits>

#include "emulator/isa/lanes.h"

namespace tmaemu {
namespace {

// Wide enough for any product of two operands.
__extension__ using s128 = __int128;
__extension__ using u128 = unsigned __int128;

template <class T>
T high(T a, T b) {
  if constexpr (std::is_same_v<T, u64>) {
    return static_cast<T>(static_cast<u128>(a) * b >> 64);
  } else {
    return static_cast<T>(s128{a} * b >> (8 * sizeof(T)));
  }
}

// Two's complement wraps; signed overflow in C++ does not.
template <class T>
T wrap_negate(T a) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(U{0} - static_cast<U>(a));
}

// Division by zero gives all ones, as the hardware does, for the remainder too. The one quotient
// that does not fit wraps.
template <class T>
T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return wrap_negate(a);
  return static_cast<T>(a / b);
}
template <class T>
T remainder(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}

template <class T>
std::make_unsigned_t<T> distance(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(a < b ? static_cast<U>(b) - static_cast<U>(a)
                              : static_cast<U>(a) - static_cast<U>(b));
}

s32 saturate(s64 value) {
  return static_cast<s32>(
      std::clamp<s64>(value, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max()));
}

using enum Computation;

constexpr Definition table[] = {
    lanewise<[](u16 a, u16 b) -> u16 { return static_cast<u16>(a + b); }>("add.u16 add.s16"),
    lanewise<[](u32 a, u32 b) -> u32 { return a + b; }>("add.u32 add.s32", sum),
    lanewise<[](u64 a, u64 b) -> u64 { return a + b; }>("add.u64 add.s64", sum),
    lanewise<[](s32 a, s32 b) -> s32 { return saturate(s64{a} + b); }>("add.sat.s32"),
    lanewise<[](u16 a, u16 b) -> u16 { return static_cast<u16>(a - b); }>("sub.u16 sub.s16"),
    lanewise<[](u32 a, u32 b) -> u32 { return a - b; }>("sub.u32 sub.s32", difference),
    lanewise<[](u64 a, u64 b) -> u64 { return a - b; }>("sub.u64 sub.s64", difference),
    lanewise<[](s32 a, s32 b) -> s32 { return saturate(s64{a} - b); }>("sub.sat.s32"),

    lanewise<[](u16 a, u16 b) -> u16 { return static_cast<u16>(u32{a} * b); }>(
        "mul.lo.u16 mul.lo.s16"),
    lanewise<[](u32 a, u32 b) -> u32 { return a * b; }>("mul.lo.u32 mul.lo.s32"),
    lanewise<[](u64 a, u64 b) -> u64 { return a * b; }>("mul.lo.u64 mul.lo.s64"),
    lanewise<[](u16 a, u16 b) -> u16 { return high(a, b); }>("mul.hi.u16"),
    lanewise<[](s16 a, s16 b) -> s16 { return high(a, b); }>("mul.hi.s16"),
    lanewise<[](u32 a, u32 b) -> u32 { return high(a, b); }>("mul.hi.u32"),
    lanewise<[](s32 a, s32 b) -> s32 { return high(a, b); }>("mul.hi.s32"),
    lanewise<[](u64 a, u64 b) -> u64 { return high(a, b); }>("mul.hi.u64"),
    lanewise<[](s64 a, s64 b) -> s64 { return high(a, b); }>("mul.hi.s64"),
    lanewise<[](u16 a, u16 b) -> u32 { return u32{a} * b; }>("mul.wide.u16"),
    lanewise<[](s16 a, s16 b) -> s32 { return s32{a} * b; }>("mul.wide.s16"),
    lanewise<[](u32 a, u32 b) -> u64 { return u64{a} * b; }>("mul.wide.u32"),
    lanewise<[](s32 a, s32 b) -> s64 { return s64{a} * b; }>("mul.wide.s32"),

    lanewise<[](u16 a, u16 b, u16 c) -> u16 { return static_cast<u16>(u32{a} * b + c); }>(
        "mad.lo.u16 mad.lo.s16"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return a * b + c; }>("mad.lo.u32 mad.lo.s32",
                                                                   product_sum),
    lanewise<[](u64 a, u64 b, u64 c) -> u64 { return a * b + c; }>("mad.lo.u64 mad.lo.s64",
                                                                   product_sum),
    lanewise<[](u16 a, u16 b, u16 c) -> u16 { return static_cast<u16>(high(a, b) + c); }>(
        "mad.hi.u16"),
    lanewise<[](s16 a, s16 b, s16 c) -> s16 { return static_cast<s16>(high(a, b) + c); }>(
        "mad.hi.s16"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return high(a, b) + c; }>("mad.hi.u32"),
    lanewise<[](s32 a, s32 b, u32 c) -> u32 { return static_cast<u32>(high(a, b)) + c; }>(
        "mad.hi.s32"),
    lanewise<[](u64 a, u64 b, u64 c) -> u64 { return high(a, b) + c; }>("mad.hi.u64"),
    lanewise<[](s64 a, s64 b, u64 c) -> u64 { return static_cast<u64>(high(a, b)) + c; }>(
        "mad.hi.s64"),
    lanewise<[](u16 a, u16 b, u32 c) -> u32 { return u32{a} * b + c; }>("mad.wide.u16",
                                                                        product_sum),
    lanewise<[](s16 a, s16 b, u32 c) -> u32 { return static_cast<u32>(s32{a} * b) + c; }>(
        "mad.wide.s16", product_sum),
    lanewise<[](u32 a, u32 b, u64 c) -> u64 { return u64{a} * b + c; }>("mad.wide.u32",
                                                                        product_sum),
    lanewise<[](s32 a, s32 b, u64 c) -> u64 { return static_cast<u64>(s64{a} * b) + c; }>(
        "mad.wide.s32", product_sum),

    lanewise<[](u16 a, u16 b) -> u16 { return quotient(a, b); }>("div.u16"),
    lanewise<[](s16 a, s16 b) -> s16 { return quotient(a, b); }>("div.s16"),
    lanewise<[](u32 a, u32 b) -> u32 { return quotient(a, b); }>("div.u32"),
    lanewise<[](s32 a, s32 b) -> s32 { return quotient(a, b); }>("div.s32"),
    lanewise<[](u64 a, u64 b) -> u64 { return quotient(a, b); }>("div.u64"),
    lanewise<[](s64 a, s64 b) -> s64 { return quotient(a, b); }>("div.s64"),
    lanewise<[](u16 a, u16 b) -> u16 { return remainder(a, b); }>("rem.u16"),
    lanewise<[](s16 a, s16 b) -> s16 { return remainder(a, b); }>("rem.s16"),
    lanewise<[](u32 a, u32 b) -> u32 { return remainder(a, b); }>("rem.u32"),
    lanewise<[](s32 a, s32 b) -> s32 { return remainder(a, b); }>("rem.s32"),
    lanewise<[](u64 a, u64 b) -> u64 { return remainder(a, b); }>("rem.u64"),
    lanewise<[](s64 a, s64 b) -> s64 { return remainder(a, b); }>("rem.s64"),

    lanewise<[](u16 a) -> u16 { return static_cast<u16>(wrap_negate<s16>(static_cast<s16>(a))); }>(
        "neg.s16"),
    lanewise<[](u32 a) -> u32 { return 0 - a; }>("neg.s32"),
    lanewise<[](u64 a) -> u64 { return 0 - a; }>("neg.s64"),
    lanewise<[](s16 a) -> s16 { return a < 0 ? wrap_negate(a) : a; }>("abs.s16"),
    lanewise<[](s32 a) -> s32 { return a < 0 ? wrap_negate(a) : a; }>("abs.s32"),
    lanewise<[](s64 a) -> s64 { return a < 0 ? wrap_negate(a) : a; }>("abs.s64"),

    lanewise<[](u16 a, u16 b) -> u16 { return a < b ? a : b; }>("min.u16"),
    lanewise<[](s16 a, s16 b) -> s16 { return a < b ? a : b; }>("min.s16"),
    lanewise<[](u32 a, u32 b) -> u32 { return a < b ? a : b; }>("min.u32"),
    lanewise<[](s32 a, s32 b) -> s32 { return a < b ? a : b; }>("min.s32"),
    lanewise<[](u64 a, u64 b) -> u64 { return a < b ? a : b; }>("min.u64"),
    lanewise<[](s64 a, s64 b) -> s64 { return a < b ? a : b; }>("min.s64"),
    lanewise<[](u16 a, u16 b) -> u16 { return b < a ? a : b; }>("max.u16"),
    lanewise<[](s16 a, s16 b) -> s16 { return b < a ? a : b; }>("max.s16"),
    lanewise<[](u32 a, u32 b) -> u32 { return b < a ? a : b; }>("max.u32"),
    lanewise<[](s32 a, s32 b) -> s32 { return b < a ? a : b; }>("max.s32"),
    lanewise<[](u64 a, u64 b) -> u64 { return b < a ? a : b; }>("max.u64"),
    lanewise<[](s64 a, s64 b) -> s64 { return b < a ? a : b; }>("max.s64"),

    lanewise<[](u16 a, u16 b, u16 c) -> u16 { return static_cast<u16>(c + distance(a, b)); }>(
        "sad.u16"),
    lanewise<[](s16 a, s16 b, u16 c) -> u16 { return static_cast<u16>(c + distance(a, b)); }>(
        "sad.s16"),
    lanewise<[](u32 a, u32 b, u32 c) -> u32 { return c + distance(a, b); }>("sad.u32"),
    lanewise<[](s32 a, s32 b, u32 c) -> u32 { return c + distance(a, b); }>("sad.s32"),
    lanewise<[](u64 a, u64 b, u64 c) -> u64 { return c + distance(a, b); }>("sad.u64"),
    lanewise<[](s64 a, s64 b, u64 c) -> u64 { return c + distance(a, b); }>("sad.s64"),
};

}  // namespace

std::span<const Definition> integer_definitions() {
  return table;
}

}  // namespace tmaemu
