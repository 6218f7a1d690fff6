// The order of things: when registers may be used, and when a product is complete.
#pragma once

#include "architecture.cuh"

// Puts the warpgroup's earlier accesses to registers before the products that follow: once before
// the first product, and again whenever a thread has read or written accumulators, or registers
// that hold A, since. Products of one shape that add to the same accumulators need none in between.
// It orders registers only, not shared memory. PTX ISA, "wgmma.fence".
__device__ static __forceinline__ void warpgroup_arrive() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// The same instruction under its own name.
__device__ static __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// Puts all products that were started since the last commit into one new group, which may be empty.
// Does not block. PTX ISA, "wgmma.commit_group".
__device__ static __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// The same instruction under its own name.
__device__ static __forceinline__ void wgmma_commit_group() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Blocks until at most N (0 to 7) of the latest groups are pending. The products of the older ones
// are complete: their accumulators may be read, A and B overwritten. PTX ISA, "wgmma.wait_group".
template <int N>
__device__ static __forceinline__ void wgmma_wait() {
  static_assert(0 <= N && N <= 7, "0 to 7 groups may stay pending");
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

// The same instruction under its own name.
template <int N>
__device__ static __forceinline__ void wgmma_wait_group() {
  static_assert(0 <= N && N <= 7, "0 to 7 groups may stay pending");
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

// No instruction: tells the compiler that the accumulators change here. A product writes them until
// its wait, of which the compiler knows nothing: without this it may convert or add the old values
// above the wait. Call it after the wait, before the first use. Per lane.
template <int COUNT>
__device__ static __forceinline__ void accumulators_changed(float (&d)[COUNT]) {
#pragma unroll
  for (int i = 0; i < COUNT; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

// The same for accumulators in rows of eight, as wgmma_n64 to wgmma_n256 have them.
template <int ROWS>
__device__ static __forceinline__ void accumulators_changed(float (&d)[ROWS][8]) {
#pragma unroll
  for (int row = 0; row < ROWS; ++row) accumulators_changed(d[row]);
}

// The barrier of one warpgroup: its 128 threads wait for each other, and see what the others did
// before; other warpgroups go on. `barrier` is one of the CTA's 16, a number of its own for each
// warpgroup, and not 0, which is __syncthreads(). PTX ISA, "bar/barrier".
__device__ static __forceinline__ void warpgroup_sync(int barrier) {
  asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory");
}

// A barrier of several warpgroups, in all `threads` threads: waits until as many have come to it,
// whether they wait or only arrive. A thread that waits sees what those that came did before.
// `barrier`: one of the CTA's 16, and not 0. PTX ISA, "bar/barrier".
__device__ static __forceinline__ void named_barrier_sync(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

// Comes to such a barrier and goes on: for who lets others begin, and has nothing to wait for.
__device__ static __forceinline__ void named_barrier_arrive(int barrier, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
