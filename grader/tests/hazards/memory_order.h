// What ptx.h does not have: narrower scopes, barriers that reduce, and the fences of tensor maps.
#pragma once

#include "ptx.h"

__device__ inline void store_relaxed_cta(int* flag, int value) {
  asm volatile("st.relaxed.cta.s32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

// Other ways to the shared memory of a CTA of the cluster.
__device__ inline void store_remote_four(uint32_t remote, int4 four) {
  asm volatile("st.shared::cluster.v4.s32 [%0], {%1, %2, %3, %4};" ::"r"(remote), "r"(four.x),
               "r"(four.y), "r"(four.z), "r"(four.w)
               : "memory");
}
__device__ inline int* pointer_in_cta(int* shared, uint32_t rank) {
  int* remote;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(remote) : "l"(shared), "r"(rank));
  return remote;
}

// Loads and asynchronous stores whose places are given as addresses, in any CTA of the cluster.
__device__ inline void load_tile_to(uint32_t tile, const CUtensorMap* map, int column, int row,
                                    uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(tile),
      "l"(map), "r"(column), "r"(row), "r"(barrier)
      : "memory");
}
__device__ inline void store_async_four(uint32_t remote, int4 four, uint32_t remote_barrier) {
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, "
      "[%5];" ::"r"(remote),
      "r"(four.x), "r"(four.y), "r"(four.z), "r"(four.w), "r"(remote_barrier)
      : "memory");
}
