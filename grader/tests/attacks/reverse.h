// What attacks hand in for the first part of lab 1: right, and by asynchronous copies, as it asks.
// For up to 256 threads.
#pragma once

__device__ inline void reverse_elements(int* dest, const int* src, int count) {
  __shared__ int own[256];
  const auto place = static_cast<unsigned>(__cvta_generic_to_shared(&own[threadIdx.x]));
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\ncp.async.wait_all;" ::"r"(place),
                 "l"(src + count - 1 - i)
                 : "memory");
    dest[i] = own[threadIdx.x];
  }
}
