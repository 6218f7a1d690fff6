// PTX ISA, "Floating-Point Instructions": the .approx and .full instructions.
//
// The hardware's tables are not published. Each of these gives the host's best result instead,
// which lies within the error that the manual states; special values are as the manual's tables
// say. The functions are taken in double precision and rounded once, so that the C library's last
// digits do not show.
#include <bit>
#include <cmath>

#include "emulator/isa/scalar/floating.h"

namespace tmaemu {
namespace {

struct Exponential {
  static f64 of(f64 a) { return std::exp2(a); }
};
struct Logarithm {
  static f64 of(f64 a) { return std::log2(a); }
};
struct Sine {
  static f64 of(f64 a) { return std::sin(a); }
};
struct Cosine {
  static f64 of(f64 a) { return std::cos(a); }
};
struct HyperbolicTangent {
  static f64 of(f64 a) { return std::tanh(a); }
};
struct Reciprocal {
  static f64 of(f64 a) { return 1 / a; }
};
struct SquareRoot {
  static f64 of(f64 a) { return std::sqrt(a); }
};
// Of -0 the result is -infinity, as of the reciprocal.
struct ReciprocalSquareRoot {
  static f64 of(f64 a) { return 1 / std::sqrt(a); }
};

template <class Function, class T, bool ftz = false>
T approximated(T a) {
  if constexpr (is_pair<T>) {
    using Element = decltype(T::low);
    return {approximated<Function, Element, ftz>(a.low),
            approximated<Function, Element, ftz>(a.high)};
  } else if constexpr (ftz) {
    return flushed(approximated<Function, T>(flushed(a)));
  } else {
    return narrow<T>(canonical(static_cast<f32>(Function::of(widen(a)))));
  }
}

template <class Function, class T, bool ftz = false>
constexpr Definition approximate(std::string_view names) {
  return floating_lanewise<[](T a) -> T { return approximated<Function, T, ftz>(a); }>(names);
}

// a / b by a reciprocal, which for |b| > 2^126 would be subnormal and counts as zero: infinity
// divided by such a number is NaN.
f32 divided_by_reciprocal(f32 a, f32 b) {
  const bool vanishes = 0x1p126f < std::fabs(b) && std::fabs(b) < INFINITY;
  const f32 zero = std::copysign(0.0f, b);
  return canonical(vanishes ? a * zero : a / b);
}

// The upper words alone count: 20 digits after the point, the lower words are zero. So a NaN that
// has its payload in the lower word is an infinity.
template <class Function>
f64 upper_word(f64 a) {
  a = std::bit_cast<f64>(std::bit_cast<u64>(a) & ~u64{0xffff'ffff});
  const f64 result = flushed(Function::of(flushed(a)));
  if (result != result) return std::bit_cast<f64>(u64{f32_nan_bits} << 32);
  if (std::isinf(result)) return result;
  const u64 rounded = std::bit_cast<u64>(result) + 0x8000'0000u;
  return std::bit_cast<f64>(rounded & ~u64{0xffff'ffff});
}

constexpr Definition table[] = {
    floating_lanewise<[](f32 a, f32 b) -> f32 { return divided_by_reciprocal(a, b); }>(
        "div.approx.f32"),
    floating_lanewise<[](f32 a, f32 b) -> f32 {
      return flushed(divided_by_reciprocal(flushed(a), flushed(b)));
    }>("div.approx.ftz.f32"),
    floating_lanewise<[](f32 a, f32 b) -> f32 { return canonical(a / b); }>("div.full.f32"),
    floating_lanewise<[](f32 a, f32 b) -> f32 {
      return flushed(canonical(flushed(a) / flushed(b)));
    }>("div.full.ftz.f32"),

    approximate<Reciprocal, f32>("rcp.approx.f32"),
    approximate<Reciprocal, f32, true>("rcp.approx.ftz.f32"),
    approximate<SquareRoot, f32>("sqrt.approx.f32"),
    approximate<SquareRoot, f32, true>("sqrt.approx.ftz.f32"),
    approximate<ReciprocalSquareRoot, f32>("rsqrt.approx.f32"),
    approximate<ReciprocalSquareRoot, f32, true>("rsqrt.approx.ftz.f32"),
    floating_lanewise<[](f64 a) -> f64 { return upper_word<Reciprocal>(a); }>("rcp.approx.ftz.f64"),
    floating_lanewise<[](f64 a) -> f64 { return upper_word<ReciprocalSquareRoot>(a); }>(
        "rsqrt.approx.ftz.f64"),
    floating_lanewise<[](f64 a) -> f64 { return propagated(ReciprocalSquareRoot::of(a), a); }>(
        "rsqrt.approx.f64"),

    approximate<Sine, f32>("sin.approx.f32"),
    approximate<Sine, f32, true>("sin.approx.ftz.f32"),
    approximate<Cosine, f32>("cos.approx.f32"),
    approximate<Cosine, f32, true>("cos.approx.ftz.f32"),
    approximate<Logarithm, f32>("lg2.approx.f32"),
    approximate<Logarithm, f32, true>("lg2.approx.ftz.f32"),
    approximate<Exponential, f32>("ex2.approx.f32"),
    approximate<Exponential, f32, true>("ex2.approx.ftz.f32"),
    approximate<Exponential, f16>("ex2.approx.f16"),
    approximate<Exponential, Pair<f16>>("ex2.approx.f16x2"),
    approximate<Exponential, bf16, true>("ex2.approx.ftz.bf16"),
    approximate<Exponential, Pair<bf16>, true>("ex2.approx.ftz.bf16x2"),
    approximate<HyperbolicTangent, f32>("tanh.approx.f32"),
    approximate<HyperbolicTangent, f16>("tanh.approx.f16"),
    approximate<HyperbolicTangent, Pair<f16>>("tanh.approx.f16x2"),
    approximate<HyperbolicTangent, bf16>("tanh.approx.bf16"),
    approximate<HyperbolicTangent, Pair<bf16>>("tanh.approx.bf16x2"),
};

}  // namespace

std::span<const Definition> approximate_definitions() {
  return table;
}

}  // namespace tmaemu
