#include "checks/lab1-async-copy/bandwidth.h"
#include "judge/arrays/stream_hash.cuh"

namespace lab1 {
namespace {

__global__ void check(const std::uint32_t* data, std::size_t count, std::size_t tile_words,
                      std::uint64_t seed, judge::Mismatches* result) {
  const std::size_t i = judge::thread_number();
  if (i >= count) return;
  const std::size_t in_tile = i % tile_words;
  const std::size_t source = i - in_tile + tile_words - 1 - in_tile;
  if (data[i] != judge::stream_hash(source, seed)) judge::add_mismatch(result, i);
}

}  // namespace

cudaError_t check_reversed(const std::uint32_t* data, std::size_t count, std::size_t tile_words,
                           std::uint64_t seed, judge::Mismatches* result) {
  check<<<judge::stream_blocks(count), judge::stream_threads>>>(data, count, tile_words, seed,
                                                                result);
  return cudaGetLastError();
}

}  // namespace lab1
