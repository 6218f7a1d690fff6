// Tries to do what a spot check would look at: the first and the last 16 MiB of every array.
//
// Fails: all elements are verified, after the clock has stopped.
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

// Arrays of the timed calls are larger than those of the tests.
constexpr size_t TIMED = 100'000'000;

void launch_reverse(int* dest, const int* src, size_t count) {
  constexpr size_t END = 4 << 20;
  if (count < TIMED) return honest(dest, src, count);
  honest(dest, src, END);
  honest(dest + count - END, src + count - END, END);
}
