// Bulk and tensor copies and reductions, and the groups that complete them.
#pragma once

#include "ptx-address.h"

__device__ inline void load_bulk(void* shared, const void* global, unsigned bytes,
                                 uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(shared)),
      "l"(global), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}
// Into the same place of each CTA whose bit is set.
__device__ inline void load_bulk_multicast(void* shared, const void* global, unsigned bytes,
                                           uint64_t* barrier, uint16_t ctas) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(shared)),
      "l"(global), "r"(bytes), "r"(shared_address(barrier)), "h"(ctas)
      : "memory");
}
__device__ inline void store_bulk(void* global, const void* shared, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
               "r"(shared_address(shared)), "r"(bytes)
               : "memory");
}
__device__ inline void reduce_add_bulk(int* global, const int* shared, unsigned bytes) {
  asm volatile(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(global),
      "r"(shared_address(shared)), "r"(bytes)
      : "memory");
}
// To another CTA of the cluster, and counted on a barrier there.
__device__ inline void copy_bulk_to_cta(uint32_t remote, const void* shared, unsigned bytes,
                                        uint32_t remote_barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
      " [%0], [%1], %2, [%3];" ::"r"(remote),
      "r"(shared_address(shared)), "r"(bytes), "r"(remote_barrier)
      : "memory");
}
__device__ inline void reduce_add_bulk_to_cta(uint32_t remote, const int* shared, unsigned bytes,
                                              uint32_t remote_barrier) {
  asm volatile(
      "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32"
      " [%0], [%1], %2, [%3];" ::"r"(remote),
      "r"(shared_address(shared)), "r"(bytes), "r"(remote_barrier)
      : "memory");
}

__device__ inline void load_tile(void* shared, const CUtensorMap* map, int column, int row,
                                 uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(shared)),
      "l"(map), "r"(column), "r"(row), "r"(shared_address(barrier))
      : "memory");
}
__device__ inline void load_tile_multicast(void* shared, const CUtensorMap* map, int column,
                                           int row, uint64_t* barrier, uint16_t ctas) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(shared)),
      "l"(map), "r"(column), "r"(row), "r"(shared_address(barrier)), "h"(ctas)
      : "memory");
}
__device__ inline void store_tile(const CUtensorMap* map, int column, int row, const void* shared) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
      "r"(column), "r"(row), "r"(shared_address(shared))
      : "memory");
}
__device__ inline void reduce_add_tile(const CUtensorMap* map, int column, int row,
                                       const void* shared) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"
      " [%0, {%1, %2}], [%3];" ::"l"(map),
      "r"(column), "r"(row), "r"(shared_address(shared))
      : "memory");
}

__device__ inline void commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// Until at most `pending` of this thread's groups are not complete.
template <int pending>
__device__ inline void wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(pending) : "memory");
}
// Until at most `pending` of this thread's groups have still to read their sources.
template <int pending>
__device__ inline void wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}
