// Bulk copies of one-dimensional arrays: a pointer and a size, no tensor map.
//
// Everything is in units of 16 bytes: global address, shared address and size must be multiples of
// 16 (CUDA programming guide, "Using TMA to transfer one-dimensional arrays", alignment table). A
// barrier is aligned to 8. All functions are per lane: one lane copies the whole array.
// PTX ISA, "cp.async.bulk".
#pragma once

#include "address.cuh"

// Copies bytes from global memory to the caller's shared memory, and counts them down on bar, which
// must expect them (expect_bytes_and_arrive). Complete when bar's phase is over.
__device__ static __forceinline__ void cp_async_bulk_global_to_shared(void* smem_dest,
                                                                      const void* src,
                                                                      uint32_t bytes,
                                                                      uint64_t* bar) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(smem_dest)),
      "l"(global_address(src)), "r"(bytes), "r"(shared_address(bar))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_global_to_shared(void* smem_dest,
                                                                      const void* src,
                                                                      uint32_t bytes, uint64_t* bar,
                                                                      uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
      " [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(smem_dest)),
      "l"(global_address(src)), "r"(bytes), "r"(shared_address(bar)), "l"(cache_policy)
      : "memory");
}

// Copies bytes from global memory to the same shared-memory offset in every CTA of the cluster
// whose bit (1 << rank) is set in cta_mask, and counts them down on the barrier at bar's offset in
// each of these CTAs. Fast on sm_90a.
__device__ static __forceinline__ void cp_async_bulk_global_to_shared_multicast(
    void* smem_dest, const void* src, uint32_t bytes, uint64_t* bar, uint16_t cta_mask) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(smem_dest)),
      "l"(global_address(src)), "r"(bytes), "r"(shared_address(bar)), "h"(cta_mask)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_global_to_shared_multicast(
    void* smem_dest, const void* src, uint32_t bytes, uint64_t* bar, uint16_t cta_mask,
    uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
      ".L2::cache_hint [%0], [%1], %2, [%3], %4, %5;" ::"r"(shared_address(smem_dest)),
      "l"(global_address(src)), "r"(bytes), "r"(shared_address(bar)), "h"(cta_mask),
      "l"(cache_policy)
      : "memory");
}

// Copies bytes from the caller's shared memory to global memory. Joins the lane's next bulk
// async-group (bulk-group.cuh); before that group has been waited for, smem_src must not change.
__device__ static __forceinline__ void cp_async_bulk_shared_to_global(void* dest,
                                                                      const void* smem_src,
                                                                      uint32_t bytes) {
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global_address(dest)),
      "r"(shared_address(smem_src)), "r"(bytes)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_shared_to_global(void* dest,
                                                                      const void* smem_src,
                                                                      uint32_t bytes,
                                                                      uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(
          global_address(dest)),
      "r"(shared_address(smem_src)), "r"(bytes), "l"(cache_policy)
      : "memory");
}

// Copies bytes from the caller's shared memory to that of another CTA of the cluster, and counts
// them down on a barrier there. remote_dest and remote_bar are addresses in that same CTA
// (map_to_cta).
__device__ static __forceinline__ void cp_async_bulk_shared_to_remote_shared(uint32_t remote_dest,
                                                                             const void* smem_src,
                                                                             uint32_t bytes,
                                                                             uint32_t remote_bar) {
  asm volatile(
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
      " [%0], [%1], %2, [%3];" ::"r"(remote_dest),
      "r"(shared_address(smem_src)), "r"(bytes), "r"(remote_bar)
      : "memory");
}
