// Gives the right answer, and keeps all of the GPU's memory, so that nothing is left for the
// judge's own arrays.
//
// Fails: the process is gone before the judge allocates what it measures with.
#include <cuda_runtime.h>

#include "reverse_tiles.h"

void honest(int* dest, const int* src, size_t count, cudaStream_t stream = nullptr) {
  if (count == 0) return;
  reverse<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(dest, src, count);
}

void launch_reverse(int* dest, const int* src, size_t count) {
  void* memory;
  for (size_t bytes = size_t{16} << 30; bytes >= size_t{2} << 20; bytes /= 2) {
    while (cudaMalloc(&memory, bytes) == cudaSuccess) {
    }
  }
  cudaGetLastError();
  honest(dest, src, count);
}
