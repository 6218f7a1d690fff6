// Instructions of .shared, which is .shared::cta, at an address that somebody else has made: they
// reach the memory of their own CTA alone.
#pragma once

#include <cuda.h>

#include <cstdint>

__device__ inline int load_own(uint32_t address) {
  int value;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  return value;
}
__device__ inline void store_own(uint32_t address, int value) {
  asm volatile("st.shared::cta.s32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}
__device__ inline void add_own(uint32_t address, int value) {
  asm volatile("red.shared.add.s32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}
__device__ inline void arrive_own(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ inline void arrive_and_expect_own(uint32_t barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
__device__ inline bool try_wait_own(uint32_t barrier, unsigned parity) {
  int done;
  asm volatile(
      "{ .reg .pred done; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%1], %2;"
      " selp.s32 %0, 1, 0, done; }"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done != 0;
}

// Four bytes.
__device__ inline void copy_async_own(uint32_t address, const int* global) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(global) : "memory");
}
// One matrix: lanes 0 to 7 give the addresses of its rows.
__device__ inline int load_matrix_own(uint32_t row) {
  int elements;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(elements)
               : "r"(row)
               : "memory");
  return elements;
}

__device__ inline void store_bulk_own(void* global, uint32_t source, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
               "r"(source), "r"(bytes)
               : "memory");
}
__device__ inline void store_tile_own(const CUtensorMap* map, int x, int y, uint32_t source) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
      "r"(x), "r"(y), "r"(source)
      : "memory");
}
