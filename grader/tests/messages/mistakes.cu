// Mistakes of which one has to know more than that something is wrong: test_messages.py says what
// is told of each. The first argument names the kernel.
#include <cuda_bf16.h>

#include <cstdio>
#include <string_view>

#include "tma-interface.cuh"
#include "wgmma-interface.cuh"

constexpr int COUNT = 1024;
constexpr int BYTES = COUNT * sizeof(int);
constexpr int WARP = 32;

// What every kernel begins with.
__device__ void prepare(uint64_t* bar, int count) {
  if (threadIdx.x == 0) {
    init_barrier(bar, count);
    fence_barrier_init();
  }
  cluster_arrive();
  cluster_wait();
}

__global__ void exchanged_load(int* out, int* in) {
  __shared__ alignas(16) int tile[COUNT];
  __shared__ uint64_t loaded;
  prepare(&loaded, 1);
  if (threadIdx.x == 0) {
    expect_bytes_and_arrive(&loaded, BYTES);
    cp_async_bulk_global_to_shared(in, tile, BYTES, &loaded);
  }
  wait(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void exchanged_store(int* out, int*) {
  __shared__ alignas(16) int tile[COUNT];
  for (int i = threadIdx.x; i < COUNT; i += blockDim.x) tile[i] = i;
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_shared_to_global(tile, out, BYTES);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
}

// Each lane of a warp, or a lane of each warp, stores the same.
template <typename Asks>
__device__ void store_by(int* out, Asks asks) {
  __shared__ alignas(16) int tile[COUNT];
  for (int i = threadIdx.x; i < COUNT; i += blockDim.x) tile[i] = i;
  async_proxy_fence();
  __syncthreads();
  if (asks()) {
    cp_async_bulk_shared_to_global(out, tile, BYTES);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
}
__global__ void every_lane(int* out, int*) {
  store_by(out, [] { return threadIdx.x < WARP; });
}
__global__ void every_warp(int* out, int*) {
  store_by(out, [] { return elect_one_lane() != 0; });
}
// Each CTA of the cluster loads for both.
__global__ void every_rank(int* out, int* in) {
  __shared__ alignas(16) int tile[COUNT];
  __shared__ uint64_t loaded;
  prepare(&loaded, 1);
  if (threadIdx.x == 0) {
    expect_bytes_and_arrive(&loaded, 2 * BYTES);
    cp_async_bulk_global_to_shared_multicast(tile, in, BYTES, &loaded, 3);
  }
  wait(&loaded, 0);
  out[blockIdx.x * COUNT + threadIdx.x] = tile[threadIdx.x];
  cluster_arrive();
  cluster_wait();
}

__global__ void one_rank_announces(int* out, int* in) {
  __shared__ alignas(16) int tile[COUNT];
  __shared__ uint64_t loaded;
  prepare(&loaded, 1);
  if (threadIdx.x == 0) {
    if (cluster_rank() == 0) {
      expect_bytes_and_arrive(&loaded, BYTES);
      cp_async_bulk_global_to_shared_multicast(tile, in, BYTES, &loaded, 3);
    } else {
      arrive(&loaded, 1);
    }
  }
  wait(&loaded, 0);
  out[blockIdx.x * COUNT + threadIdx.x] = tile[threadIdx.x];
  cluster_arrive();
  cluster_wait();
}

// Four warps multiply what a fifth one loads, and each hands the stage back; "empty" counts one.
__global__ void too_small_a_count(int* out, int* in) {
  __shared__ alignas(128) int tile[COUNT];
  __shared__ uint64_t full;
  __shared__ uint64_t empty;
  prepare(&full, 1);
  prepare(&empty, 1);
  float d[4] = {};
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 4 * WARP) {
      wait(&empty, round % 2 ^ 1);
      expect_bytes_and_arrive(&full, BYTES);
      cp_async_bulk_global_to_shared(tile, in, BYTES, &full);
    }
    if (threadIdx.x >= 4 * WARP) continue;
    wait(&full, round % 2);
    const uint64_t a = make_smem_desc<NO_SWIZZLE>(tile, 128, 256);
    warpgroup_arrive();
    wgmma_n8<1, 1, 1, 0, 0>(a, a, d);
    wgmma_commit();
    wgmma_wait<0>();
    accumulators_changed(d);
    if (threadIdx.x % WARP == 0) arrive(&empty, 1);
  }
  if (threadIdx.x < 4 * WARP) out[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void units_for_bytes(int* out, int* in) {
  __shared__ alignas(128) int tile[COUNT];
  for (int i = threadIdx.x; i < COUNT; i += blockDim.x) tile[i] = in[i];
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x >= 4 * WARP) return;
  float d[4] = {};
  const uint64_t a = make_smem_desc<NO_SWIZZLE>(tile, 128 / 16, 256 / 16);
  warpgroup_arrive();
  wgmma_n8<1, 1, 1, 0, 0>(a, a, d);
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(d);
  out[threadIdx.x] = static_cast<int>(d[0]);
}

// Every thread writes the first element, through a function of the toolkit's.
__global__ void race(int* out, int*) {
  __stcg(&out[2], static_cast<int>(threadIdx.x));
}

int main(int, char** arguments) {
  int* in;
  int* out;
  cuda_check(cudaMalloc(&in, 2 * BYTES));
  cuda_check(cudaMalloc(&out, 2 * BYTES));
  cuda_check(cudaMemset(in, 0, 2 * BYTES));
  const std::string_view asked = arguments[1];
  const auto launch = [&](std::string_view name, auto kernel, int ctas) {
    if (name != asked) return;
    cudaLaunchConfig_t config{};
    config.gridDim = ctas;
    config.blockDim = 5 * WARP;
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(ctas), 1, 1};
    config.attrs = &cluster;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, kernel, out, in);
    cudaDeviceSynchronize();
  };
  launch("exchanged_load", exchanged_load, 1);
  launch("exchanged_store", exchanged_store, 1);
  launch("every_lane", every_lane, 1);
  launch("every_warp", every_warp, 1);
  launch("every_rank", every_rank, 2);
  launch("one_rank_announces", one_rank_announces, 2);
  launch("too_small_a_count", too_small_a_count, 1);
  launch("units_for_bytes", units_for_bytes, 1);
  launch("race", race, 1);
}
