#include "checks/lab7-warp-scheduler/bandwidth.h"
#include "judge/arrays/stream_hash.cuh"

namespace lab7 {
namespace {

__device__ float x_at(std::size_t place, std::uint64_t seed) {
  return static_cast<float>(judge::small_integer(place, seed));
}

__device__ float y_at(std::size_t place, std::uint64_t seed) {
  return static_cast<float>(judge::small_integer(place, ~seed));
}

__global__ void fill(float* x, float* y, std::size_t count, std::uint64_t seed) {
  const std::size_t i = judge::thread_number();
  if (i >= count) return;
  x[i] = x_at(i, seed);
  y[i] = y_at(i, seed);
}

__global__ void check(const float* x, const float* y, std::size_t count, float a,
                      std::uint64_t seed, judge::Mismatches* result) {
  const std::size_t i = judge::thread_number();
  if (i >= count) return;
  const bool is_right = x[i] == x_at(i, seed) && y[i] == a * x_at(i, seed) + y_at(i, seed);
  if (!is_right) judge::add_mismatch(result, i);
}

}  // namespace

cudaError_t fill_axpy(float* x, float* y, std::size_t count, std::uint64_t seed) {
  fill<<<judge::stream_blocks(count), judge::stream_threads>>>(x, y, count, seed);
  return cudaGetLastError();
}

cudaError_t check_axpy(const float* x, const float* y, std::size_t count, float a,
                       std::uint64_t seed, judge::Mismatches* result) {
  check<<<judge::stream_blocks(count), judge::stream_threads>>>(x, y, count, a, seed, result);
  return cudaGetLastError();
}

}  // namespace lab7
