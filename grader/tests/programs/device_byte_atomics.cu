// Atomics of one byte, which act on the word around it: also where the word is longer than what is
// left of the allocation.
#include <cuda/atomic>

#include "runtime_test.h"

using Byte = cuda::atomic_ref<unsigned char, cuda::thread_scope_device>;

__global__ void count(unsigned char* bytes, int size) {
  Byte(bytes[threadIdx.x % size]).fetch_add(1);
}

__global__ void exchange(unsigned char* byte) {
  unsigned char expected = 0;
  Byte(*byte).compare_exchange_strong(expected, 7);
}

int main() {
  for (int size = 1; size <= 9; ++size) {
    unsigned char* bytes = nullptr;
    unsigned char result[9] = {};
    CHECK_OK(cudaMalloc(&bytes, size));
    CHECK_OK(cudaMemset(bytes, 0, size));
    count<<<1, 32 * size>>>(bytes, size);
    CHECK_OK(cudaMemcpy(result, bytes, size, cudaMemcpyDeviceToHost));
    for (int i = 0; i < size; ++i) CHECK(result[i] == 32);
    CHECK_OK(cudaMemset(bytes, 0, size));
    exchange<<<1, 1>>>(bytes + size - 1);
    CHECK_OK(cudaMemcpy(result, bytes, size, cudaMemcpyDeviceToHost));
    CHECK(result[size - 1] == 7);
    CHECK_OK(cudaFree(bytes));
  }
  return runtime_test::result();
}
