// lab3-bulk-copy: adding one in place, against the plain kernel that anybody would write.
#define main self_test  // the solution brings its own
#include "lab3-bulk-copy/lab3.cu"
#undef main

#include "bench/race.h"

namespace {

__global__ void add_one_plainly(int4* data, size_t vectors) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= vectors) return;
  const int4 v = data[i];
  data[i] = {v.x + 1, v.y + 1, v.z + 1, v.w + 1};
}

constexpr size_t bytes = size_t{512} << 20;
constexpr size_t array_ints = bytes / sizeof(int);

int* ints(bench::Buffers buffers) {
  return static_cast<int*>(buffers[0]);
}

}  // namespace

int main() {
  bench::Race race("lab3-bulk-copy", "add one to 512 MiB in place", {bytes},
                   bench::bytes_moved(2 * bytes), {{0.97, bench::Against::roofline}});
  race.solution("pipeline", [](bench::Buffers b) { launch_add_one_pipeline(ints(b), array_ints); });
  race.solution("any-length", [](bench::Buffers b) { launch_add_one(ints(b), array_ints); });
  race.peer("plain kernel, 16-byte vectors", [](bench::Buffers b) {
    constexpr size_t vectors = bytes / sizeof(int4);
    add_one_plainly<<<vectors / 256, 256>>>(reinterpret_cast<int4*>(ints(b)), vectors);
  });
  race.run();
}
