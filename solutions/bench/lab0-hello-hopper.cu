// lab0-hello-hopper: the two ordinary copies, against cudaMemcpyAsync.
#define main self_test  // the solution brings its own
#include "lab0-hello-hopper/lab0.cu"
#undef main

#include "bench/race.h"

namespace {

constexpr size_t bytes = size_t{512} << 20;
constexpr size_t floats = bytes / sizeof(float);

bench::Call copying(Launch launch) {
  return [launch](bench::Buffers b) {
    launch(static_cast<float*>(b[0]), static_cast<const float*>(b[1]), floats);
  };
}

}  // namespace

int main() {
  bench::Race race("lab0-hello-hopper", "copy 512 MiB", {bytes, bytes},
                   bench::bytes_moved(2 * bytes), {{0.97, bench::Against::roofline}});
  race.solution("vector-copy", copying(launch_vector_copy));
  race.solution("copy", copying(launch_copy));
  race.peer("cudaMemcpyAsync", copying(memcpy_async));
  race.run();
}
