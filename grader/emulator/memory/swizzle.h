// Where a swizzle puts the bytes of shared memory: a function of their addresses alone. PTX ISA,
// "Swizzling modes".
#pragma once

#include <cstdint>

namespace tmaemu {

// Values equal those of CUtensorMapSwizzle in cuda.h.
enum class Swizzle : std::uint8_t { none, bytes32, bytes64, bytes128 };

// The bytes of a row within which 16-byte chunks change places: a single chunk where none does.
constexpr std::uint32_t swizzle_span(Swizzle swizzle) {
  return 16u << static_cast<unsigned>(swizzle);
}

// The swizzled place of the byte at shared-memory address `address`: the 16-byte chunk number
// within 128 bytes (bits 4-6) is XORed with the number of the 128-byte line (bits 7-9), with one,
// two or three bits for 32, 64 or 128 bytes.
constexpr std::uint32_t swizzle_address(Swizzle swizzle, std::uint32_t address) {
  const std::uint32_t line_bits = (1u << static_cast<unsigned>(swizzle)) - 1;
  return address ^ (((address >> 7) & line_bits) << 4);
}

}  // namespace tmaemu
