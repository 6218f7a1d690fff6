// The skeleton, filled in: a warp takes chunks of 32 rows, and sectors are left out.
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
  uint32_t chunk = address / CHUNK_BYTES % 8;
  const uint32_t line = address / LINE_BYTES;
  if (SWIZZLE_BYTES == 32) chunk ^= line % 2;
  if (SWIZZLE_BYTES == 64) chunk ^= line % 4;
  if (SWIZZLE_BYTES == 128) chunk ^= line % 8;
  return line * LINE_BYTES + chunk * CHUNK_BYTES + address % CHUNK_BYTES;
}

// Loads the tile that is all of src_map, swizzled, and writes it to dest, row-major, without gaps.
// The tile begins OFFSET lines into an array: other addresses, another order.
template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES>
__global__ void tma_swizzle(const __grid_constant__ CUtensorMap src_map, uint8_t* dest) {
  __shared__ alignas(128) uint8_t memory[LINE_BYTES * OFFSET + TILE_M * TILE_N];
  uint8_t* tile = memory + LINE_BYTES * OFFSET;
  __shared__ uint64_t here;
  if (threadIdx.x == 0) {
    init_barrier(&here, 1);
    async_proxy_fence();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_global_to_shared(tile, &src_map, 0, 0, &here);
    expect_bytes_and_arrive(&here, TILE_M * TILE_N);
  }
  wait(&here, 0);
  int i = threadIdx.x;
  while (i < TILE_M * TILE_N) {
    const uint32_t wanted = shared_address(tile + i);
    dest[i] = *(tile + i + static_cast<int>(swizzled<SWIZZLE_BYTES>(wanted) - wanted));
    i += blockDim.x;
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
  __shared__ uint64_t here;
  if (threadIdx.x == 0) {
    init_barrier(&here, 1);
    async_proxy_fence();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    uint8_t* right = tile + PANEL_BYTES<T>;
    const int right_column = first_column + PANEL<T>;
    cp_async_bulk_tensor_2d_global_to_shared(tile, &src_map, first_column, first_row, &here);
    cp_async_bulk_tensor_2d_global_to_shared(right, &src_map, right_column, first_row, &here);
    expect_bytes_and_arrive(&here, TILE_BYTES<T>);
  }
  wait(&here, 0);

  // 16 chunks in a row; a warp takes 8 times the same chunk of 32 rows.
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  Chunk<T> held[8];
  for (int i = 0; i < 8; ++i) {
    const int task = warp * 8 + i;
    held[i] = chunk_at<T>(tile, task / 16 * 32 + lane, task % 16);
  }
  __syncthreads();
  T* out = reinterpret_cast<T*>(tile);
  for (int i = 0; i < 8; ++i) {
    const int task = warp * 8 + i;
    T* column = out + task % 16 * CHUNK<T> * TILE<T> + task / 16 * 32 + lane;
    for (const T& element : held[i].element) {
      *column = element;
      column += TILE<T>;
    }
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  async_proxy_fence();
  cp_async_bulk_tensor_2d_shared_to_global(&dest_map, first_row, first_column, tile,
                                           CACHE_POLICY_EVICT_FIRST);
  tma_store_commit_group();
  tma_store_wait_until_pending<0>();
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
  // The sector is left out: rows first_row and following, of which the boxes have enough.
  __shared__ uint64_t here;
  if (threadIdx.x == 0) {
    init_barrier(&here, INTERLEAVE);
    async_proxy_fence();
  }
  __syncthreads();
  if (threadIdx.x < INTERLEAVE) {
    cp_async_bulk_tensor_2d_global_to_shared(&boxes[threadIdx.x], &src_maps.of[threadIdx.x],
                                             first_column, first_row / INTERLEAVE, &here);
    expect_bytes_and_arrive(&here, sizeof(Box::element));
  }
  wait(&here, 0);
  const int height = min(Shape::ROWS, rows - first_row);
  const int width = min(Shape::COLUMNS, columns - first_column);
  for (int j = threadIdx.x; j < height * width; j += blockDim.x) {
    const int row = j % height, column = j / height;
    const int which = row % INTERLEAVE;
    const T* from = boxes[which].element[row / INTERLEAVE];
    dest[size_t(first_column + column) * rows + first_row + row] =
        from[column + shift_of<T>(which, columns)];
  }
}

template <typename T, int INTERLEAVE>
void launch_transpose_any(const T* src, T* dest, int rows, int columns) {
  using Shape = AnyShape<T>;
  RowMaps maps{};
  for (int i = 0; i < INTERLEAVE && i < rows; ++i) {
    const size_t begin = size_t(i) * columns, aligned = begin / CHUNK<T> * CHUNK<T>;
    int height = 0;
    for (int row = i; row < rows; row += INTERLEAVE) ++height;
    const size_t stride = sizeof(T) * INTERLEAVE * columns;
    maps.of[i] = make_tensor_map<T, 2>(src + aligned, {begin - aligned + columns, height}, {stride},
                                       {Shape::PITCH, Shape::ROWS_LOADED / INTERLEAVE},
                                       {.l2_promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_128B});
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
