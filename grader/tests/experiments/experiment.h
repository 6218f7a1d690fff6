// The frame of the experiments: kernels that leave a fence out, on every SM at once, and count what
// comes out wrong.
//
// A program prints a line of JSON for each of its kernels:
//
//   {"experiment": ..., "case": ..., "is_control": ..., "wrong": ..., "of": ..., "hangs": ...}
//
// A control has a mistake that must show, or the experiment sees nothing.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tma-interface.cuh"

namespace experiment {

// What the threads of a kernel have counted.
struct Counts {
  unsigned long long wrong = 0;
  unsigned long long of = 0;
  unsigned long long hangs = 0;
};

// The sums of all threads, into `counts` in global memory.
__device__ inline void add_to(Counts* counts, const Counts& mine) {
  atomicAdd(&counts->wrong, mine.wrong);
  atomicAdd(&counts->of, mine.of);
  atomicAdd(&counts->hangs, mine.hangs);
}

// Waits for the phase at most as long as a GPU may take for a launch; false where it gave up. What
// a missing fence does to an mbarrier would be a wait without end.
__device__ inline bool wait_or_give_up(uint64_t* bar, int parity) {
  constexpr long long patience = 1'000'000'000;  // clocks
  const long long begin = clock64();
  while (!try_wait(bar, parity)) {
    if (clock64() - begin > patience) return false;
  }
  return true;
}

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

inline int sm_count() {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "sm_90 GPU");
  return count;
}

// Memory of the device, all bytes zero.
template <class T>
T* zeros(std::size_t count) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
  check(cudaMemset(memory, 0, count * sizeof(T)), "cudaMemset");
  return memory;
}

// Runs launch(counts) a few times and prints what it has counted.
template <class Launch>
void measure(const std::string& experiment, const std::string& name, bool is_control,
             Launch launch) {
  constexpr int launches = 3;
  Counts* const counted = zeros<Counts>(1);
  for (int i = 0; i < launches; ++i) launch(counted);
  check(cudaDeviceSynchronize(), name.c_str());
  Counts counts;
  check(cudaMemcpy(&counts, counted, sizeof(Counts), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaFree(counted), "cudaFree");
  std::printf(
      "{\"experiment\": \"%s\", \"case\": \"%s\", \"is_control\": %s, \"wrong\": %llu, \"of\": "
      "%llu, \"hangs\": %llu}\n",
      experiment.c_str(), name.c_str(), is_control ? "true" : "false", counts.wrong, counts.of,
      counts.hangs);
  std::fflush(stdout);
}

}  // namespace experiment
