// Barriers: mbarriers, named barriers, the cluster's barrier.
#pragma once

#include "ptx-address.h"
#include "ptx-fence.h"

__device__ inline void init_barrier(uint64_t* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count)
               : "memory");
}
__device__ inline void invalidate_barrier(uint64_t* barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// What most kernels begin with: thread 0 initializes, all of the CTA and the async proxy may use
// it.
__device__ inline void prepare_barrier(uint64_t* barrier, unsigned count) {
  if (threadIdx.x == 0) {
    init_barrier(barrier, count);
    fence_proxy_async();
  }
  __syncthreads();
}

__device__ inline uint64_t arrive(uint64_t* barrier) {
  uint64_t state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
               : "=l"(state)
               : "r"(shared_address(barrier))
               : "memory");
  return state;
}
__device__ inline void arrive_relaxed(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}
__device__ inline void arrive_many(uint64_t* barrier, unsigned count) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(count)
               : "memory");
}
__device__ inline void arrive_and_drop(uint64_t* barrier) {
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}
__device__ inline uint64_t arrive_and_expect(uint64_t* barrier, unsigned bytes) {
  uint64_t state;
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(shared_address(barrier)), "r"(bytes)
               : "memory");
  return state;
}
__device__ inline void expect(uint64_t* barrier, unsigned bytes) {
  asm volatile(
      "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}
__device__ inline void complete_bytes(uint64_t* barrier, unsigned bytes) {
  asm volatile(
      "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}

__device__ inline bool test_wait(uint64_t* barrier, unsigned parity) {
  int done;
  asm volatile(
      "{ .reg .pred done; mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;"
      " selp.s32 %0, 1, 0, done; }"
      : "=r"(done)
      : "r"(shared_address(barrier)), "r"(parity)
      : "memory");
  return done != 0;
}
__device__ inline bool try_wait(uint64_t* barrier, unsigned parity) {
  int done;
  asm volatile(
      "{ .reg .pred done; mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;"
      " selp.s32 %0, 1, 0, done; }"
      : "=r"(done)
      : "r"(shared_address(barrier)), "r"(parity)
      : "memory");
  return done != 0;
}
__device__ inline bool try_wait_state(uint64_t* barrier, uint64_t state) {
  int done;
  asm volatile(
      "{ .reg .pred done; mbarrier.try_wait.shared::cta.b64 done, [%1], %2;"
      " selp.s32 %0, 1, 0, done; }"
      : "=r"(done)
      : "r"(shared_address(barrier)), "l"(state)
      : "memory");
  return done != 0;
}
__device__ inline bool try_wait_relaxed(uint64_t* barrier, unsigned parity) {
  int done;
  asm volatile(
      "{ .reg .pred done; mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 done, [%1], %2;"
      " selp.s32 %0, 1, 0, done; }"
      : "=r"(done)
      : "r"(shared_address(barrier)), "r"(parity)
      : "memory");
  return done != 0;
}
__device__ inline bool try_wait_cluster(uint64_t* barrier, unsigned parity) {
  int done;
  asm volatile(
      "{ .reg .pred done; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%1], %2;"
      " selp.s32 %0, 1, 0, done; }"
      : "=r"(done)
      : "r"(shared_address(barrier)), "r"(parity)
      : "memory");
  return done != 0;
}
// Until the phase of this parity is over.
__device__ inline void wait_parity(uint64_t* barrier, unsigned parity) {
  while (!try_wait(barrier, parity)) {
  }
}
// Until the phase that `arrive` was part of is over.
__device__ inline void wait_state(uint64_t* barrier, uint64_t state) {
  while (!try_wait_state(barrier, state)) {
  }
}
__device__ inline void wait_parity_relaxed(uint64_t* barrier, unsigned parity) {
  while (!try_wait_relaxed(barrier, parity)) {
  }
}
// Acquires what other CTAs of the cluster released.
__device__ inline void wait_parity_cluster(uint64_t* barrier, unsigned parity) {
  while (!try_wait_cluster(barrier, parity)) {
  }
}

// On the barrier of a CTA of the cluster.
__device__ inline void arrive_remote(uint32_t remote_barrier) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote_barrier)
               : "memory");
}
__device__ inline void arrive_and_expect_remote(uint32_t remote_barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(
                   remote_barrier),
               "r"(bytes)
               : "memory");
}

__device__ inline void named_barrier_sync(int id, int threads) {
  asm volatile("barrier.cta.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ inline void named_barrier_arrive(int id, int threads) {
  asm volatile("barrier.cta.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ inline void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ inline void cluster_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ inline void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
// Without .aligned the lanes of a warp may come from different places.
__device__ inline void unaligned_cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
__device__ inline void unaligned_cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}
__device__ inline void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}
