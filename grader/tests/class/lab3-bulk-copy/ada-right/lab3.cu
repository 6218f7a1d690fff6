#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

constexpr int VEC = 4;  // ints in 16 bytes

__device__ void add_one_to_tile(int4* tile, int vectors) {
  for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
    tile[i].x += 1;
    tile[i].y += 1;
    tile[i].z += 1;
    tile[i].w += 1;
  }
}

// ---- one-tile ----

__global__ void add_one_tile(int* data, int count) {
  __shared__ alignas(16) int4 tile[8192 / VEC];
  __shared__ uint64_t bar;
  int bytes = count * sizeof(int);

  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, bytes);
    cp_async_bulk_global_to_shared(tile, data, bytes, &bar);
  }
  __syncthreads();
  wait(&bar, 0);

  add_one_to_tile(tile, count / VEC);

  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_shared_to_global(data, tile, bytes);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }
}

void launch_add_one_tile(int* data, int count) {
  add_one_tile<<<1, 128>>>(data, count);
  cuda_check(cudaGetLastError());
}

// ---- any-length ----

constexpr int TILE_INTS = 2048;

__global__ void add_one(int* data, size_t count) {
  __shared__ alignas(16) int4 tile[TILE_INTS / VEC];
  __shared__ uint64_t bar;
  size_t whole = count / VEC * VEC;
  size_t begin = (size_t)blockIdx.x * TILE_INTS;
  int ints = begin < whole ? min(whole - begin, (size_t)TILE_INTS) : 0;
  int bytes = ints * sizeof(int);

  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, bytes);
    if (bytes > 0) cp_async_bulk_global_to_shared(tile, data + begin, bytes, &bar);
  }
  __syncthreads();
  wait(&bar, 0);

  add_one_to_tile(tile, ints / VEC);

  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0 && bytes > 0) {
    cp_async_bulk_shared_to_global(data + begin, tile, bytes);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }

  if (blockIdx.x == 0 && threadIdx.x < count - whole) data[whole + threadIdx.x] += 1;
}

void launch_add_one(int* data, size_t count) {
  if (count == 0) return;
  size_t tiles = (count + TILE_INTS - 1) / TILE_INTS;
  add_one<<<(unsigned)tiles, 128>>>(data, count);
  cuda_check(cudaGetLastError());
}

// ---- pipeline ----

constexpr int STAGE_INTS = 2048;
constexpr int STAGES = 3;

__global__ void add_one_pipeline(int* data, size_t count) {
  __shared__ alignas(16) int4 stages[STAGES][STAGE_INTS / VEC];
  __shared__ uint64_t full[STAGES];
  size_t whole = count / VEC * VEC;
  size_t tiles = (whole + STAGE_INTS - 1) / STAGE_INTS;

  auto load = [&](size_t tile, int stage) {
    if (tile >= tiles) return;
    size_t begin = tile * STAGE_INTS;
    int bytes = min(whole - begin, (size_t)STAGE_INTS) * sizeof(int);
    expect_bytes_and_arrive(&full[stage], bytes);
    cp_async_bulk_global_to_shared(stages[stage], data + begin, bytes, &full[stage]);
  };

  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; s++) init_barrier(&full[s], 1);
    async_proxy_fence();
    for (int s = 0; s < STAGES - 1; s++) load(blockIdx.x + (size_t)s * gridDim.x, s);
  }
  __syncthreads();

  int n = 0;
  for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x, n++) {
    int stage = n % STAGES;
    size_t begin = tile * STAGE_INTS;
    int ints = min(whole - begin, (size_t)STAGE_INTS);

    wait(&full[stage], n / STAGES % 2);
    add_one_to_tile(stages[stage], ints / VEC);
    async_proxy_fence();
    __syncthreads();

    if (threadIdx.x == 0) {
      cp_async_bulk_shared_to_global(data + begin, stages[stage], ints * sizeof(int));
      tma_store_commit_group();
      tma_store_wait_until_pending_read<1>();
      load(tile + (size_t)(STAGES - 1) * gridDim.x, (n + STAGES - 1) % STAGES);
    }
  }
  if (threadIdx.x == 0) tma_store_wait_until_pending<0>();

  if (blockIdx.x == 0 && threadIdx.x < count - whole) data[whole + threadIdx.x] += 1;
}

void launch_add_one_pipeline(int* data, size_t count) {
  if (count == 0) return;
  size_t tiles = (count + STAGE_INTS - 1) / STAGE_INTS;
  unsigned ctas = (unsigned)std::min<size_t>(tiles, 132 * 2);
  add_one_pipeline<<<ctas, 128>>>(data, count);
  cuda_check(cudaGetLastError());
}
