// What the judge's kernels fill arrays with and check them against: each element is a hash of its
// place and a seed, so that it can be made again at the speed of the memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "judge/arrays/stream_kernels.h"

namespace judge {

// splitmix64's finalizer (Steele, Lea, Flood, "Fast splittable pseudorandom number generators")
// with the seed put in twice. Put in once, it could be had back from one element by trying 2^32
// numbers, milliseconds on a GPU; and who has the seed need not read the array.
__device__ inline std::uint32_t stream_hash(std::size_t place, std::uint64_t seed) {
  std::uint64_t z = seed + (place + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z ^= (seed >> 32) * 0xD6E8FEB86659FD93 + (seed << 32);
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return static_cast<std::uint32_t>(z >> 32);
}

// An integer from -8 to 7: sums and products of a few of these are exact in every type.
__device__ inline int small_integer(std::size_t place, std::uint64_t seed) {
  return static_cast<int>(stream_hash(place, seed) >> 28) - 8;
}

__device__ inline std::size_t thread_number() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ inline void add_mismatch(Mismatches* result, std::size_t place) {
  atomicAdd(&result->count, 1ULL);
  atomicMin(&result->first, static_cast<unsigned long long>(place));
}

inline constexpr int stream_threads = 256;

// The CTAs that it takes for one thread an element.
inline unsigned stream_blocks(std::size_t threads) {
  return static_cast<unsigned>((threads + stream_threads - 1) / stream_threads);
}

}  // namespace judge
