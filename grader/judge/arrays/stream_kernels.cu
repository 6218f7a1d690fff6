#include "judge/arrays/stream_hash.cuh"
#include "judge/arrays/stream_kernels.h"

namespace judge {
namespace {

__global__ void fill(std::uint32_t* data, std::size_t count, std::uint64_t seed) {
  const std::size_t i = thread_number();
  if (i < count) data[i] = stream_hash(i, seed);
}

__global__ void check(const std::uint32_t* data, std::size_t count, std::uint64_t seed,
                      std::uint32_t delta, Mismatches* result) {
  const std::size_t i = thread_number();
  if (i < count && data[i] != stream_hash(i, seed) + delta) add_mismatch(result, i);
}

__global__ void copy(uint4* to, const uint4* from, std::size_t vectors) {
  const std::size_t i = thread_number();
  if (i < vectors) to[i] = from[i];
}

}  // namespace

cudaError_t fill_words(std::uint32_t* data, std::size_t count, std::uint64_t seed) {
  fill<<<stream_blocks(count), stream_threads>>>(data, count, seed);
  return cudaGetLastError();
}

cudaError_t check_words(const std::uint32_t* data, std::size_t count, std::uint64_t seed,
                        std::uint32_t delta, Mismatches* result) {
  check<<<stream_blocks(count), stream_threads>>>(data, count, seed, delta, result);
  return cudaGetLastError();
}

cudaError_t copy_vectors(void* to, const void* from, std::size_t bytes) {
  const std::size_t vectors = bytes / sizeof(uint4);
  copy<<<stream_blocks(vectors), stream_threads>>>(static_cast<uint4*>(to),
                                                   static_cast<const uint4*>(from), vectors);
  return cudaGetLastError();
}

}  // namespace judge
