// The skeleton, filled in: a panel has a barrier and half of the threads.
#include <cuda_bf16.h>

#include <cstddef>
#include <cstdint>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

inline constexpr int LINE_BYTES = 128;  // of shared memory: one access to each of its 32 banks
inline constexpr int CHUNK_BYTES = 16;  // a swizzle moves whole chunks, within their line

constexpr CUtensorMapSwizzle swizzle_mode(int bytes) {
  if (bytes == 32) return CU_TENSOR_MAP_SWIZZLE_32B;
  return bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B : CU_TENSOR_MAP_SWIZZLE_128B;
}

// Parts swizzle-64 and swizzle-32-128

// Where the byte is that would be at `address` of shared memory without a swizzle.
template <int SWIZZLE_BYTES>
__device__ uint32_t swizzled(uint32_t address) {
  const uint32_t mask = (SWIZZLE_BYTES / 16 - 1) << 4;
  return address ^ ((address >> 3) & mask);
}

// Loads the tile that is all of src_map, swizzled, and writes it to dest, row-major, without gaps.
// The tile begins OFFSET lines into an array: other addresses, another order.
template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES>
__global__ void tma_swizzle(const __grid_constant__ CUtensorMap src_map, uint8_t* dest) {
  __shared__ alignas(128) uint8_t memory[LINE_BYTES * OFFSET + TILE_M * TILE_N];
  uint8_t* tile = memory + LINE_BYTES * OFFSET;
  __shared__ uint64_t bar;
  const int tid = threadIdx.x;
  if (tid == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, TILE_M * TILE_N);
    cp_async_bulk_tensor_2d_global_to_shared(tile, &src_map, 0, 0, &bar);
  }
  __syncthreads();
  wait(&bar, 0);
  const uint32_t base = shared_address(tile);
  for (int row = 0; row < TILE_M; ++row) {
    if (tid < TILE_N) {
      const uint32_t from = swizzled<SWIZZLE_BYTES>(base + row * TILE_N + tid);
      dest[row * TILE_N + tid] = tile[from - base];
    }
  }
}

// The tensor map of a matrix of TILE_M rows of TILE_N bytes that is one tile.
template <int TILE_M, int TILE_N, int SWIZZLE_BYTES>
CUtensorMap swizzled_tile_map(uint8_t* matrix) {
  return make_tensor_map<uint8_t, 2>(matrix, {TILE_N, TILE_M}, {TILE_N}, {TILE_N, TILE_M},
                                     {.swizzle = swizzle_mode(SWIZZLE_BYTES)});
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES = 64>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  static_assert(TILE_N == SWIZZLE_BYTES, "a row is as long as the swizzle's pattern");
  const CUtensorMap src_map = swizzled_tile_map<TILE_M, TILE_N, SWIZZLE_BYTES>(src);
  tma_swizzle<TILE_M, TILE_N, OFFSET, SWIZZLE_BYTES><<<1, 128>>>(src_map, dest);
  cuda_check(cudaGetLastError());
}

// Part transpose: dest[column][row] = src[row][column], for T = float and T = bf16, where the rows
// of both matrices are multiples of 16 bytes long.

// A tile is 256 bytes wide, in src and in dest.
template <typename T>
inline constexpr int TILE = 256 / sizeof(T);
template <typename T>
inline constexpr int TILE_BYTES = 256 * TILE<T>;
template <typename T>
inline constexpr int TILE_THREADS = 2 * TILE<T>;

// A box with the 128-byte swizzle is at most 128 bytes wide: a tile comes in as two panels.
template <typename T>
inline constexpr int PANEL = LINE_BYTES / sizeof(T);  // elements in a row of a panel
template <typename T>
inline constexpr int PANEL_BYTES = 128 * TILE<T>;

// What a thread reads at once.
template <typename T>
inline constexpr int CHUNK = CHUNK_BYTES / sizeof(T);  // elements
template <typename T>
struct alignas(CHUNK_BYTES) Chunk {
  T element[CHUNK<T>];
};

// The elements [row][chunk * CHUNK] and following of a swizzled tile. The tile is aligned to 1024
// bytes, so the swizzle of an offset into it is the swizzle of the address.
template <typename T>
__device__ Chunk<T> chunk_at(const uint8_t* tile, int row, int chunk) {
  constexpr int CHUNKS_PER_LINE = LINE_BYTES / CHUNK_BYTES;
  const uint32_t offset = chunk / CHUNKS_PER_LINE * PANEL_BYTES<T> + row * LINE_BYTES +
                          chunk % CHUNKS_PER_LINE * CHUNK_BYTES;
  return *reinterpret_cast<const Chunk<T>*>(tile + swizzled<128>(offset));
}

// CTAs are numbered down a column of src's tiles, then column by column: CTAs that run at the same
// time write next to each other.
template <typename T>
__global__ void __launch_bounds__(TILE_THREADS<T>)
    transpose_tiles(const __grid_constant__ CUtensorMap src_map,
                    const __grid_constant__ CUtensorMap dest_map, int tiles_per_column) {
  const int first_row = blockIdx.x % tiles_per_column * TILE<T>;
  const int first_column = blockIdx.x / tiles_per_column * TILE<T>;
  __shared__ alignas(1024) uint8_t tile[TILE_BYTES<T>];
  // A barrier for each panel: half of the threads need only one of them.
  __shared__ uint64_t bars[2];
  if (threadIdx.x == 0) {
    init_barrier(&bars[0], 1);
    init_barrier(&bars[1], 1);
    async_proxy_fence();
    for (int p = 0; p < 2; ++p) {
      expect_bytes_and_arrive(&bars[p], PANEL_BYTES<T>);
      cp_async_bulk_tensor_2d_global_to_shared(&tile[p * PANEL_BYTES<T>], &src_map,
                                               first_column + p * PANEL<T>, first_row, &bars[p],
                                               CACHE_POLICY_EVICT_FIRST);
    }
  }
  __syncthreads();
  const int panel = threadIdx.x / TILE<T>;
  const int row = threadIdx.x % TILE<T>;
  wait(&bars[panel], 0);
  Chunk<T> chunks[8];  // one row of one panel
  for (int k = 0; k < 8; ++k) chunks[k] = chunk_at<T>(tile, row, panel * 8 + k);
  __syncthreads();
  T(*result)[TILE<T>] = reinterpret_cast<T(*)[TILE<T>]>(tile);
  for (int k = 0; k < 8; ++k)
    for (int e = 0; e < CHUNK<T>; ++e)
      result[panel * PANEL<T> + k * CHUNK<T> + e][row] = chunks[k].element[e];
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&dest_map, first_row, first_column, tile);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
}

// How many tiles it takes to cover this many rows or columns.
inline int tiles_for(int size, int tile) {
  return static_cast<int>((static_cast<int64_t>(size) + tile - 1) / tile);
}

template <typename T>
void launch_transpose_tiles(const T* src, T* dest, int rows, int columns) {
  const uint64_t height = rows;
  const uint64_t width = columns;
  // L2 may fetch twice as much of a row as a panel has: the other panel is next to it.
  const CUtensorMap src_map = make_tensor_map<T, 2>(
      src, {width, height}, {width * sizeof(T)}, {PANEL<T>, TILE<T>},
      {.swizzle = CU_TENSOR_MAP_SWIZZLE_128B, .l2_promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_256B});
  const CUtensorMap dest_map =
      make_tensor_map<T, 2>(dest, {height, width}, {height * sizeof(T)}, {TILE<T>, TILE<T>});
  const int tiles_per_column = tiles_for(rows, TILE<T>);
  const int tiles = tiles_per_column * tiles_for(columns, TILE<T>);
  constexpr int THREADS = TILE_THREADS<T>;
  transpose_tiles<T><<<tiles, THREADS>>>(src_map, dest_map, tiles_per_column);
  cuda_check(cudaGetLastError());
}

// Part any-shape: the same if the rows of src or of dest are not a multiple of 16 bytes long.
//
// Such a matrix has no tensor map. But every second, fourth or eighth row is a multiple of
// 16 bytes away: the matrix is that many matrices, interleaved, and each of them has a map. Its
// first row may begin between multiples of 16 bytes; the map begins at the previous multiple, and
// the row's elements are SHIFT columns further right.

inline constexpr int MAX_INTERLEAVE = 8;
struct RowMaps {
  CUtensorMap of[MAX_INTERLEAVE];  // of rows i, i + INTERLEAVE, i + 2 * INTERLEAVE, ...
};

template <typename T>
struct AnyShape {
  static constexpr int COLUMNS = 128;           // of a tile
  static constexpr int ROWS = 256 / sizeof(T);  // that a tile writes
  // The rows of dest begin anywhere. A tile's part of each begins at a multiple of 32 bytes (a
  // sector), and so up to a sector before the tile's first row.
  static constexpr int SECTOR = 32 / sizeof(T);
  static constexpr int ROWS_LOADED = SECTOR + ROWS;
  static constexpr int PITCH = COLUMNS + CHUNK<T>;  // of a row in shared memory: room for the shift
  static constexpr int THREADS = 256;

  template <int INTERLEAVE>
  struct alignas(128) Box {
    T element[ROWS_LOADED / INTERLEAVE][PITCH];
  };
};

// The columns by which the rows of map i are further right.
template <typename T>
__host__ __device__ int shift_of(int i, int columns) {
  return static_cast<int>(static_cast<int64_t>(i) * columns % CHUNK<T>);
}

template <typename T, int INTERLEAVE>
__global__ void __launch_bounds__(AnyShape<T>::THREADS)
    transpose_any(const __grid_constant__ RowMaps src_maps, T* dest, int rows, int columns,
                  int tiles_per_column) {
  using Shape = AnyShape<T>;
  using Box = typename Shape::template Box<INTERLEAVE>;
  const int first_row = blockIdx.x % tiles_per_column * Shape::ROWS;
  const int first_column = blockIdx.x / tiles_per_column * Shape::COLUMNS;
  __shared__ Box boxes[INTERLEAVE];
  __shared__ uint64_t bar;
  const int rows_from = first_row - Shape::SECTOR;
  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, INTERLEAVE * sizeof(Box::element));
    for (int m = 0; m < INTERLEAVE; ++m)
      cp_async_bulk_tensor_2d_global_to_shared(boxes[m].element, &src_maps.of[m], first_column,
                                               rows_from / INTERLEAVE, &bar);
  }
  __syncthreads();
  wait(&bar, 0);
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int c = warp; c < Shape::COLUMNS && first_column + c < columns; c += 8) {
    T* out = dest + static_cast<int64_t>(first_column + c) * rows;
    const int64_t past =
        (static_cast<int64_t>(first_column + c) * rows + first_row) % Shape::SECTOR;
    const int start = first_row - static_cast<int>(past);
    for (int r = start + lane; r < min(rows, start + Shape::ROWS); r += 32) {
      if (r >= 0)
        out[r] =
            boxes[r % INTERLEAVE]
                .element[(r - rows_from) / INTERLEAVE][c + shift_of<T>(r % INTERLEAVE, columns)];
    }
  }
}

template <typename T, int INTERLEAVE>
void launch_transpose_any(const T* src, T* dest, int rows, int columns) {
  using Shape = AnyShape<T>;
  RowMaps maps{};
  for (int i = 0; i < INTERLEAVE && i < rows; ++i) {
    const int shift = shift_of<T>(i, columns);
    const T* first = src + int64_t{i} * columns - shift;
    maps.of[i] = make_tensor_map<T, 2>(first, {columns + shift, (rows - i - 1) / INTERLEAVE + 1},
                                       {int64_t{INTERLEAVE} * columns * sizeof(T)},
                                       {Shape::PITCH, Shape::ROWS_LOADED / INTERLEAVE});
  }
  for (int i = rows; i < INTERLEAVE; ++i) maps.of[i] = maps.of[0];  // of rows that are never read
  // The last tile's part begins up to a sector before it, and so may end before dest's row does.
  const int tiles_per_column = tiles_for(rows + Shape::SECTOR - 1, Shape::ROWS);
  const int tiles = tiles_per_column * tiles_for(columns, Shape::COLUMNS);
  constexpr int THREADS = Shape::THREADS;
  transpose_any<T, INTERLEAVE><<<tiles, THREADS>>>(maps, dest, rows, columns, tiles_per_column);
  cuda_check(cudaGetLastError());
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  if (rows == 0 || columns == 0) return;  // a grid without CTAs is an error
  if (rows % CHUNK<T> == 0 && columns % CHUNK<T> == 0) {
    launch_transpose_tiles(src, dest, rows, columns);
  } else if (columns % CHUNK<T> == 0) {
    launch_transpose_any<T, 1>(src, dest, rows, columns);
  } else if (columns * 2 % CHUNK<T> == 0) {
    launch_transpose_any<T, 2>(src, dest, rows, columns);
  } else if (columns * 4 % CHUNK<T> == 0) {
    launch_transpose_any<T, 4>(src, dest, rows, columns);
  } else {
    launch_transpose_any<T, 8>(src, dest, rows, columns);
  }
}
