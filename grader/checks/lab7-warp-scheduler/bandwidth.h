// Fills and checks the arrays of a timed call of lab7-warp-scheduler, at the speed of the GPU's
// memory.
#pragma once

#include "judge/arrays/stream_kernels.h"

namespace lab7 {

// x and y: small integers, so that a * x + y is exact for a small a.
cudaError_t fill_axpy(float* x, float* y, std::size_t count, std::uint64_t seed);

// Adds to `*result` (device memory) the places where x has changed, or where y is not a * x + y of
// what was filled in with this seed.
cudaError_t check_axpy(const float* x, const float* y, std::size_t count, float a,
                       std::uint64_t seed, judge::Mismatches* result);

}  // namespace lab7
