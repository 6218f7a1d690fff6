// Tensor loads: one lane copies one tile (a tensor map's box) from global memory to shared memory.
//
// smem_dest     the tile, aligned to 128 bytes (more with swizzle or interleave, see the handout)
// tensor_map    the address of a `const __grid_constant__` kernel parameter, or of a map in global
//               or constant memory, aligned to 64 bytes
// c0 ... c4     the tile's first element, in elements, innermost dimension first; c0 times the
//               element size must be a multiple of 16 bytes. The tile may hang over the edge, and
//               coordinates may be negative: elements outside the tensor arrive as zero (or NaN,
//               if the map says so)
// bar           counts down the tile's bytes, all of them, including those outside the tensor; it
//               must expect them (expect_bytes_and_arrive). Complete when its phase is over.
// cache_policy  how to keep the data in L2 (cache-policy.cuh)
//
// Per lane. PTX ISA, "cp.async.bulk.tensor".
#pragma once

#include "address.cuh"

// Loads the 1-D tile at coordinate c0 from global memory to shared memory.
__device__ static __forceinline__ void cp_async_bulk_tensor_1d_global_to_shared(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, uint64_t* bar) {
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2}], [%3];" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(shared_address(bar))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_1d_global_to_shared(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, uint64_t* bar, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_"
      "hint"
      " [%0], [%1, {%2}], [%3], %4;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(shared_address(bar)), "l"(cache_policy)
      : "memory");
}

// Loads the 2-D tile at (c0, c1) from global memory to shared memory.
__device__ static __forceinline__ void cp_async_bulk_tensor_2d_global_to_shared(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, uint64_t* bar) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(shared_address(bar))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_2d_global_to_shared(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, uint64_t* bar,
    uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_"
      "hint"
      " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(shared_address(bar)), "l"(cache_policy)
      : "memory");
}

// Loads the 3-D tile at (c0, c1, c2) from global memory to shared memory.
__device__ static __forceinline__ void cp_async_bulk_tensor_3d_global_to_shared(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, uint64_t* bar) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(shared_address(bar))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_3d_global_to_shared(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, uint64_t* bar,
    uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_"
      "hint"
      " [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(shared_address(bar)), "l"(cache_policy)
      : "memory");
}

// Loads the 4-D tile at (c0, c1, c2, c3) from global memory to shared memory.
__device__ static __forceinline__ void cp_async_bulk_tensor_4d_global_to_shared(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, uint64_t* bar) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(shared_address(bar))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_4d_global_to_shared(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, uint64_t* bar,
    uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_"
      "hint"
      " [%0], [%1, {%2, %3, %4, %5}], [%6], %7;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(shared_address(bar)),
      "l"(cache_policy)
      : "memory");
}

// Loads the 5-D tile at (c0, c1, c2, c3, c4) from global memory to shared memory.
__device__ static __forceinline__ void cp_async_bulk_tensor_5d_global_to_shared(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4,
    uint64_t* bar) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(shared_address(bar))
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
__device__ static __forceinline__ void cp_async_bulk_tensor_5d_global_to_shared(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4,
    uint64_t* bar, uint64_t cache_policy) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_"
      "hint"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7], %8;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(shared_address(bar)),
      "l"(cache_policy)
      : "memory");
}
