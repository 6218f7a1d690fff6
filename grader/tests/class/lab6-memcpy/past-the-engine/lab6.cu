#include <cuda_bf16.h>

#include <cstddef>
#include <cstdint>

#include "cuda-check.cuh"

using bf16 = __nv_bfloat16;

constexpr unsigned THREADS = 256;

// 16 bytes per thread where both arrays allow it, and the bytes that are left.
__global__ void copy_vectors(char* dest, const char* src, size_t bytes) {
  size_t vectors = bytes / sizeof(uint4);
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < vectors) ((uint4*)dest)[i] = ((const uint4*)src)[i];
  size_t left = vectors * sizeof(uint4) + i;
  if (i < sizeof(uint4) && left < bytes) dest[left] = src[left];
}

__global__ void copy_bytes(char* dest, const char* src, size_t bytes) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < bytes) dest[i] = src[i];
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  if (bytes == 0) return;
  char* to = (char*)dest;
  const char* from = (const char*)src;
  if (((uintptr_t)dest | (uintptr_t)src) % sizeof(uint4) == 0) {
    size_t vectors = bytes / sizeof(uint4) + 1;
    copy_vectors<<<unsigned((vectors + THREADS - 1) / THREADS), THREADS>>>(to, from, bytes);
  } else {
    copy_bytes<<<unsigned((bytes + THREADS - 1) / THREADS), THREADS>>>(to, from, bytes);
  }
  cuda_check(cudaGetLastError());
}

void launch_tma_copy(bf16* dest, bf16* src, int N) {
  launch_tma_memcpy(dest, src, size_t(N) * sizeof(bf16));
}
