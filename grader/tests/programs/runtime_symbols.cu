// Module-scope variables: copies by symbol, their addresses, managed variables.
#include "runtime_test.h"

__device__ int counters[4] = {1, 2, 3, 4};
__constant__ float factor = 2.5f;
__managed__ int shared_with_host = 7;

__global__ void use_variables(float* out) {
  counters[threadIdx.x] += 10;
  if (threadIdx.x == 0) {
    *out = factor;
    shared_with_host += 1;
  }
}

static void initializers_are_there() {
  int values[4] = {};
  CHECK_OK(cudaMemcpyFromSymbol(values, counters, sizeof values));
  CHECK(values[0] == 1 && values[3] == 4);
  CHECK(shared_with_host == 7);
}

static void kernels_see_what_was_copied() {
  const int value = 100;
  const float changed = 0.5f;
  float* out = nullptr;
  float result = 0;
  int values[4] = {};
  CHECK_OK(cudaMalloc(&out, sizeof(float)));
  CHECK_OK(cudaMemcpyToSymbol(counters, &value, sizeof value, 2 * sizeof(int)));
  CHECK_OK(cudaMemcpyToSymbol(factor, &changed, sizeof changed));
  use_variables<<<1, 4>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaMemcpyFromSymbol(values, counters, sizeof values));
  CHECK_OK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(values[0] == 11 && values[2] == 110);
  CHECK(result == 0.5f);
  CHECK(shared_with_host == 8);
  CHECK_OK(cudaFree(out));
}

static void symbols_have_address_and_size() {
  void* address = nullptr;
  size_t size = 0;
  int value = 0;
  CHECK_OK(cudaGetSymbolAddress(&address, counters));
  CHECK_OK(cudaGetSymbolSize(&size, counters));
  CHECK(size == sizeof counters);
  CHECK_OK(
      cudaMemcpy(&value, static_cast<int*>(address) + 1, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 12);
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(address));
  cudaGetLastError();
}

static void wrong_symbols_and_ranges_are_refused() {
  static int no_symbol = 0;
  int value = 0;
  CHECK_ERROR(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(no_symbol, &value, sizeof value));
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpyToSymbol(counters, &value, sizeof value, sizeof counters));
  CHECK_ERROR(cudaErrorInvalidMemcpyDirection,
              cudaMemcpyToSymbol(counters, &value, sizeof value, 0, cudaMemcpyDeviceToHost));
}

int main() {
  initializers_are_there();
  kernels_see_what_was_copied();
  symbols_have_address_and_size();
  wrong_symbols_and_ranges_are_refused();
  return runtime_test::result();
}
