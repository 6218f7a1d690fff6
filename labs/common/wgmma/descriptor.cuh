// Matrix descriptors: how wgmma finds a matrix in shared memory.
//
// A matrix is made of core matrices, 8 rows of 16 bytes each. (A row of A is a row of the product;
// a "row" of B is one of its columns. Both have k along the row: "K-major".) wgmma reads 32 bytes
// of each row, two core matrices.
//
// Without a swizzle a core matrix is 128 contiguous bytes, and
//   leading byte offset  is from a core matrix to its neighbor along k,
//   stride byte offset   is from a core matrix to the next 8 rows.
// With a swizzle of S = 32, 64 or 128 bytes, rows of S bytes follow each other, as TMA writes a box
// that is S bytes wide with the same swizzle:
//   leading byte offset  is ignored,
//   stride byte offset   is from 8 rows to the next 8, as a rule 8 * S.
// The swizzle takes bits 7 to 9 of the shared address, so 8 rows begin at a multiple of 8 * S
// bytes; the next 32 bytes of the rows are then described by the address plus 32.
//
// PTX ISA, "Matrix Descriptor", "Strides".
#pragma once

#include "architecture.cuh"

// The order in which the 16-byte chunks of the rows lie; as the hardware numbers it.
enum wgmmaSwizzle { NO_SWIZZLE = 0, SWIZZLE_128B = 1, SWIZZLE_64B = 2, SWIZZLE_32B = 3 };

// The field of a descriptor that holds a number of bytes: bits 4 to 17 of it.
__device__ static __forceinline__ uint64_t descriptor_field(uint64_t bytes) {
  return (bytes & 0x3FFFF) >> 4;
}

// Describes the matrix that begins at smem, a multiple of 16 bytes; both offsets are in bytes,
// multiples of 16, below 2^18. All warps of a warpgroup pass the same one to a product. Per lane.
template <wgmmaSwizzle SWIZZLE>
__device__ static __forceinline__ uint64_t make_smem_desc(const void* smem,
                                                          uint64_t leading_byte_offset,
                                                          uint64_t stride_byte_offset) {
  return descriptor_field(shared_address(smem)) |       // bits 0 to 13
         descriptor_field(leading_byte_offset) << 16 |  // bits 16 to 29
         descriptor_field(stride_byte_offset) << 32 |   // bits 32 to 45
         static_cast<uint64_t>(SWIZZLE) << 62;          // bits 62 and 63
}

// The same under a longer name.
template <wgmmaSwizzle SWIZZLE>
__device__ static __forceinline__ uint64_t matrix_descriptor(const void* smem,
                                                             uint64_t leading_byte_offset,
                                                             uint64_t stride_byte_offset) {
  return make_smem_desc<SWIZZLE>(smem, leading_byte_offset, stride_byte_offset);
}
