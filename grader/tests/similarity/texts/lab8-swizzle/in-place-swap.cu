// A square tile is transposed where it lies: what is above the diagonal changes places with what is
// below it.
#include <cuda_bf16.h>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

template <int W>
__device__ unsigned undo(unsigned a) {
  return a ^ ((a >> 7 & (W / 16 - 1)) << 4);
}

template <int W>
TensorMapOptions with_swizzle() {
  TensorMapOptions o;
  if (W == 32) o.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
  if (W == 64) o.swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
  if (W == 128) o.swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  return o;
}

__device__ void fetch(void* to, const CUtensorMap& map, int x, int y, int bytes) {
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, bytes);
    cp_async_bulk_tensor_2d_global_to_shared(to, &map, x, y, &bar);
  }
  __syncthreads();
  wait(&bar, 0);
}

// The array begins where the pattern does, and a vector stays whole.
template <int M, int N, int SKIP>
__global__ void out_of_swizzle(const __grid_constant__ CUtensorMap map, uint4* dest) {
  __shared__ alignas(1024) char space[SKIP * 128 + M * N];
  fetch(space + SKIP * 128, map, 0, 0, M * N);
  for (unsigned v = threadIdx.x; v < M * N / 16; v += 32)
    dest[v] = *reinterpret_cast<uint4*>(space + undo<N>(SKIP * 128 + v * 16));
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES = 64>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  auto map = make_tensor_map<uint8_t, 2>(src, {TILE_N, TILE_M}, {TILE_N}, {TILE_N, TILE_M},
                                         with_swizzle<SWIZZLE_BYTES>());
  out_of_swizzle<TILE_M, TILE_N, OFFSET><<<1, 32>>>(map, reinterpret_cast<uint4*>(dest));
  cuda_check(cudaGetLastError());
}

template <typename T>
__global__ void swap_in_place(const __grid_constant__ CUtensorMap in,
                              const __grid_constant__ CUtensorMap out) {
  constexpr int N = 128 / sizeof(T);
  __shared__ alignas(1024) char tile[128 * N];
  const int x = N * blockIdx.x, y = N * blockIdx.y;
  fetch(tile, in, x, y, sizeof tile);
  auto at = [&](int r, int c) -> T& {
    return *reinterpret_cast<T*>(tile + undo<128>(r * 128 + c * sizeof(T)));
  };
  for (int c = 1 + threadIdx.x / 32; c < N; c += blockDim.x / 32) {
    for (int r = threadIdx.x % 32; r < c; r += 32) {
      const T above = at(r, c);
      at(r, c) = at(c, r);
      at(c, r) = above;
    }
  }
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x) return;
  cp_async_bulk_tensor_2d_shared_to_global(&out, y, x, tile);
  tma_store_commit_group();
  tma_store_wait_until_pending<0>();
}

template <typename T>
__global__ void one_by_one(const T* src, T* dest, size_t rows, size_t columns) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i < rows * columns) dest[i] = src[i % rows * columns + i / rows];
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  if (!rows || !columns) return;
  constexpr int N = 128 / sizeof(T), V = 16 / sizeof(T);
  const int pitch = columns * sizeof(T), other = rows * sizeof(T);
  if (rows % V == 0 && columns % V == 0) {
    auto in = make_tensor_map<T, 2>(src, {columns, rows}, {pitch}, {N, N}, with_swizzle<128>());
    auto out = make_tensor_map<T, 2>(dest, {rows, columns}, {other}, {N, N}, with_swizzle<128>());
    swap_in_place<T><<<dim3((columns + N - 1) / N, (rows + N - 1) / N), 256>>>(in, out);
  } else {
    one_by_one<<<(size_t(rows) * columns + 255) / 256, 256>>>(src, dest, rows, columns);
  }
  cuda_check(cudaGetLastError());
}
