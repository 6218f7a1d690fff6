// Bulk async-groups: how the lane that issued stores, reductions and copies out of shared memory
// learns that they are complete. Groups belong to a lane: commit and wait in the one that issued.
// PTX ISA, "Completion mechanisms: async-group".
#pragma once

#include "address.cuh"

// Puts all bulk operations that this lane has issued since its last commit into one new group.
// Does not block. Per lane. PTX ISA, "cp.async.bulk.commit_group".
__device__ static __forceinline__ void tma_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// The same instruction under the other name that NVIDIA's programming guide uses.
__device__ static __forceinline__ void tma_store_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Blocks until at most N of this lane's groups are pending: the older ones have read their sources,
// and their writes are done and visible to this lane. Per lane. Writes nothing itself.
// PTX ISA, "cp.async.bulk.wait_group".
template <int N>
__device__ static __forceinline__ void tma_wait_until_pending() {
  static_assert(N >= 0, "the number of groups that may stay pending cannot be negative");
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}

// The same instruction under the other name that NVIDIA's programming guide uses.
template <int N>
__device__ static __forceinline__ void tma_store_wait_until_pending() {
  static_assert(N >= 0, "the number of groups that may stay pending cannot be negative");
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}

// The weaker wait: blocks until all but the N youngest groups have *read* their sources. Then
// the shared memory that they came from may be overwritten or released; their writes may still be
// on their way. Per lane. PTX ISA, "cp.async.bulk.wait_group", modifier .read.
template <int N>
__device__ static __forceinline__ void tma_wait_until_pending_read() {
  static_assert(N >= 0, "the number of groups that may stay pending cannot be negative");
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

// The same instruction, named like tma_store_wait_until_pending.
template <int N>
__device__ static __forceinline__ void tma_store_wait_until_pending_read() {
  static_assert(N >= 0, "the number of groups that may stay pending cannot be negative");
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}
