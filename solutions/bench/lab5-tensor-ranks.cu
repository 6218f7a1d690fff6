// lab5-tensor-ranks: the seven-point stencil, against kernels without shared memory.
#define main self_test  // the solution brings its own
#include "lab5-tensor-ranks/lab5.cu"
#undef main

#include "bench/race.h"

namespace {

// One thread per element: what anybody writes first.
__global__ void stencil_by_element(float* dest, const float* src, int n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t plane = static_cast<size_t>(n) * n;
  const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n);
  const int z = static_cast<int>(i / plane);
  float sum = -6 * src[i];
  if (x > 0) sum += src[i - 1];
  if (x + 1 < n) sum += src[i + 1];
  if (y > 0) sum += src[i - n];
  if (y + 1 < n) sum += src[i + n];
  if (z > 0) sum += src[i - plane];
  if (z + 1 < n) sum += src[i + plane];
  dest[i] = sum;
}

// One thread four elements, with 16-byte loads and stores: the caches keep the planes.
__global__ void stencil_by_vector(float* dest, const float* src, int n) {
  const size_t i = (static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x) * 4;
  const size_t plane = static_cast<size_t>(n) * n;
  const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n);
  const int z = static_cast<int>(i / plane);
  auto at = [&](bool is_inside, size_t j) {
    return is_inside ? *reinterpret_cast<const float4*>(src + j) : float4{};
  };
  const float4 here = at(true, i);
  const float4 front = at(y > 0, i - n), back = at(y + 1 < n, i + n);
  const float4 below = at(z > 0, i - plane), above = at(z + 1 < n, i + plane);
  const float left = x > 0 ? src[i - 1] : 0, right = x + 4 < n ? src[i + 4] : 0;
  *reinterpret_cast<float4*>(dest + i) = {
      left + here.y + front.x + back.x + below.x + above.x - 6 * here.x,
      here.x + here.z + front.y + back.y + below.y + above.y - 6 * here.y,
      here.y + here.w + front.z + back.z + below.z + above.z - 6 * here.z,
      here.z + right + front.w + back.w + below.w + above.w - 6 * here.w,
  };
}

constexpr int side = 512;
constexpr size_t floats = static_cast<size_t>(side) * side * side;
constexpr size_t bytes = floats * sizeof(float);
constexpr unsigned threads = 256;

}  // namespace

int main() {
  bench::Race race("lab5-tensor-ranks", "stencil, 512 x 512 x 512", {bytes, bytes},
                   bench::bytes_moved(2 * bytes),
                   {{0.90, bench::Against::roofline}, {1.05, bench::Against::best_peer}});
  const auto dest = [](bench::Buffers b) { return static_cast<float*>(b[0]); };
  const auto src = [](bench::Buffers b) { return static_cast<const float*>(b[1]); };
  race.solution("stencil",
                [=](bench::Buffers b) { launch_stencil(dest(b), src(b), side, side, side); });
  race.peer("plain kernel, 16-byte vectors", [=](bench::Buffers b) {
    stencil_by_vector<<<floats / 4 / threads, threads>>>(dest(b), src(b), side);
  });
  race.peer("plain kernel, one element per thread", [=](bench::Buffers b) {
    stencil_by_element<<<floats / threads, threads>>>(dest(b), src(b), side);
  });
  race.run();
}
