// A kernel that multiplies matrices, for the statistics of the tensor cores.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

constexpr int tiles = 8;  // along k

// Each warp has a tile of C.
__global__ void multiply_tiles(const half* a, const half* b, float* c) {
  constexpr int k = 16 * tiles;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(x, a + i, k);
    wmma::load_matrix_sync(y, b + i, k);
    wmma::mma_sync(sum, x, y, sum);
  }
  wmma::store_matrix_sync(c + 256 * (threadIdx.x / 32), sum, 16, wmma::mem_row_major);
}

int main() {
  half *a = nullptr, *b = nullptr;
  float* c = nullptr;
  constexpr int bytes = 16 * 16 * tiles * sizeof(half);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, 4 * 256 * sizeof(float));
  cudaMemset(a, 0, bytes);
  cudaMemset(b, 0, bytes);
  multiply_tiles<<<1, 128>>>(a, b, c);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
