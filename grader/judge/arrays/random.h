// Everything the judge draws. Inputs of the tests of correctness come from one seed: the same seed
// gives the same inputs on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "judge/arrays/bfloat16.h"

namespace judge {

// What the elements of inputs are. Numbers that say where they come from, or that all are the same,
// show a student where a kernel puts them; random ones alone can tell right from wrong.
enum class InputData { random, index, ones };

// Whether numbers are among them that some arithmetic takes for zero: PTX with .ftz, and tensor
// maps of the types with FTZ, of which no document says what becomes of a number on its way.
enum class Subnormals { drawn, left_out };

// Mixes the text into the seed: each case has its own stream of numbers.
std::uint64_t derive_seed(std::uint64_t seed, std::string_view text);

// A number from the operating system, for what no submission may know beforehand.
std::uint64_t unforeseeable();

class Random {
 public:
  explicit Random(std::uint64_t seed, InputData data = InputData::random)
      : engine_(seed), data_(data) {}

  // Random whatever the data: for what is no element, as a place.
  std::uint64_t bits() { return engine_(); }
  void fill(std::byte* to, std::size_t bytes);

  // Away from the ends of the type, so that adding small numbers does not overflow.
  std::vector<std::int32_t> integers(std::size_t count);
  // Uniform in [-1024, 1024), in steps of 2^-13.
  std::vector<float> floats(std::size_t count);
  // What a copy must leave as it is. One in eight is no such number as floats() draws: a NaN of any
  // payload, an infinity, a zero of either sign, the largest number, or one of any magnitude.
  std::vector<float> any_floats(std::size_t count, Subnormals subnormals);
  // Whole numbers in [-2048, 2048), times `unit`, a power of two: sums of some of them are exact.
  std::vector<float> whole_floats(std::size_t count, float unit = 1);
  // Any bit pattern: NaNs, infinities and subnormal numbers included.
  std::vector<Bfloat16> any_bfloat16(std::size_t count);
  // Normal numbers of either sign between 2^-8 and 2^8: near enough for sums to need rounding.
  std::vector<Bfloat16> bfloat16(std::size_t count);
  // Whole numbers in [-limit, limit], at most 256, times `unit`, a power of two: sums of products
  // of some of them are exact.
  std::vector<Bfloat16> whole_bfloat16(std::size_t count, int limit, float unit = 1);

 private:
  template <class T, class Draw>
  std::vector<T> elements(std::size_t count, std::uint64_t period, Draw draw);

  std::mt19937_64 engine_;  // the standard fixes its output; it does not for the distributions
  InputData data_;
};

}  // namespace judge
