// mbarriers across the CTAs of a cluster.
//
// remote_bar is a shared::cluster address (map_to_cta in cluster.cuh). Only arriving and expecting
// work remotely: a CTA waits on its own barriers, with the *_cluster waits below, which also order
// what other CTAs did before they arrived. All functions are per lane.
#pragma once

#include "mbarrier.cuh"

// arrive() on a barrier of another CTA. What this lane did before is visible to those who have
// waited with wait_cluster() (release). PTX ISA, "mbarrier.arrive".
__device__ static __forceinline__ void arrive_remote(uint32_t remote_bar, int count) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(remote_bar),
               "r"(count)
               : "memory");
}

// arrive_remote() without the fence, for a lane that gives memory back that it has only read,
// itself or by a wgmma that is complete. A release at cluster scope first waits until everything
// that the lane wrote can be seen by the whole GPU (MEMBAR.GPU in the machine code): about a
// microsecond, in which a matrix product's warpgroup starts nothing. No scope is named here, as in
// CUTLASS, and no fence compiled. PTX ISA, "mbarrier.arrive".
__device__ static __forceinline__ void arrive_remote_after_reads(uint32_t remote_bar, int count) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0], %1;" ::"r"(remote_bar), "r"(count)
               : "memory");
}

// expect_bytes() on a barrier of another CTA. PTX ISA, "mbarrier.expect_tx".
__device__ static __forceinline__ void expect_bytes_remote(uint32_t remote_bar, int num_bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(remote_bar),
               "r"(num_bytes)
               : "memory");
}

// expect_bytes_and_arrive() on a barrier of another CTA.
// PTX ISA, "mbarrier.arrive", modifier .expect_tx.
__device__ static __forceinline__ void expect_bytes_and_arrive_remote(uint32_t remote_bar,
                                                                      int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(
                   remote_bar),
               "r"(bytes)
               : "memory");
}

// complete_bytes() on a barrier of another CTA. PTX ISA, "mbarrier.complete_tx".
__device__ static __forceinline__ void complete_bytes_remote(uint32_t remote_bar, int num_bytes) {
  asm volatile(
      "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(remote_bar),
      "r"(num_bytes)
      : "memory");
}

// test_wait() that also orders what other CTAs of the cluster did before they arrived.
// PTX ISA, "mbarrier.test_wait/mbarrier.try_wait".
__device__ static __forceinline__ int test_wait_cluster(uint64_t* bar, int parity) {
  int done;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 done, [%1], %2;\n"
      "selp.b32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(shared_address(bar)), "r"(parity)
      : "memory");
  return done;
}

// try_wait() that also orders what other CTAs of the cluster did before they arrived.
// PTX ISA, "mbarrier.test_wait/mbarrier.try_wait".
__device__ static __forceinline__ int try_wait_cluster(uint64_t* bar, int parity) {
  int done;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%1], %2;\n"
      "selp.b32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(shared_address(bar)), "r"(parity)
      : "memory");
  return done;
}

// wait() that also orders what other CTAs of the cluster did before they arrived.
__device__ static __forceinline__ void wait_cluster(uint64_t* bar, int parity) {
  while (!try_wait_cluster(bar, parity)) {
  }
}
