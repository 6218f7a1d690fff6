// The arithmetic of alignment.
#pragma once

#include <cstddef>
#include <type_traits>

namespace common {

// The smallest multiple of `unit` that is not below `value`: a size, or an address, which has 64
// bits also where a size has 32 (WebAssembly).
template <class Integer>
constexpr auto round_up(Integer value, std::size_t unit) {
  const std::common_type_t<Integer, std::size_t> wide = value;
  return (wide + unit - 1) / unit * unit;
}

}  // namespace common
