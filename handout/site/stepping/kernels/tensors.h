// What the kernels of the stepping pages have in common: words to copy, and the end of main().
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

// Words that count from 1, on the device.
inline uint32_t* counted_words(size_t count) {
  std::vector<uint32_t> words(count);
  for (size_t i = 0; i < count; ++i) words[i] = static_cast<uint32_t>(i + 1);
  uint32_t* device = nullptr;
  cuda_check(cudaMalloc(&device, count * sizeof(uint32_t)));
  cuda_check(cudaMemcpy(device, words.data(), count * sizeof(uint32_t), cudaMemcpyHostToDevice));
  return device;
}

inline uint32_t* zeroed_words(size_t count) {
  uint32_t* device = nullptr;
  cuda_check(cudaMalloc(&device, count * sizeof(uint32_t)));
  cuda_check(cudaMemset(device, 0, count * sizeof(uint32_t)));
  return device;
}

// The page shows how a mistake ends, so an error of the kernel is no error of this program.
inline int finish() {
  cudaDeviceSynchronize();
  return 0;
}
