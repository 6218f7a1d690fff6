// From accumulators to shared memory, eight rows at a time.
#pragma once

#include "architecture.cuh"

// Stores four 8 x 8 matrices of 16-bit elements, transposed. In each, lane l holds two elements of
// row l / 4, columns 2 * (l % 4) and the next one, in one register: as accumulators lie. What is
// written are columns: 16 bytes to the `address` of lane 8 * i + c, a multiple of 16, for column c
// of matrix i. Whole warp. PTX ISA, "stmatrix".
__device__ static __forceinline__ void store_matrices_transposed(void* address, uint32_t matrix_0,
                                                                 uint32_t matrix_1,
                                                                 uint32_t matrix_2,
                                                                 uint32_t matrix_3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   shared_address(address)),
               "r"(matrix_0), "r"(matrix_1), "r"(matrix_2), "r"(matrix_3)
               : "memory");
}
