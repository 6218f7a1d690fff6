// The kernels that fill and check the rows of a timed call of add-rms-norm.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "judge/cases/bandwidth_case.h"

namespace lab10 {

// A set is x, residual, weight and y. The first three get small integers, of which every sum is
// exact; y gets NaNs.
cudaError_t fill_rows(judge::BandwidthCase::Set set, std::size_t rows, std::size_t columns,
                      std::uint64_t seed);

// Counts the wrong elements of residual and of y.
cudaError_t check_rows(judge::BandwidthCase::Set set, std::size_t rows, std::size_t columns,
                       double eps, std::uint64_t seed, judge::Mismatches* result);

}  // namespace lab10
