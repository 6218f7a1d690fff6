#include "checks/lab8-swizzle/bandwidth.h"
#include "judge/arrays/stream_hash.cuh"

namespace lab8 {
namespace {

__global__ void check(const std::uint32_t* dest, std::size_t rows, std::size_t columns,
                      std::uint64_t seed, judge::Mismatches* result) {
  const std::size_t place = judge::thread_number();
  if (place >= rows * columns) return;
  const std::size_t source = place % rows * columns + place / rows;
  if (dest[place] != judge::stream_hash(source, seed)) judge::add_mismatch(result, place);
}

}  // namespace

cudaError_t fill_matrices(judge::BandwidthCase::Set set, std::size_t bytes, std::uint64_t seed) {
  const std::size_t words = bytes / sizeof(std::uint32_t);
  const cudaError_t error = judge::fill_words(static_cast<std::uint32_t*>(set[0]), words, seed);
  if (error != cudaSuccess) return error;
  return judge::fill_words(static_cast<std::uint32_t*>(set[1]), words, ~seed);
}

cudaError_t check_transpose(judge::BandwidthCase::Set set, std::size_t rows, std::size_t columns,
                            std::uint64_t seed, judge::Mismatches* result) {
  check<<<judge::stream_blocks(rows * columns), judge::stream_threads>>>(
      static_cast<const std::uint32_t*>(set[1]), rows, columns, seed, result);
  return cudaGetLastError();
}

}  // namespace lab8
