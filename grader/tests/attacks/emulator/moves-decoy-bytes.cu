// Tries to feed the counter of TMA bytes: the engine moves as many bytes of an array that nobody
// asked for, while plain loads and stores do the work.
//
// Fails: what is counted is what the engine moves between shared memory and the judge's buffers.
#include <cuda_runtime.h>

#include "tma-interface.cuh"

__device__ int4 decoy[2048];

__global__ void add_one(int* data, int count) {
  __shared__ alignas(16) int4 tile[2048];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, count * 4);
    cp_async_bulk_global_to_shared(tile, decoy, count * 4, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] += 1;
}

void launch_add_one_tile(int* data, int count) {
  add_one<<<1, 256>>>(data, count);
}
