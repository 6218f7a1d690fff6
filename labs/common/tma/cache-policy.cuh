// L2 cache policies: 64-bit values for the cache_policy operand of copies, reductions and
// prefetches. Hints only: they change when lines leave the L2 cache, never a result. All functions
// are per lane. PTX ISA, "createpolicy".
#pragma once

#include "address.cuh"

// Policies as createpolicy.fractional makes them for fraction 1.0, so that no instruction is needed
// (the values that CUTLASS uses: TMA::CacheHintSm90).
constexpr uint64_t CACHE_POLICY_EVICT_NORMAL = 0x1000000000000000;
constexpr uint64_t CACHE_POLICY_EVICT_FIRST = 0x12F0000000000000;
constexpr uint64_t CACHE_POLICY_EVICT_LAST = 0x14F0000000000000;

// A policy under which `fraction` (above 0, up to 1) of the accesses are first to leave L2: data
// used once.
__device__ static __forceinline__ uint64_t create_policy_evict_first(float fraction) {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, %1;"
               : "=l"(policy)
               : "f"(fraction));
  return policy;
}

// A policy under which `fraction` (above 0, up to 1) of the accesses are last to leave L2: data
// that many CTAs read again.
__device__ static __forceinline__ uint64_t create_policy_evict_last(float fraction) {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, %1;" : "=l"(policy) : "f"(fraction));
  return policy;
}

// A policy under which `fraction` (above 0, up to 1) of the accesses have the normal priority,
// which is also what an access without a policy has.
__device__ static __forceinline__ uint64_t create_policy_evict_normal(float fraction) {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_normal.b64 %0, %1;"
               : "=l"(policy)
               : "f"(fraction));
  return policy;
}

// A policy under which `fraction` (above 0, up to 1) of the accesses do not change the priority
// that a line has. PTX allows evict_unchanged as a primary priority as well.
__device__ static __forceinline__ uint64_t create_policy_evict_unchanged(float fraction) {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_unchanged.b64 %0, %1;"
               : "=l"(policy)
               : "f"(fraction));
  return policy;
}
