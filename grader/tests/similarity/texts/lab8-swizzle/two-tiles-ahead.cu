// A CTA walks over many tiles, and the next one is on its way while this one is transposed. Stores
// and loads both use the 64-byte swizzle.
#include <cuda_bf16.h>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

// Each thread follows pointers into the tile: the pattern is one of addresses.
template <int BYTES, int WIDTH>
__global__ void follow(const __grid_constant__ CUtensorMap from, uint8_t* dest, int skip) {
  extern __shared__ __align__(128) uint8_t room[];
  __shared__ uint64_t loaded;
  uint8_t* const begin = room + skip;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, BYTES);
    cp_async_bulk_tensor_2d_global_to_shared(begin, &from, 0, 0, &loaded);
    wait(&loaded, 0);
  }
  __syncthreads();
  for (uint8_t* p = begin + threadIdx.x; p < begin + BYTES; p += blockDim.x) {
    auto place = reinterpret_cast<uintptr_t>(p);
    for (int bit = 16; bit < WIDTH; bit *= 2)
      if (place & bit * 8) place ^= bit;
    dest[p - begin] = *reinterpret_cast<uint8_t*>(place);
  }
}

static CUtensorMap tile_of(uint8_t* where, int height, int width, int swizzle) {
  TensorMapOptions options;
  options.swizzle = static_cast<CUtensorMapSwizzle>(swizzle == 32 ? 1 : swizzle == 64 ? 2 : 3);
  return make_tensor_map<uint8_t, 2>(where, {width, height}, {width}, {width, height}, options);
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES = 64>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  constexpr int SKIP = OFFSET * 128, BYTES = TILE_M * TILE_N;
  follow<BYTES, SWIZZLE_BYTES>
      <<<1, 32, SKIP + BYTES>>>(tile_of(src, TILE_M, TILE_N, SWIZZLE_BYTES), dest, SKIP);
  cuda_check(cudaGetLastError());
}

template <typename T>
struct Tile {
  static constexpr int SIDE = 64 / sizeof(T);
  T element[SIDE * SIDE];
  __device__ T& operator()(int y, int x) {
    const int line = y / 2, in_chunk = 16 / sizeof(T);
    const int chunk = x / in_chunk ^ line % 4;
    return element[y * SIDE + chunk * in_chunk + x % in_chunk];
  }
};

struct Matrix {
  int height, width;
  __host__ __device__ int across(int side) const { return (width + side - 1) / side; }
  __host__ __device__ int tiles(int side) const {
    return across(side) * ((height + side - 1) / side);
  }
};

template <typename T>
__global__ void __launch_bounds__(128) pipeline(const __grid_constant__ CUtensorMap from,
                                                const __grid_constant__ CUtensorMap to, Matrix m) {
  using Small = Tile<T>;
  constexpr int SIDE = Small::SIDE;
  __shared__ alignas(512) Small in[2];
  __shared__ alignas(512) Small out[2];
  __shared__ uint64_t loaded[2];
  const int count = m.tiles(SIDE), across = m.across(SIDE);
  auto load = [&](int tile, int slot) {
    expect_bytes_and_arrive(&loaded[slot], sizeof(Small));
    cp_async_bulk_tensor_2d_global_to_shared(&in[slot], &from, tile % across * SIDE,
                                             tile / across * SIDE, &loaded[slot]);
  };
  if (threadIdx.x == 0) {
    init_barrier(&loaded[0], 1);
    init_barrier(&loaded[1], 1);
    async_proxy_fence();
    if (blockIdx.x < count) load(blockIdx.x, 0);
  }
  __syncthreads();
  int turn = 0;
  for (int tile = blockIdx.x; tile < count; tile += gridDim.x, ++turn) {
    const int slot = turn & 1, next = tile + gridDim.x;
    if (threadIdx.x == 0) {
      if (next < count) load(next, slot ^ 1);
      tma_store_wait_until_pending_read<1>();
    }
    __syncthreads();
    wait(&loaded[slot], turn >> 1 & 1);
    for (int y = threadIdx.x / SIDE; y < SIDE; y += blockDim.x / SIDE)
      out[slot](y, threadIdx.x % SIDE) = in[slot](threadIdx.x % SIDE, y);
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      cp_async_bulk_tensor_2d_shared_to_global(&to, tile / across * SIDE, tile % across * SIDE,
                                               &out[slot]);
      tma_store_commit_group();
    }
  }
  if (threadIdx.x == 0) tma_store_wait_until_pending<0>();
}

// 16 x 16 elements a CTA; the column is turned by the row, so that columns are spread, too.
template <typename T>
__global__ void turned(const T* src, T* dest, Matrix m) {
  __shared__ T square[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.y * 16, top = blockIdx.x * 16;
  if (top + y < m.height && left + x < m.width)
    square[y][x ^ y] = src[static_cast<size_t>(top + y) * m.width + left + x];
  __syncthreads();
  if (top + x < m.height && left + y < m.width)
    dest[static_cast<size_t>(left + y) * m.height + top + x] = square[x][y ^ x];
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  const Matrix m{rows, columns};
  if (m.tiles(1) == 0) return;
  constexpr uint32_t SIDE = Tile<T>::SIDE;
  const auto is_whole = [](int n) { return n * sizeof(T) % 16 == 0; };
  if (is_whole(rows) && is_whole(columns)) {
    const TensorMapOptions options{.swizzle = CU_TENSOR_MAP_SWIZZLE_64B};
    const CUtensorMap from =
        make_tensor_map<T, 2>(src, {columns, rows}, {columns * sizeof(T)}, {SIDE, SIDE}, options);
    const CUtensorMap to =
        make_tensor_map<T, 2>(dest, {rows, columns}, {rows * sizeof(T)}, {SIDE, SIDE}, options);
    const int ctas = m.tiles(SIDE) < 132 * 8 ? m.tiles(SIDE) : 132 * 8;
    pipeline<T><<<ctas, 128>>>(from, to, m);
  } else {
    turned<<<dim3((rows + 15) / 16, (columns + 15) / 16), dim3(16, 16)>>>(src, dest, m);
  }
  cuda_check(cudaGetLastError());
}
