// cudaDeviceReset: what the program had on the device is gone.
#include "runtime_test.h"

__device__ int counter = 5;
__managed__ int shared_with_host = 7;

__global__ void increment(int* out) {
  *out = ++counter;
}

static int incremented() {
  int* out = nullptr;
  int value = 0;
  CHECK_OK(cudaMalloc(&out, sizeof *out));
  increment<<<1, 1>>>(out);
  CHECK_OK(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

static size_t free_memory() {
  size_t free = 0, total = 0;
  CHECK_OK(cudaMemGetInfo(&free, &total));
  return free;
}

static void memory_is_freed() {
  constexpr size_t size = size_t{64} << 20;
  const size_t before = free_memory();
  void* memory = nullptr;
  CHECK_OK(cudaMalloc(&memory, size));
  CHECK(free_memory() <= before - size);
  CHECK_OK(cudaDeviceReset());
  CHECK(free_memory() > before - size);
}

static void variables_have_their_initial_values_again() {
  CHECK(incremented() == 6);
  CHECK(incremented() == 7);
  CHECK_OK(cudaDeviceReset());
  CHECK(incremented() == 6);
}

int main() {
  CHECK(shared_with_host == 7);
  memory_is_freed();
  variables_have_their_initial_values_again();
  return runtime_test::result();
}
