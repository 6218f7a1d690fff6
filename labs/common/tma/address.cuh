// How C++ pointers become the addresses that PTX instructions take.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#error "tma-interface.cuh needs compute capability 9.0 (Hopper) or later: compile for sm_90a"
#endif

// The 32-bit shared::cta address of a pointer into the caller's shared memory. The same number is
// also a valid shared::cluster address, which names the caller's own CTA.
// Per lane. PTX ISA, "cvta".
__device__ static __forceinline__ uint32_t shared_address(const void* smem) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(smem));
}

// The 64-bit address of a pointer into global memory (generic and global addresses are one number).
// nvcc crashes, and names no line, where it would have to make a global address of a pointer that
// it knows to lead into shared memory: exchanged operands are left for the emulator to tell.
// Per lane.
__device__ static __forceinline__ uint64_t global_address(const void* global) {
  if (__isShared(global)) return reinterpret_cast<uint64_t>(global);
  return static_cast<uint64_t>(__cvta_generic_to_global(global));
}
