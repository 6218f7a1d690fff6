// Has one kernel for two parts: what is right for any length, a CTA for each tile, is launched for
// the pipeline, too.
//
// Fails: the pipeline asks for CTAs that stay, or for loads that are in flight while a tile is
// read.
#include "tma-interface.cuh"

constexpr int TILE = 1024;

__global__ void add_one(int* data, size_t count) {
  __shared__ alignas(128) int tile[TILE];
  __shared__ uint64_t loaded;
  const size_t whole = count / 4 * 4;
  const size_t begin = blockIdx.x * size_t{TILE};
  const size_t end = min(whole, begin + TILE);
  const int bytes = begin < end ? static_cast<int>((end - begin) * sizeof(int)) : 0;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, bytes);
    if (bytes > 0) cp_async_bulk_global_to_shared(tile, data + begin, bytes, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) tile[i] += 1;
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0 && bytes > 0) {
    cp_async_bulk_shared_to_global(data + begin, tile, bytes);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
  if (blockIdx.x == 0 && whole + threadIdx.x < count) data[whole + threadIdx.x] += 1;
}

void launch_add_one(int* data, size_t count) {
  if (count > 0) add_one<<<static_cast<unsigned>((count + TILE - 1) / TILE), 256>>>(data, count);
}

void launch_add_one_pipeline(int* data, size_t count) {
  launch_add_one(data, count);
}
