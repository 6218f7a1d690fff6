// Tiles whose rows fill sectors badly or not at all, and a copy between CTAs.
#include "tensor-map.cuh"
#include "tma-interface.cuh"

constexpr int size = 64;  // of the tensor, each way
constexpr int height = 32;

// Thread 0 loads the box of `bytes` bytes at (x, y), and all threads wait for it.
__device__ void load_box(const CUtensorMap& map, int x, int y, int bytes) {
  __shared__ alignas(128) float tile[height * height];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    expect_bytes_and_arrive(&loaded, bytes);
    cp_async_bulk_tensor_2d_global_to_shared(tile, &map, x, y, &loaded);
  }
  wait(&loaded, 0);
}

// Thread 0 stores the box at (x, y); what is in it does not matter.
__device__ void store_box(const CUtensorMap& map, int x, int y) {
  __shared__ alignas(128) float tile[height * height];
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, tile);
    tma_commit_group();
    tma_wait_until_pending<0>();
  }
}

// Rows of 16 bytes: half a sector each.
__global__ void load_narrow(const __grid_constant__ CUtensorMap narrow) {
  load_box(narrow, 0, 0, 4 * height * sizeof(float));
}
__global__ void store_narrow(const __grid_constant__ CUtensorMap narrow) {
  store_box(narrow, 0, 0);
}

// Rows of 128 bytes that begin 16 bytes after a sector does: five sectors each.
__global__ void load_shifted(const __grid_constant__ CUtensorMap square) {
  load_box(square, 4, 1, height * height * sizeof(float));
}
__global__ void store_shifted(const __grid_constant__ CUtensorMap square) {
  store_box(square, 4, 1);
}

__global__ void __cluster_dims__(2, 1, 1) copy_to_neighbor() {
  __shared__ alignas(128) float from[height * height];
  __shared__ alignas(128) float to[height * height];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&loaded, sizeof to);
  }
  cluster_arrive();
  cluster_wait();
  if (threadIdx.x == 0) {
    const uint32_t neighbor = cluster_rank() ^ 1;
    cp_async_bulk_shared_to_remote_shared(map_to_cta(to, neighbor), from, sizeof to,
                                          map_to_cta(&loaded, neighbor));
  }
  wait(&loaded, 0);
  cluster_arrive();
  cluster_wait();
}

int main() {
  float* data;
  cuda_check(cudaMalloc(&data, size * size * sizeof(float)));
  cuda_check(cudaMemset(data, 0, size * size * sizeof(float)));
  const auto map_of = [&](uint32_t width) {
    return make_tensor_map<float, 2>(data, {size, size}, {size * sizeof(float)}, {width, height});
  };
  const CUtensorMap narrow = map_of(4);
  const CUtensorMap square = map_of(height);
  load_narrow<<<1, 32>>>(narrow);
  store_narrow<<<1, 32>>>(narrow);
  load_shifted<<<1, 32>>>(square);
  store_shifted<<<1, 32>>>(square);
  copy_to_neighbor<<<2, 32>>>();
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaFree(data));
}
