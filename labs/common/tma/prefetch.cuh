// Prefetches: tell the L2 cache, or the TMA engine, what will be needed. Nothing waits for them,
// and no result depends on them. All functions are per lane.
#pragma once

#include "address.cuh"

// Brings bytes (a multiple of 16) from src (global, aligned to 16) into L2.
// PTX ISA, "cp.async.bulk.prefetch".
__device__ static __forceinline__ void cp_async_bulk_prefetch(const void* src, uint32_t bytes) {
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(global_address(src)), "r"(bytes)
               : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_prefetch(const void* src, uint32_t bytes,
                                                              uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %1, %2;" ::"l"(global_address(src)),
      "r"(bytes), "l"(cache_policy)
      : "memory");
}

// Fetches a tensor map (aligned to 64 bytes) before its first use, which then does not wait for it.
// PTX ISA, "prefetch, prefetchu", .tensormap.
__device__ static __forceinline__ void prefetch_tensor_map(const CUtensorMap* tensor_map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(tensor_map) : "memory");
}

// Brings the 1-D tile at coordinate c0 into L2. PTX ISA,
// "cp.async.bulk.prefetch.tensor".
__device__ static __forceinline__ void cp_async_bulk_prefetch_tensor_1d(
    const CUtensorMap* tensor_map, int c0) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.1d.L2.global.tile"
      " [%0, {%1}];" ::"l"(tensor_map),
      "r"(c0)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_prefetch_tensor_1d(
    const CUtensorMap* tensor_map, int c0, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.1d.L2.global.tile.L2::cache_hint"
      " [%0, {%1}], %2;" ::"l"(tensor_map),
      "r"(c0), "l"(cache_policy)
      : "memory");
}

// Brings the 2-D tile at (c0, c1) into L2. PTX ISA,
// "cp.async.bulk.prefetch.tensor".
__device__ static __forceinline__ void cp_async_bulk_prefetch_tensor_2d(
    const CUtensorMap* tensor_map, int c0, int c1) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.2d.L2.global.tile"
      " [%0, {%1, %2}];" ::"l"(tensor_map),
      "r"(c0), "r"(c1)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_prefetch_tensor_2d(
    const CUtensorMap* tensor_map, int c0, int c1, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::cache_hint"
      " [%0, {%1, %2}], %3;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "l"(cache_policy)
      : "memory");
}

// Brings the 3-D tile at (c0, c1, c2) into L2. PTX ISA,
// "cp.async.bulk.prefetch.tensor".
__device__ static __forceinline__ void cp_async_bulk_prefetch_tensor_3d(
    const CUtensorMap* tensor_map, int c0, int c1, int c2) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.3d.L2.global.tile"
      " [%0, {%1, %2, %3}];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_prefetch_tensor_3d(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.3d.L2.global.tile.L2::cache_hint"
      " [%0, {%1, %2, %3}], %4;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "l"(cache_policy)
      : "memory");
}

// Brings the 4-D tile at (c0, c1, c2, c3) into L2. PTX ISA,
// "cp.async.bulk.prefetch.tensor".
__device__ static __forceinline__ void cp_async_bulk_prefetch_tensor_4d(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.4d.L2.global.tile"
      " [%0, {%1, %2, %3, %4}];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_prefetch_tensor_4d(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.4d.L2.global.tile.L2::cache_hint"
      " [%0, {%1, %2, %3, %4}], %5;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "l"(cache_policy)
      : "memory");
}

// Brings the 5-D tile at (c0, c1, c2, c3, c4) into L2. PTX ISA,
// "cp.async.bulk.prefetch.tensor".
__device__ static __forceinline__ void cp_async_bulk_prefetch_tensor_5d(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.5d.L2.global.tile"
      " [%0, {%1, %2, %3, %4, %5}];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_prefetch_tensor_5d(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.5d.L2.global.tile.L2::cache_hint"
      " [%0, {%1, %2, %3, %4, %5}], %6;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "l"(cache_policy)
      : "memory");
}
