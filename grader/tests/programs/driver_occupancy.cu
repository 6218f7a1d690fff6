// The driver's search for the best block size, beside that of the runtime's header.
#include "driver_test.h"

__global__ void plain(float* out) {
  out[threadIdx.x] = 1;
}
__global__ void __launch_bounds__(320) bounded(float* out) {
  out[threadIdx.x] = 1;
}
__global__ void with_shared_memory(float* out) {
  __shared__ float kept[5000];
  kept[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = kept[threadIdx.x ^ 1];
}

using Kernel = void (*)(float*);

static CUfunction function_of(Kernel kernel) {
  cudaFunction_t function = nullptr;
  CHECK_OK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(kernel)));
  return function;
}

static void check_same(Kernel kernel, size_t shared_bytes, int limit) {
  int grid = 0, block = 0, runtime_grid = 0, runtime_block = 0;
  CHECK_OK(cudaOccupancyMaxPotentialBlockSize(&runtime_grid, &runtime_block, kernel, shared_bytes,
                                              limit));
  CHECK_DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, function_of(kernel), nullptr,
                                                shared_bytes, limit));
  CHECK(block == runtime_block && block != 0);
  CHECK(grid == runtime_grid && grid != 0);
}

static void the_driver_finds_what_the_runtimes_header_finds() {
  for (const Kernel kernel : {plain, bounded, with_shared_memory}) {
    for (const int limit : {0, 32, 100, 256, 4096}) check_same(kernel, 0, limit);
    check_same(kernel, 8192, 0);
  }
}

static size_t CUDA_CB four_floats_a_thread(int threads) {
  return static_cast<size_t>(threads) * 16;
}

static void shared_memory_may_depend_on_the_block_size() {
  int grid = 0, block = 0, runtime_grid = 0, runtime_block = 0;
  CHECK_OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      &runtime_grid, &runtime_block, with_shared_memory, four_floats_a_thread));
  CHECK_DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, function_of(with_shared_memory),
                                                four_floats_a_thread, 0, 0));
  CHECK(block == runtime_block && grid == runtime_grid);
}

static void what_is_missing_is_refused() {
  int grid = 0, block = 0;
  const CUfunction function = function_of(plain);
  CHECK_RESULT(CUDA_ERROR_INVALID_VALUE,
               cuOccupancyMaxPotentialBlockSize(nullptr, &block, function, nullptr, 0, 0));
  CHECK_RESULT(CUDA_ERROR_INVALID_VALUE,
               cuOccupancyMaxPotentialBlockSize(&grid, nullptr, function, nullptr, 0, 0));
}

int main() {
  CHECK_OK(cudaFree(nullptr));
  the_driver_finds_what_the_runtimes_header_finds();
  shared_memory_may_depend_on_the_block_size();
  what_is_missing_is_refused();
  return runtime_test::result();
}
