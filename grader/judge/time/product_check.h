// Compares two matrix products on the device.
#pragma once

#include <cuda_runtime_api.h>

#include "judge/arrays/stream_kernels.h"
#include "judge/cases/bandwidth_case.h"

namespace judge {

// Adds to `*result` the places where two results differ by more than the order of additions and one
// rounding to bfloat16 explain, for factors whose elements are about 1.
cudaError_t compare_products(const void* got, const void* right, const ProductSizes& sizes,
                             Mismatches* result);

}  // namespace judge
