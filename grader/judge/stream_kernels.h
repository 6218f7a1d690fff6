// The judge's own kernels for measuring bandwidth. Arrays of 32-bit words; the contents of a word
// are a hash of its place and a seed, so that they can be made, and checked, at the speed of the
// memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace judge {

// data[i] = hash(i, seed)
cudaError_t fill_words(std::uint32_t* data, std::size_t count, std::uint64_t seed);

struct WordMismatches {
  unsigned long long count;
  unsigned long long first;  // the lowest place; meaningless when count is 0
};

// Adds to `*result` (device memory) the places where data[i] != hash(i, seed) + delta.
cudaError_t check_words(const std::uint32_t* data, std::size_t count, std::uint64_t seed,
                        std::uint32_t delta, WordMismatches* result);

// One 16-byte vector a thread, the fastest plain copy kernel known for this hardware. `bytes` is a
// multiple of 16.
cudaError_t copy_vectors(void* to, const void* from, std::size_t bytes);

}  // namespace judge
