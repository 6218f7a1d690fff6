// Calls every function of async-copy.cuh: it only has to compile.
#include "async-copy.cuh"
#include "shared.cuh"

__global__ void async_copies(const unsigned char* global) {
  __shared__ Shared smem;
  cp_async_16(smem.tile, global);
  cp_async_16_zero_fill(smem.tile, global, 7);
  cp_async_commit_group();
  cp_async_wait_group<0>();
  cp_async_wait_group<3>();
}
