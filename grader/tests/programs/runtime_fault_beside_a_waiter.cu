// Block 0 waits for block 1, which faults: the fault is the launch's error, and not that block 0
// waits forever.
#include "runtime_test.h"

namespace {

__global__ void wait_for_the_other(volatile int* flag) {
  if (blockIdx.x == 1) {
    *static_cast<volatile int*>(nullptr) = 1;
    *flag = 1;
  }
  while (*flag == 0) {
  }
}

}  // namespace

int main() {
  int* flag = nullptr;
  CHECK_OK(cudaMalloc(&flag, sizeof(int)));
  CHECK_OK(cudaMemset(flag, 0, sizeof(int)));
  wait_for_the_other<<<2, 1>>>(flag);
  CHECK_ERROR(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  return runtime_test::result();
}
