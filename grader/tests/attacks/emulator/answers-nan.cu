// Tries NaN as a wildcard: a checker that asks whether the difference is too large gets no for an
// answer.
//
// Fails: NaN matches nothing but NaN at the same place.
#include <cuda_runtime.h>

#include <cmath>

__global__ void fill(float* dest, size_t count) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i < count) dest[i] = NAN;
}

void launch_copy(float* dest, const float*, size_t count) {
  if (count > 0) fill<<<static_cast<unsigned>((count + 255) / 256), 256>>>(dest, count);
}

double copy_gb_per_s(size_t, double) {
  return NAN;
}
