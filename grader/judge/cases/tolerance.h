// What is right besides the very bits that are expected.
#pragma once

namespace judge {

// How far a number may be from the expected one: |got - expected| <= relative * |expected| +
// absolute. Zero of both: bit for bit. Derive them from the arithmetic that is asked for.
struct Tolerance {
  double relative = 0;
  double absolute = 0;

  bool is_exact() const { return relative == 0 && absolute == 0; }
};

// What a NaN in the place of a NaN is. Arithmetic may give any; a copy keeps its bits.
enum class Nans { equal, bit_for_bit };

}  // namespace judge
