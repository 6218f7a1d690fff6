// The ladder of lab 3: from a plain kernel to the pipeline, one step at a time. The chapter shows
// what `tmaemu --stats` says of each; on a GPU the program prints bandwidths.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

inline constexpr int TILE_INTS = 8192;
inline constexpr int TILE_BYTES = TILE_INTS * sizeof(int);
inline constexpr int THREADS = 512;
inline constexpr int VECTOR_INTS = 4;

__device__ unsigned next_tile;  // 0 between two launches

__device__ void add_one(int4* tile) {
  for (int i = threadIdx.x; i < TILE_INTS / VECTOR_INTS; i += blockDim.x) {
    const int4 v = tile[i];
    tile[i] = {v.x + 1, v.y + 1, v.z + 1, v.w + 1};
  }
}

// A thread for each int.
__global__ void plain(int* data, int) {
  data[static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x] += 1;
}

// Persistent CTAs. Part pipeline of the lab has the same loop, for any number of ints.
template <int STAGES, int STORES_IN_FLIGHT, bool HAS_COUNTER, bool HAS_POLICIES>
__global__ void ring(int* data, int tiles) {
  alignas(128) extern __shared__ int4 memory[];
  __shared__ uint64_t full[STAGES];
  __shared__ int numbers[STAGES];
  const auto tile_of = [&](int stage) { return memory + stage * (TILE_INTS / VECTOR_INTS); };
  const auto place_of = [&](int tile) { return data + static_cast<size_t>(tile) * TILE_INTS; };

  int next = blockIdx.x;
  const auto load_next = [&](int stage) {  // thread 0
    numbers[stage] = next;
    if (next >= tiles) {
      arrive(&full[stage], 1);
      return;
    }
    expect_bytes_and_arrive(&full[stage], TILE_BYTES);
    if constexpr (HAS_POLICIES) {
      cp_async_bulk_global_to_shared(tile_of(stage), place_of(next), TILE_BYTES, &full[stage],
                                     CACHE_POLICY_EVICT_LAST);
    } else {
      cp_async_bulk_global_to_shared(tile_of(stage), place_of(next), TILE_BYTES, &full[stage]);
    }
    next = HAS_COUNTER ? static_cast<int>(atomicAdd(&next_tile, 1)) : next + gridDim.x;
  };
  constexpr int AHEAD = STAGES - STORES_IN_FLIGHT;  // loads before the loop
  if (threadIdx.x == 0) {
    for (uint64_t& barrier : full) init_barrier(&barrier, 1);
    async_proxy_fence();
    if constexpr (HAS_COUNTER) next = static_cast<int>(atomicAdd(&next_tile, 1));
    for (int stage = 0; stage < AHEAD; ++stage) load_next(stage);
  }
  __syncthreads();

  for (int n = 0;; ++n) {
    const int stage = n % STAGES;
    wait(&full[stage], n / STAGES % 2);
    const int tile = numbers[stage];
    if (tile >= tiles) break;
    add_one(tile_of(stage));
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      if constexpr (HAS_POLICIES) {
        cp_async_bulk_shared_to_global(place_of(tile), tile_of(stage), TILE_BYTES,
                                       CACHE_POLICY_EVICT_FIRST);
      } else {
        cp_async_bulk_shared_to_global(place_of(tile), tile_of(stage), TILE_BYTES);
      }
      tma_store_commit_group();
      tma_store_wait_until_pending_read<STORES_IN_FLIGHT>();
      load_next((n + AHEAD) % STAGES);
    }
  }
  if (threadIdx.x == 0) {
    tma_store_wait_until_pending_read<0>();
    if (HAS_COUNTER && next == tiles + static_cast<int>(gridDim.x) - 1) next_tile = 0;
  }
}

struct Step {
  const char* name;
  void (*kernel)(int* data, int tiles);
  int stages;  // of a ring; 0: a thread for each int
};
const Step STEPS[] = {
    {"plain", plain, 0},
    {"persistent", ring<1, 0, false, false>, 1},
    {"ring", ring<3, 0, false, false>, 3},
    {"store-in-flight", ring<3, 1, false, false>, 3},
    {"counter", ring<3, 1, true, false>, 3},
    {"policies", ring<3, 1, true, true>, 3},
};

void launch(const Step& step, int* data, int tiles) {
  if (step.stages == 0) {
    step.kernel<<<tiles*(TILE_INTS / THREADS), THREADS>>>(data, tiles);
  } else {
    const int bytes = step.stages * TILE_BYTES;
    int device, sms, ctas_per_sm;
    cuda_check(cudaGetDevice(&device));
    cuda_check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    cuda_check(
        cudaFuncSetAttribute(step.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas_per_sm, step.kernel, THREADS,
                                                             static_cast<size_t>(bytes)));
    step.kernel<<<std::min(tiles, sms * ctas_per_sm), THREADS, bytes>>>(data, tiles);
  }
  cuda_check(cudaGetLastError());
}

// Usage: program [MiB [repetitions]]: of an array, 32 MiB unless told.
int main(int argc, char** argv) {
  const size_t bytes = (argc > 1 ? std::atoll(argv[1]) : 32) << 20;
  const int tiles = static_cast<int>(bytes / TILE_BYTES);
  int* data;
  cuda_check(cudaMalloc(&data, bytes));
  cudaEvent_t begin, end;
  cuda_check(cudaEventCreate(&begin));
  cuda_check(cudaEventCreate(&end));
  bool right = true;
  for (const Step& step : STEPS) {
    cuda_check(cudaMemset(data, 0, bytes));
    launch(step, data, tiles);
    std::vector<int> host(bytes / sizeof(int));
    cuda_check(cudaMemcpy(host.data(), data, bytes, cudaMemcpyDeviceToHost));
    const bool is_right = std::ranges::all_of(host, [](int value) { return value == 1; });
    right = right && is_right;
    std::printf("%-16s %s", step.name, is_right ? "right" : "WRONG");
    if (argc > 2) {  // repetitions
      const int repetitions = std::atoi(argv[2]);
      cuda_check(cudaEventRecord(begin));
      for (int i = 0; i < repetitions; ++i) launch(step, data, tiles);
      cuda_check(cudaEventRecord(end));
      cuda_check(cudaEventSynchronize(end));
      float milliseconds = 0;
      cuda_check(cudaEventElapsedTime(&milliseconds, begin, end));
      std::printf("  %6.0f GB/s", 2e-6 * static_cast<double>(bytes) * repetitions / milliseconds);
    }
    std::printf("\n");
  }
  return right ? 0 : 1;
}
