// Gives the right answer, and allocates all of the device's memory, so that nothing is left for the
// judge's next case.
//
// Fails: the memory is emulated for each process, and on a GPU the process is gone before the judge
// allocates again. The answer is right, and the points are honest.
#include <cuda_runtime.h>

#include "reverse.h"

__global__ void reverse(int* dest, const int* src, int count) {
  reverse_elements(dest, src, count);
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  void* memory;
  for (size_t bytes = size_t{16} << 30; bytes > 1 << 20; bytes /= 2) {
    while (cudaMalloc(&memory, bytes) == cudaSuccess) {
    }
  }
  cudaGetLastError();
  reverse<<<1, 256>>>(dest, src, count);
}
