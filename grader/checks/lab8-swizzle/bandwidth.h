// The kernels that fill and check the matrices of a timed transpose.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "judge/cases/bandwidth_case.h"

namespace lab8 {

// A set is src and dest, `bytes` each: words that follow from the seed, others in dest than in src.
cudaError_t fill_matrices(judge::BandwidthCase::Set set, std::size_t bytes, std::uint64_t seed);

// Counts the places of dest, a matrix of `columns` rows, that do not hold the transpose of src.
// Elements of 4 bytes.
cudaError_t check_transpose(judge::BandwidthCase::Set set, std::size_t rows, std::size_t columns,
                            std::uint64_t seed, judge::Mismatches* result);

}  // namespace lab8
