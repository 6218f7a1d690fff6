// Lets the engine bring the array to memory of its own and back, and adds one there with plain
// loads and stores: no fence anywhere, and no tile that both a thread and the engine have touched.
//
// Fails: what kernels leave in global memory and read there again is taken from what the part is
// about.
#include "tma-interface.cuh"

// Through shared memory and out again: what the engine brings, no thread touches.
__global__ void move(int* to, const int* from, int count) {
  __shared__ alignas(128) int tile[1024];
  __shared__ uint64_t arrived;
  const int begin = blockIdx.x * 1024;
  if (threadIdx.x != 0 || begin >= count) return;
  const int bytes = min(count - begin, 1024) * static_cast<int>(sizeof(int));
  init_barrier(&arrived, 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&arrived, bytes);
  cp_async_bulk_global_to_shared(tile, from + begin, bytes, &arrived);
  wait(&arrived, 0);
  cp_async_bulk_shared_to_global(to + begin, tile, bytes);
  tma_store_commit_group();
  tma_store_wait_until_pending<0>();
}

__global__ void add_plainly(int* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += 1;
}

void launch_add_one_tile(int* data, int count) {
  if (count == 0) return;
  const int ctas = (count + 1023) / 1024;
  const int vectors = count / 4 * 4;
  int* own;
  cudaMalloc(&own, count * sizeof(int));
  move<<<ctas, 32>>>(own, data, vectors);
  add_plainly<<<ctas, 1024>>>(own, vectors);
  move<<<ctas, 32>>>(data, own, vectors);
  add_plainly<<<1, 32>>>(data + vectors, count - vectors);
  cudaFree(own);
}
