// Adds one through a tensor map, in boxes that are four times as large in the timed calls as in the
// tests: that a kernel is right with one box says nothing of another.
//
// Fails: the launcher is called at the timed size under the recorder, which notes the box and the
// swizzle of every tensor map.
#include <algorithm>

#include "device.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

constexpr int THREADS = 256;
constexpr int CTAS_PER_SM = 2048 / THREADS;
constexpr int TILE = 4096;  // elements, in boxes side by side

__global__ void add_one(const __grid_constant__ CUtensorMap map, int* data, size_t count, int box) {
  __shared__ alignas(128) int tile[TILE];
  __shared__ uint64_t loaded;
  const int whole = static_cast<int>(count / 4 * 4);
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
  }
  __syncthreads();
  int parity = 0;
  for (int begin = blockIdx.x * TILE; begin < whole; begin += gridDim.x * TILE) {
    const int end = min(whole, begin + TILE);
    const int boxes = (end - begin + box - 1) / box;
    if (threadIdx.x == 0) {
      expect_bytes_and_arrive(&loaded, boxes * box * sizeof(int));
      for (int i = 0; i < boxes; ++i) {
        cp_async_bulk_tensor_1d_global_to_shared(tile + i * box, &map, begin + i * box, &loaded);
      }
    }
    wait(&loaded, parity);
    for (int i = threadIdx.x; i < end - begin; i += THREADS) tile[i] += 1;
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int i = 0; i < boxes; ++i) {
        cp_async_bulk_tensor_1d_shared_to_global(&map, begin + i * box, tile + i * box);
      }
      tma_store_commit_group();
      tma_store_wait_until_pending_read<0>();
    }
    parity ^= 1;
  }
  if (blockIdx.x == 0 && whole + threadIdx.x < count) data[whole + threadIdx.x] += 1;
}

void launch_add_one_pipeline(int* data, size_t count) {
  if (count == 0) return;
  const int box = count > 100'000'000 ? 256 : 64;
  const size_t whole = count < 4 ? 4 : count / 4 * 4;
  const CUtensorMap map = make_tensor_map<int, 1>(data, {whole}, {}, {static_cast<unsigned>(box)});
  const size_t ctas = std::min((count + TILE - 1) / TILE, size_t{CTAS_PER_SM} * sm_count());
  add_one<<<static_cast<unsigned>(ctas), THREADS>>>(map, data, count, box);
}
