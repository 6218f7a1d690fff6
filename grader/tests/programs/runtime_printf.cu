// What kernels print appears when the program waits for them, in order with its own output.
#include "runtime_test.h"

__global__ void greet(int number) {
  printf("kernel %d, thread %d\n", number, threadIdx.x);
}

int main() {
  std::puts("before");
  greet<<<1, 2>>>(1);
  CHECK_OK(cudaGetLastError());
  CHECK_OK(cudaDeviceSynchronize());
  std::puts("between");
  greet<<<1, 1>>>(2);
  CHECK_OK(cudaDeviceReset());
  return runtime_test::result();
}
