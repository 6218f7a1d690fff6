#include "checks/lab5-tensor-ranks/bandwidth.h"
#include "judge/arrays/stream_hash.cuh"

namespace lab5 {
namespace {

constexpr float poison = -1e9F;  // no stencil of small integers

struct Cube {
  int n;
  std::uint64_t seed;

  __host__ __device__ std::size_t count() const { return static_cast<std::size_t>(n) * n * n; }

  __device__ std::size_t place(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * n + y) * n + x;
  }
  // What src holds; zero outside.
  __device__ float at(int x, int y, int z) const {
    const bool inside = x >= 0 && x < n && y >= 0 && y < n && z >= 0 && z < n;
    return inside ? static_cast<float>(judge::small_integer(place(x, y, z), seed)) : 0.0F;
  }
  __device__ float stencil(int x, int y, int z) const {
    return at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) +
           at(x, y, z + 1) - 6 * at(x, y, z);
  }
};

__global__ void fill(float* dest, float* src, Cube cube) {
  const std::size_t i = judge::thread_number();
  if (i >= cube.count()) return;
  src[i] = static_cast<float>(judge::small_integer(i, cube.seed));
  dest[i] = poison;
}

__global__ void check(const float* dest, const float* src, Cube cube, judge::Mismatches* result) {
  const std::size_t i = judge::thread_number();
  if (i >= cube.count()) return;
  const int x = static_cast<int>(i % cube.n);
  const int y = static_cast<int>(i / cube.n % cube.n);
  const int z = static_cast<int>(i / cube.n / cube.n);
  const bool is_right = src[i] == cube.at(x, y, z) && dest[i] == cube.stencil(x, y, z);
  if (!is_right) judge::add_mismatch(result, i);
}

}  // namespace

cudaError_t fill_stencil(float* dest, float* src, int n, std::uint64_t seed) {
  const Cube cube{n, seed};
  fill<<<judge::stream_blocks(cube.count()), judge::stream_threads>>>(dest, src, cube);
  return cudaGetLastError();
}

cudaError_t check_stencil(const float* dest, const float* src, int n, std::uint64_t seed,
                          judge::Mismatches* result) {
  const Cube cube{n, seed};
  check<<<judge::stream_blocks(cube.count()), judge::stream_threads>>>(dest, src, cube, result);
  return cudaGetLastError();
}

}  // namespace lab5
