// A program for two architectures, one kernel of which exists for the later one alone: the emulator
// takes that kernel from there, and all others from the PTX for Hopper. Built for sm_90a and
// compute_100a.
#include <cuda_runtime.h>

#include "runtime_test.h"

__global__ void which_architecture(int* architecture) {
#ifdef __CUDA_ARCH__
  *architecture = __CUDA_ARCH__;
#endif
}

__global__ void which_architecture_later(int* architecture);

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000
__global__ void which_architecture_later(int* architecture) {
#ifdef __CUDA_ARCH__
  *architecture = __CUDA_ARCH__;
#endif
}
#endif

int main() {
  int* architecture = nullptr;
  CHECK_OK(cudaMallocManaged(&architecture, sizeof(int)));
  for (int time = 0; time < 2; ++time) {
    which_architecture<<<1, 1>>>(architecture);
    CHECK_OK(cudaDeviceSynchronize());
    CHECK(*architecture == 900);
    which_architecture_later<<<1, 1>>>(architecture);
    CHECK_OK(cudaDeviceSynchronize());
    CHECK(*architecture == 1000);
  }
  return runtime_test::result();
}
