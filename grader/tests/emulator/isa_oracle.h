// Says whether a rounded result is the right one, by exact arithmetic on big integers. Nothing is
// shared with the emulator: no host floating point, no rounding code.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace tmaemu::testing {

__extension__ using Wide = unsigned __int128;

// (-1)^negative * significand * 2^exponent
struct Dyadic {
  bool negative = false;
  Wide significand = 0;
  int exponent = 0;

  Dyadic operator-() const { return {!negative, significand, exponent}; }
  // Exact where the significands have 128 bits together.
  Dyadic operator*(const Dyadic& other) const {
    return {negative != other.negative, significand * other.significand, exponent + other.exponent};
  }
};

// The sign of an exact sum: -1, 0 or 1.
inline int sign_of_sum(std::initializer_list<Dyadic> terms) {
  // A two's complement fixed-point number: bit 0 weighs 2^-2240, enough for products of doubles.
  constexpr int lowest = -2240;
  std::array<std::uint32_t, 144> sum{};
  for (const Dyadic& term : terms) {
    const int shift = term.exponent - lowest;
    std::array<std::uint32_t, 144> addend{};
    for (int bit = 0; bit < 128; ++bit) {
      if (term.significand >> bit & 1) {
        addend.at(static_cast<std::size_t>((shift + bit) / 32)) |= 1u << ((shift + bit) % 32);
      }
    }
    std::uint64_t carry = term.negative ? 1 : 0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      carry += std::uint64_t{sum[i]} + (term.negative ? ~addend[i] : addend[i]);
      sum[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  if (sum.back() >> 31) return -1;
  for (const std::uint32_t limb : sum) {
    if (limb != 0) return 1;
  }
  return 0;
}

struct Format {
  int exponent_bits;
  int fraction_bits;

  std::uint64_t sign() const { return std::uint64_t{1} << (exponent_bits + fraction_bits); }
  std::uint64_t infinity() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  }
  std::uint64_t magnitude(std::uint64_t bits) const { return bits & (sign() - 1); }
  bool is_nan(std::uint64_t bits) const { return magnitude(bits) > infinity(); }
  bool is_infinite(std::uint64_t bits) const { return magnitude(bits) == infinity(); }
  bool is_finite(std::uint64_t bits) const { return magnitude(bits) < infinity(); }
  bool is_subnormal(std::uint64_t bits) const {
    return magnitude(bits) != 0 && magnitude(bits) >> fraction_bits == 0;
  }
  unsigned bytes() const { return static_cast<unsigned>(1 + exponent_bits + fraction_bits) / 8; }

  // The number; infinity counts as the one that would follow the largest.
  Dyadic value(std::uint64_t bits) const {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const auto field = static_cast<int>(magnitude(bits) >> fraction_bits);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
    const std::uint64_t implicit = field == 0 ? 0 : std::uint64_t{1} << fraction_bits;
    return {(bits & sign()) != 0, fraction | implicit,
            (field == 0 ? 1 : field) - bias - fraction_bits};
  }
  // Halfway between a magnitude and the next larger one.
  Dyadic above(std::uint64_t bits) const {
    const Dyadic value = this->value(magnitude(bits));
    return {false, 2 * value.significand + 1, value.exponent - 1};
  }

  // Numbers at which something happens.
  std::vector<std::uint64_t> edges() const {
    const std::uint64_t one = (infinity() >> 1) & ~((std::uint64_t{1} << fraction_bits) - 1);
    const std::uint64_t normal = std::uint64_t{1} << fraction_bits;
    std::vector<std::uint64_t> all;
    for (const std::uint64_t magnitude :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, normal - 1, normal, normal + 1,
          one - normal, one - 1, one, one + 1, one + normal / 2, one + 2 * normal - 1,
          infinity() - 1, infinity(), infinity() + 1, infinity() + normal / 2 + 5}) {
      all.push_back(magnitude);
      all.push_back(magnitude | sign());
    }
    return all;
  }
};

inline constexpr Format half{5, 10};
inline constexpr Format brain{8, 7};
inline constexpr Format single{8, 23};
inline constexpr Format twice{11, 52};

// Whether `result` is the exact number rounded. `compare(m)` is the sign of (exact number - m);
// `mode` is "rn", "rz", "rm" or "rp".
template <class Compare>
bool is_rounded(const Format& format, std::uint64_t result, const std::string& mode,
                Compare compare) {
  if (format.is_nan(result)) return false;
  const int sign = compare(Dyadic{});
  const bool negative = (result & format.sign()) != 0;
  const std::uint64_t magnitude = format.magnitude(result);
  if (sign == 0) return magnitude == 0;
  if (negative != (sign < 0)) return false;
  // The sign of |exact| - |m|.
  const auto order = [&](Dyadic m) { return negative ? -compare(-m) : compare(m); };
  const bool is_infinite = magnitude == format.infinity();
  if (mode == "rn") {
    const int slack = magnitude % 2 == 0 ? 0 : 1;  // ties go to even
    const bool not_below = magnitude == 0 || order(format.above(magnitude - 1)) >= slack;
    return not_below && (is_infinite || order(format.above(magnitude)) <= -slack);
  }
  const bool grows = (mode == "rp" && !negative) || (mode == "rm" && negative);
  if (grows) {
    const bool not_above = is_infinite || order(format.value(magnitude)) <= 0;
    return not_above && magnitude != 0 && order(format.value(magnitude - 1)) > 0;
  }
  if (is_infinite || order(format.value(magnitude)) < 0) return false;
  return magnitude + 1 == format.infinity() || order(format.value(magnitude + 1)) < 0;
}

}  // namespace tmaemu::testing
