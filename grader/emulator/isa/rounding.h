// Rounding modes. PTX ISA, "Rounding Modifiers".
#pragma once

#include <cfenv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tmaemu {

enum class Rounding : std::uint8_t {
  nearest_even,  // .rn .rni
  toward_zero,   // .rz .rzi
  down,          // .rm .rmi
  up,            // .rp .rpi
  nearest_away,  // .rna: ties away from zero
};

// The mode that .rn, .rz, .rm, .rp and .rna name, or with `to_integer` .rni, .rzi, .rmi and .rpi.
constexpr std::optional<Rounding> rounding_from_name(std::string_view name, bool to_integer) {
  if (to_integer) {
    if (name.size() != 3 || name.back() != 'i') return std::nullopt;
    name.remove_suffix(1);
  }
  if (name == "rn") return Rounding::nearest_even;
  if (name == "rz") return Rounding::toward_zero;
  if (name == "rm") return Rounding::down;
  if (name == "rp") return Rounding::up;
  if (name == "rna" && !to_integer) return Rounding::nearest_away;
  return std::nullopt;
}

// Lets the host round in another direction while it lives.
//
// A lane loop in its scope stays there: the calls are opaque to the compiler, so the loop's loads
// cannot move before the first, nor its stores behind the second, and the arithmetic is in between.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding mode) : saved_(std::fegetround()) { std::fesetround(host(mode)); }
  ~RoundingScope() { std::fesetround(saved_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  static int host(Rounding mode) {
    switch (mode) {
      case Rounding::toward_zero:
        return FE_TOWARDZERO;
      case Rounding::down:
        return FE_DOWNWARD;
      case Rounding::up:
        return FE_UPWARD;
      default:
        return FE_TONEAREST;
    }
  }
  int saved_;
};

}  // namespace tmaemu
