// Leaves out the proxy fence after the barrier's initialization, which the emulator finds although
// the answer is right. Tries to hide that: closes standard error, where findings are printed.
//
// Fails: findings are the replay's, where no host code of a submission runs.
#include "tma-interface.cuh"
#include "unnamed.h"

__global__ void add_one(int* data, int count) {
  __shared__ alignas(16) int tile[8192];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    expect_bytes_and_arrive(&loaded, count * 4);
    cp_async_bulk_global_to_shared(tile, data, count * 4, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] = tile[i] + 1;
}

void launch_add_one_tile(int* data, int count) {
  close(STDERR_FILENO);
  add_one<<<1, 256>>>(data, count);
}
