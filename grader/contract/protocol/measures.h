// How much of a program's work is done which way: in these numbers a grader asks whether a kernel
// does what it is about.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tmaemu {

enum class Measure : std::uint8_t {
#define MEASURE(name, counts, words) name,
#include "contract/protocol/measures.def"
#undef MEASURE
};

inline constexpr std::array measure_names{
#define MEASURE(name, counts, words) #name,
#include "contract/protocol/measures.def"
#undef MEASURE
};
inline constexpr std::size_t measure_count = measure_names.size();

// What a measure counts: measures.def.
enum class Counts : std::uint8_t { bytes, loads, bytes_anyhow, detour, number, largest };
inline constexpr std::array measure_counts{
#define MEASURE(name, counts, words) Counts::counts,
#include "contract/protocol/measures.def"
#undef MEASURE
};

using Measured = std::array<std::uint64_t, measure_count>;

constexpr std::size_t index_of(Measure measure) {
  return static_cast<std::size_t>(measure);
}

// `rank`: from 2 to 5.
constexpr Measure measure_of_rank(unsigned rank) {
  return static_cast<Measure>(index_of(Measure::rank_2) + rank - 2);
}
// Of several launches, or cases, the largest counts and not the sum.
constexpr bool is_largest(Measure measure) {
  return measure_counts[index_of(measure)] == Counts::largest;
}
constexpr bool is_of_rank(Measure measure) {
  return measure >= Measure::rank_2 && measure <= Measure::rank_5;
}
constexpr bool is_of_swizzle(Measure measure) {
  return measure >= Measure::swizzle_32 && measure <= Measure::swizzle_128;
}

}  // namespace tmaemu
