// lab9-clusters: a row into every row of a matrix, against the plain kernel and a fill.
#define main self_test  // the solution brings its own
#include "lab9-clusters/lab9.cu"
#undef main

#include "bench/race.h"

namespace {

__global__ void broadcast_plainly(int4* dest, const int4* row, size_t vectors, int row_vectors) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < vectors) dest[i] = row[i % row_vectors];
}

constexpr int rows = 8192;
constexpr int columns = 16384;
constexpr size_t row_bytes = columns * sizeof(int);
constexpr size_t bytes = rows * row_bytes;

}  // namespace

int main() {
  bench::Race race("lab9-clusters", "a row of 64 KiB into 8192 rows", {bytes, row_bytes},
                   bench::bytes_moved(bytes + row_bytes), {{0.97, bench::Against::best_peer}});
  race.solution("row-broadcast", [](bench::Buffers b) {
    launch_row_broadcast(static_cast<int*>(b[0]), static_cast<const int*>(b[1]), rows, columns);
  });
  race.peer("plain kernel, 16-byte vectors", [](bench::Buffers b) {
    constexpr size_t vectors = bytes / sizeof(int4);
    broadcast_plainly<<<vectors / 256, 256>>>(static_cast<int4*>(b[0]),
                                              static_cast<const int4*>(b[1]), vectors,
                                              columns * sizeof(int) / sizeof(int4));
  });
  race.peer("cudaMemsetAsync, one value everywhere",
            [](bench::Buffers b) { cuda_check(cudaMemsetAsync(b[0], 1, bytes)); });
  race.run();
}
