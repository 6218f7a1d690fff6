// Checks an array of a timed call of lab9-clusters, at the speed of the GPU's memory.
#pragma once

#include "judge/arrays/stream_kernels.h"

namespace lab9 {

// Adds to `*result` (device memory) the places where a row of the matrix is not the row that
// fill_words(row, columns, seed) made.
cudaError_t check_rows(const std::uint32_t* matrix, std::size_t rows, std::size_t columns,
                       std::uint64_t seed, judge::Mismatches* result);

}  // namespace lab9
