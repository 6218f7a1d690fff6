// Gives the right answer and then writes past everything. Tries to hide that: replaces the
// runtime's functions that would report it, and closes standard error.
//
// Fails: errors are the replay's, where no host code of a submission runs.
#include <cuda_runtime.h>

#include "unnamed.h"

__global__ void reverse(int* dest, const int* src, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) dest[i] = src[count - 1 - i];
  __syncthreads();
  dest[threadIdx.x + (1 << 28)] = 0;
}

cudaError_t succeed() {
  return cudaSuccess;
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  close(STDERR_FILENO);
  reverse<<<1, 256>>>(dest, src, count);
  cudaDeviceSynchronize();
  for (const char* name : {"cudaGetLastError", "cudaDeviceSynchronize", "cudaIpcCloseMemHandle"}) {
    replace(dlsym(RTLD_DEFAULT, name), reinterpret_cast<void*>(succeed));
  }
}
