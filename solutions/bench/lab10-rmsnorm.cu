// lab10-rmsnorm: residual add and RMSNorm. The peers are torch's (lab10-rmsnorm.py) and a kernel
// that keeps the row in registers.
#define main self_test  // the solution brings its own
#include "lab10-rmsnorm/lab10.cu"
#undef main

#include <algorithm>
#include <string>

#include "bench/race.h"

namespace {

constexpr float bench_eps = 1e-5F;
constexpr size_t elements = size_t{1} << 28;  // of an array: 512 MiB

// One CTA per row, plain loads and stores, eight vectors per thread in registers.
__global__ void add_rms_norm_plainly(const Vector* x, Vector* residual, const Vector* weight,
                                     Vector* y, int vectors, float eps) {
  constexpr int vectors_per_thread = 8;
  const size_t begin = static_cast<size_t>(blockIdx.x) * vectors;
  Vector sum[vectors_per_thread];
  float squares = 0;
  for (int i = 0; i < vectors_per_thread; ++i) {
    const int at = i * blockDim.x + threadIdx.x;
    if (at >= vectors) break;
    sum[i] = residual[begin + at] + x[begin + at];
    residual[begin + at] = sum[i];
    squares += sum_of_squares(sum[i]);
  }
  const float scale = rsqrtf(cta_sum(squares) / (vectors * ELEMENTS_PER_VECTOR) + eps);
  for (int i = 0; i < vectors_per_thread; ++i) {
    const int at = i * blockDim.x + threadIdx.x;
    if (at < vectors) y[begin + at] = scaled(sum[i], scale, weight[at]);
  }
}

void race(int columns) {
  const int rows = static_cast<int>(elements / columns);
  const size_t row_bytes = columns * sizeof(bf16);
  const size_t bytes = rows * row_bytes;
  bench::Race race("lab10-rmsnorm", std::to_string(rows) + " x " + std::to_string(columns),
                   {bytes, bytes, row_bytes, bytes}, bench::bytes_moved(4 * bytes),
                   {{1.00, bench::Against::best_peer}});
  race.solution("add-rms-norm", [=](bench::Buffers b) {
    launch_add_rms_norm(static_cast<const bf16*>(b[0]), static_cast<bf16*>(b[1]),
                        static_cast<const bf16*>(b[2]), static_cast<bf16*>(b[3]), rows, columns,
                        bench_eps);
  });
  race.peer("plain kernel, the row in registers", [=](bench::Buffers b) {
    const int vectors = columns / ELEMENTS_PER_VECTOR;
    add_rms_norm_plainly<<<rows, std::max(64, vectors / 8)>>>(
        static_cast<const Vector*>(b[0]), static_cast<Vector*>(b[1]),
        static_cast<const Vector*>(b[2]), static_cast<Vector*>(b[3]), vectors, bench_eps);
  });
  race.run();
}

}  // namespace

int main() {
  for (const int columns : {1024, 2048, 4096, 5120, 8192, 16384}) race(columns);
}
