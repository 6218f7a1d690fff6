// How the threads of a kernel tell the issuing thread that they are done.
#pragma once

#include <cstdint>

#include "async-copy.cuh"
#include "tma-interface.cuh"

namespace experiment {

enum class HandOver { mbarrier, named_barrier, syncthreads, none };

constexpr const char* name_of(HandOver hand_over) {
  switch (hand_over) {
    case HandOver::mbarrier:
      return "mbarrier";
    case HandOver::named_barrier:
      return "named barrier";
    case HandOver::syncthreads:
      return "`__syncthreads()`";
    case HandOver::none:
      return "no barrier, one warp late";
  }
  return "";
}

// Of so many threads of the CTA.
template <int threads>
__device__ void meet_named_barrier() {
  asm volatile("barrier.sync 1, %0;" ::"n"(threads) : "memory");
}

// Four words of that value.
__device__ inline void write_shared(void* at, int value) {
  asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(shared_address(at)), "r"(value)
               : "memory");
}

// What cp_async_16() has begun is done.
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}
// The thread's copies arrive when they are done.
__device__ inline void arrive_with_copies(uint64_t* bar) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(bar))
               : "memory");
}

}  // namespace experiment
