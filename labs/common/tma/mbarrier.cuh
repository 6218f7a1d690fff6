// mbarriers: 64-bit barriers in shared memory that count arrivals and bytes.
//
// A phase ends when `arrival_count` arrivals have come and as many bytes were delivered as were
// expected (tx-count zero). Then the next phase begins with the same arrival count. Phases are told
// apart by their parity: 0 for the first, 1 for the second, 0 again for the third.
//
// A barrier is 8 bytes, aligned to 8. All functions are per lane. PTX ISA, "mbarrier".
#pragma once

#include "address.cuh"

// Prepares a barrier for phases of arrival_count (1 to 2^20 - 1) arrivals. One lane per barrier;
// others may use it after a __syncthreads(), a peer CTA after fence_barrier_init() and a cluster
// barrier; copies that the lane itself issues need no fence in between. PTX ISA, "mbarrier.init".
__device__ static __forceinline__ void init_barrier(uint64_t* bar, int arrival_count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)),
               "r"(arrival_count)
               : "memory");
}

// Ends a barrier's life, so that its 8 bytes may be used for something else. One lane, when nobody
// uses the barrier anymore. PTX ISA, "mbarrier.inval".
__device__ static __forceinline__ void invalidate_barrier(uint64_t* bar) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(bar)) : "memory");
}

// Counts `count` arrivals; does not block. What this lane did before is visible to those who have
// waited for the phase (release). PTX ISA, "mbarrier.arrive".
__device__ static __forceinline__ void arrive(uint64_t* bar, int count) {
  asm volatile(
      "mbarrier.arrive.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)),
      "r"(count)
      : "memory");
}

// arrive() that returns the state of the phase it arrived on, for test_wait_token, try_wait_token
// and pending_count. PTX ISA, "mbarrier.arrive".
__device__ static __forceinline__ uint64_t arrive_token(uint64_t* bar, int count) {
  uint64_t token;
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;"
               : "=l"(token)
               : "r"(shared_address(bar)), "r"(count)
               : "memory");
  return token;
}

// arrive() that also lowers the arrival count of all later phases by `count`: how a lane leaves
// for good. PTX ISA, "mbarrier.arrive_drop".
__device__ static __forceinline__ void arrive_and_drop(uint64_t* bar, int count) {
  asm volatile(
      "mbarrier.arrive_drop.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)),
      "r"(count)
      : "memory");
}

// How many arrivals were still missing from this token's phase when the token was made.
// PTX ISA, "mbarrier.pending_count".
__device__ static __forceinline__ int pending_count(uint64_t token) {
  int count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

// Raises the number of bytes that the current phase waits for. Does not arrive: the same lane, or
// one that is ordered after it, arrives later. PTX ISA, "mbarrier.expect_tx".
__device__ static __forceinline__ void expect_bytes(uint64_t* bar, int num_bytes) {
  asm volatile(
      "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)),
      "r"(num_bytes)
      : "memory");
}

// expect_bytes(), then one arrival, as one operation: no phase can end in between.
// PTX ISA, "mbarrier.arrive", modifier .expect_tx.
__device__ static __forceinline__ void expect_bytes_and_arrive(uint64_t* bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared_address(bar)),
               "r"(bytes)
               : "memory");
}

// expect_bytes_and_arrive() that returns the state of the phase it arrived on.
// PTX ISA, "mbarrier.arrive", modifier .expect_tx.
__device__ static __forceinline__ uint64_t expect_bytes_and_arrive_token(uint64_t* bar, int bytes) {
  uint64_t token;
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
               : "=l"(token)
               : "r"(shared_address(bar)), "r"(bytes)
               : "memory");
  return token;
}

// Does to the barrier what the TMA engine does when it has delivered num_bytes, without a copy: for
// bytes that arrive in another way. PTX ISA, "mbarrier.complete_tx".
__device__ static __forceinline__ void complete_bytes(uint64_t* bar, int num_bytes) {
  asm volatile(
      "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)),
      "r"(num_bytes)
      : "memory");
}

// 1 if the phase of this parity (0 or 1) is over, else 0, at once. After a 1 this lane sees
// everything that the arriving lanes did before and all bytes that the engine delivered (acquire).
// PTX ISA, "mbarrier.test_wait/mbarrier.try_wait".
__device__ static __forceinline__ int test_wait(uint64_t* bar, int parity) {
  int done;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 done, [%1], %2;\n"
      "selp.b32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(shared_address(bar)), "r"(parity)
      : "memory");
  return done;
}

// test_wait() that may put the lane to sleep for a while, up to a limit that the hardware chooses.
// So a 0 may only mean that the time was up: call it in a loop, or call wait().
// PTX ISA, "mbarrier.test_wait/mbarrier.try_wait".
__device__ static __forceinline__ int try_wait(uint64_t* bar, int parity) {
  int done;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%1], %2;\n"
      "selp.b32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(shared_address(bar)), "r"(parity)
      : "memory");
  return done;
}

// try_wait() with the longest time to sleep, in nanoseconds.
// PTX ISA, "mbarrier.test_wait/mbarrier.try_wait".
__device__ static __forceinline__ int try_wait(uint64_t* bar, int parity,
                                               uint32_t suspend_nanoseconds) {
  int done;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%1], %2, %3;\n"
      "selp.b32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(shared_address(bar)), "r"(parity), "r"(suspend_nanoseconds)
      : "memory");
  return done;
}

// Blocks until the phase of this parity is over: try_wait() in a loop.
__device__ static __forceinline__ void wait(uint64_t* bar, int parity) {
  while (!try_wait(bar, parity)) {
  }
}

// test_wait() for the phase that a token names, instead of a parity.
// PTX ISA, "mbarrier.test_wait/mbarrier.try_wait".
__device__ static __forceinline__ int test_wait_token(uint64_t* bar, uint64_t token) {
  int done;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.test_wait.acquire.cta.shared::cta.b64 done, [%1], %2;\n"
      "selp.b32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(shared_address(bar)), "l"(token)
      : "memory");
  return done;
}

// try_wait() for the phase that a token names, instead of a parity.
// PTX ISA, "mbarrier.test_wait/mbarrier.try_wait".
__device__ static __forceinline__ int try_wait_token(uint64_t* bar, uint64_t token) {
  int done;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.try_wait.acquire.cta.shared::cta.b64 done, [%1], %2;\n"
      "selp.b32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(shared_address(bar)), "l"(token)
      : "memory");
  return done;
}
