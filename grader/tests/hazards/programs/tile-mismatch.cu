// A tile that does not fit its tensor map: coordinates that miss the tensor, and a swizzle whose
// pattern does not begin where the tile does.
#include "harness.h"
#include "ptx.h"

// The column in bytes.
//: pair column_in_bytes
template <bool mistaken>
__global__ void column_in_bytes(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    const int column = mistaken ? 32 * sizeof(int) : 32;
    load_tile(tile, &maps.in, column, 0, &full);  //: tile-mismatch
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
int second_tile(int i) {
  return i / TILE_COLUMNS * MAP_COLUMNS + i % TILE_COLUMNS + 33;
}

// The row is that of an element, where it should be that of a tile.
//: pair rows_too_far
template <bool mistaken>
__global__ void rows_too_far(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    //: tile-mismatch
    load_tile(tile, &maps.in, 0, (mistaken ? MAP_COLUMNS : 1) * TILE_ROWS, &full);
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
int tile_below(int i) {
  return the_first_tile(i) + TILE_ROWS * MAP_COLUMNS;
}

//: pair stored_beside_the_tensor
template <bool mistaken>
__global__ void stored_beside_the_tensor(const __grid_constant__ TensorMaps maps, const int* in,
                                         int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_tile(&maps.out, mistaken ? MAP_COLUMNS : 0, 0, tile);  //: tile-mismatch
    commit_group();
    wait_group<0>();
  }
}

CUtensorMap swizzled_map(int* matrix, CUtensorMapSwizzle swizzle, unsigned columns, unsigned rows) {
  CUtensorMap map{};
  const cuuint64_t size[] = {columns, rows};
  const cuuint64_t stride[] = {columns * sizeof(int)};
  const cuuint32_t box[] = {columns, rows};
  const cuuint32_t element_stride[] = {1, 1};
  if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrix, size, stride, box,
                             element_stride, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    note(cudaErrorInvalidValue);
  }
  return map;
}

// At a multiple of 128 that is none of 1024: the pattern is two lines ahead.
//: pair swizzle_of_128
template <bool mistaken>
__global__ void swizzle_of_128(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(1024) int pool[1024];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  int* const tile = pool + (mistaken ? 256 : 0) / 4;
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, 512 * sizeof(int));
    load_tile(tile, &map, 0, 0, &full);  //: other
  }
  wait_parity(&full, 0);
  for (int i = threadIdx.x; i < 512; i += 128) {
    const int unit = i / 4 ^ i / 32 % 8;
    out[i] = tile[4 * unit + i % 4];  //: tile-mismatch
  }
}

// A pattern of four lines: a multiple of 512 will do.
//: pair swizzle_of_64
template <bool mistaken>
__global__ void swizzle_of_64(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(1024) int pool[1024];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  int* const tile = pool + (mistaken ? 128 : 512) / 4;
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, 512 * sizeof(int));
    load_tile(tile, &map, 0, 0, &full);  //: other
  }
  wait_parity(&full, 0);
  for (int i = threadIdx.x; i < 512; i += 128) {
    const int unit = i / 4 ^ i / 32 % 4;
    out[i] = tile[4 * unit + i % 4];  //: tile-mismatch
  }
}

// And one of two lines.
//: pair swizzle_of_32
template <bool mistaken>
__global__ void swizzle_of_32(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(1024) int pool[1024];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  int* const tile = pool + (mistaken ? 128 : 256) / 4;
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, 512 * sizeof(int));
    load_tile(tile, &map, 0, 0, &full);  //: other
  }
  wait_parity(&full, 0);
  for (int i = threadIdx.x; i < 512; i += 128) {
    const int unit = i / 4 ^ i / 32 % 2;
    out[i] = tile[4 * unit + i % 4];  //: tile-mismatch
  }
}

// Each thread reads a row of its own, which begins one line further on in the pattern.
//: pair a_row_for_each_thread
template <bool mistaken>
__global__ void a_row_for_each_thread(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(1024) int pool[1024];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  const int* const tile = pool + (mistaken ? 128 : 0) / 4;
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, 512 * sizeof(int));
    load_tile(pool + (tile - pool), &map, 0, 0, &full);  //: other
  }
  wait_parity(&full, 0);
  if (threadIdx.x >= 16) return;
  for (int i = 0; i < 8; ++i) {
    const int unit = 8 * threadIdx.x + (i ^ threadIdx.x % 8);
    const int4* const four = &reinterpret_cast<const int4*>(tile)[unit];
    reinterpret_cast<int4*>(out)[8 * threadIdx.x + i] = *four;  //: tile-mismatch
  }
}

// The map has a swizzle of 64 bytes, and a column is read by that of 128.
//: pair read_by_another_swizzle
template <bool mistaken>
__global__ void read_by_another_swizzle(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(1024) int tile[512];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_tile(tile, &map, 0, 0, &full);  //: other
  }
  wait_parity(&full, 0);
  if (threadIdx.x >= 32) return;
  for (int i = 0; i < 16; ++i) {
    const int line = threadIdx.x / 2;
    const int unit = (4 * threadIdx.x + i / 4) ^ (line % (mistaken ? 8 : 4));
    out[16 * threadIdx.x + i] = tile[4 * unit + i % 4];  //: tile-mismatch
  }
}

template <auto kernel, CUtensorMapSwizzle swizzle, unsigned columns>
Outcome unswizzled() {
  const Memory memory;
  kernel<<<1, 128>>>(swizzled_map(memory.in, swizzle, columns, 512 / columns), memory.out);
  return memory.compare(the_input, 512);
}

constexpr Pair pairs[] = {
    pair<column_in_bytes<true>, column_in_bytes<false>, second_tile>("column_in_bytes"),
    pair<rows_too_far<true>, rows_too_far<false>, tile_below>("rows_too_far"),
    pair<stored_beside_the_tensor<true>, stored_beside_the_tensor<false>, the_input,
         Shape{.checked = 32}>("stored_beside_the_tensor"),
    {"swizzle_of_128", unswizzled<swizzle_of_128<true>, CU_TENSOR_MAP_SWIZZLE_128B, 32>,
     unswizzled<swizzle_of_128<false>, CU_TENSOR_MAP_SWIZZLE_128B, 32>},
    {"swizzle_of_64", unswizzled<swizzle_of_64<true>, CU_TENSOR_MAP_SWIZZLE_64B, 16>,
     unswizzled<swizzle_of_64<false>, CU_TENSOR_MAP_SWIZZLE_64B, 16>},
    {"swizzle_of_32", unswizzled<swizzle_of_32<true>, CU_TENSOR_MAP_SWIZZLE_32B, 8>,
     unswizzled<swizzle_of_32<false>, CU_TENSOR_MAP_SWIZZLE_32B, 8>},
    {"a_row_for_each_thread",
     unswizzled<a_row_for_each_thread<true>, CU_TENSOR_MAP_SWIZZLE_128B, 32>,
     unswizzled<a_row_for_each_thread<false>, CU_TENSOR_MAP_SWIZZLE_128B, 32>},
    {"read_by_another_swizzle",
     unswizzled<read_by_another_swizzle<true>, CU_TENSOR_MAP_SWIZZLE_64B, 16>,
     unswizzled<read_by_another_swizzle<false>, CU_TENSOR_MAP_SWIZZLE_64B, 16>},
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
