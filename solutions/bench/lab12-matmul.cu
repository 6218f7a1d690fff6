// lab12-matmul: products of several shapes against cublasLt, and what each step of the lab buys.
#define main self_test  // the solution brings its own
#include "lab12-matmul/lab12.cu"
#undef main

#include <cstdlib>
#include <string>

#include "bench/cublas_lt.h"
#include "bench/matmul_ladder.cuh"
#include "bench/race.h"

namespace {

struct Shape {
  int m, n, k;

  size_t bytes_of_a() const { return sizeof(bf16) * m * k; }
  size_t bytes_of_b() const { return sizeof(bf16) * n * k; }
  size_t bytes_of_c() const { return sizeof(bf16) * m * n; }
  std::string name() const {
    return std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k);
  }
};

bf16* matrix(bench::Buffers buffers, int which) {
  return static_cast<bf16*>(buffers[which]);
}

// The largest difference between two results, as a fraction of 1 + the second one's absolute value.
__global__ void largest_difference(const bf16* mine, const bf16* theirs, size_t count,
                                   unsigned* bits) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count;
       i += size_t{gridDim.x} * blockDim.x) {
    const float x = __bfloat162float(mine[i]);
    const float y = __bfloat162float(theirs[i]);
    atomicMax(bits, __float_as_uint(fabsf(x - y) / (1 + fabsf(y))));  // a NaN is the largest
  }
}

// A fast wrong result is worth nothing: compares what a solution computes with what cublasLt does.
// On the same matrices the library's algorithms are timed, and the fastest eight of them kept.
void verify(const Shape& shape, bench::CublasLt& library,
            void (*launch)(int, int, int, bf16*, bf16*, bf16*)) {
  std::vector<bf16> a = numbers(size_t{1} * shape.m * shape.k, 1);
  std::vector<bf16> b = numbers(size_t{1} * shape.n * shape.k, 2);
  bf16* on_gpu[4];
  const size_t bytes[] = {shape.bytes_of_a(), shape.bytes_of_b(), shape.bytes_of_c(),
                          shape.bytes_of_c()};
  for (int i = 0; i < 4; ++i) cuda_check(cudaMalloc(&on_gpu[i], bytes[i]));
  cuda_check(cudaMemcpy(on_gpu[0], a.data(), bytes[0], cudaMemcpyHostToDevice));
  cuda_check(cudaMemcpy(on_gpu[1], b.data(), bytes[1], cudaMemcpyHostToDevice));
  cuda_check(cudaMemset(on_gpu[2], 0xFF, bytes[2]));  // NaN, should nobody write it
  unsigned* bits;
  cuda_check(cudaMalloc(&bits, sizeof *bits));
  cuda_check(cudaMemset(bits, 0, sizeof *bits));

  launch(shape.m, shape.n, shape.k, on_gpu[0], on_gpu[1], on_gpu[2]);
  library.keep_fastest(8, on_gpu[0], on_gpu[1], on_gpu[3]);
  library.multiply(0, on_gpu[0], on_gpu[1], on_gpu[3]);
  largest_difference<<<1024, 256>>>(on_gpu[2], on_gpu[3], size_t{1} * shape.m * shape.n, bits);
  float difference;
  cuda_check(cudaMemcpy(&difference, bits, sizeof difference, cudaMemcpyDeviceToHost));
  for (bf16* one : on_gpu) cuda_check(cudaFree(one));
  cuda_check(cudaFree(bits));
  if (difference <= 0.01f) return;  // also if it is a NaN, it is not
  std::fprintf(stderr, "bench: lab12-matmul: %s: wrong by %g\n", shape.name().c_str(), difference);
  std::exit(EXIT_FAILURE);
}

// Steps of the way are raced where their tiles fit and the slowest takes no minutes.
void race(const Shape& shape, double target, bool with_ladder) {
  bench::CublasLt library(shape.m, shape.n, shape.k);
  verify(shape, library, launch_h100_matmul);
  bench::Race race(
      "lab12-matmul", shape.name(), {shape.bytes_of_a(), shape.bytes_of_b(), shape.bytes_of_c()},
      bench::operations(2.0 * shape.m * shape.n * shape.k), {{target, bench::Against::best_peer}});
  const auto runner = [=](auto launch) {
    return [=](bench::Buffers b) {
      launch(shape.m, shape.n, shape.k, matrix(b, 0), matrix(b, 1), matrix(b, 2));
    };
  };
  race.solution("h100_matmul", runner(launch_h100_matmul));
  if (with_ladder) {
    race.solution("specialized_matmul", runner(launch_specialized_matmul));
    race.solution("ring_matmul", runner(launch_ring_matmul));
    race.peer("mma.sync, from the caches", runner(bench::launch_matmul_mma_sync));
    race.peer("a thread an element", runner(bench::launch_matmul_naive));
  }
  for (int i = 0; i < library.algorithms(); ++i) {
    race.peer(i == 0 ? "cublasLt's first choice" : "cublasLt's fastest, " + std::to_string(i),
              [&library, i](bench::Buffers b) { library.multiply(i, b[0], b[1], b[2]); });
  }
  race.run();
}

}  // namespace

int main() {
  race({4096, 4096, 4096}, 1.00, true);
  race({8192, 8192, 8192}, 1.00, false);
  race({8192, 8192, 512}, 1.00, false);
  race({5000, 4000, 3000}, 1.00, false);
  race({2048, 2048, 2048}, 1.00, false);
}
