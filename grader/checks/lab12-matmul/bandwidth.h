// Fills the arrays of a timed call of lab12-matmul, on the GPU.
#pragma once

#include "judge/cases/bandwidth_case.h"

namespace lab12 {

// Gives A and B bfloat16 that are distributed about like normal ones, and C what is no number.
cudaError_t fill_factors(judge::BandwidthCase::Set set, const judge::ProductSizes& sizes,
                         std::uint64_t seed);

}  // namespace lab12
