// Addresses as PTX takes them.
#pragma once

#include <cuda.h>

#include <cstdint>

__device__ inline uint32_t shared_address(const void* shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

// Where the CTA of this rank in the cluster has what the caller has at `shared`.
__device__ inline uint32_t address_in_cta(const void* shared, uint32_t rank) {
  uint32_t remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(remote)
               : "r"(shared_address(shared)), "r"(rank));
  return remote;
}

// A fragment of a matrix of 8 x 8 halves; the first 8 lanes give the addresses of its rows.
__device__ inline int load_fragment(const void* row) {
  int fragment;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(fragment)
               : "r"(shared_address(row))
               : "memory");
  return fragment;
}

__device__ inline int load_remote(uint32_t remote) {
  int value;
  asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(value) : "r"(remote) : "memory");
  return value;
}
__device__ inline void store_remote(uint32_t remote, int value) {
  asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(remote), "r"(value) : "memory");
}
__device__ inline void add_remote(uint32_t remote, int value) {
  asm volatile("red.relaxed.cluster.shared::cluster.add.s32 [%0], %1;" ::"r"(remote), "r"(value)
               : "memory");
}

__device__ inline uint32_t cluster_rank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
