// Fences, and loads, stores and atomics that order.
#pragma once

#include "ptx-address.h"

__device__ inline void fence_proxy_async() {
  asm volatile("fence.proxy.async;" ::: "memory");
}
__device__ inline void fence_proxy_async_shared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void fence_proxy_async_shared_cluster() {
  asm volatile("fence.proxy.async.shared::cluster;" ::: "memory");
}
__device__ inline void fence_proxy_async_global() {
  asm volatile("fence.proxy.async.global;" ::: "memory");
}
__device__ inline void fence_barrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void fence_cta() {
  asm volatile("fence.acq_rel.cta;" ::: "memory");
}
__device__ inline void fence_sc_cta() {
  asm volatile("fence.sc.cta;" ::: "memory");
}
__device__ inline void fence_cluster() {
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
}
__device__ inline void fence_gpu() {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

// Flags, in global or shared memory.
__device__ inline void store_release(int* flag, int value) {
  asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}
__device__ inline void store_relaxed(int* flag, int value) {
  asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}
__device__ inline int load_acquire(const int* flag) {
  int value;
  asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
__device__ inline int load_relaxed(const int* flag) {
  int value;
  asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
__device__ inline int add_release(int* counter, int value) {
  int before;
  asm volatile("atom.add.release.gpu.s32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(counter), "r"(value)
               : "memory");
  return before;
}
__device__ inline int add_acquire_release(int* counter, int value) {
  int before;
  asm volatile("atom.add.acq_rel.gpu.s32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(counter), "r"(value)
               : "memory");
  return before;
}
__device__ inline int add_relaxed(int* counter, int value) {
  int before;
  asm volatile("atom.add.relaxed.gpu.s32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(counter), "r"(value)
               : "memory");
  return before;
}
__device__ inline void wait_for_flag(const int* flag, int value) {
  while (load_acquire(flag) != value) {
  }
}

// Programmatic dependent launch.
__device__ inline void wait_for_earlier_kernels() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
__device__ inline void let_dependents_start() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
