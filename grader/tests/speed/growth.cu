// What `make bench-growth` times: kernels of N times the work, of N CTAs that wait for each other,
// and of N CTAs with a mistake each.
//
//     tmaemu growth CASE N      prints the processor's time of one launch, as JSON
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "timing.h"

namespace {

using timing::check;
using timing::cpu_seconds;

constexpr unsigned threads = 128;

// Each thread adds to an element of its own, again and again.
__global__ void work(unsigned* out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (unsigned turn = 0; turn < 64; ++turn) out[thread] += turn * thread;
}

// All CTAs are resident, and each waits for all others sixteen times.
__global__ void meet(unsigned* out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (unsigned turn = 0; turn < 16; ++turn) {
    out[thread] += turn;
    cooperative_groups::this_grid().sync();
  }
}

// In each CTA all other threads read what the first one may still be writing.
__global__ void race(unsigned* out) {
  __shared__ unsigned word;
  if (threadIdx.x == 0) word = blockIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = word;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string name = count == 3 ? arguments[1] : "";
  const unsigned ctas = count == 3 ? static_cast<unsigned>(std::atoi(arguments[2])) : 0;
  unsigned* out = nullptr;
  check(cudaMalloc(&out, sizeof(unsigned) * threads * ctas));
  check(cudaMemset(out, 0, sizeof(unsigned) * threads * ctas));
  check(cudaDeviceSynchronize());
  const double begin = cpu_seconds();
  if (name == "work") {
    work<<<ctas, threads>>>(out);
  } else if (name == "meet") {
    void* parameters[] = {&out};
    check(cudaLaunchCooperativeKernel(meet, ctas, threads, parameters));
  } else if (name == "race") {
    race<<<ctas, threads>>>(out);
  } else {
    timing::fail("usage: tmaemu growth work|meet|race CTAS");
  }
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  std::printf("{\"cpu_seconds\": %.6f}\n", cpu_seconds() - begin);
}
