// Lab 4: a tensor map says what a tile is.
//
// The host describes a matrix and a tile of it in a tensor map; the kernel only says which tile.
// Four parts:
//   load        one tile from global to shared memory by the TMA engine
//   store       one tile from shared to global memory by the TMA engine
//   reduce      one tile added to what is in global memory by the TMA engine
//   tile-index  a matrix of many tiles: in and out again, with a sum in between
#include <cuda_bf16.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

inline constexpr int THREADS = 128;  // of the single CTA in the parts load, store and reduce

// ---------------------------------------------------------------------------------------------
// The tensor map of parts load, store and reduce: a row-major matrix that is a single tile.

template <int TILE_M, int TILE_N>
CUtensorMap single_tile_map(bf16* matrix) {
  // BEGIN SOLUTION
  //: // TODO: describe a matrix of TILE_M rows and TILE_N columns that is a single tile.
  //: //   Call make_tensor_map<bf16, 2> (labs/common/tensor-map.cuh): sizes in elements, innermost
  //: //   dimension first; the stride of the rows in bytes; the tile's size in elements.
  //: (void)matrix;
  //: return {};
  return make_tensor_map<bf16, 2>(matrix, {TILE_N, TILE_M}, {TILE_N * sizeof(bf16)},
                                  {TILE_N, TILE_M});
  // END SOLUTION
}

// ---------------------------------------------------------------------------------------------
// Part load

template <int TILE_M, int TILE_N>
__global__ void single_tma_load(const __grid_constant__ CUtensorMap src_map, bf16* dest) {
  // BEGIN SOLUTION
  //: // TODO: load the tile at (0, 0) of src_map into shared memory with one TMA load, then copy it
  //: //   to dest (row-major, without gaps) with plain stores.
  //: //   * The tile in shared memory is aligned to 128 bytes.
  //: //   * One thread initializes an mbarrier, fences, expects the tile's bytes, and loads.
  //: //   * All threads wait, then store.
  __shared__ alignas(128) bf16 tile[TILE_M * TILE_N];
  __shared__ uint64_t loaded;

  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();  // the engine must see an initialized barrier
    expect_bytes_and_arrive(&loaded, sizeof(tile));
    cp_async_bulk_tensor_2d_global_to_shared(tile, &src_map, 0, 0, &loaded);
  }
  __syncthreads();  // nobody waits on a barrier that is not yet initialized
  wait(&loaded, 0);

  for (int i = threadIdx.x; i < TILE_M * TILE_N; i += blockDim.x) dest[i] = tile[i];
  // END SOLUTION
}

template <int TILE_M, int TILE_N>
void launch_single_tma_load(bf16* src, bf16* dest) {
  const CUtensorMap src_map = single_tile_map<TILE_M, TILE_N>(src);
  single_tma_load<TILE_M, TILE_N><<<1, THREADS>>>(src_map, dest);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part store

template <int TILE_M, int TILE_N>
__global__ void single_tma_store(const bf16* src, const __grid_constant__ CUtensorMap dest_map) {
  // BEGIN SOLUTION
  //: // TODO: copy src (row-major, without gaps) into shared memory with plain loads, then store it
  //: //   to the tile at (0, 0) of dest_map with one TMA store.
  //: //   * Who fences, and when, so that the engine sees what all threads wrote?
  //: //   * The storing thread commits, and waits before the CTA ends and the tile is gone.
  __shared__ alignas(128) bf16 tile[TILE_M * TILE_N];

  for (int i = threadIdx.x; i < TILE_M * TILE_N; i += blockDim.x) tile[i] = src[i];

  async_proxy_fence();  // each thread: my writes, for the engine to see
  __syncthreads();      // all threads' writes are there
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&dest_map, 0, 0, tile);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }
  // END SOLUTION
}

template <int TILE_M, int TILE_N>
void launch_single_tma_store(bf16* src, bf16* dest) {
  const CUtensorMap dest_map = single_tile_map<TILE_M, TILE_N>(dest);
  single_tma_store<TILE_M, TILE_N><<<1, THREADS>>>(src, dest_map);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part reduce

template <int TILE_M, int TILE_N>
__global__ void single_tma_reduce(const bf16* src, const __grid_constant__ CUtensorMap dest_map) {
  // BEGIN SOLUTION
  //: // TODO: like single_tma_store, but let the engine add the tile to what dest_map's tile holds.
  __shared__ alignas(128) bf16 tile[TILE_M * TILE_N];

  for (int i = threadIdx.x; i < TILE_M * TILE_N; i += blockDim.x) tile[i] = src[i];

  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_reduce_async_bulk_tensor_2d_shared_to_global<ReduceOp::add>(&dest_map, 0, 0, tile);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }
  // END SOLUTION
}

template <int TILE_M, int TILE_N>
void launch_single_tma_reduce(bf16* src, bf16* dest) {
  const CUtensorMap dest_map = single_tile_map<TILE_M, TILE_N>(dest);
  single_tma_reduce<TILE_M, TILE_N><<<1, THREADS>>>(src, dest_map);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part tile-index: a matrix of 4 x 4 tiles, one CTA of 16 threads per tile. Adds to each element
// its index in its tile, row * 4 + column.

inline constexpr int TILE = 4;

// CTAs are numbered along a row of tiles, then row by row.
__global__ void add_tile_index(const __grid_constant__ CUtensorMap matrix_map, int tiles_per_row) {
  // BEGIN SOLUTION
  //: // TODO: load this CTA's tile, add to each element its index in the tile, store the tile.
  //: //   * The tile's coordinates are those of its first element, column before row: the innermost
  //: //     dimension comes first.
  //: (void)tiles_per_row;
  __shared__ alignas(128) float tile[TILE * TILE];
  __shared__ uint64_t loaded;
  const int first_column = blockIdx.x % tiles_per_row * TILE;
  const int first_row = blockIdx.x / tiles_per_row * TILE;

  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, sizeof(tile));
    cp_async_bulk_tensor_2d_global_to_shared(tile, &matrix_map, first_column, first_row, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);

  tile[threadIdx.x] += threadIdx.x;  // thread row * 4 + column has element (row, column)

  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&matrix_map, first_column, first_row, tile);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }
  // END SOLUTION
}

// The tensor map of a row-major matrix of 4 x 4 tiles.
CUtensorMap tiled_matrix_map(float* matrix, int height, int width) {
  // BEGIN SOLUTION
  //: // TODO: like single_tile_map, but the matrix is larger than its tiles.
  //: (void)matrix, (void)height, (void)width;
  //: return {};
  const uint64_t rows = height;
  const uint64_t columns = width;
  return make_tensor_map<float, 2>(matrix, {columns, rows}, {columns * sizeof(float)},
                                   {TILE, TILE});
  // END SOLUTION
}

void launch_add_tile_index(float* matrix, int height, int width) {
  const CUtensorMap matrix_map = tiled_matrix_map(matrix, height, width);
  const int tiles_per_row = width / TILE;
  add_tile_index<<<height / TILE * tiles_per_row, TILE * TILE>>>(matrix_map, tiles_per_row);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// The demo of part tile-index: an 8 x 8 matrix before and after.

void print_tiles(const std::vector<float>& matrix, int height, int width) {
  for (int tile_row = 0; tile_row < height / TILE; ++tile_row) {
    for (int tile_column = 0; tile_column < width / TILE; ++tile_column) {
      std::printf("\nMatrix at position ( %d , %d ):\n", tile_row, tile_column);
      for (int row = 0; row < TILE; ++row) {
        for (int column = 0; column < TILE; ++column) {
          const int i = (tile_row * TILE + row) * width + tile_column * TILE + column;
          char text[16];
          std::snprintf(text, sizeof(text), "%.1f", matrix[i]);
          std::printf("%-4s ", text);
        }
        std::printf("\n");
      }
    }
  }
  std::printf("\n");
}

int main() {
  constexpr int HEIGHT = 8;
  constexpr int WIDTH = 8;
  std::vector<float> host(HEIGHT * WIDTH);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);

  std::printf("== test_tma_tile_copy\nInitial matrices:\n");
  print_tiles(host, HEIGHT, WIDTH);

  float* matrix;
  const size_t bytes = host.size() * sizeof(float);
  cuda_check(cudaMalloc(&matrix, bytes));
  cuda_check(cudaMemcpy(matrix, host.data(), bytes, cudaMemcpyHostToDevice));
  launch_add_tile_index(matrix, HEIGHT, WIDTH);
  cuda_check(cudaMemcpy(host.data(), matrix, bytes, cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(matrix));

  std::printf("Final matrices:\n");
  print_tiles(host, HEIGHT, WIDTH);
  return 0;
}
