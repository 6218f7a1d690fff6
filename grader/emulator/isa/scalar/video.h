// What the video instructions have in common: operations on parts of registers, extended to 64
// bits. PTX ISA, "Video Instructions".
#pragma once

#include <algorithm>

#include "emulator/isa/lanes.h"

namespace tmaemu::video {

struct Add {
  static s64 of(s64 a, s64 b) { return a + b; }
};
struct Subtract {
  static s64 of(s64 a, s64 b) { return a - b; }
};
// Rounded away from zero.
struct Average {
  static s64 of(s64 a, s64 b) { return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1; }
};
struct Distance {
  static s64 of(s64 a, s64 b) { return a < b ? b - a : a - b; }
};
struct Minimum {
  static s64 of(s64 a, s64 b) { return std::min(a, b); }
};
struct Maximum {
  static s64 of(s64 a, s64 b) { return std::max(a, b); }
};
template <class Holds>
struct Compare {
  static s64 of(s64 a, s64 b) { return Holds{}(a, b) ? 1 : 0; }
};

// The lowest bits of a value, extended as its type says.
inline s64 extended(u64 value, unsigned bits, bool is_signed) {
  const u64 above = value << (64 - bits);
  return is_signed ? static_cast<s64>(above) >> (64 - bits)
                   : static_cast<s64>(above >> (64 - bits));
}

// The nearest value of a type of so many bits.
inline s64 saturated(s64 value, unsigned bits, bool is_signed) {
  const s64 least = is_signed ? -(s64{1} << (bits - 1)) : 0;
  return std::clamp(value, least, least + (s64{1} << bits) - 1);
}

// .u32 or .s32: whether it is signed.
inline bool take_signedness(Instruction& instruction) {
  return instruction.require_one_of({"u32", "s32"}, "type that is modeled") == "s32";
}

}  // namespace tmaemu::video
