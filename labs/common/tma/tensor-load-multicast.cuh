// Tensor loads with multicast: one lane copies one tile from global memory to the same
// shared-memory offset in several CTAs of its cluster; global memory (L2) is read once.
//
// cta_mask  bit i (1 << i) means the CTA of rank i (cluster_rank). In each of these CTAs the tile
//           lands at smem_dest's offset and the barrier at bar's offset counts down its bytes; each
//           must expect them.
//
// The other operands are as in tensor-load.cuh. Fast on sm_90a. Per lane.
// PTX ISA, "cp.async.bulk.tensor", modifier .multicast::cluster.
#pragma once

#include "address.cuh"

// Loads the 1-D tile at coordinate c0 into every CTA of cta_mask.
__device__ static __forceinline__ void cp_async_bulk_tensor_1d_global_to_shared_multicast(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, uint64_t* bar, uint16_t cta_mask) {
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster"
      " [%0], [%1, {%2}], [%3], %4;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(shared_address(bar)), "h"(cta_mask)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_1d_global_to_shared_multicast(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, uint64_t* bar, uint16_t cta_mask,
    uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.L2::cache_hint"
      " [%0], [%1, {%2}], [%3], %4, %5;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(shared_address(bar)), "h"(cta_mask), "l"(cache_policy)
      : "memory");
}

// Loads the 2-D tile at (c0, c1) into every CTA of cta_mask.
__device__ static __forceinline__ void cp_async_bulk_tensor_2d_global_to_shared_multicast(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, uint64_t* bar,
    uint16_t cta_mask) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster"
      " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(shared_address(bar)), "h"(cta_mask)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_2d_global_to_shared_multicast(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, uint64_t* bar,
    uint16_t cta_mask, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.L2::cache_hint"
      " [%0], [%1, {%2, %3}], [%4], %5, %6;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(shared_address(bar)), "h"(cta_mask), "l"(cache_policy)
      : "memory");
}

// Loads the 3-D tile at (c0, c1, c2) into every CTA of cta_mask.
__device__ static __forceinline__ void cp_async_bulk_tensor_3d_global_to_shared_multicast(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, uint64_t* bar,
    uint16_t cta_mask) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster"
      " [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(shared_address(bar)), "h"(cta_mask)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_3d_global_to_shared_multicast(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, uint64_t* bar,
    uint16_t cta_mask, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4}], [%5], %6, %7;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(shared_address(bar)), "h"(cta_mask),
      "l"(cache_policy)
      : "memory");
}

// Loads the 4-D tile at (c0, c1, c2, c3) into every CTA of cta_mask.
__device__ static __forceinline__ void cp_async_bulk_tensor_4d_global_to_shared_multicast(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, uint64_t* bar,
    uint16_t cta_mask) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster"
      " [%0], [%1, {%2, %3, %4, %5}], [%6], %7;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(shared_address(bar)), "h"(cta_mask)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_4d_global_to_shared_multicast(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, uint64_t* bar,
    uint16_t cta_mask, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4, %5}], [%6], %7, %8;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(shared_address(bar)), "h"(cta_mask),
      "l"(cache_policy)
      : "memory");
}

// Loads the 5-D tile at (c0, c1, c2, c3, c4) into every CTA of cta_mask.
__device__ static __forceinline__ void cp_async_bulk_tensor_5d_global_to_shared_multicast(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4,
    uint64_t* bar, uint16_t cta_mask) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7], %8;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(shared_address(bar)),
      "h"(cta_mask)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_5d_global_to_shared_multicast(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4,
    uint64_t* bar, uint16_t cta_mask, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7], %8, %9;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(shared_address(bar)),
      "h"(cta_mask), "l"(cache_policy)
      : "memory");
}
