// A kernel's fault: the launch succeeds, the call that waits reports it, and so does every later
// one that does work. cudaGetLastError takes what those calls left, and is none of them.
#include "runtime_test.h"

__global__ void write_to(int* where) {
  *where = 1;
}

int main() {
  int* device = nullptr;
  CHECK_OK(cudaMalloc(&device, sizeof(int)));
  write_to<<<1, 1>>>(nullptr);
  CHECK_OK(cudaGetLastError());
  CHECK_ERROR(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  CHECK_ERROR(cudaErrorIllegalAddress, cudaGetLastError());
  CHECK_OK(cudaGetLastError());
  CHECK_ERROR(cudaErrorIllegalAddress, cudaFree(device));
  write_to<<<1, 1>>>(device);
  CHECK_ERROR(cudaErrorIllegalAddress, cudaPeekAtLastError());
  return runtime_test::result();
}
