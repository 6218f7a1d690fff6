// Which lengths of an array tell right from wrong. What moves 16 bytes at a time leaves a tail, and
// each length of a tail can go wrong by itself: all of them are tried, behind arrays of different
// lengths.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace judge {

// Numbers of elements of this many bytes in 16.
inline constexpr std::size_t floats_per_vector = 4;
inline constexpr std::size_t bfloat16_per_vector = 8;
inline constexpr std::size_t bytes_per_vector = 16;

// Up to two vectors, none and a single element among them.
inline std::vector<std::size_t> short_lengths(std::size_t per_vector) {
  std::vector<std::size_t> lengths;
  for (std::size_t length = 0; length < 2 * per_vector; ++length) lengths.push_back(length);
  return lengths;
}

// Parameters of tests: each of the lengths, and `others`.
template <class Parameter>
std::vector<Parameter> with_lengths(const std::vector<std::size_t>& lengths,
                                    std::initializer_list<Parameter> others) {
  std::vector<Parameter> all;
  for (const std::size_t length : lengths) all.push_back(Parameter{length});
  all.insert(all.end(), others);
  return all;
}

}  // namespace judge
