// By way of libcu++, and the driver's own call for the maps. The bf16s of a pair of rows are
// exchanged as halves of a word.
#include <cuda.h>
#include <cuda_bf16.h>

#include <cuda/barrier>
#include <cuda/ptx>

#include "cuda-check.cuh"

namespace ptx = cuda::ptx;
using bf16 = __nv_bfloat16;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

class Map {
 public:
  Map(const void* base, CUtensorMapDataType type, CUtensorMapSwizzle swizzle, cuuint64_t width,
      cuuint64_t height, cuuint64_t pitch, cuuint32_t box_width, cuuint32_t box_height) {
    const cuuint64_t extent[] = {width, height};
    const cuuint32_t box[] = {box_width, box_height}, every[] = {1, 1};
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    cuda_check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                                cudaEnableDefault, &result));
    reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found)(
        &map_, type, 2, const_cast<void*>(base), extent, &pitch, box, every,
        CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  }
  const CUtensorMap& get() const { return map_; }

 private:
  CUtensorMap map_{};
};

__device__ void bring(void* tile, const CUtensorMap* map, int x, int y, unsigned bytes,
                      Barrier& barrier) {
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    ptx::fence_proxy_async();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    const int at[2] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, map, at,
                              cuda::device::barrier_native_handle(barrier));
    token = cuda::device::barrier_arrive_tx(barrier, 1, bytes);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
}

template <int ROWS, int BYTES, int LINE>
__global__ void swizzled_rows(const __grid_constant__ CUtensorMap map, ushort4* dest) {
  constexpr int PER_ROW = BYTES / 8, PERIOD = 128 / BYTES;
  __shared__ alignas(1024) ushort4 memory[LINE * 16 + ROWS * PER_ROW];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  bring(&memory[LINE * 16], &map, 0, 0, ROWS * BYTES, barrier);
  // Half a chunk a thread. A row's turn comes from its number, counted from the pattern's begin.
  const int half = threadIdx.x % PER_ROW;
  for (int row = threadIdx.x / PER_ROW; row < ROWS; row += blockDim.x / PER_ROW) {
    const int turn = (row + LINE * PERIOD) / PERIOD % (BYTES / 16);
    dest[row * PER_ROW + half] = memory[LINE * 16 + row * PER_ROW + (half ^ 2 * turn)];
  }
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES = TILE_N>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  constexpr auto swizzle = SWIZZLE_BYTES == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                           : SWIZZLE_BYTES == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                 : CU_TENSOR_MAP_SWIZZLE_32B;
  const Map map(src, CU_TENSOR_MAP_DATA_TYPE_UINT8, swizzle, TILE_N, TILE_M, TILE_N, TILE_N,
                TILE_M);
  swizzled_rows<TILE_M, TILE_N, OFFSET><<<1, 64>>>(map.get(), reinterpret_cast<ushort4*>(dest));
  cuda_check(cudaGetLastError());
}

__global__ void floats(const __grid_constant__ CUtensorMap map, float* dest, int rows,
                       int columns) {
  __shared__ alignas(128) float tile[32][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
  bring(tile, &map, x, y, sizeof tile, barrier);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Along a diagonal, where every bank is met once.
  for (int step = warp; step < 32; step += blockDim.x / 32) {
    const int column = (lane + step) % 32;
    if (y + lane < rows && x + column < columns)
      dest[static_cast<std::size_t>(x + column) * rows + y + lane] = tile[lane][column];
  }
}

__global__ void halves(const __grid_constant__ CUtensorMap map, unsigned* dest, int rows,
                       int columns) {
  __shared__ alignas(128) unsigned tile[64][32];  // of two bf16s
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  const int x = blockIdx.x * 64, y = blockIdx.y * 64;
  bring(tile, &map, x, y, sizeof tile, barrier);
  const int lane = threadIdx.x % 32;
  for (int pair = threadIdx.x / 32; pair < 32; pair += blockDim.x / 32) {
    const unsigned upper = tile[2 * lane][pair], lower = tile[2 * lane + 1][pair];
    const unsigned left = __byte_perm(upper, lower, 0x5410);
    const unsigned right = __byte_perm(upper, lower, 0x7632);
    if (y + 2 * lane >= rows || x + 2 * pair >= columns) continue;
    const std::size_t at = (static_cast<std::size_t>(x + 2 * pair) * rows + y) / 2 + lane;
    dest[at] = left;
    dest[at + rows / 2] = right;
  }
}

template <typename T>
__global__ void rest(const T* src, T* dest, int rows, int columns) {
  for (int column = blockIdx.x; column < columns; column += gridDim.x)
    for (int row = threadIdx.x; row < rows; row += blockDim.x)
      dest[static_cast<std::size_t>(column) * rows + row] =
          src[static_cast<std::size_t>(row) * columns + column];
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  constexpr int vector = 16 / sizeof(T), side = 128 / sizeof(T);
  const dim3 tiles((columns + side - 1) / side, (rows + side - 1) / side);
  if (tiles.x == 0 || tiles.y == 0) return;
  if (rows % vector != 0 || columns % vector != 0) {
    rest<<<columns, 128>>>(src, dest, rows, columns);
  } else if constexpr (sizeof(T) == 4) {
    const Map map(src, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_SWIZZLE_NONE, columns, rows,
                  columns * sizeof(T), side, side);
    floats<<<tiles, 256>>>(map.get(), dest, rows, columns);
  } else {
    const Map map(src, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_SWIZZLE_NONE, columns, rows,
                  columns * sizeof(T), side, side);
    halves<<<tiles, 256>>>(map.get(), reinterpret_cast<unsigned*>(dest), rows, columns);
  }
  cuda_check(cudaGetLastError());
}
