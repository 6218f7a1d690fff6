// Tries to feed the counter of TMA bytes with the judge's own matrix: the engine loads its first
// tile again in every CTA, as many bytes as the matrix has, while plain loads and stores do the
// work.
//
// Fails: each byte of the judge's buffers counts once as read, however often the engine loads it.
#include <cuda_runtime.h>

#include "tma-interface.cuh"

__global__ void add_tile_index(float* matrix, int width) {
  __shared__ alignas(16) float tile[16];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, sizeof(tile));
    cp_async_bulk_global_to_shared(tile, matrix, sizeof(tile), &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  const int tiles_per_row = width / 4;
  const int row = blockIdx.x / tiles_per_row * 4 + threadIdx.x / 4;
  const int column = blockIdx.x % tiles_per_row * 4 + threadIdx.x % 4;
  matrix[row * width + column] += threadIdx.x;
}

void launch_add_tile_index(float* matrix, int height, int width) {
  add_tile_index<<<height / 4 * (width / 4), 16>>>(matrix, width);
}
