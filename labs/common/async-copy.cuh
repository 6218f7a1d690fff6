// Asynchronous copies of 16 bytes from global to shared memory, which Ampere introduced before
// TMA.
//
// Each lane copies its own 16 bytes and waits for its own copies in groups: commit_group closes a
// group, wait_group waits until all but the youngest few of the lane's groups are complete. What
// other lanes copied is there once each of them has waited and all have passed a barrier.
//
// No proxy fences are needed: these copies are ordinary (generic proxy) accesses, only slower.
// PTX ISA, "Asynchronous Data Movement: non-bulk copies".
#pragma once

#include "tma/address.cuh"

// Starts a copy of 16 bytes. Both addresses are multiples of 16. PTX ISA, "cp.async".
__device__ static __forceinline__ void cp_async_16(void* shared, const void* global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(shared)),
               "l"(global_address(global))
               : "memory");
}

// Starts a copy of `bytes` bytes (0 to 16) and of zeros for the rest of the 16. Nothing is read
// beyond `bytes`; both addresses are still multiples of 16. PTX ISA, "cp.async", src-size.
__device__ static __forceinline__ void cp_async_16_zero_fill(void* shared, const void* global,
                                                             int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(shared)),
               "l"(global_address(global)), "r"(bytes)
               : "memory");
}

// Makes a group of the copies that this lane has started since its last commit; it may be empty.
// PTX ISA, "cp.async.commit_group".
__device__ static __forceinline__ void cp_async_commit_group() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until all but the PENDING youngest of this lane's groups are complete.
// PTX ISA, "cp.async.wait_group".
template <int PENDING>
__device__ static __forceinline__ void cp_async_wait_group() {
  static_assert(PENDING >= 0, "a number of groups");
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}
