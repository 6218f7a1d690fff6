// What most attacks hand in for the first part of lab 1: right, if it is launched.
#pragma once

#include <cuda_runtime.h>

__global__ void reverse(int* dest, const int* src, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) dest[i] = src[count - 1 - i];
}
