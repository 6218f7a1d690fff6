#include "judge/stream_kernels.h"

namespace judge {
namespace {

constexpr int kThreads = 256;

// splitmix64's finaliser (Steele, Lea, Flood, "Fast splittable pseudorandom number generators").
__device__ std::uint32_t hash(std::size_t place, std::uint64_t seed) {
  std::uint64_t z = seed + (place + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return static_cast<std::uint32_t>(z >> 32);
}

__device__ std::size_t thread_number() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__global__ void fill(std::uint32_t* data, std::size_t count, std::uint64_t seed) {
  const std::size_t i = thread_number();
  if (i < count) data[i] = hash(i, seed);
}

__global__ void check(const std::uint32_t* data, std::size_t count, std::uint64_t seed,
                      std::uint32_t delta, WordMismatches* result) {
  const std::size_t i = thread_number();
  if (i < count && data[i] != hash(i, seed) + delta) {
    atomicAdd(&result->count, 1ULL);
    atomicMin(&result->first, static_cast<unsigned long long>(i));
  }
}

__global__ void copy(uint4* to, const uint4* from, std::size_t vectors) {
  const std::size_t i = thread_number();
  if (i < vectors) to[i] = from[i];
}

unsigned blocks(std::size_t threads) {
  return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
}

}  // namespace

cudaError_t fill_words(std::uint32_t* data, std::size_t count, std::uint64_t seed) {
  fill<<<blocks(count), kThreads>>>(data, count, seed);
  return cudaGetLastError();
}

cudaError_t check_words(const std::uint32_t* data, std::size_t count, std::uint64_t seed,
                        std::uint32_t delta, WordMismatches* result) {
  check<<<blocks(count), kThreads>>>(data, count, seed, delta, result);
  return cudaGetLastError();
}

cudaError_t copy_vectors(void* to, const void* from, std::size_t bytes) {
  const std::size_t vectors = bytes / sizeof(uint4);
  copy<<<blocks(vectors), kThreads>>>(static_cast<uint4*>(to), static_cast<const uint4*>(from),
                                      vectors);
  return cudaGetLastError();
}

}  // namespace judge
