// Fills and checks the arrays of a timed call of lab5-tensor-ranks, at the speed of the GPU's
// memory. Both are cubes of n * n * n floats.
#pragma once

#include "judge/arrays/stream_kernels.h"

namespace lab5 {

// src holds small integers that belong to the seed, dest something else.
cudaError_t fill_stencil(float* dest, float* src, int n, std::uint64_t seed);

// Adds to `*result` (device memory) the places where src is not what fill_stencil(seed) wrote, or
// dest is not the stencil of it.
cudaError_t check_stencil(const float* dest, const float* src, int n, std::uint64_t seed,
                          judge::Mismatches* result);

}  // namespace lab5
