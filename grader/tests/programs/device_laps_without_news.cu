// The largest value goes one place further with each lap, and most warps see nothing new in it.
// They come back to registers and places that they had before, as who polls in vain does, and go on
// when another warp's value has reached them. Behind that, the CTAs wait for each other.
#include <vector>

#include "runtime_test.h"

namespace {

constexpr int ctas = 2;
constexpr int threads = 128;

// `factor` is odd, so the values are 0 to 127 in some order.
__global__ void spread_the_largest(int factor, int* largest, int* counter) {
  __shared__ int values[threads];
  const int i = static_cast<int>(threadIdx.x);
  values[i] = factor * i % threads;
  __syncthreads();
  bool is_smaller = true;
  do {
    const int own = values[i];
    const int next = values[(i + 1) % threads];
    __syncthreads();
    values[i] = max(own, next);
    is_smaller = own < threads - 1;
  } while (__syncthreads_or(is_smaller));
  if (i == 0) {
    __threadfence();
    atomicAdd(counter, 1);
    while (atomicAdd(counter, 0) < ctas) {
    }
  }
  largest[blockIdx.x * threads + i] = values[i];
}

void check(int factor) {
  int* largest = nullptr;
  int* counter = nullptr;
  CHECK_OK(cudaMalloc(&largest, ctas * threads * sizeof(int)));
  CHECK_OK(cudaMalloc(&counter, sizeof(int)));
  CHECK_OK(cudaMemset(counter, 0, sizeof(int)));
  spread_the_largest<<<ctas, threads>>>(factor, largest, counter);
  std::vector<int> result(ctas * threads);
  CHECK_OK(cudaMemcpy(result.data(), largest, result.size() * sizeof(int), cudaMemcpyDefault));
  for (const int value : result) CHECK(value == threads - 1);
  CHECK_OK(cudaFree(largest));
  CHECK_OK(cudaFree(counter));
}

}  // namespace

int main() {
  for (const int factor : {37, 1, 65, 101}) check(factor);
  return runtime_test::result();
}
