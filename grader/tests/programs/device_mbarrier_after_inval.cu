// A thread arrives at what was an mbarrier. An H200 says nothing, and what happens is undefined.
#include "runtime_test.h"
#include "tma-interface.cuh"

__global__ void arrive_too_late() {
  __shared__ uint64_t barrier;
  init_barrier(&barrier, 1);
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(&barrier)))
               : "memory");
  arrive(&barrier, 1);
}

int main() {
  arrive_too_late<<<1, 1>>>();
  CHECK_OK(cudaDeviceSynchronize());
  return runtime_test::result();
}
