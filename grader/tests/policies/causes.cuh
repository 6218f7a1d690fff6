// What the kernels of this folder have in common. Their findings depended once on when the TMA
// engine acts and which warp runs first: one mistake each, a kernel a cause. test_policies.py asks
// for the same findings under every timing policy.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <span>

#include "ptx.h"

constexpr int INTS = 8192;  // of each array

// By one thread, for all of the CTA: a stage is full by one arrival, and empty by so many.
template <int stages>
__device__ void start_ring(uint64_t (&full)[stages], uint64_t (&empty)[stages], int readers) {
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      init_barrier(&full[s], 1);
      init_barrier(&empty[s], readers);
    }
    fence_barrier_init();
  }
  __syncthreads();
}

// The same of stages that need no empty mbarrier.
template <int stages>
__device__ void start_stages(uint64_t (&full)[stages], int arrivals) {
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) init_barrier(&full[s], arrivals);
    fence_barrier_init();
  }
  __syncthreads();
}

struct Kernel {
  const char* name;
  void (*launched)(const int*, int*, int*);
  int blocks;
  int threads;
};

// Launches the one that the program's first argument names.
inline int launch(std::span<const Kernel> kernels, const char* name) {
  int *in, *out, *other;
  for (int** array : {&in, &out, &other}) {
    cudaMalloc(array, sizeof(int) * INTS);
    cudaMemset(*array, 1, sizeof(int) * INTS);
  }
  for (const Kernel& kernel : kernels) {
    if (std::strcmp(kernel.name, name) != 0) continue;
    kernel.launched<<<kernel.blocks, kernel.threads>>>(in, out, other);
    return cudaDeviceSynchronize() != cudaSuccess;
  }
  return 2;
}
