// What a kernel's registers have to do with its launches: attributes, the largest CTA, occupancy.
#include <cuda_runtime.h>

#include "runtime_test.h"

namespace {

constexpr int values = 140;

// Keeps all the values in registers, over the barrier.
__global__ void hungry(float* numbers) {
  float kept[values];
#pragma unroll
  for (int i = 0; i < values; ++i) kept[i] = numbers[i * blockDim.x + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < values; ++i) {
    numbers[i * blockDim.x + threadIdx.x] = kept[i] * kept[values - 1 - i];
  }
}

// The same of kernels whose threads are to be many: the compiler must do with fewer.
__global__ void __launch_bounds__(1024) modest(float* numbers) {
  float kept[values];
#pragma unroll
  for (int i = 0; i < values; ++i) kept[i] = numbers[i * blockDim.x + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < values; ++i) {
    numbers[i * blockDim.x + threadIdx.x] = kept[i] * kept[values - 1 - i];
  }
}

__global__ void in_local_memory(int* numbers) {
  volatile int array[256];
  array[numbers[0]] = 1;
  numbers[0] = array[numbers[1]];
}

template <class Kernel>
cudaFuncAttributes attributes_of(Kernel kernel) {
  cudaFuncAttributes attributes{};
  CHECK_OK(cudaFuncGetAttributes(&attributes, kernel));
  return attributes;
}

template <class Kernel>
int resident(Kernel kernel, int threads) {
  int ctas = -1;
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, kernel, threads, 0));
  return ctas;
}

void attributes_come_from_the_machine_code() {
  CHECK(attributes_of(hungry).numRegs > 64);
  CHECK(attributes_of(modest).numRegs == 64);
  CHECK(attributes_of(modest).localSizeBytes > 0);  // spilled
  CHECK(attributes_of(in_local_memory).localSizeBytes == 256 * sizeof(int));
}

void an_sm_has_65536_registers() {
  // A warp takes 32 times as many registers as a thread, in units of 256.
  const int of_warp = (attributes_of(hungry).numRegs * 32 + 255) / 256 * 256;
  CHECK(resident(hungry, 32) == 65536 / 4 / of_warp * 4);
  CHECK(resident(hungry, 1024) == 0);
  CHECK(resident(modest, 1024) == 1);
  const int most = attributes_of(hungry).maxThreadsPerBlock;
  CHECK(most < 1024 && most % 32 == 0);
  CHECK(resident(hungry, most) == 1);
  CHECK(resident(hungry, most + 1) == 0);
}

void a_cta_beyond_them_is_refused() {
  float* numbers = nullptr;
  CHECK_OK(cudaMalloc(&numbers, values * 1024 * sizeof(float)));
  CHECK_OK(cudaMemset(numbers, 0, values * 1024 * sizeof(float)));
  hungry<<<1, 1024>>>(numbers);
  CHECK_ERROR(cudaErrorLaunchOutOfResources, cudaGetLastError());
  hungry<<<1, attributes_of(hungry).maxThreadsPerBlock>>>(numbers);
  CHECK_OK(cudaGetLastError());
  modest<<<1, 1024>>>(numbers);
  CHECK_OK(cudaGetLastError());
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaFree(numbers));
}

}  // namespace

int main() {
  attributes_come_from_the_machine_code();
  an_sm_has_65536_registers();
  a_cta_beyond_them_is_refused();
  return runtime_test::result();
}
