#include <cuda_bf16.h>

#include <cstdint>
#include <cstdio>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

typedef __nv_bfloat16 bf16;

template <int TILE_M, int TILE_N>
CUtensorMap map_of(bf16* matrix) {
  return make_tensor_map<bf16, 2>(matrix, {TILE_N, TILE_M}, {TILE_N * sizeof(bf16)},
                                  {TILE_N, TILE_M});
}

// ---- load ----

template <int TILE_M, int TILE_N>
__global__ void single_tma_load(const __grid_constant__ CUtensorMap src, bf16* dest) {
  __shared__ alignas(128) bf16 tile[TILE_M * TILE_N];
  __shared__ uint64_t bar;

  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, sizeof(tile));
    cp_async_bulk_tensor_2d_global_to_shared(tile, &src, 0, 0, &bar);
  }
  __syncthreads();
  wait(&bar, 0);

  for (int i = threadIdx.x; i < TILE_M * TILE_N; i += blockDim.x) dest[i] = tile[i];
}

template <int TILE_M, int TILE_N>
void launch_single_tma_load(bf16* src, bf16* dest) {
  single_tma_load<TILE_M, TILE_N><<<1, 256>>>(map_of<TILE_M, TILE_N>(src), dest);
  cuda_check(cudaGetLastError());
}

// ---- store ----

template <int TILE_M, int TILE_N>
__global__ void single_tma_store(const bf16* src, const __grid_constant__ CUtensorMap dest) {
  __shared__ alignas(128) bf16 tile[TILE_M * TILE_N];
  for (int i = threadIdx.x; i < TILE_M * TILE_N; i += blockDim.x) tile[i] = src[i];
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&dest, 0, 0, tile);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }
}

template <int TILE_M, int TILE_N>
void launch_single_tma_store(bf16* src, bf16* dest) {
  single_tma_store<TILE_M, TILE_N><<<1, 256>>>(src, map_of<TILE_M, TILE_N>(dest));
  cuda_check(cudaGetLastError());
}

// ---- reduce ----

template <int TILE_M, int TILE_N>
__global__ void single_tma_reduce(const bf16* src, const __grid_constant__ CUtensorMap dest) {
  __shared__ alignas(128) bf16 tile[TILE_M * TILE_N];
  for (int i = threadIdx.x; i < TILE_M * TILE_N; i += blockDim.x) tile[i] = src[i];
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_reduce_async_bulk_tensor_2d_shared_to_global<ReduceOp::add>(&dest, 0, 0, tile);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }
}

template <int TILE_M, int TILE_N>
void launch_single_tma_reduce(bf16* src, bf16* dest) {
  single_tma_reduce<TILE_M, TILE_N><<<1, 256>>>(src, map_of<TILE_M, TILE_N>(dest));
  cuda_check(cudaGetLastError());
}

// ---- tile-index ----

__global__ void add_tile_index(const __grid_constant__ CUtensorMap matrix) {
  __shared__ alignas(128) float tile[4][4];
  __shared__ uint64_t bar;
  int col = blockIdx.x * 4;
  int row = blockIdx.y * 4;
  bool leader = threadIdx.x == 0 && threadIdx.y == 0;

  if (leader) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, sizeof(tile));
    cp_async_bulk_tensor_2d_global_to_shared(tile, &matrix, col, row, &bar);
  }
  __syncthreads();
  wait(&bar, 0);

  tile[threadIdx.y][threadIdx.x] += threadIdx.y * 4 + threadIdx.x;

  async_proxy_fence();
  __syncthreads();
  if (leader) {
    cp_async_bulk_tensor_2d_shared_to_global(&matrix, col, row, tile);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }
}

void launch_add_tile_index(float* matrix, int height, int width) {
  CUtensorMap map = make_tensor_map<float, 2>(matrix, {(uint64_t)width, (uint64_t)height},
                                              {width * sizeof(float)}, {4, 4});
  add_tile_index<<<dim3(width / 4, height / 4), dim3(4, 4)>>>(map);
  cuda_check(cudaGetLastError());
}
