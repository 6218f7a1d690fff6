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

constexpr int kRows = 8192;
constexpr int kColumns = 16384;
constexpr size_t kRowBytes = kColumns * sizeof(int);
constexpr size_t kBytes = kRows * kRowBytes;

}  // namespace

int main() {
  bench::Race race("lab9-clusters", "a row of 64 KiB into 8192 rows", {kBytes, kRowBytes},
                   kBytes + kRowBytes, {0.90, bench::Against::kBestPeer});
  race.solution("row-broadcast", [](bench::Buffers b) {
    launch_row_broadcast(static_cast<int*>(b[0]), static_cast<const int*>(b[1]), kRows, kColumns);
  });
  race.peer("plain kernel, 16-byte vectors", [](bench::Buffers b) {
    constexpr size_t vectors = kBytes / sizeof(int4);
    broadcast_plainly<<<vectors / 256, 256>>>(static_cast<int4*>(b[0]),
                                              static_cast<const int4*>(b[1]), vectors,
                                              kColumns * sizeof(int) / sizeof(int4));
  });
  race.peer("cudaMemsetAsync, one value everywhere",
            [](bench::Buffers b) { cuda_check(cudaMemsetAsync(b[0], 1, kBytes)); });
  race.run();
}
