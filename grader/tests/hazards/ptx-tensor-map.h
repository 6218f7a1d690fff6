// Tensor maps that a kernel changes, and the fences of their proxy.
#pragma once

#include "ptx-address.h"

// Of a map in global memory.
__device__ inline void replace_address(CUtensorMap* map, const void* global) {
  asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map),
               "l"(global)
               : "memory");
}
__device__ inline void replace_shared_address(CUtensorMap* shared_map, const void* global) {
  asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(
                   shared_address(shared_map)),
               "l"(global)
               : "memory");
}
__device__ inline void release_maps() {
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
}
__device__ inline void acquire_map(const CUtensorMap* map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}
// From shared to global memory, and released there. All lanes of the warp together.
__device__ inline void copy_and_release_map(CUtensorMap* map, const CUtensorMap* shared_map) {
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned"
      " [%0], [%1], 128;" ::"l"(map),
      "r"(shared_address(shared_map))
      : "memory");
}
