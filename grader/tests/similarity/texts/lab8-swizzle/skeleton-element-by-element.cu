// The skeleton, filled in, but for the maps of the last part.
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
  uint32_t bits = 0;
  for (uint32_t b = 0; 32u << b <= SWIZZLE_BYTES; ++b) bits |= address & (LINE_BYTES << b);
  return address ^ bits / 8;
}

// Loads the tile that is all of src_map, swizzled, and writes it to dest, row-major, without gaps.
// The tile begins OFFSET lines into an array: other addresses, another order.
template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES>
__global__ void tma_swizzle(const __grid_constant__ CUtensorMap src_map, uint8_t* dest) {
  __shared__ alignas(128) uint8_t memory[LINE_BYTES * OFFSET + TILE_M * TILE_N];
  uint8_t* tile = memory + LINE_BYTES * OFFSET;
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    init_barrier(&barrier, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&barrier, TILE_M * TILE_N);
    cp_async_bulk_tensor_2d_global_to_shared(tile, &src_map, 0, 0, &barrier);
    wait(&barrier, 0);
  }
  __syncthreads();
  const auto begin = shared_address(memory);
  const auto end = begin + sizeof(memory);
  for (auto a = begin + LINE_BYTES * OFFSET + threadIdx.x; a < end; a += 128)
    *(dest + a - shared_address(tile)) = memory[swizzled<SWIZZLE_BYTES>(a) - begin];
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
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    init_barrier(&barrier, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&barrier, sizeof(tile));
    for (int column = 0; column < TILE<T>; column += PANEL<T>)
      cp_async_bulk_tensor_2d_global_to_shared(tile + column * TILE<T> * sizeof(T), &src_map,
                                               first_column + column, first_row, &barrier);
    wait(&barrier, 0);
  }
  __syncthreads();
  constexpr int EACH = TILE<T> / 2;  // elements of a thread
  T mine[EACH];
  for (int i = 0; i < EACH; ++i) {
    const int place = i * TILE_THREADS<T> + threadIdx.x;
    const int column = place / TILE<T>;
    const Chunk<T> chunk = chunk_at<T>(tile, place % TILE<T>, column / CHUNK<T>);
    mine[i] = chunk.element[column % CHUNK<T>];
  }
  __syncthreads();
  for (int i = 0; i < EACH; ++i)
    reinterpret_cast<T*>(tile)[i * TILE_THREADS<T> + threadIdx.x] = mine[i];
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_shared_to_global(&dest_map, first_row, first_column, tile);
    tma_commit_group();
    tma_wait_until_pending<0>();
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

// Part any-shape. No maps: a warp takes a row of dest, 32 elements at a time, and its lanes read
// down a column of src, which L1 still has for the next row.
template <typename T>
__global__ void transpose_any(const T* src, T* dest, int rows, int columns) {
  const int lane = threadIdx.x % 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int column = (blockIdx.x * blockDim.x + threadIdx.x) / 32; column < columns;
       column += warps) {
    T* line = dest + static_cast<size_t>(column) * rows;
    const T* down = src + column + static_cast<size_t>(lane) * columns;
    for (int row = lane; row < rows; row += 32, down += 32 * columns) line[row] = *down;
  }
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  if (rows == 0 || columns == 0) return;  // a grid without CTAs is an error
  if (rows % CHUNK<T> == 0 && columns % CHUNK<T> == 0) {
    launch_transpose_tiles(src, dest, rows, columns);
  } else {
    transpose_any<<<132 * 4, 256>>>(src, dest, rows, columns);
    cuda_check(cudaGetLastError());
  }
}
