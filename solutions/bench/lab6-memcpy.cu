// lab6-memcpy: the copy, against everybody's.
#define main self_test  // the solution brings its own
#include "lab6-memcpy/lab6.cu"
#undef main

#include <cub/device/device_transform.cuh>

#include "bench/race.h"
#include "judge/arrays/stream_kernels.h"

namespace {

constexpr size_t bytes = size_t{512} << 20;

struct Identity {
  __device__ float operator()(float value) const { return value; }
};

}  // namespace

int main() {
  bench::Race race("lab6-memcpy", "copy 512 MiB", {bytes, bytes}, bench::bytes_moved(2 * bytes),
                   {{1.00, bench::Against::best_peer}});
  race.solution("tma_copy", [](bench::Buffers b) {
    launch_tma_copy(static_cast<bf16*>(b[0]), static_cast<bf16*>(b[1]), bytes / sizeof(bf16));
  });
  race.solution("tma_memcpy", [](bench::Buffers b) { launch_tma_memcpy(b[0], b[1], bytes); });
  race.peer("cudaMemcpyAsync", [](bench::Buffers b) {
    cuda_check(cudaMemcpyAsync(b[0], b[1], bytes, cudaMemcpyDeviceToDevice));
  });
  race.peer("plain kernel, a 16-byte vector a thread",
            [](bench::Buffers b) { cuda_check(judge::copy_vectors(b[0], b[1], bytes)); });
  race.peer("cub::DeviceTransform", [](bench::Buffers b) {
    cuda_check(cub::DeviceTransform::Transform(static_cast<const float*>(b[1]),
                                               static_cast<float*>(b[0]), bytes / sizeof(float),
                                               Identity{}));
  });
  race.run();
}
