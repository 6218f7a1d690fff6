#include <cuda_bf16.h>

#include <cmath>

#include "judge/arrays/stream_hash.cuh"
#include "judge/time/product_check.h"

namespace judge {
namespace {

// bfloat16 has 8 bits: results that lie on two sides of a middle are 2^-7 of their size apart.
constexpr float relative = 0x1p-7F;
// Of a sum of k products, which is about the root of k: where it nearly vanishes.
constexpr float absolute = 0x1p-10F;

// A NaN is never near.
__global__ void compare(const __nv_bfloat16* got, const __nv_bfloat16* right, std::size_t count,
                        float tolerance, Mismatches* result) {
  const std::size_t i = thread_number();
  if (i >= count) return;
  const float expected = __bfloat162float(right[i]);
  const float difference = fabsf(__bfloat162float(got[i]) - expected);
  if (!(difference <= relative * fabsf(expected) + tolerance)) add_mismatch(result, i);
}

}  // namespace

cudaError_t compare_products(const void* got, const void* right, const ProductSizes& sizes,
                             Mismatches* result) {
  const auto count = static_cast<std::size_t>(sizes.m * sizes.n);
  const float tolerance = absolute * std::sqrt(static_cast<float>(sizes.k));
  compare<<<stream_blocks(count), stream_threads>>>(static_cast<const __nv_bfloat16*>(got),
                                                    static_cast<const __nv_bfloat16*>(right), count,
                                                    tolerance, result);
  return cudaGetLastError();
}

}  // namespace judge
