// lab8-swizzle: transposes, against cuBLAS and the textbook's kernel.
#include <cublas_v2.h>
#define main self_test  // the solution brings its own
#include "lab8-swizzle/lab8.cu"
#undef main

#include <cstdlib>
#include <string>

#include "bench/race.h"

namespace {

// A tile of 32 x 32, padded by one column; a thread an element.
template <typename T>
__global__ void transpose_textbook(const T* src, T* dest, int rows, int columns) {
  __shared__ T tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (row + i >= rows || column >= columns) continue;
    tile[threadIdx.y + i][threadIdx.x] = src[static_cast<size_t>(row + i) * columns + column];
  }
  __syncthreads();
  row = blockIdx.y * 32 + threadIdx.x;
  column = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (row >= rows || column + i >= columns) continue;
    dest[static_cast<size_t>(column + i) * rows + row] = tile[threadIdx.x][threadIdx.y + i];
  }
}

// dest = 1 * src^T + 0 * dest, with src a row-major matrix, which cuBLAS calls a column-major one
// of `columns` rows. There is no such function for bfloat16.
void transpose_cublas(const float* src, float* dest, int rows, int columns) {
  static cublasHandle_t handle = [] {
    cublasHandle_t made;
    if (cublasCreate(&made) != CUBLAS_STATUS_SUCCESS) std::exit(EXIT_FAILURE);
    return made;
  }();
  const float one = 1;
  const float zero = 0;
  if (cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, src, columns, &zero, dest,
                  rows, dest, rows) != CUBLAS_STATUS_SUCCESS) {
    std::exit(EXIT_FAILURE);
  }
}

template <typename T>
void race(const char* type, int rows, int columns, double fraction) {
  const size_t bytes = static_cast<size_t>(rows) * columns * sizeof(T);
  const std::string shape = std::to_string(rows) + " x " + std::to_string(columns);
  const auto src = [](bench::Buffers b) { return static_cast<const T*>(b[0]); };
  const auto dest = [](bench::Buffers b) { return static_cast<T*>(b[1]); };
  bench::Race race("lab8-swizzle", std::string("transpose ") + type + " " + shape, {bytes, bytes},
                   bench::bytes_moved(2 * bytes), {{fraction, bench::Against::roofline}});
  race.solution("transpose",
                [=](bench::Buffers b) { launch_transpose(src(b), dest(b), rows, columns); });
  race.peer("the textbook's 32 x 33 tile", [=](bench::Buffers b) {
    const dim3 grid((columns + 31) / 32, (rows + 31) / 32);
    transpose_textbook<<<grid, dim3(32, 8)>>>(src(b), dest(b), rows, columns);
  });
  if constexpr (sizeof(T) == sizeof(float)) {
    race.peer("cublasSgeam",
              [=](bench::Buffers b) { transpose_cublas(src(b), dest(b), rows, columns); });
  }
  race.run();
}

}  // namespace

int main() {
  race<float>("float", 16384, 16384, 0.95);
  race<float>("float", 32768, 32768, 0.95);
  race<float>("float", 8191, 12345, 0.95);
  race<bf16>("bf16", 16384, 16384, 0.95);
  race<bf16>("bf16", 32768, 32768, 0.95);
  race<bf16>("bf16", 8191, 12345, 0.93);
}
