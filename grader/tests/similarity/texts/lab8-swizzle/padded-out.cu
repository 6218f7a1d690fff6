// No swizzle for the transpose: the threads write it into rows that are one element too long.
#include <cuda_bf16.h>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

// As CUTLASS names them: B bits, above the lowest M, are changed by those S further up.
template <int B, int M, int S>
struct Swizzle {
  static constexpr unsigned bits = (1u << B) - 1;
  __device__ static unsigned apply(unsigned offset) {
    const unsigned deciding = offset & (bits << (M + S));
    return offset ^ (deciding >> S);
  }
};

template <int BYTES>
struct Kind;
template <>
struct Kind<32> {
  using Layout = Swizzle<1, 4, 3>;
  static constexpr CUtensorMapSwizzle mode = CU_TENSOR_MAP_SWIZZLE_32B;
};
template <>
struct Kind<64> {
  using Layout = Swizzle<2, 4, 3>;
  static constexpr CUtensorMapSwizzle mode = CU_TENSOR_MAP_SWIZZLE_64B;
};
template <>
struct Kind<128> {
  using Layout = Swizzle<3, 4, 3>;
  static constexpr CUtensorMapSwizzle mode = CU_TENSOR_MAP_SWIZZLE_128B;
};

template <int TILE_M, int TILE_N, int OFFSET, class K>
__global__ void straighten(const __grid_constant__ CUtensorMap map, uint8_t* out) {
  alignas(128) __shared__ uint8_t all[OFFSET * 128 + TILE_M * TILE_N];
  __shared__ uint64_t mbar;
  const unsigned base = shared_address(all), begin = base + OFFSET * 128;
  if (threadIdx.x == 0) init_barrier(&mbar, blockDim.x);
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_global_to_shared(all + OFFSET * 128, &map, 0, 0, &mbar);
    expect_bytes_and_arrive(&mbar, TILE_M * TILE_N);
  } else {
    arrive(&mbar, 1);
  }
  while (!test_wait(&mbar, 0)) {
  }
  for (int row = threadIdx.y; row < TILE_M; row += blockDim.y)
    for (int column = threadIdx.x; column < TILE_N; column += blockDim.x)
      out[row * TILE_N + column] = all[K::Layout::apply(begin + row * TILE_N + column) - base];
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES = 64>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  using K = Kind<SWIZZLE_BYTES>;
  const CUtensorMap map = make_tensor_map<uint8_t, 2>(src, {TILE_N, TILE_M}, {TILE_N},
                                                      {TILE_N, TILE_M}, {.swizzle = K::mode});
  straighten<TILE_M, TILE_N, OFFSET, K><<<1, 32>>>(map, dest);
  cuda_check(cudaGetLastError());
}

template <class T, int HEIGHT, int WIDTH>
__global__ void __launch_bounds__(256)
    padded(const __grid_constant__ CUtensorMap map, T* __restrict__ dest, int rows, int columns) {
  __shared__ alignas(128) T come[HEIGHT][WIDTH];
  __shared__ T gone[WIDTH][HEIGHT + 1];
  __shared__ uint64_t mbar;
  const int row0 = blockIdx.y * HEIGHT, column0 = blockIdx.x * WIDTH;
  if (threadIdx.x == 0) {
    init_barrier(&mbar, 1);
    async_proxy_fence();
    cp_async_bulk_tensor_2d_global_to_shared(come, &map, column0, row0, &mbar);
    expect_bytes_and_arrive(&mbar, sizeof come);
  }
  __syncthreads();
  wait(&mbar, 0);
  for (int k = threadIdx.x; k < HEIGHT * WIDTH; k += 256)
    gone[k % WIDTH][k / WIDTH] = come[k / WIDTH][k % WIDTH];
  __syncthreads();
  for (int k = threadIdx.x; k < HEIGHT * WIDTH; k += 256) {
    const int r = row0 + k % HEIGHT, c = column0 + k / HEIGHT;
    if (r < rows && c < columns) dest[size_t(c) * rows + r] = gone[k / HEIGHT][k % HEIGHT];
  }
}

// Each thread one element of src, which it finds by a loop over all of them.
template <class T>
__global__ void odd(const T* __restrict__ src, T* __restrict__ dest, long long rows,
                    long long columns) {
  const long long all = rows * columns, step = (long long)gridDim.x * blockDim.x;
  for (long long e = blockIdx.x * blockDim.x + threadIdx.x; e < all; e += step) {
    const long long r = e / columns, c = e - r * columns;
    dest[c * rows + r] = src[e];
  }
}

template <class T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  constexpr int HEIGHT = 64, WIDTH = 32;
  constexpr int EACH = 16 / sizeof(T);
  if (rows > 0 && columns > 0) {
    if (rows % EACH + columns % EACH > 0) {
      odd<<<264, 512>>>(src, dest, rows, columns);
    } else {
      const size_t pitch = columns * sizeof(T);
      const auto map = make_tensor_map<T, 2>(src, {columns, rows}, {pitch}, {WIDTH, HEIGHT});
      const dim3 grid((columns - 1) / WIDTH + 1, (rows - 1) / HEIGHT + 1);
      padded<T, HEIGHT, WIDTH><<<grid, 256>>>(map, dest, rows, columns);
    }
    cuda_check(cudaGetLastError());
  }
}
