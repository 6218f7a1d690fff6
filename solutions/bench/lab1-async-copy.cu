// lab1-async-copy: every tile back to front, against a plain kernel that needs no shared memory.
#define main self_test  // the solution brings its own
#include "lab1-async-copy/lab1.cu"
#undef main

#include "bench/race.h"

namespace {

__global__ void reverse_plainly(int4* dest, const int4* src) {
  const size_t begin = static_cast<size_t>(blockIdx.x) * TILE_VECTORS;
  const int4 v = src[begin + threadIdx.x];
  dest[begin + TILE_VECTORS - 1 - threadIdx.x] = {v.w, v.z, v.y, v.x};
}

constexpr size_t bytes = size_t{512} << 20;
constexpr size_t ints = bytes / sizeof(int);

bench::Call reversing(void (*launch)(int*, const int*, size_t)) {
  return [launch](bench::Buffers b) {
    launch(static_cast<int*>(b[0]), static_cast<const int*>(b[1]), ints);
  };
}

}  // namespace

int main() {
  bench::Race race("lab1-async-copy", "512 MiB, every tile back to front", {bytes, bytes},
                   bench::bytes_moved(2 * bytes), {{0.95, bench::Against::roofline}});
  race.solution("ring", reversing(launch_reverse));
  race.solution("two-stages", reversing(launch_reverse_two_stages));
  race.peer("plain kernel, 16-byte vectors", [](bench::Buffers b) {
    reverse_plainly<<<ints / TILE_INTS, TILE_VECTORS>>>(static_cast<int4*>(b[0]),
                                                        static_cast<const int4*>(b[1]));
  });
  race.run();
}
