#include "tensors.h"

inline constexpr int N = 8;  // a tile of 8 rows with 8 words, 32 bytes each

// Where a 32-byte swizzle puts the word of this row and column.
__device__ int swizzled(int row, int column) {
  const int byte = (row * N + column) * 4;
  return (byte ^ byte / 128 % 2 * 16) / 4;
}

__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(256) uint32_t tile[N * N];
  __shared__ alignas(256) uint32_t turned[N * N];
  __shared__ uint64_t landed;
  if (threadIdx.x == 0) {
    init_barrier(&landed, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&landed, sizeof(tile));
    cp_async_bulk_tensor_2d_global_to_shared(tile, &in, 0, 0, &landed);
  }
  __syncthreads();
  wait(&landed, 0);  //: wait
  const int row = threadIdx.x / N;
  const int column = threadIdx.x % N;
  turned[swizzled(column, row)] = tile[swizzled(row, column)];
  async_proxy_fence();  //: fence
  __syncthreads();      //: barrier
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&out, 0, 0, turned);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();  //: group
  }
}

int main() {
  const TensorMapOptions options = {.swizzle = CU_TENSOR_MAP_SWIZZLE_32B};
  const CUtensorMap in =
      make_tensor_map<uint32_t, 2>(counted_words(N * N), {N, N}, {4 * N}, {N, N}, options);
  const CUtensorMap out =
      make_tensor_map<uint32_t, 2>(counted_words(N * N), {N, N}, {4 * N}, {N, N}, options);
  transpose<<<1, N * N>>>(in, out);
  return finish();
}
