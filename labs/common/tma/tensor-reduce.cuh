// Tensor reductions: one lane combines one tile of shared memory into global memory, element by
// element: global = global OP shared. Each element's update is atomic (relaxed, at gpu scope); the
// order of several reductions is undefined. The element type is the tensor map's.
//
// OP  add: integers and floats; min, max: integers, float16, bfloat16; inc, dec: uint32;
//     bit_and, bit_or, bit_xor: 32-bit and 64-bit integers
//
// The other operands, and how it completes, are as in tensor-store.cuh. Per lane.
// PTX ISA, "cp.reduce.async.bulk.tensor".
#pragma once

#include "address.cuh"
#include "reduce-op.cuh"

// Combines the 1-D tile at coordinate c0 of global memory with the tile in shared memory.
template <ReduceOp OP>
__device__ static __forceinline__ void cp_reduce_async_bulk_tensor_1d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, const void* smem_src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.1d.global.shared::cta%3.tile.bulk_group"
      " [%0, {%1}], [%2];" ::"l"(tensor_map),
      "r"(c0), "r"(shared_address(smem_src)), "C"(ReduceOpName<OP>::text)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <ReduceOp OP>
__device__ static __forceinline__ void cp_reduce_async_bulk_tensor_1d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, const void* smem_src, uint64_t cache_policy) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.1d.global.shared::cta%4.tile.bulk_group.L2::cache_hint"
      " [%0, {%1}], [%2], %3;" ::"l"(tensor_map),
      "r"(c0), "r"(shared_address(smem_src)), "l"(cache_policy), "C"(ReduceOpName<OP>::text)
      : "memory");
}

// Combines the 2-D tile at (c0, c1) of global memory with the tile in shared memory.
template <ReduceOp OP>
__device__ static __forceinline__ void cp_reduce_async_bulk_tensor_2d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, const void* smem_src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta%4.tile.bulk_group"
      " [%0, {%1, %2}], [%3];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(shared_address(smem_src)), "C"(ReduceOpName<OP>::text)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <ReduceOp OP>
__device__ static __forceinline__ void cp_reduce_async_bulk_tensor_2d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, const void* smem_src, uint64_t cache_policy) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta%5.tile.bulk_group.L2::cache_hint"
      " [%0, {%1, %2}], [%3], %4;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(shared_address(smem_src)), "l"(cache_policy),
      "C"(ReduceOpName<OP>::text)
      : "memory");
}

// Combines the 3-D tile at (c0, c1, c2) of global memory with the tile in shared memory.
template <ReduceOp OP>
__device__ static __forceinline__ void cp_reduce_async_bulk_tensor_3d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, const void* smem_src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.3d.global.shared::cta%5.tile.bulk_group"
      " [%0, {%1, %2, %3}], [%4];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(shared_address(smem_src)), "C"(ReduceOpName<OP>::text)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <ReduceOp OP>
__device__ static __forceinline__ void cp_reduce_async_bulk_tensor_3d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, const void* smem_src,
    uint64_t cache_policy) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.3d.global.shared::cta%6.tile.bulk_group.L2::cache_hint"
      " [%0, {%1, %2, %3}], [%4], %5;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(shared_address(smem_src)), "l"(cache_policy),
      "C"(ReduceOpName<OP>::text)
      : "memory");
}

// Combines the 4-D tile at (c0, c1, c2, c3) of global memory with the tile in shared memory.
template <ReduceOp OP>
__device__ static __forceinline__ void cp_reduce_async_bulk_tensor_4d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, const void* smem_src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.4d.global.shared::cta%6.tile.bulk_group"
      " [%0, {%1, %2, %3, %4}], [%5];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(shared_address(smem_src)), "C"(ReduceOpName<OP>::text)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <ReduceOp OP>
__device__ static __forceinline__ void cp_reduce_async_bulk_tensor_4d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, const void* smem_src,
    uint64_t cache_policy) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.4d.global.shared::cta%7.tile.bulk_group.L2::cache_hint"
      " [%0, {%1, %2, %3, %4}], [%5], %6;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(shared_address(smem_src)), "l"(cache_policy),
      "C"(ReduceOpName<OP>::text)
      : "memory");
}

// Combines the 5-D tile at (c0, c1, c2, c3, c4) of global memory with the tile in shared memory.
template <ReduceOp OP>
__device__ static __forceinline__ void cp_reduce_async_bulk_tensor_5d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4, const void* smem_src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.5d.global.shared::cta%7.tile.bulk_group"
      " [%0, {%1, %2, %3, %4, %5}], [%6];" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(shared_address(smem_src)),
      "C"(ReduceOpName<OP>::text)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <ReduceOp OP>
__device__ static __forceinline__ void cp_reduce_async_bulk_tensor_5d_shared_to_global(
    const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4, const void* smem_src,
    uint64_t cache_policy) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.5d.global.shared::cta%8.tile.bulk_group.L2::cache_hint"
      " [%0, {%1, %2, %3, %4, %5}], [%6], %7;" ::"l"(tensor_map),
      "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(shared_address(smem_src)), "l"(cache_policy),
      "C"(ReduceOpName<OP>::text)
      : "memory");
}
