// Tensor loads of a CTA group (compute capability 10.0, 10.3 and 11.0, such as target sm_100a):
// with CTA_GROUP = 2, two CTAs of a cluster whose ranks differ in the last bit work as a pair, and
// the barrier that counts the bytes may be in either of them.
//
// CTA_GROUP    1 or 2. With 1 the barrier lies in the CTA of the destination; with 2 it may lie in
//              the peer: bar_address is a shared::cluster address, from shared_address (own CTA) or
//              map_to_cta (peer). With multicast, the barriers at this offset in the target CTAs,
//              or in their peers, count the bytes.
// cta_mask     as in tensor-load-multicast.cuh
//
// The other operands are as in tensor-load.cuh. Per lane.
// PTX ISA, "cp.async.bulk.tensor", modifier .cta_group.
#pragma once

#include "address.cuh"

// Compiles only for a CTA_GROUP and an architecture for which the instruction exists.
template <int CTA_GROUP>
__device__ static __forceinline__ void require_cta_group() {
  static_assert(CTA_GROUP == 1 || CTA_GROUP == 2, "a CTA group has one or two CTAs");
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 1000 || __CUDA_ARCH__ >= 1200)
  static_assert(CTA_GROUP == 0,
                "cta_group needs compute capability 10.0, 10.3 or 11.0: compile for sm_100a");
#endif
}

// Loads the 1-D tile at coordinate c0, as a CTA of a group of CTA_GROUP.
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_1d_global_to_shared_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, uint32_t bar_address) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::"
      "%4"
      " [%0], [%1, {%2}], [%3];" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(bar_address), "n"(CTA_GROUP)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_1d_global_to_shared_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, uint32_t bar_address,
    uint64_t cache_policy) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::"
      "%5.L2::cache_hint"
      " [%0], [%1, {%2}], [%3], %4;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(bar_address), "l"(cache_policy), "n"(CTA_GROUP)
      : "memory");
}

// Loads the 2-D tile at (c0, c1), as a CTA of a group of CTA_GROUP.
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_2d_global_to_shared_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, uint32_t bar_address) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::"
      "%5"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(bar_address), "n"(CTA_GROUP)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_2d_global_to_shared_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, uint32_t bar_address,
    uint64_t cache_policy) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::"
      "%6.L2::cache_hint"
      " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(bar_address), "l"(cache_policy), "n"(CTA_GROUP)
      : "memory");
}

// Loads the 3-D tile at (c0, c1, c2), as a CTA of a group of CTA_GROUP.
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_3d_global_to_shared_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, uint32_t bar_address) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::"
      "%6"
      " [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(bar_address), "n"(CTA_GROUP)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_3d_global_to_shared_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, uint32_t bar_address,
    uint64_t cache_policy) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::"
      "%7.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(bar_address), "l"(cache_policy),
      "n"(CTA_GROUP)
      : "memory");
}

// Loads the 4-D tile at (c0, c1, c2, c3), as a CTA of a group of CTA_GROUP.
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_4d_global_to_shared_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3,
    uint32_t bar_address) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::"
      "%7"
      " [%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(bar_address), "n"(CTA_GROUP)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_4d_global_to_shared_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3,
    uint32_t bar_address, uint64_t cache_policy) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::"
      "%8.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4, %5}], [%6], %7;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(bar_address), "l"(cache_policy),
      "n"(CTA_GROUP)
      : "memory");
}

// Loads the 5-D tile at (c0, c1, c2, c3, c4), as a CTA of a group of CTA_GROUP.
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_5d_global_to_shared_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4,
    uint32_t bar_address) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::"
      "%8"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(bar_address), "n"(CTA_GROUP)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_5d_global_to_shared_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4,
    uint32_t bar_address, uint64_t cache_policy) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::"
      "%9.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7], %8;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(bar_address),
      "l"(cache_policy), "n"(CTA_GROUP)
      : "memory");
}

// Loads the 1-D tile at coordinate c0 into every CTA of cta_mask, as a CTA of a group.
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_1d_global_to_shared_multicast_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, uint32_t bar_address,
    uint16_t cta_mask) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.cta_group::%5"
      " [%0], [%1, {%2}], [%3], %4;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(bar_address), "h"(cta_mask), "n"(CTA_GROUP)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_1d_global_to_shared_multicast_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, uint32_t bar_address, uint16_t cta_mask,
    uint64_t cache_policy) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.cta_group::%6.L2::cache_hint"
      " [%0], [%1, {%2}], [%3], %4, %5;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(bar_address), "h"(cta_mask), "l"(cache_policy), "n"(CTA_GROUP)
      : "memory");
}

// Loads the 2-D tile at (c0, c1) into every CTA of cta_mask, as a CTA of a group.
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_2d_global_to_shared_multicast_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, uint32_t bar_address,
    uint16_t cta_mask) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.cta_group::%6"
      " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(bar_address), "h"(cta_mask), "n"(CTA_GROUP)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_2d_global_to_shared_multicast_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, uint32_t bar_address,
    uint16_t cta_mask, uint64_t cache_policy) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.cta_group::%7.L2::cache_hint"
      " [%0], [%1, {%2, %3}], [%4], %5, %6;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(bar_address), "h"(cta_mask), "l"(cache_policy),
      "n"(CTA_GROUP)
      : "memory");
}

// Loads the 3-D tile at (c0, c1, c2) into every CTA of cta_mask, as a CTA of a group.
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_3d_global_to_shared_multicast_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, uint32_t bar_address,
    uint16_t cta_mask) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.cta_group::%7"
      " [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(bar_address), "h"(cta_mask), "n"(CTA_GROUP)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_3d_global_to_shared_multicast_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, uint32_t bar_address,
    uint16_t cta_mask, uint64_t cache_policy) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.cta_group::%8.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4}], [%5], %6, %7;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(bar_address), "h"(cta_mask),
      "l"(cache_policy), "n"(CTA_GROUP)
      : "memory");
}

// Loads the 4-D tile at (c0, c1, c2, c3) into every CTA of cta_mask, as a CTA of a group.
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_4d_global_to_shared_multicast_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3,
    uint32_t bar_address, uint16_t cta_mask) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.cta_group::%8"
      " [%0], [%1, {%2, %3, %4, %5}], [%6], %7;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(bar_address), "h"(cta_mask),
      "n"(CTA_GROUP)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_4d_global_to_shared_multicast_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3,
    uint32_t bar_address, uint16_t cta_mask, uint64_t cache_policy) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.cta_group::%9.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4, %5}], [%6], %7, %8;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(bar_address), "h"(cta_mask),
      "l"(cache_policy), "n"(CTA_GROUP)
      : "memory");
}

// Loads the 5-D tile at (c0, c1, c2, c3, c4) into every CTA of cta_mask, as a CTA of a group.
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_5d_global_to_shared_multicast_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4,
    uint32_t bar_address, uint16_t cta_mask) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.cta_group::%9"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7], %8;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(bar_address), "h"(cta_mask),
      "n"(CTA_GROUP)
      : "memory");
}

// The same with an L2 cache policy (cache-policy.cuh).
template <int CTA_GROUP>
__device__ static __forceinline__ void cp_async_bulk_tensor_5d_global_to_shared_multicast_cta_group(
    void* smem_dest, const CUtensorMap* tensor_map, int c0, int c1, int c2, int c3, int c4,
    uint32_t bar_address, uint16_t cta_mask, uint64_t cache_policy) {
  require_cta_group<CTA_GROUP>();
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster.cta_group::%10.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7], %8, %9;" ::"r"(shared_address(smem_dest)),
      "l"(tensor_map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(bar_address), "h"(cta_mask),
      "l"(cache_policy), "n"(CTA_GROUP)
      : "memory");
}
