// Clusters: the CTA's rank, the addresses of other CTAs' shared memory, and the cluster's barrier.
#pragma once

#include "address.cuh"

// The rank of the caller's CTA in its cluster, from 0. Per lane.
// PTX ISA, "Special Registers: %cluster_ctarank".
__device__ static __forceinline__ uint32_t cluster_rank() {
  uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// The number of CTAs in the caller's cluster (1 without a cluster launch). Per lane.
// PTX ISA, "Special Registers: %cluster_nctarank".
__device__ static __forceinline__ uint32_t cluster_size() {
  uint32_t size;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
}

// Arrives on the cluster's barrier; does not block for other warps. Every lane of every CTA of the
// cluster does so once per phase, all lanes of a warp at a time, and then calls cluster_wait().
// What the lane did before is visible after the others' wait (release). PTX ISA, "barrier.cluster".
__device__ static __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}

// cluster_arrive() that makes nothing visible: after fence_barrier_init(), which has done so
// already. PTX ISA, "barrier.cluster".
__device__ static __forceinline__ void cluster_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
}

// Blocks until all lanes of the cluster have arrived (acquire). Every lane that arrived calls it,
// all lanes of a warp at a time. PTX ISA, "barrier.cluster".
__device__ static __forceinline__ void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// The remote address of a variable: the shared::cluster address, in the CTA of this rank, of the
// place that has smem's offset. Valid while that CTA runs. Per lane. PTX ISA, "mapa".
__device__ static __forceinline__ uint32_t map_to_cta(const void* smem, uint32_t rank) {
  uint32_t remote;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(shared_address(smem)), "r"(rank));
  return remote;
}

// The same place as a pointer, for loads and stores: cooperative_groups' map_shared_rank, without
// the header that takes the compiler longer than a whole lab. Per lane. PTX ISA, "mapa".
template <typename T>
__device__ static __forceinline__ T* pointer_in_cta(T* smem, uint32_t rank) {
  T* remote;
  asm("mapa.u64 %0, %1, %2;" : "=l"(remote) : "l"(smem), "r"(rank));
  return remote;
}

// The rank of the CTA that a shared::cluster address belongs to. Per lane. PTX ISA, "getctarank".
__device__ static __forceinline__ uint32_t rank_of_address(uint32_t remote) {
  uint32_t rank;
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(remote));
  return rank;
}

// 1 in one lane of the warp, which the hardware picks, 0 in the others: the lane to issue TMA
// operations. All 32 lanes of the warp call it together. PTX ISA, "elect.sync".
__device__ static __forceinline__ int elect_one_lane() {
  int elected;
  asm volatile(
      "{\n"
      ".reg .pred elected;\n"
      "elect.sync _|elected, 0xffffffff;\n"
      "selp.b32 %0, 1, 0, elected;\n"
      "}"
      : "=r"(elected));
  return elected;
}
