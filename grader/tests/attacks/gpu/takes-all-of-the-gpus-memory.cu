// Gives the right answer, and keeps all of the GPU's memory, so that nothing is left for the
// judge's own arrays.
//
// Fails: the process is gone before the judge allocates what it measures with.
#include <cuda_runtime.h>

__global__ void reverse(int* dest, const int* src, size_t count) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i >= count) return;
  const size_t begin = i / 1024 * 1024;
  dest[i] = src[begin + min(count - begin, size_t{1024}) - 1 - (i - begin)];
}

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
