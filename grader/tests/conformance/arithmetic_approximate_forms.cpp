// PTX ISA: the .approx and .full instructions. Their results are not bit for bit the hardware's, so
// they are compared with double precision, within the error that the manual gives them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/conformance/arithmetic_forms.h"

namespace conformance {
namespace {

// A floating-point format by its numbers.
struct Format {
  int fraction_bits;
  int smallest_exponent;
  double largest;
  double value(std::uint64_t bits) const {
    const int width = fraction_bits == 52 ? 64 : fraction_bits == 23 ? 32 : 16;
    const bool negative = (bits >> (width - 1) & 1) != 0;
    const std::uint64_t magnitude = bits & ((std::uint64_t{1} << (width - 1)) - 1);
    const auto exponent = static_cast<int>(magnitude >> fraction_bits);
    const std::uint64_t implicit = std::uint64_t{1} << fraction_bits;
    const std::uint64_t fraction = magnitude & (implicit - 1);
    const int special = (1 << (width - 1 - fraction_bits)) - 1;
    double result = 0;
    if (exponent == special) {
      result = fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                             : std::numeric_limits<double>::infinity();
    } else {
      result = std::ldexp(static_cast<double>(exponent != 0 ? fraction | implicit : fraction),
                          std::max(exponent, 1) - 1 + smallest_exponent - fraction_bits);
    }
    return negative ? -result : result;
  }
};
constexpr Format single{23, -126, std::numeric_limits<float>::max()};
constexpr Format twice{52, -1022, std::numeric_limits<double>::max()};
constexpr Format half{10, -14, 65504};
constexpr Format brain{7, -126, 0x1.fep127};

double flushed(const Format& format, double a) {
  return std::fabs(a) < std::ldexp(1.0, format.smallest_exponent) ? std::copysign(0.0, a) : a;
}

struct Bound {
  double relative;
  double absolute = 0;
};

// The manual's bounds. Where it has none (the reciprocals of double precision), the one that an
// H200 keeps.
Bound bound_of(std::string_view name, double a) {
  const auto is = [&](std::string_view start) { return name.starts_with(start); };
  if (is("rcp.approx.ftz.f64") || is("rsqrt.approx.ftz.f64")) return {0x1p-18};
  if (is("rsqrt.approx.f64")) return {0x1p-51};
  if (is("rcp") || is("sqrt")) return {0x1p-23};
  if (is("rsqrt")) return {std::exp2(-22.9)};
  if (is("div")) return {0x1p-22};
  if (is("sin") || is("cos"))
    return {0, std::fabs(a) <= 6.2831854 ? std::exp2(-20.5) : std::exp2(-14.7)};
  if (is("lg2")) return 0.5 < a && a < 2 ? Bound{0, 0x1p-22} : Bound{0x1p-22};
  if (is("tanh.approx.f32")) return {0x1p-11};
  if (is("tanh")) return {0, name.find("bf16") != name.npos ? 0x1p-8 : std::exp2(-10.987)};
  if (name.find("bf16") != name.npos) return {0x1p-7};
  if (name.find("f16") != name.npos) return {std::exp2(-9.9)};
  return {0x1p-22};
}

double reference(std::string_view name, double a, double b) {
  const auto is = [&](std::string_view start) { return name.starts_with(start); };
  if (is("rcp")) return 1 / a;
  if (is("sqrt")) return std::sqrt(a);
  if (is("rsqrt")) return a == 0 ? std::copysign(INFINITY, a) : 1 / std::sqrt(a);
  if (is("sin")) return std::sin(a);
  if (is("cos")) return std::cos(a);
  if (is("lg2")) return std::log2(a);
  if (is("ex2")) return std::exp2(a);
  if (is("tanh")) return std::tanh(a);
  return a / b;
}

bool is_near(const Format& format, double result, double exact, Bound bound, bool ftz) {
  if (exact != exact || result != result) return exact != exact && result != result;
  if (std::isinf(exact)) return result == exact;
  const double smallest = std::ldexp(1.0, format.smallest_exponent);
  // Half a unit of the format's own comes on top where the manual bounds the function alone, and a
  // whole one among its subnormals.
  const double error = std::max({bound.relative * std::fabs(exact), bound.absolute,
                                 std::ldexp(2.0, format.smallest_exponent - format.fraction_bits)});
  if (std::isinf(result)) {
    return std::fabs(exact) + error > format.largest && (exact < 0) == (result < 0);
  }
  if (ftz && result == 0) return std::fabs(exact) - error < smallest;
  if (result == 0 && exact == 0) return std::signbit(result) == std::signbit(exact);
  return std::fabs(result - exact) <= error;
}

bool element_is_within(std::string_view name, const Format& format, std::uint64_t a_bits,
                       std::uint64_t b_bits, std::uint64_t result_bits) {
  const bool ftz = name.find(".ftz") != name.npos;
  // Of double precision these take the upper words.
  if (name.ends_with(".approx.ftz.f64")) a_bits &= ~std::uint64_t{0xffff'ffff};
  double a = format.value(a_bits);
  double b = format.value(b_bits);
  if (ftz) a = flushed(format, a), b = flushed(format, b);
  const double result = format.value(result_bits);
  if (name.starts_with("div.approx") && 0x1p126 < std::fabs(b) && std::fabs(b) < INFINITY) {
    return std::isfinite(a) ? result == 0 : result != result;
  }
  // Of divisors that are subnormal the manual promises nothing.
  if (name.starts_with("div.approx") && std::fabs(b) < 0x1p-126 && b != 0) return true;
  return is_near(format, result, reference(name, a, b), bound_of(name, a), ftz);
}

bool is_within(const Form& form, Words sources, Words results) {
  const Format& format = form.results[0] == Kind::f64               ? twice
                         : form.results[0] == Kind::f32             ? single
                         : form.name.find("bf16") != form.name.npos ? brain
                                                                    : half;
  const std::uint64_t b = sources.size() > 1 ? sources[1] : 0;
  const unsigned elements = form.name.ends_with("x2") ? 2 : 1;
  for (unsigned i = 0; i < elements; ++i) {
    const unsigned shift = 16 * i;
    const std::uint64_t mask = format.fraction_bits == 52   ? ~std::uint64_t{0}
                               : format.fraction_bits == 23 ? 0xffff'ffff
                                                            : 0xffff;
    if (!element_is_within(form.name, format, sources[0] >> shift & mask, b >> shift & mask,
                           results[0] >> shift & mask)) {
      return false;
    }
  }
  return true;
}

constexpr FormRow rows[] = {
    {"div.{approx,full}{,.ftz}.f32", "f32", "f32 f32"},
    {"{rcp,sqrt,rsqrt,lg2,ex2}.approx{,.ftz}.f32", "f32", "f32"},
    {"{sin,cos}.approx{,.ftz}.f32", "f32", "angle"},
    {"{rcp,rsqrt}.approx.ftz.f64", "f64", "f64"},
    {"rsqrt.approx.f64", "f64", "f64"},
    {"{ex2,tanh}.approx.f16", "f16", "f16"},
    {"{ex2,tanh}.approx.f16x2", "f16x2", "f16x2"},
    {"ex2.approx.ftz.bf16", "bf16", "bf16"},
    {"ex2.approx.ftz.bf16x2", "bf16x2", "bf16x2"},
    {"tanh.approx.f32", "f32", "f32"},
    {"tanh.approx.bf16", "bf16", "bf16"},
    {"tanh.approx.bf16x2", "bf16x2", "bf16x2"},
};

}  // namespace

std::vector<Form> approximate_forms() {
  std::vector<Form> forms = forms_of(rows);
  for (Form& form : forms) form.is_within = is_within;
  return forms;
}

}  // namespace conformance
