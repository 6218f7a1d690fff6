// Fences between the generic proxy (ordinary loads and stores) and the async proxy (the TMA
// engine). All are PTX ISA, "membar/fence"; proxies are explained in its "Proxies".
#pragma once

#include "address.cuh"

// Puts this lane's earlier generic-proxy accesses (and those that a barrier has ordered before
// them) before later ones of the async proxy: what it wrote is visible there, and what it read is
// no longer under way. Every lane that wrote or read the bytes calls it *before* the barrier that
// the lane issuing the TMA operation waits at: access, fence, __syncthreads(), then one lane
// issues. Covers global and shared memory. Per lane.
__device__ static __forceinline__ void async_proxy_fence() {
  asm volatile("fence.proxy.async;" ::: "memory");
}

// async_proxy_fence() for accesses to the caller's shared memory only. Per lane.
__device__ static __forceinline__ void async_proxy_fence_shared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// async_proxy_fence() for accesses to global memory only: after ordinary stores to global memory
// that a TMA load is to read in the same kernel. Per lane.
__device__ static __forceinline__ void async_proxy_fence_global() {
  asm volatile("fence.proxy.async.global;" ::: "memory");
}

// Makes this lane's init_barrier() calls visible to the other CTAs of the cluster and to the TMA
// engine. It orders nothing else. A cluster_arrive() and cluster_wait() must follow before a peer
// uses the barrier; within one CTA, a __syncthreads(). Per lane: the one that initialized.
__device__ static __forceinline__ void fence_barrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
