// Rounding modes. PTX ISA, "Rounding Modifiers".
#pragma once

#include <cfenv>
#include <cstdint>

namespace tmaemu {

enum class Rounding : std::uint8_t {
  nearest_even,  // .rn .rni
  toward_zero,   // .rz .rzi
  down,          // .rm .rmi
  up,            // .rp .rpi
  nearest_away,  // .rna: ties away from zero
};

#ifdef FE_UPWARD
inline constexpr bool host_rounds_in_directions = true;

// By its name in <cfenv>.
inline int host_rounding(Rounding mode) {
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
#else
// WebAssembly rounds to nearest only, and has no names for the rest.
inline constexpr bool host_rounds_in_directions = false;

inline int host_rounding(Rounding) {
  return FE_TONEAREST;
}
#endif

// Lets the host round in another direction while it lives.
//
// A lane loop in its scope stays there: the calls are opaque to the compiler, so the loop's loads
// cannot move before the first, nor its stores behind the second, and the arithmetic is in between.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding mode) : saved_(std::fegetround()) {
    std::fesetround(host_rounding(mode));
  }
  ~RoundingScope() { std::fesetround(saved_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int saved_;
};

}  // namespace tmaemu
