// What mutants call in place of the course's functions: the same instructions with less order. Each
// mutant of a lab is compiled with this file in front.
#pragma once

#include "tma-interface.cuh"

__device__ static __forceinline__ void arrive_relaxed(uint64_t* bar, int count) {
  asm volatile(
      "mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)),
      "r"(count)
      : "memory");
}

__device__ static __forceinline__ void expect_bytes_and_arrive_relaxed(uint64_t* bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared_address(bar)),
               "r"(bytes)
               : "memory");
}

__device__ static __forceinline__ int test_wait_relaxed(uint64_t* bar, int parity) {
  int done;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.test_wait.parity.relaxed.cta.shared::cta.b64 done, [%1], %2;\n"
      "selp.b32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(shared_address(bar)), "r"(parity)
      : "memory");
  return done;
}

__device__ static __forceinline__ void wait_relaxed(uint64_t* bar, int parity) {
  while (!test_wait_relaxed(bar, parity)) {
  }
}

__device__ static __forceinline__ void arrive_remote_cta(uint32_t remote_bar, int count) {
  asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0], %1;" ::"r"(remote_bar),
               "r"(count)
               : "memory");
}
