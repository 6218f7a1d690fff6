// What people put between an access of one proxy and the next one of the other.
#pragma once

#include "tma-interface.cuh"

namespace experiment {

enum class Fence {
  none,
  before,           // async_proxy_fence() by each thread, before the hand-over
  after,            // async_proxy_fence() by the thread that issues, after the hand-over
  other_memory,     // a proxy fence of the other kind of memory, by each thread, before
  threadfence_cta,  // __threadfence_block() by each thread, before
  threadfence,      // __threadfence() by each thread, before
  acq_rel_cta,      // fence.acq_rel.cta by each thread, before
  one_thread,       // async_proxy_fence() by one of the threads only, before
};
inline constexpr Fence fences[] = {Fence::none,         Fence::before,          Fence::after,
                                   Fence::other_memory, Fence::threadfence_cta, Fence::threadfence,
                                   Fence::acq_rel_cta,  Fence::one_thread};

constexpr const char* name_of(Fence fence) {
  switch (fence) {
    case Fence::none:
      return "no fence";
    case Fence::before:
      return "`async_proxy_fence()` by each thread, before the hand-over";
    case Fence::after:
      return "`async_proxy_fence()` by the issuing thread, after it";
    case Fence::other_memory:
      return "a proxy fence of the other kind of memory";
    case Fence::threadfence_cta:
      return "`__threadfence_block()`";
    case Fence::threadfence:
      return "`__threadfence()`";
    case Fence::acq_rel_cta:
      return "`fence.acq_rel.cta`";
    case Fence::one_thread:
      return "`async_proxy_fence()` by one of the threads only";
  }
  return "";
}

// By each thread, before it hands over what it has done in shared memory, or in global memory.
template <Fence fence, bool is_global>
__device__ void fence_before() {
  if constexpr (fence == Fence::before) async_proxy_fence();
  if constexpr (fence == Fence::other_memory && is_global) async_proxy_fence_shared();
  if constexpr (fence == Fence::other_memory && !is_global) async_proxy_fence_global();
  if constexpr (fence == Fence::threadfence_cta) __threadfence_block();
  if constexpr (fence == Fence::threadfence) __threadfence();
  if constexpr (fence == Fence::acq_rel_cta) asm volatile("fence.acq_rel.cta;" ::: "memory");
  if constexpr (fence == Fence::one_thread) {
    if (threadIdx.x == 0) async_proxy_fence();
  }
}

// By the thread that issues the operation, once all have handed over.
template <Fence fence>
__device__ void fence_after() {
  if constexpr (fence == Fence::after) async_proxy_fence();
}

}  // namespace experiment
