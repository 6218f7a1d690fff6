// Lab 8: swizzles. Shared memory has 32 banks, and a swizzle spreads a column over them.
//
//   swizzle-64      find the pattern of the 64-byte swizzle: load a tile with it, and undo it
//   swizzle-32-128  the same with 32 and with 128 bytes
//   transpose       a matrix whose rows and columns are whole 16-byte vectors, through TMA
//   any-shape       all other matrices: still loaded through TMA, with plain stores
#include <cuda_bf16.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cuda-check.cuh"
#include "device.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

inline constexpr int LINE_BYTES = 128;  // of shared memory: one access to each of its 32 banks
inline constexpr int CHUNK_BYTES = 16;  // a swizzle moves whole chunks, within their line

constexpr CUtensorMapSwizzle swizzle_mode(int bytes) {
  if (bytes == 32) return CU_TENSOR_MAP_SWIZZLE_32B;
  return bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B : CU_TENSOR_MAP_SWIZZLE_128B;
}

// ---------------------------------------------------------------------------------------------
// Parts swizzle-64 and swizzle-32-128

// Where the byte is that would be at `address` of shared memory without a swizzle.
template <int SWIZZLE_BYTES>
__device__ uint32_t swizzled(uint32_t address) {
  // TODO: for each swizzle, `make run` prints the order in which the chunks of a line lie in
  //   memory, at eight addresses. Which bits of the address change? Which ones decide?
  return address;
}

// Loads the tile that is all of src_map, swizzled, and writes it to dest, row-major, without gaps.
// The tile begins OFFSET lines into an array: other addresses, another order.
template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES>
__global__ void tma_swizzle(const __grid_constant__ CUtensorMap src_map, uint8_t* dest) {
  __shared__ alignas(128) uint8_t memory[LINE_BYTES * OFFSET + TILE_M * TILE_N];
  uint8_t* tile = memory + LINE_BYTES * OFFSET;
  // TODO: load the tile as in lab 4; then write its byte i to dest[i]. In `tile` it is where
  //   swizzled<SWIZZLE_BYTES> says. That takes an address, such as shared_address(tile) + i.
  (void)tile;
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

// ---------------------------------------------------------------------------------------------
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
  // TODO: load the tile's two panels (src_map's box is one panel, swizzled), transpose the tile
  //   in shared memory, and store it (dest_map's box is the whole tile, not swizzled).
  //   * Read with chunk_at. Which chunks should 32 threads read at once?
  //   * Write a thread's elements with plain stores. Where do 32 threads write at once?
  //   * The transposed tile may take the tile's place, once all of it is in registers.
  //   * Last: give the loads a cache policy (cache-policy.cuh), and measure.
  (void)first_row, (void)first_column, (void)tile;
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

// ---------------------------------------------------------------------------------------------
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
  static constexpr int ROWS = 128;  // that a tile writes
  static constexpr int COLUMNS = 256 / sizeof(T);
  // The rows of dest begin anywhere. A tile's part of each begins at a multiple of 32 bytes (a
  // sector), and so up to a sector before the tile's first row.
  static constexpr int SECTOR = 32 / sizeof(T);
  static constexpr int ROWS_LOADED = SECTOR + ROWS;
  static constexpr int PITCH = COLUMNS + CHUNK<T>;  // of a row in shared memory: room for the shift
  static constexpr int THREADS = 512;

  template <int INTERLEAVE>
  struct alignas(128) Box {
    T element[ROWS_LOADED / INTERLEAVE][PITCH];
  };

  // What a lane writes at once.
  static constexpr int WORD = 4 / sizeof(T);  // elements
  struct alignas(4) Word {
    T element[WORD];
  };
};

// What a launch is tuned by: shared memory that nobody uses, with which fewer CTAs have room on an
// SM, and how much of a line the L2 cache fetches for a box.
struct AnyShapeTuning {
  int unused_bytes;
  CUtensorMapL2promotion l2_promotion;
};

inline AnyShapeTuning tuning_of_any_shape() {
  return {0, CU_TENSOR_MAP_L2_PROMOTION_NONE};
}

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
  // TODO: load a box of every map, beginning SECTOR rows before first_row, and write this CTA's
  //   part of each row of dest, a warp along a row, at last a Word at a time.
  (void)src_maps, (void)dest, (void)rows, (void)columns, (void)first_row, (void)first_column;
  (void)boxes;
}

template <typename T, int INTERLEAVE>
void launch_transpose_any(const T* src, T* dest, int rows, int columns) {
  using Shape = AnyShape<T>;
  const AnyShapeTuning tuning = tuning_of_any_shape();
  RowMaps maps{};
  for (int i = 0; i < INTERLEAVE && i < rows; ++i) {
    // TODO: the map of rows i, i + INTERLEAVE, i + 2 * INTERLEAVE, ... of src.
    (void)src;
  }
  for (int i = rows; i < INTERLEAVE; ++i) maps.of[i] = maps.of[0];  // of rows that are never read
  // The last tile's part begins up to a sector before it, and so may end before dest's row does.
  const int tiles_per_column = tiles_for(rows + Shape::SECTOR - 1, Shape::ROWS);
  const int tiles = tiles_per_column * tiles_for(columns, Shape::COLUMNS);
  constexpr int THREADS = Shape::THREADS;
  const auto kernel = transpose_any<T, INTERLEAVE>;
  cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  tuning.unused_bytes));
  kernel<<<tiles, THREADS, tuning.unused_bytes>>>(maps, dest, rows, columns, tiles_per_column);
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

// ---------------------------------------------------------------------------------------------
// Prints the order in which a swizzle leaves the chunks of a line, then a small self-test. (`make
// test` runs many more cases; `make bench` measures.)

// Shared memory after the load of one line, as it is: every byte is the number of its chunk.
__global__ void dump_line(const __grid_constant__ CUtensorMap map, int line, uint8_t* dest) {
  __shared__ alignas(1024) uint8_t memory[8 * LINE_BYTES];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, LINE_BYTES);
    cp_async_bulk_tensor_2d_global_to_shared(memory + line * LINE_BYTES, &map, 0, 0, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  dest[threadIdx.x] = memory[line * LINE_BYTES + threadIdx.x];
}

template <typename T>
T* device_array(const std::vector<T>& host) {
  T* device;
  cuda_check(cudaMalloc(&device, host.size() * sizeof(T)));
  cuda_check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <typename T>
std::vector<T> host_array(T* device, size_t count) {
  std::vector<T> host(count);
  cuda_check(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(device));
  return host;
}

template <int SWIZZLE_BYTES>
void print_pattern() {
  std::printf("%d-byte swizzle: the chunks of a line, from its first 16 bytes to its last\n",
              SWIZZLE_BYTES);
  std::vector<uint8_t> line(LINE_BYTES);
  for (int i = 0; i < LINE_BYTES; ++i) line[i] = static_cast<uint8_t>(i / CHUNK_BYTES);
  constexpr int ROWS = LINE_BYTES / SWIZZLE_BYTES;
  for (int address = 0; address < 8 * LINE_BYTES; address += LINE_BYTES) {
    uint8_t* src = device_array(line);
    uint8_t* dest = device_array(std::vector<uint8_t>(LINE_BYTES));
    const CUtensorMap map = swizzled_tile_map<ROWS, SWIZZLE_BYTES, SWIZZLE_BYTES>(src);
    dump_line<<<1, LINE_BYTES>>>(map, address / LINE_BYTES, dest);
    cuda_check(cudaGetLastError());
    const std::vector<uint8_t> found = host_array(dest, LINE_BYTES);
    cuda_check(cudaFree(src));
    std::printf("  at address 1024 n + %3d:", address);
    for (int i = 0; i < LINE_BYTES; i += CHUNK_BYTES) std::printf(" %d", found[i]);
    std::printf("\n");
  }
}

template <int SWIZZLE_BYTES, int OFFSET>
bool comes_out_straight() {
  constexpr int ROWS = 8;
  std::vector<uint8_t> tile(ROWS * SWIZZLE_BYTES);
  for (size_t i = 0; i < tile.size(); ++i) tile[i] = static_cast<uint8_t>(i * 37 % 251);
  uint8_t* src = device_array(tile);
  uint8_t* dest = device_array(std::vector<uint8_t>(tile.size()));
  launch_tma_swizzle<ROWS, SWIZZLE_BYTES, OFFSET, SWIZZLE_BYTES>(src, dest);
  const std::vector<uint8_t> straight = host_array(dest, tile.size());
  cuda_check(cudaFree(src));
  for (size_t i = 0; i < tile.size(); ++i) {
    if (straight[i] == tile[i]) continue;
    std::printf("swizzle %3d  offset %d: byte %zu is %d, expected %d\n", SWIZZLE_BYTES, OFFSET, i,
                straight[i], tile[i]);
    return false;
  }
  std::printf("swizzle %3d  offset %d: the tile comes out as it went in\n", SWIZZLE_BYTES, OFFSET);
  return true;
}

template <typename T>
bool transposes(const char* type, int rows, int columns) {
  std::vector<T> matrix(static_cast<size_t>(rows) * columns);
  for (size_t i = 0; i < matrix.size(); ++i)
    matrix[i] = static_cast<T>(static_cast<float>(i % 199));
  T* src = device_array(matrix);
  T* dest = device_array(std::vector<T>(matrix.size()));
  launch_transpose(src, dest, rows, columns);
  const std::vector<T> transposed = host_array(dest, matrix.size());
  cuda_check(cudaFree(src));
  for (size_t i = 0; i < matrix.size(); ++i) {
    const size_t row = i / columns;
    const size_t column = i % columns;
    const auto got = static_cast<float>(transposed[column * rows + row]);
    const auto expected = static_cast<float>(matrix[i]);
    if (got == expected) continue;
    std::printf("transpose    %s %d x %d: dest[%zu][%zu] is %g, expected %g\n", type, rows, columns,
                column, row, got, expected);
    return false;
  }
  std::printf("transpose    %s %d x %d: every element is in its place\n", type, rows, columns);
  return true;
}

int main() {
  print_pattern<32>();
  print_pattern<64>();
  print_pattern<128>();
  bool right = comes_out_straight<64, 0>();
  right &= comes_out_straight<64, 3>();
  right &= comes_out_straight<32, 1>();
  right &= comes_out_straight<128, 5>();
  right &= transposes<float>("float", 128, 192);
  right &= transposes<bf16>("bf16", 256, 136);
  right &= transposes<float>("float", 123, 457);
  right &= transposes<bf16>("bf16", 81, 129);
  return right ? 0 : 1;
}
