#include "tensors.h"

__global__ void one_tile(const __grid_constant__ CUtensorMap in,
                         const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(128) uint32_t tile[64];
  __shared__ uint64_t landed;
  if (threadIdx.x == 0) {
    init_barrier(&landed, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&landed, sizeof(tile));
    cp_async_bulk_tensor_2d_global_to_shared(tile, &in, 0, 0, &landed);
  }
  __syncthreads();
  wait(&landed, 0);  //: wait
  tile[threadIdx.x] += 100;
  async_proxy_fence();  //: fence
  __syncthreads();      //: barrier
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&out, 0, 0, tile);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }
}

int main() {
  const CUtensorMap in = make_tensor_map<uint32_t, 2>(counted_words(64), {8, 8}, {32}, {8, 8});
  const CUtensorMap out = make_tensor_map<uint32_t, 2>(counted_words(64), {8, 8}, {32}, {8, 8});
  one_tile<<<1, 64>>>(in, out);
  return finish();
}
