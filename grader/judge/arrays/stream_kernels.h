// The judge's own kernels for measuring bandwidth, on arrays of 32-bit words that hold a hash of
// their place and a seed (stream_hash.cuh). A lab whose arrays are of another kind has kernels of
// its own, in checks/<lab>/bandwidth.cu.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace judge {

// Elements that are not what they should be.
struct Mismatches {
  unsigned long long count;
  unsigned long long first;  // the lowest place; meaningless when count is 0
};

// data[i] = hash(i, seed)
cudaError_t fill_words(std::uint32_t* data, std::size_t count, std::uint64_t seed);

// Adds to `*result` (device memory) the places where data[i] != hash(i, seed) + delta.
cudaError_t check_words(const std::uint32_t* data, std::size_t count, std::uint64_t seed,
                        std::uint32_t delta, Mismatches* result);

// One 16-byte vector a thread, the fastest plain copy kernel known for this hardware. `bytes` is a
// multiple of 16.
cudaError_t copy_vectors(void* to, const void* from, std::size_t bytes);

}  // namespace judge
