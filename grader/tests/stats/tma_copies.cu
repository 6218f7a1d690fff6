// What the TMA engine moves, one way a kernel, and threads that read the tiles it leaves.
#include "tensor-map.cuh"
#include "tma-interface.cuh"

constexpr int side = 32;  // a tile of side x side floats: rows of 128 bytes
constexpr int tile_bytes = side * side * sizeof(float);

// Thread 0 starts what `issue` does and all threads wait for `bytes` of it.
template <typename Issue>
__device__ void load_and_wait(uint64_t* loaded, int bytes, Issue issue) {
  if (threadIdx.x == 0) {
    init_barrier(loaded, 1);
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    expect_bytes_and_arrive(loaded, bytes);
    issue();
  }
  wait(loaded, 0);
}

__global__ void copy_in_bulk(const float* in, float* out) {
  __shared__ alignas(128) float tile[side * side];
  __shared__ uint64_t loaded;
  load_and_wait(&loaded, tile_bytes,
                [&] { cp_async_bulk_global_to_shared(tile, in, tile_bytes, &loaded); });
  if (threadIdx.x == 0) {
    cp_async_bulk_shared_to_global(out, tile, tile_bytes);
    tma_commit_group();
    tma_wait_until_pending<0>();
  }
}

__global__ void add_in_bulk(const float* in, float* out) {
  __shared__ alignas(128) float tile[side * side];
  __shared__ uint64_t loaded;
  load_and_wait(&loaded, tile_bytes,
                [&] { cp_async_bulk_global_to_shared(tile, in, tile_bytes, &loaded); });
  if (threadIdx.x == 0) {
    cp_reduce_async_bulk_shared_to_global<ReduceOp::add>(out, tile, tile_bytes);
    tma_commit_group();
    tma_wait_until_pending<0>();
  }
}

// Each thread of a warp reads a row's first 16 bytes: a column of 16-byte chunks.
// CHUNK_OF_ROW(y) says where in row y the engine put it.
template <typename ChunkOfRow>
__device__ void load_tile_and_read_column(const CUtensorMap* map, float4* out,
                                          ChunkOfRow chunk_of_row) {
  __shared__ alignas(1024) float4 tile[side][8];
  __shared__ uint64_t loaded;
  load_and_wait(&loaded, tile_bytes,
                [&] { cp_async_bulk_tensor_2d_global_to_shared(tile, map, 0, 0, &loaded); });
  const int y = static_cast<int>(threadIdx.x);
  out[y] = tile[y][chunk_of_row(y)];
}

__global__ void read_column_of_plain_tile(const __grid_constant__ CUtensorMap map, float4* out) {
  load_tile_and_read_column(&map, out, [](int) { return 0; });
}

// With the 128-byte swizzle the chunks of a column are spread over the banks.
__global__ void read_column_of_swizzled_tile(const __grid_constant__ CUtensorMap map, float4* out) {
  load_tile_and_read_column(&map, out, [](int y) { return y % 8; });
}

// The tile hangs over the tensor's right and lower edges: a quarter of it is there.
__global__ void copy_overhanging_tile(const __grid_constant__ CUtensorMap in,
                                      const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(128) float tile[side * side];
  __shared__ uint64_t loaded;
  load_and_wait(&loaded, tile_bytes,
                [&] { cp_async_bulk_tensor_2d_global_to_shared(tile, &in, 48, 48, &loaded); });
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&out, 48, 48, tile);
    tma_commit_group();
    tma_wait_until_pending<0>();
  }
}

__global__ void add_tile(const __grid_constant__ CUtensorMap in,
                         const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(128) float tile[side * side];
  __shared__ uint64_t loaded;
  load_and_wait(&loaded, tile_bytes,
                [&] { cp_async_bulk_tensor_2d_global_to_shared(tile, &in, 0, 0, &loaded); });
  if (threadIdx.x == 0) {
    cp_reduce_async_bulk_tensor_2d_shared_to_global<ReduceOp::add>(&out, 0, 0, tile);
    tma_commit_group();
    tma_wait_until_pending<0>();
  }
}

// One load for two CTAs.
__global__ void __cluster_dims__(2, 1, 1) multicast(const float* in, float* out) {
  __shared__ alignas(128) float tile[side * side];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&loaded, tile_bytes);
  }
  cluster_arrive();
  cluster_wait();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    cp_async_bulk_global_to_shared_multicast(tile, in, tile_bytes, &loaded, 0b11);
  }
  wait(&loaded, 0);
  out[blockIdx.x * side + threadIdx.x] = tile[threadIdx.x];
}

int main() {
  constexpr uint64_t size = 64;  // of the tensor, each way
  constexpr size_t bytes = size * size * sizeof(float);
  void *in, *out;
  cuda_check(cudaMalloc(&in, bytes));
  cuda_check(cudaMalloc(&out, bytes));
  cuda_check(cudaMemset(in, 0, bytes));
  cuda_check(cudaMemset(out, 0, bytes));
  auto* source = static_cast<float*>(in);
  auto* target = static_cast<float*>(out);
  const auto map_of = [&](float* global, CUtensorMapSwizzle swizzle) {
    return make_tensor_map<float, 2>(global, {size, size}, {size * sizeof(float)}, {side, side},
                                     {.swizzle = swizzle});
  };
  const CUtensorMap plain_in = map_of(source, CU_TENSOR_MAP_SWIZZLE_NONE);
  const CUtensorMap plain_out = map_of(target, CU_TENSOR_MAP_SWIZZLE_NONE);
  const CUtensorMap swizzled_in = map_of(source, CU_TENSOR_MAP_SWIZZLE_128B);
  copy_in_bulk<<<1, side>>>(source, target);
  add_in_bulk<<<1, side>>>(source, target);
  read_column_of_plain_tile<<<1, side>>>(plain_in, static_cast<float4*>(out));
  read_column_of_swizzled_tile<<<1, side>>>(swizzled_in, static_cast<float4*>(out));
  copy_overhanging_tile<<<1, side>>>(plain_in, plain_out);
  add_tile<<<1, side>>>(plain_in, plain_out);
  multicast<<<2, side>>>(source, target);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaFree(in));
  cuda_check(cudaFree(out));
}
