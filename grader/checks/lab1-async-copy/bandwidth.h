// Checks an array of a timed call of lab1-async-copy, at the speed of the GPU's memory.
#pragma once

#include "judge/arrays/stream_kernels.h"

namespace lab1 {

// Adds to `*result` (device memory) the places where data is not what fill_words(seed) wrote, every
// tile of `tile_words` words back to front. `count` is a multiple of tile_words.
cudaError_t check_reversed(const std::uint32_t* data, std::size_t count, std::size_t tile_words,
                           std::uint64_t seed, judge::Mismatches* result);

}  // namespace lab1
