// Bulk reductions of one-dimensional arrays: the TMA engine does dest[i] = dest[i] OP smem_src[i].
//
// Alignment and size as for bulk copies: both addresses and bytes are multiples of 16. Each
// element's update is atomic (relaxed, at gpu scope); the order of several reductions is undefined.
// All functions are per lane.
// PTX ISA, "cp.reduce.async.bulk".
#pragma once

#include <type_traits>

#include "address.cuh"
#include "reduce-op.cuh"

// Combines bytes of the caller's shared memory into global memory. Joins the lane's next bulk
// async-group (bulk-group.cuh); before that group has been waited for, smem_src must not change.
// T  add: u32, s32, u64, s64, float, double, half, bfloat16; min, max: u32, s32, u64, s64, half,
//    bfloat16; inc, dec: u32; bit_and, bit_or, bit_xor: 32-bit and 64-bit integers
template <ReduceOp OP, typename T>
__device__ static __forceinline__ void cp_reduce_async_bulk_shared_to_global(T* dest,
                                                                             const T* smem_src,
                                                                             uint32_t bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group%3%4 [%0], [%1], %2;" ::"l"(
                   global_address(dest)),
               "r"(shared_address(smem_src)), "r"(bytes), "C"(ReduceOpName<OP>::text),
               "C"(ReduceTypeName<OP, T>::text)
               : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <ReduceOp OP, typename T>
__device__ static __forceinline__ void cp_reduce_async_bulk_shared_to_global(
    T* dest, const T* smem_src, uint32_t bytes, uint64_t cache_policy) {
  asm volatile(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint%4%5 [%0], [%1], %2, %3;" ::
          "l"(global_address(dest)),
      "r"(shared_address(smem_src)), "r"(bytes), "l"(cache_policy), "C"(ReduceOpName<OP>::text),
      "C"(ReduceTypeName<OP, T>::text)
      : "memory");
}

// Combines bytes of the caller's shared memory into that of another CTA of the cluster, and counts
// them down on a barrier there. remote_dest and remote_bar are addresses in that same CTA
// (map_to_cta).
// T  add: u32, s32, u64, s64; min, max: u32, s32; inc, dec: u32; bit_and, bit_or, bit_xor: u32, s32
template <ReduceOp OP, typename T>
__device__ static __forceinline__ void cp_reduce_async_bulk_shared_to_remote_shared(
    uint32_t remote_dest, const T* smem_src, uint32_t bytes, uint32_t remote_bar) {
  static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || OP == ReduceOp::add),
                "shared memory takes 32-bit integers, and 64-bit ones only for add");
  asm volatile(
      "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes%4%5"
      " [%0], [%1], %2, [%3];" ::"r"(remote_dest),
      "r"(shared_address(smem_src)), "r"(bytes), "r"(remote_bar), "C"(ReduceOpName<OP>::text),
      "C"(ReduceTypeName<OP, T>::text)
      : "memory");
}
