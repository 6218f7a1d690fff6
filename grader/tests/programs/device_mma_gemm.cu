// A matrix product as kernels for Ampere have it: cp.async brings the next tiles while ldmatrix and
// mma.sync work on these. The numbers are small integers, so that every order of additions gives
// the same.
#include <cuda_fp16.h>

#include <cstdint>
#include <vector>

#include "runtime_test.h"

constexpr int m_total = 128, n_total = 192, k_total = 160;
constexpr int m_tile = 64, n_tile = 64, k_tile = 32;
constexpr int threads = 128;          // four warps, each with 32 x 32 of the tile
constexpr int padded_k = k_tile + 8;  // rows of 80 bytes: no bank conflicts

struct Tiles {
  half a[m_tile][padded_k];
  half b[k_tile][n_tile + 8];
};

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void copy_16_bytes(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from));
}

__device__ void fetch(Tiles& tiles, const half* a, const half* b, int row, int column, int k) {
  for (int i = threadIdx.x; i < m_tile * k_tile / 8; i += threads) {
    const int r = i / (k_tile / 8), c = i % (k_tile / 8) * 8;
    copy_16_bytes(&tiles.a[r][c], &a[(row + r) * k_total + k + c]);
  }
  for (int i = threadIdx.x; i < k_tile * n_tile / 8; i += threads) {
    const int r = i / (n_tile / 8), c = i % (n_tile / 8) * 8;
    copy_16_bytes(&tiles.b[r][c], &b[(k + r) * n_total + column + c]);
  }
  asm volatile("cp.async.commit_group;");
}

__device__ void load_a(std::uint32_t (&a)[4], const half (*rows)[padded_k], int k) {
  const int lane = threadIdx.x % 32;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(shared_address(&rows[lane % 16][k + lane / 16 * 8])));
}

__device__ void load_b(std::uint32_t (&b)[2], const half (*rows)[n_tile + 8], int column) {
  const int lane = threadIdx.x % 32;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(b[0]), "=r"(b[1])
               : "r"(shared_address(&rows[lane % 16][column])));
}

__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void __launch_bounds__(threads) gemm(const half* a, const half* b, float* c) {
  __shared__ alignas(16) Tiles stages[2];
  const int row = blockIdx.y * m_tile, column = blockIdx.x * n_tile;
  const int warp_row = threadIdx.x / 64 * 32, warp_column = threadIdx.x / 32 % 2 * 32;
  float d[2][4][4] = {};
  fetch(stages[0], a, b, row, column, 0);
  for (int k = 0, stage = 0; k < k_total; k += k_tile, stage ^= 1) {
    if (k + k_tile < k_total) {
      fetch(stages[stage ^ 1], a, b, row, column, k + k_tile);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_group 0;");
    }
    __syncthreads();
    for (int inner = 0; inner < k_tile; inner += 16) {
      std::uint32_t of_a[2][4], of_b[4][2];
      for (int i = 0; i < 2; ++i) load_a(of_a[i], &stages[stage].a[warp_row + 16 * i], inner);
      for (int j = 0; j < 4; ++j) load_b(of_b[j], &stages[stage].b[inner], warp_column + 8 * j);
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 4; ++j) multiply(d[i][j], of_a[i], of_b[j]);
      }
    }
    __syncthreads();
  }
  const int group = threadIdx.x % 32 / 4, in_group = threadIdx.x % 4;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int half = 0; half < 2; ++half) {
        const int to_row = row + warp_row + 16 * i + group + 8 * half;
        const int to_column = column + warp_column + 8 * j + 2 * in_group;
        c[to_row * n_total + to_column] = d[i][j][2 * half];
        c[to_row * n_total + to_column + 1] = d[i][j][2 * half + 1];
      }
    }
  }
}

int element(int i, int factor) {
  return (i * factor + i / 7) % 9 - 4;
}

int main() {
  std::vector<half> a(m_total * k_total), b(k_total * n_total);
  for (int i = 0; i < m_total * k_total; ++i) a[i] = __int2half_rn(element(i, 5));
  for (int i = 0; i < k_total * n_total; ++i) b[i] = __int2half_rn(element(i, 11));
  half *on_device_a = nullptr, *on_device_b = nullptr;
  float* on_device_c = nullptr;
  CHECK_OK(cudaMalloc(&on_device_a, a.size() * sizeof(half)));
  CHECK_OK(cudaMalloc(&on_device_b, b.size() * sizeof(half)));
  CHECK_OK(cudaMalloc(&on_device_c, m_total * n_total * sizeof(float)));
  CHECK_OK(cudaMemcpy(on_device_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy(on_device_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice));
  gemm<<<dim3(n_total / n_tile, m_total / m_tile), threads>>>(on_device_a, on_device_b,
                                                              on_device_c);
  CHECK_OK(cudaDeviceSynchronize());
  std::vector<float> c(m_total * n_total);
  CHECK_OK(cudaMemcpy(c.data(), on_device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int row = 0; row < m_total; ++row) {
    for (int column = 0; column < n_total; ++column) {
      int sum = 0;
      for (int k = 0; k < k_total; ++k) {
        sum += element(row * k_total + k, 5) * element(k * n_total + column, 11);
      }
      if (c[row * n_total + column] != static_cast<float>(sum)) ++wrong;
    }
  }
  CHECK(wrong == 0);
  CHECK_OK(cudaFree(on_device_a));
  CHECK_OK(cudaFree(on_device_b));
  CHECK_OK(cudaFree(on_device_c));
  return runtime_test::result();
}
