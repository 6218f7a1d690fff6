// Occupies the GPU with a kernel that never ends.
//
// Fails: the process is killed when its time is up, and its kernel with it. The next submission
// finds a free GPU.
#include <cuda_runtime.h>

__global__ void spin(volatile int* flag) {
  while (*flag != 0x5EED) {
  }
}

void launch_reverse(int* dest, const int*, size_t) {
  spin<<<132 * 4, 256>>>(dest);
}
