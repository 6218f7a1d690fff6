// Which products of a warpgroup are made wrong on purpose, for a judge who asks whether a result
// has come out of them.
#pragma once

#include <cstdint>

namespace tmaemu {

// Those multiply the magnitudes of floating-point numbers instead of the numbers.
enum class DroppedSigns : std::uint8_t {
  none,
  all,
  without_swizzle,  // of factors that they read from shared memory in core matrices as they are
  in_registers,     // of factors that they take from registers
};

}  // namespace tmaemu
