// The arithmetic of alignment.
#pragma once

#include <cstddef>

namespace common {

// The smallest multiple of `unit` that is not below `value`.
constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace common
