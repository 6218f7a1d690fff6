// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): numbers
// that are the same on every machine, from a seed of 64 bits.
#pragma once

#include <cstdint>

namespace common {

inline constexpr std::uint64_t split_mix_gamma = 0x9E3779B97F4A7C15;

// A seed for each of many sequences of numbers, of which one seed says all.
constexpr std::uint64_t seed_of_sequence(std::uint64_t seed, std::uint64_t number) {
  return (seed + 1) * split_mix_gamma + number;
}

class SplitMix64 {
 public:
  constexpr SplitMix64() = default;
  constexpr explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    std::uint64_t z = state_ += split_mix_gamma;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace common
