// Bits of an integer.
#pragma once

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "emulator/numeric/types.h"

namespace tmaemu {

// The bits of `number` that `mask` selects, moved together: as gathered_bits(), on any processor.
constexpr u32 gathered_bits_by_bit(u32 number, u32 mask) {
  u32 result = 0;
  for (u32 to = 1; mask != 0; mask &= mask - 1, to <<= 1) {
    const u32 lowest = mask & -mask;
    if ((number & lowest) != 0) result |= to;
  }
  return result;
}

// The same in one instruction where the processor has it: x86-64-v3 does, WebAssembly does not.
inline u32 gathered_bits(u32 number, u32 mask) {
#ifdef __BMI2__
  return _pext_u32(number, mask);
#else
  return gathered_bits_by_bit(number, mask);
#endif
}

}  // namespace tmaemu
