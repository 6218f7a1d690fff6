#include <cuda_bf16.h>

#include <cstdint>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

// ---- swizzle-64, swizzle-32-128 ----

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES>
__global__ void tma_swizzle(const __grid_constant__ CUtensorMap src_map, uint8_t* dest) {
  __shared__ alignas(128) uint8_t smem_buffer_abs[TILE_M * TILE_N + 128 * OFFSET];
  uint8_t* smem_buffer = &smem_buffer_abs[128 * OFFSET];
  __shared__ uint64_t bar;

  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, TILE_M * TILE_N);
    cp_async_bulk_tensor_2d_global_to_shared(smem_buffer, &src_map, 0, 0, &bar);
  }
  __syncthreads();
  wait(&bar, 0);

  uint32_t start = (uint32_t)__cvta_generic_to_shared(smem_buffer);
  for (int i = threadIdx.x; i < TILE_M * TILE_N; i += blockDim.x) {
    uint32_t address = start + i;
    uint32_t key = (address >> 7) & (SWIZZLE_BYTES / 16 - 1);
    dest[i] = smem_buffer[(address ^ (key << 4)) - start];
  }
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES = 64>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  TensorMapOptions options;
  options.swizzle = SWIZZLE_BYTES == 32   ? CU_TENSOR_MAP_SWIZZLE_32B
                    : SWIZZLE_BYTES == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                          : CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMap src_map =
      make_tensor_map<uint8_t, 2>(src, {TILE_N, TILE_M}, {TILE_N}, {TILE_N, TILE_M}, options);
  tma_swizzle<TILE_M, TILE_N, OFFSET, SWIZZLE_BYTES><<<1, 64>>>(src_map, dest);
  cuda_check(cudaGetLastError());
}

// ---- transpose: 128 bytes by 128 bytes, one swizzled box in, one swizzled box out ----

template <typename T>
__global__ void transpose_tma(const __grid_constant__ CUtensorMap src_map,
                              const __grid_constant__ CUtensorMap dest_map) {
  constexpr int N = 128 / sizeof(T);
  __shared__ alignas(1024) T in[N * N];
  __shared__ alignas(1024) T out[N * N];
  __shared__ uint64_t bar;
  int x = blockIdx.x * N;
  int y = blockIdx.y * N;

  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, sizeof(in));
    cp_async_bulk_tensor_2d_global_to_shared(in, &src_map, x, y, &bar);
  }
  __syncthreads();
  wait(&bar, 0);

  // Element (row, column) of a swizzled tile.
  auto place = [](int row, int column) {
    int chunk = column * sizeof(T) / 16;
    return row * N + ((chunk ^ row % 8) * 16 + column * sizeof(T) % 16) / sizeof(T);
  };
  for (int i = threadIdx.x; i < N * N; i += blockDim.x) {
    int row = i / N;
    int column = i % N;
    out[place(column, row)] = in[place(row, column)];
  }

  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&dest_map, y, x, out);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
}

// ---- any-shape: the textbook's ----

template <typename T>
__global__ void transpose_plain(const T* src, T* dest, int rows, int columns) {
  __shared__ T tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (row < rows && column < columns) {
    tile[threadIdx.y][threadIdx.x] = src[(size_t)row * columns + column];
  }
  __syncthreads();
  row = blockIdx.y * 32 + threadIdx.x;
  column = blockIdx.x * 32 + threadIdx.y;
  if (row < rows && column < columns) {
    dest[(size_t)column * rows + row] = tile[threadIdx.x][threadIdx.y];
  }
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  if (rows * sizeof(T) % 16 || columns * sizeof(T) % 16) {
    dim3 grid((columns + 31) / 32, (rows + 31) / 32);
    transpose_plain<<<grid, dim3(32, 32)>>>(src, dest, rows, columns);
  } else {
    constexpr uint32_t N = 128 / sizeof(T);
    uint64_t w = columns;
    uint64_t h = rows;
    TensorMapOptions options;
    options.swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
    CUtensorMap src_map =
        make_tensor_map<T, 2>(const_cast<T*>(src), {w, h}, {w * sizeof(T)}, {N, N}, options);
    CUtensorMap dest_map = make_tensor_map<T, 2>(dest, {h, w}, {h * sizeof(T)}, {N, N}, options);
    dim3 grid((columns + N - 1) / N, (rows + N - 1) / N);
    transpose_tma<T><<<grid, 256>>>(src_map, dest_map);
  }
  cuda_check(cudaGetLastError());
}
