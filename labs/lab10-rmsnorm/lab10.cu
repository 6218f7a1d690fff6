// Lab 10: put it together. The normalization between the layers of a language model, at the speed
// of the memory.
//
//   rms-norm      y = x / sqrt(mean(x^2) + eps) * weight, row by row
//   add-rms-norm  residual += x, then y from the new residual: four arrays, each moved once
#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

// What one thread takes at a time: 16 bytes.
struct alignas(16) Vector {
  __nv_bfloat162 pair[4];
};
inline constexpr int ELEMENTS_PER_VECTOR = 8;

__device__ float sum_of_squares(const Vector& v) {
  float sum = 0;
  for (__nv_bfloat162 pair : v.pair) {
    const float2 f = __bfloat1622float2(pair);
    sum += f.x * f.x + f.y * f.y;
  }
  return sum;
}

__device__ Vector operator+(const Vector& a, const Vector& b) {
  Vector sum;
  for (int i = 0; i < 4; ++i) sum.pair[i] = __hadd2(a.pair[i], b.pair[i]);
  return sum;
}

// v * scale * weight, rounded once.
__device__ Vector scaled(const Vector& v, float scale, const Vector& weight) {
  Vector product;
  for (int i = 0; i < 4; ++i) {
    const float2 f = __bfloat1622float2(v.pair[i]);
    const float2 w = __bfloat1622float2(weight.pair[i]);
    product.pair[i] = __floats2bfloat162_rn(f.x * scale * w.x, f.y * scale * w.y);
  }
  return product;
}

// A CTA has one row. The numbers are measured: with two vectors a thread, fewer threads have less
// to exchange and more threads finish a row sooner in about equal parts.
inline constexpr int MIN_THREADS = 64;
inline constexpr int MAX_THREADS = 512;
inline int threads_for(int columns) {
  const int threads = columns / (2 * ELEMENTS_PER_VECTOR) / 32 * 32;
  return std::clamp(threads, MIN_THREADS, MAX_THREADS);
}

// The sum of all threads' values, for all threads of the CTA, which all call this, once.
__device__ float cta_sum(float value) {
  __shared__ float of_warp[MAX_THREADS / 32];
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFF, value, distance);
  }
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
  for (int warp = 0; warp < blockDim.x / 32; ++warp) sum += of_warp[warp];
  return sum;
}

// ---------------------------------------------------------------------------------------------
// Part rms-norm: one CTA per row. columns is a multiple of 8, from 8 to 16384.

__global__ void __launch_bounds__(MAX_THREADS)
    rms_norm(const bf16* x, const Vector* weight, bf16* y, int columns, float eps) {
  // TODO: normalize row blockIdx.x of x into the same row of y.
  //   1. Bring the row into (dynamic) shared memory with one bulk copy. Align it to 128 bytes:
  //      16 are enough, but a copy to another address takes longer.
  //   2. Sum up the squares: every thread those of its vectors, then cta_sum.
  //   3. Scale the row in place, by 1 / sqrt(mean + eps) and the weight.
  //   4. Write it to y with one bulk copy.
}

void launch_rms_norm(const bf16* x, const bf16* weight, bf16* y, int rows, int columns, float eps) {
  if (rows == 0) return;  // a grid without CTAs is an error
  const size_t row_bytes = columns * sizeof(bf16);
  rms_norm<<<rows, threads_for(columns), row_bytes>>>(x, reinterpret_cast<const Vector*>(weight), y,
                                                      columns, eps);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part add-rms-norm: one CTA per row, as before. Two rows come in, two go out.

__global__ void __launch_bounds__(MAX_THREADS)
    add_rms_norm(const bf16* x, bf16* residual, const Vector* weight, bf16* y, int columns,
                 float eps) {
  // TODO: replace row blockIdx.x of residual by its sum with the same row of x, and normalize
  //   the sum into the same row of y.
  //   * Both loads can belong to the same phase of one barrier.
  //   * What goes out can take the place of what came in.
  //   * Both stores can be in one group.
  //   * Last: give the loads a cache policy (cache-policy.cuh), and measure.
}

void launch_add_rms_norm(const bf16* x, bf16* residual, const bf16* weight, bf16* y, int rows,
                         int columns, float eps) {
  if (rows == 0) return;
  const size_t smem_bytes = 2 * columns * sizeof(bf16);
  // A kernel must opt in to more than 48 KiB of shared memory.
  cuda_check(cudaFuncSetAttribute(add_rms_norm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(smem_bytes)));
  add_rms_norm<<<rows, threads_for(columns), smem_bytes>>>(
      x, residual, reinterpret_cast<const Vector*>(weight), y, columns, eps);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// A small self-test. (`make test` runs many more cases; `make bench` measures.)

// Small numbers, different for each element; sums of two are exact.
float value_at(size_t i) {
  return static_cast<float>(static_cast<int>(i * 7 % 31) - 15) / 8;
}

bf16* device_array(const std::vector<bf16>& host) {
  bf16* device;
  cuda_check(cudaMalloc(&device, host.size() * sizeof(bf16)));
  cuda_check(cudaMemcpy(device, host.data(), host.size() * sizeof(bf16), cudaMemcpyHostToDevice));
  return device;
}

std::vector<bf16> host_array(bf16* device, size_t count) {
  std::vector<bf16> host(count);
  cuda_check(cudaMemcpy(host.data(), device, count * sizeof(bf16), cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(device));
  return host;
}

// Whether y is what `sums` is after normalization with weights of 1, up to a rounding of bfloat16.
bool is_normalized(const char* part, const std::vector<float>& sums, const std::vector<bf16>& y,
                   int rows, int columns, float eps) {
  for (int row = 0; row < rows; ++row) {
    const size_t begin = static_cast<size_t>(row) * columns;
    double squares = 0;
    for (int i = 0; i < columns; ++i) squares += sums[begin + i] * sums[begin + i];
    for (int i = 0; i < columns; ++i) {
      const double expected = sums[begin + i] / std::sqrt(squares / columns + eps);
      const float got = __bfloat162float(y[begin + i]);
      if (!(std::fabs(got - expected) <= std::fabs(expected) / 128)) {
        std::printf("%-12s  y[%d][%d] is %g, expected %g\n", part, row, i, got, expected);
        return false;
      }
    }
  }
  std::printf("%-12s  %d x %d: every row is normalized\n", part, rows, columns);
  return true;
}

bool normalizes(int rows, int columns) {
  constexpr float EPS = 1e-5F;
  const size_t count = static_cast<size_t>(rows) * columns;
  std::vector<float> values(count);
  std::vector<float> sums(count);
  std::vector<bf16> x(count);
  std::vector<bf16> residual(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = value_at(i);
    sums[i] = value_at(i) + value_at(i / 3);
    x[i] = __float2bfloat16(value_at(i));
    residual[i] = __float2bfloat16(value_at(i / 3));
  }
  const std::vector<bf16> ones(columns, __float2bfloat16(1.0F));
  bf16* d_x = device_array(x);
  bf16* d_residual = device_array(residual);
  bf16* d_weight = device_array(ones);
  bf16* d_y = device_array(std::vector<bf16>(count));
  bf16* d_y_of_sum = device_array(std::vector<bf16>(count));

  launch_rms_norm(d_x, d_weight, d_y, rows, columns, EPS);
  launch_add_rms_norm(d_x, d_residual, d_weight, d_y_of_sum, rows, columns, EPS);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaFree(d_x));
  cuda_check(cudaFree(d_weight));

  bool right = is_normalized("rms-norm", values, host_array(d_y, count), rows, columns, EPS);
  const std::vector<bf16> sum = host_array(d_residual, count);
  for (size_t i = 0; i < count; ++i) {
    if (__bfloat162float(sum[i]) == sums[i]) continue;
    std::printf("add-rms-norm  residual[%zu][%zu] is %g, expected %g\n", i / columns, i % columns,
                __bfloat162float(sum[i]), sums[i]);
    cuda_check(cudaFree(d_y_of_sum));
    return false;
  }
  return is_normalized("add-rms-norm", sums, host_array(d_y_of_sum, count), rows, columns, EPS) &&
         right;
}

int main() {
  bool right = normalizes(4, 1024);
  right &= normalizes(3, 5000);
  return right ? 0 : 1;
}
