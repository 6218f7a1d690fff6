#include <cuda_bf16.h>

#include "checks/lab10-rmsnorm/bandwidth.h"
#include "judge/arrays/stream_hash.cuh"

namespace lab10 {
namespace {

using Element = __nv_bfloat16;

// x, residual and weight have seeds of their own.
constexpr std::uint64_t of_x = 0;
constexpr std::uint64_t of_residual = 1;
constexpr std::uint64_t of_weight = 2;

__device__ int drawn(std::uint64_t seed, std::uint64_t buffer, std::size_t place) {
  return judge::small_integer(place, seed + (buffer << 32));
}

__global__ void fill(Element* buffer, std::size_t count, std::uint64_t seed, std::uint64_t which) {
  const std::size_t i = judge::thread_number();
  if (i < count) buffer[i] = __int2bfloat16_rn(drawn(seed, which, i));
}

// One CTA a row. The squares are integers: their sum is exact in any order.
__global__ void check(const Element* residual, const Element* y, std::size_t columns, double eps,
                      std::uint64_t seed, judge::Mismatches* result) {
  __shared__ unsigned long long squares;
  const std::size_t begin = blockIdx.x * columns;
  const auto sum = [&](std::size_t i) {
    return drawn(seed, of_x, begin + i) + drawn(seed, of_residual, begin + i);
  };
  if (threadIdx.x == 0) squares = 0;
  __syncthreads();
  unsigned long long mine = 0;
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) mine += sum(i) * sum(i);
  atomicAdd(&squares, mine);
  __syncthreads();
  const double mean = static_cast<double>(squares) / static_cast<double>(columns);
  const double scale = 1 / sqrt(mean + static_cast<float>(eps));
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) {
    const double wanted = sum(i) * scale * drawn(seed, of_weight, i);
    const double got = __bfloat162float(y[begin + i]);
    const bool right = __bfloat162float(residual[begin + i]) == static_cast<float>(sum(i)) &&
                       fabs(got - wanted) <= fabs(wanted) * 0x1p-7;  // false for a NaN
    if (!right) judge::add_mismatch(result, begin + i);
  }
}

cudaError_t fill(void* buffer, std::size_t count, std::uint64_t seed, std::uint64_t which) {
  fill<<<judge::stream_blocks(count), judge::stream_threads>>>(static_cast<Element*>(buffer), count,
                                                               seed, which);
  return cudaGetLastError();
}

}  // namespace

cudaError_t fill_rows(judge::BandwidthCase::Set set, std::size_t rows, std::size_t columns,
                      std::uint64_t seed) {
  const std::size_t count = rows * columns;
  cudaError_t error = fill(set[0], count, seed, of_x);
  if (error == cudaSuccess) error = fill(set[1], count, seed, of_residual);
  if (error == cudaSuccess) error = fill(set[2], columns, seed, of_weight);
  if (error == cudaSuccess) error = cudaMemsetAsync(set[3], 0xFF, count * sizeof(Element));
  return error;
}

cudaError_t check_rows(judge::BandwidthCase::Set set, std::size_t rows, std::size_t columns,
                       double eps, std::uint64_t seed, judge::Mismatches* result) {
  check<<<static_cast<unsigned>(rows), judge::stream_threads>>>(static_cast<const Element*>(set[1]),
                                                                static_cast<const Element*>(set[3]),
                                                                columns, eps, seed, result);
  return cudaGetLastError();
}

}  // namespace lab10
