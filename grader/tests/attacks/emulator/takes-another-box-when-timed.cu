// Adds one through a tensor map, in boxes that are four times as large in the timed calls as in the
// tests: that a kernel is right with one box says nothing of another.
//
// Fails: the launcher is called at the timed size under the recorder, which notes the box and the
// swizzle of every tensor map.
#include "tensor-map.cuh"
#include "tma-interface.cuh"

constexpr int LARGEST_BOX = 256;

__global__ void add_one(const __grid_constant__ CUtensorMap map, int* data, size_t count,
                        unsigned box) {
  __shared__ alignas(128) int tile[LARGEST_BOX];
  __shared__ uint64_t loaded;
  const size_t whole = count / 4 * 4;
  const int begin = static_cast<int>(blockIdx.x * box);
  const bool is_used = begin < whole;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, is_used ? box * sizeof(int) : 0);
    if (is_used) cp_async_bulk_tensor_1d_global_to_shared(tile, &map, begin, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  if (threadIdx.x < box && begin + threadIdx.x < whole) tile[threadIdx.x] += 1;
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0 && is_used) {
    cp_async_bulk_tensor_1d_shared_to_global(&map, begin, tile);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
  if (blockIdx.x == 0 && whole + threadIdx.x < count) data[whole + threadIdx.x] += 1;
}

void launch_add_one_pipeline(int* data, size_t count) {
  if (count == 0) return;
  const unsigned box = count > 100'000'000 ? LARGEST_BOX : LARGEST_BOX / 4;
  const size_t whole = count < 4 ? 4 : count / 4 * 4;
  const CUtensorMap map = make_tensor_map<int, 1>(data, {whole}, {}, {box});
  add_one<<<static_cast<unsigned>((count + box - 1) / box), LARGEST_BOX>>>(map, data, count, box);
}
