// The matrix has three dimensions: the elements of a vector, the rows, and the vectors of a row. So
// a column of vectors arrives in one piece, and no swizzle is needed to read it.
#include <cuda_bf16.h>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

// Where vector v lies is where vector v of a straight tile comes from: an exchange undoes itself.
template <int M, int N, int OFF, int S>
__global__ void scatter(const __grid_constant__ CUtensorMap t, int4* d) {
  __shared__ alignas(1024) int4 s[OFF * 8 + M * N / 16];
  __shared__ uint64_t b;
  if (!threadIdx.x) {
    init_barrier(&b, 1), async_proxy_fence();
    expect_bytes_and_arrive(&b, M * N);
    cp_async_bulk_tensor_2d_global_to_shared(s + OFF * 8, &t, 0, 0, &b);
  }
  __syncthreads();
  wait(&b, 0);
  const int end = OFF * 8 + M * N / 16;
  for (int v = OFF * 8 + threadIdx.x; v < end; v += blockDim.x)
    d[(v / 8 * 8 + (v % 8 ^ v / 8 % (S / 16))) - OFF * 8] = s[v];
}

template <int M, int N, int OFF, int S = 64>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  static const CUtensorMapSwizzle names[] = {CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B,
                                             CU_TENSOR_MAP_SWIZZLE_128B};
  const auto t = make_tensor_map<uint8_t, 2>(src, {N, M}, {N}, {N, M}, {.swizzle = names[S / 64]});
  scatter<M, N, OFF, S><<<1, M * N / 16>>>(t, (int4*)dest);
  cuda_check(cudaGetLastError());
}

template <typename T, int V, int ROWS, int DEEP>
__global__ void by_vectors(const __grid_constant__ CUtensorMap t, T* d, int rows, int columns) {
  struct __align__(16) Vec {
    T e[V];
  };
  __shared__ alignas(128) Vec vec[DEEP][ROWS];
  __shared__ uint64_t b;
  const int r = blockIdx.x * ROWS + threadIdx.x, k0 = blockIdx.y * DEEP;
  if (!threadIdx.x) {
    init_barrier(&b, 1), async_proxy_fence();
    expect_bytes_and_arrive(&b, sizeof vec);
    cp_async_bulk_tensor_3d_global_to_shared(vec, &t, 0, r, k0, &b);
  }
  __syncthreads();
  wait(&b, 0);
  if (r >= rows) return;
  for (int k = 0; k < DEEP && (k0 + k) * V < columns; ++k) {
    const Vec mine = vec[k][threadIdx.x];
    T* to = d + (size_t)(k0 + k) * V * rows + r;
    for (int j = 0; j < V; ++j, to += rows) *to = mine.e[j];
  }
}

template <typename T>
__global__ void thread_a_row(const T* s, T* d, int rows, int columns) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int c = blockIdx.y; c < columns; c += gridDim.y)
      d[(size_t)c * rows + r] = s[(size_t)r * columns + c];
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  constexpr int V = 16 / sizeof(T), ROWS = 128, DEEP = 8;
  if (rows < 1 || columns < 1) return;
  if (rows % V || columns % V) {
    thread_a_row<<<dim3((rows + 127) / 128, columns < 64 ? columns : 64), 128>>>(src, dest, rows,
                                                                                 columns);
  } else {
    const auto t = make_tensor_map<T, 3>(src, {V, rows, columns / V}, {columns * sizeof(T), 16},
                                         {V, ROWS, DEEP});
    const dim3 grid((rows + ROWS - 1) / ROWS, (columns / V + DEEP - 1) / DEEP);
    by_vectors<T, V, ROWS, DEEP><<<grid, ROWS>>>(t, dest, rows, columns);
  }
  cuda_check(cudaGetLastError());
}
