// Tensor stores: one lane copies one tile (a tensor map's box) from shared memory to global memory.
//
// tensor_map    as in tensor-load.cuh
// c0 ... c4     where the tile begins, in elements, innermost dimension first: 0 or more, and c0
//               times the element size a multiple of 16 bytes. What hangs over the tensor's edge
//               is not written
// smem_src      the tile, aligned to 128 bytes. Ordinary writes to it need async_proxy_fence() by
//               the writing lanes, then a barrier, before this.
// cache_policy  how to keep the data in L2 (cache-policy.cuh)
//
// Joins the lane's next bulk async-group (bulk-group.cuh); before that group has been waited for,
// smem_src must not change. Per lane. PTX ISA, "cp.async.bulk.tensor".
#pragma once

#include "address.cuh"

// Stores the 1-D tile at coordinate c0 from shared memory to global memory.
__device__ static __forceinline__ void cp_async_bulk_tensor_1d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, const void* smem_src) {
  asm volatile(
      "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group"
      " [%0, {%1}], [%2];" ::"l"(tensor_map),
      "r"(c0), "r"(shared_address(smem_src))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_1d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, const void* smem_src, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.L2::cache_hint"
      " [%0, {%1}], [%2], %3;" ::"l"(tensor_map),
      "r"(c0), "r"(shared_address(smem_src)), "l"(cache_policy)
      : "memory");
}

// Stores the 2-D tile at (c0, c1) from shared memory to global memory.
__device__ static __forceinline__ void cp_async_bulk_tensor_2d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, const void* smem_src) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
      " [%0, {%1, %2}], [%3];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(shared_address(smem_src))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_2d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, const void* smem_src, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint"
      " [%0, {%1, %2}], [%3], %4;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(shared_address(smem_src)), "l"(cache_policy)
      : "memory");
}

// Stores the 3-D tile at (c0, c1, c2) from shared memory to global memory.
__device__ static __forceinline__ void cp_async_bulk_tensor_3d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, const void* smem_src) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group"
      " [%0, {%1, %2, %3}], [%4];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(shared_address(smem_src))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_3d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, const void* smem_src,
    uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group.L2::cache_hint"
      " [%0, {%1, %2, %3}], [%4], %5;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(shared_address(smem_src)), "l"(cache_policy)
      : "memory");
}

// Stores the 4-D tile at (c0, c1, c2, c3) from shared memory to global memory.
__device__ static __forceinline__ void cp_async_bulk_tensor_4d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, const void* smem_src) {
  asm volatile(
      "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group"
      " [%0, {%1, %2, %3, %4}], [%5];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(shared_address(smem_src))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_4d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, const void* smem_src,
    uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group.L2::cache_hint"
      " [%0, {%1, %2, %3, %4}], [%5], %6;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(shared_address(smem_src)), "l"(cache_policy)
      : "memory");
}

// Stores the 5-D tile at (c0, c1, c2, c3, c4) from shared memory to global memory.
__device__ static __forceinline__ void cp_async_bulk_tensor_5d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4, const void* smem_src) {
  asm volatile(
      "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group"
      " [%0, {%1, %2, %3, %4, %5}], [%6];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(shared_address(smem_src))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_5d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4, const void* smem_src,
    uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group.L2::cache_hint"
      " [%0, {%1, %2, %3, %4, %5}], [%6], %7;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(shared_address(smem_src)), "l"(cache_policy)
      : "memory");
}
