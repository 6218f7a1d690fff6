// Addresses and masks as people write them.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

namespace common {

inline std::string hexadecimal(std::uint64_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  return "0x" + std::string(digits, end);
}

}  // namespace common
