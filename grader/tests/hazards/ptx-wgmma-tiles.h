// Tiles that a tensor map lays for wgmma. A has 64 rows of 128 bytes and B has 8, so a product has
// four steps.
#pragma once

#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

constexpr int ROW_BYTES = 128;
constexpr int STEP_BYTES = 32;
constexpr int STEPS = ROW_BYTES / STEP_BYTES;
constexpr int A_ROWS = 64;
constexpr int B_ROWS = 8;

// B lies behind A, in the input and here.
struct alignas(1024) Tiles {
  unsigned char a[A_ROWS * ROW_BYTES];
  unsigned char b[B_ROWS * ROW_BYTES];
};
struct Maps {
  CUtensorMap a;
  CUtensorMap b;
};
__device__ inline void load_tiles(Tiles& tiles, const Maps& maps, uint64_t& loaded) {
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tiles));
    load_tile(tiles.a, &maps.a, 0, 0, &loaded);
    load_tile(tiles.b, &maps.b, 0, A_ROWS, &loaded);
  }
  wait_parity(&loaded, 0);
}

// PTX ISA, "Matrix Descriptor Format"; in bytes, but for the mode of the swizzle and the base
// offset.
struct Layout {
  uint64_t swizzle = 1;  // of 128 bytes
  uint64_t stride = 8 * ROW_BYTES;
  uint64_t base_offset = 0;
};
__device__ inline uint64_t described(const void* tile, const Layout& layout, int step) {
  constexpr uint64_t leading = 128;
  return (shared_address(tile) + step * STEP_BYTES) / 16 | leading / 16 << 16 |
         layout.stride / 16 << 32 | layout.base_offset << 49 | layout.swizzle << 62;
}

// Of the input, as rows of bytes.
inline int input_byte(int row, int k) {
  const int offset = row * ROW_BYTES + k;
  return (offset / 4 + 1) >> offset % 4 * 8 & 0xff;  // the input is 1, 2, 3, ...
}
// Bytes [begin, end) of one row times those of another.
inline int product_of_rows(int row, int other, int begin = 0, int end = ROW_BYTES) {
  int sum = 0;
  for (int k = begin; k < end; ++k) {
    sum += input_byte(row, k) * input_byte(other, k);
  }
  return sum;
}
// Which element of D the warpgroup's output of this index is.
inline int row_of_output(int index) {
  const int thread = index / 4;
  return thread / 32 * 16 + thread % 32 / 4 + 8 * (index % 4 / 2);
}
inline int column_of_output(int index) {
  return index / 4 % 4 * 2 + index % 2;
}
inline int the_product_of_tiles(int index) {
  return product_of_rows(row_of_output(index), A_ROWS + column_of_output(index));
}

inline CUtensorMap map_of_bytes(int* matrix, CUtensorMapSwizzle swizzle, unsigned width,
                                unsigned height) {
  CUtensorMap map{};
  const cuuint64_t size[] = {ROW_BYTES, INPUTS * sizeof(int) / ROW_BYTES};
  const cuuint64_t stride[] = {ROW_BYTES};
  const cuuint32_t box[] = {width, height};
  const cuuint32_t element_stride[] = {1, 1};
  if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, matrix, size, stride, box,
                             element_stride, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    note(cudaErrorInvalidValue);
  }
  return map;
}

template <auto kernel, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B,
          unsigned width = ROW_BYTES>
Outcome multiplied() {
  const Memory memory;
  const Maps maps{map_of_bytes(memory.in, swizzle, width, A_ROWS),
                  map_of_bytes(memory.in, swizzle, width, B_ROWS)};
  kernel<<<1, 128>>>(maps, memory.out);
  return memory.compare(the_product_of_tiles, 512);
}

constexpr CUtensorMapSwizzle NO_SWIZZLE = CU_TENSOR_MAP_SWIZZLE_NONE;
