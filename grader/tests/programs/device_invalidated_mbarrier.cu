// mbarrier.inval: the bytes are the program's again, and may become another mbarrier.
#include "runtime_test.h"
#include "tma-interface.cuh"

__device__ void invalidate(uint64_t* barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(barrier)))
               : "memory");
}

__global__ void use_again(unsigned long long* result) {
  __shared__ uint64_t barrier;
  const bool is_first = threadIdx.x == 0;
  if (is_first) init_barrier(&barrier, 64);
  __syncthreads();
  arrive(&barrier, 1);
  wait(&barrier, 0);
  __syncthreads();
  if (is_first) {
    invalidate(&barrier);
    barrier = 7;
    result[0] = barrier;
    init_barrier(&barrier, 32);
  }
  __syncthreads();
  if (threadIdx.x < 32) arrive(&barrier, 1);
  wait(&barrier, 0);
  if (is_first) result[1] = 1;
}

int main() {
  unsigned long long* result;
  CHECK_OK(cudaMallocManaged(&result, 2 * sizeof *result));
  use_again<<<1, 64>>>(result);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(result[0] == 7);
  CHECK(result[1] == 1);
  return runtime_test::result();
}
