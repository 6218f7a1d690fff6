// Has the pipeline's points for a kernel in which a CTA has one tile and ends: launches it again
// and again, each time with as many CTAs as the GPU holds at once.
//
// Fails: the grids of a launcher's kernels count together.
#include <algorithm>

#include "tma-interface.cuh"

constexpr int INTS = 4096;

__global__ void add_one(int* data, size_t count) {
  __shared__ alignas(16) int4 tile[INTS / 4];
  __shared__ uint64_t loaded;
  const size_t begin = static_cast<size_t>(blockIdx.x) * INTS, end = count - count % 4;
  const int ints = begin < end ? min(end - begin, size_t{INTS}) : 0;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, ints * 4);
    if (ints > 0) cp_async_bulk_global_to_shared(tile, data + begin, ints * 4, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  for (int i = threadIdx.x; i < ints / 4; i += blockDim.x) {
    const int4 v = tile[i];
    tile[i] = {v.x + 1, v.y + 1, v.z + 1, v.w + 1};
  }
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0 && ints > 0) {
    cp_async_bulk_shared_to_global(data + begin, tile, ints * 4);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
  if (blockIdx.x == 0 && end + threadIdx.x < count) data[end + threadIdx.x] += 1;
}

void launch_add_one_pipeline(int* data, size_t count) {
  int sms;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const size_t wave = static_cast<size_t>(sms) * 8 * INTS;
  for (size_t begin = 0; begin < count; begin += wave) {
    const size_t left = std::min(wave, count - begin);
    add_one<<<static_cast<unsigned>((left + INTS - 1) / INTS), 128>>>(data + begin, left);
  }
}
