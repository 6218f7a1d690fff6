// lab7-warp-scheduler: y = a * x + y, against the plain kernel that anybody would write.
#define main self_test  // the solution brings its own
#include "lab7-warp-scheduler/lab7.cu"
#undef main

#include "bench/race.h"

namespace {

__global__ void axpy_plainly(float a, const float4* x, float4* y, size_t vectors) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= vectors) return;
  const float4 u = x[i], v = y[i];
  y[i] = {a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w};
}

constexpr size_t bytes = size_t{512} << 20;
constexpr size_t floats = bytes / sizeof(float);

}  // namespace

int main() {
  bench::Race race("lab7-warp-scheduler", "y = a x + y, 512 MiB each", {bytes, bytes},
                   bench::bytes_moved(3 * bytes), {{0.97, bench::Against::roofline}});
  race.solution("axpy", [](bench::Buffers b) {
    launch_axpy(0.5F, static_cast<const float*>(b[0]), static_cast<float*>(b[1]), floats);
  });
  race.peer("plain kernel, 16-byte vectors", [](bench::Buffers b) {
    constexpr size_t vectors = floats / 4;
    axpy_plainly<<<vectors / 256, 256>>>(0.5F, static_cast<const float4*>(b[0]),
                                         static_cast<float4*>(b[1]), vectors);
  });
  race.run();

  bench::Race copy("lab7-warp-scheduler", "copy 512 MiB", {bytes, bytes},
                   bench::bytes_moved(2 * bytes), {{0.95, bench::Against::roofline}});
  copy.solution("pipeline", [](bench::Buffers b) {
    launch_multiwarp_pipeline(static_cast<bf16*>(b[0]), static_cast<bf16*>(b[1]),
                              bytes / sizeof(bf16));
  });
  copy.run();
}
