// lab12-matmul: products of several shapes against cublasLt, and what each step of the lab buys.
#define main self_test  // the solution brings its own
#include "lab12-matmul/lab12.cu"
#undef main

#include <cstdlib>
#include <cstring>
#include <string>

#include "bench/cublas_lt.h"
#include "bench/race.h"
#include "ladders/matmul/rungs.cuh"

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

// Random matrices of a shape on the GPU, and room for two results.
class Example {
 public:
  explicit Example(const Shape& shape) : shape(shape) {
    const std::vector<bf16> numbers_of_a = numbers(size_t{1} * shape.m * shape.k, 1);
    const std::vector<bf16> numbers_of_b = numbers(size_t{1} * shape.n * shape.k, 2);
    cuda_check(cudaMalloc(&a, shape.bytes_of_a()));
    cuda_check(cudaMalloc(&b, shape.bytes_of_b()));
    for (bf16** result : {&mine, &theirs}) cuda_check(cudaMalloc(result, shape.bytes_of_c()));
    cuda_check(cudaMemcpy(a, numbers_of_a.data(), shape.bytes_of_a(), cudaMemcpyHostToDevice));
    cuda_check(cudaMemcpy(b, numbers_of_b.data(), shape.bytes_of_b(), cudaMemcpyHostToDevice));
  }
  ~Example() {
    for (bf16* one : {a, b, mine, theirs}) cudaFree(one);
  }
  Example(const Example&) = delete;
  Example& operator=(const Example&) = delete;

  const Shape shape;
  bf16 *a, *b, *mine, *theirs;
};

// A fast wrong result is worth nothing: compares what a solution computes with what cublasLt does.
void verify(const Example& example, const bench::CublasLt& library,
            void (*launch)(int, int, int, bf16*, bf16*, bf16*)) {
  const auto [m, n, k] = example.shape;
  cuda_check(cudaMemset(example.mine, 0xFF, example.shape.bytes_of_c()));  // NaN, if never written
  unsigned* bits;
  cuda_check(cudaMalloc(&bits, sizeof *bits));
  cuda_check(cudaMemset(bits, 0, sizeof *bits));

  launch(m, n, k, example.a, example.b, example.mine);
  library.multiply(0, example.a, example.b, example.theirs);
  largest_difference<<<1024, 256>>>(example.mine, example.theirs, size_t{1} * m * n, bits);
  float difference;
  cuda_check(cudaMemcpy(&difference, bits, sizeof difference, cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(bits));
  if (difference <= 0.01f) return;  // also if it is a NaN, it is not
  std::fprintf(stderr, "bench: lab12-matmul: %s: wrong by %g\n", example.shape.name().c_str(),
               difference);
  std::exit(EXIT_FAILURE);
}

using Launch = void (*)(int m, int n, int k, bf16* a, bf16* b, bf16* c);
bench::Call runner(const Shape& shape, Launch launch) {
  return [=](bench::Buffers b) {
    launch(shape.m, shape.n, shape.k, matrix(b, 0), matrix(b, 1), matrix(b, 2));
  };
}

bench::Race race_of(const Shape& shape, double target, const char* which = "") {
  return {"lab12-matmul",
          shape.name() + which,
          {shape.bytes_of_a(), shape.bytes_of_b(), shape.bytes_of_c()},
          bench::operations(2.0 * shape.m * shape.n * shape.k),
          {{target, bench::Against::best_peer}}};
}

void add_library(bench::Race& race, bench::CublasLt& library) {
  for (int i = 0; i < library.algorithms(); ++i) {
    race.peer(i == 0 ? "cublasLt's first choice" : "cublasLt's fastest, " + std::to_string(i),
              [&library, i](bench::Buffers b) { library.multiply(i, b[0], b[1], b[2]); });
  }
}

// Of all that the library has, timed on the example: more would only heat the chip for the others.
constexpr int raced_algorithms = 8;

void race(const Shape& shape, double target) {
  bench::CublasLt library(shape.m, shape.n, shape.k);
  {
    const Example example(shape);
    library.keep_fastest(raced_algorithms, example.a, example.b, example.theirs);
    verify(example, library, launch_h100_matmul);
  }
  bench::Race race = race_of(shape, target);
  race.solution("h100_matmul", runner(shape, launch_h100_matmul));
  add_library(race, library);
  race.run();
}

struct Measured {
  ladder::Pace pace;
  int rounds, calls;
};

// The ladder: what each step of the lab buys. The rungs of one pace are raced together, so that
// those which keep the chip cool do not flatter those which heat it.
void climb() {
  const Example small({1024, 1024, 1024});
  const bench::CublasLt small_library(small.shape.m, small.shape.n, small.shape.k);
  for (const ladder::Rung& rung : ladder::RUNGS) verify(small, small_library, rung.launch);

  const Shape shape{8192, 8192, 8192};
  bench::CublasLt library(shape.m, shape.n, shape.k);
  {
    const Example example(shape);
    library.keep_fastest(raced_algorithms, example.a, example.b, example.theirs);
  }
  for (const auto [pace, rounds, calls] : {Measured{ladder::Pace::seconds, 1, 1},
                                           {ladder::Pace::tens_of_milliseconds, 7, 2},
                                           {ladder::Pace::milliseconds, 15, 8}}) {
    bench::Race race = race_of(shape, 1.00, ", step by step");
    for (const ladder::Rung& rung : ladder::RUNGS) {
      if (rung.pace == pace) race.rung(rung.name, runner(shape, rung.launch));
    }
    if (pace == ladder::Pace::milliseconds) add_library(race, library);
    race.run(rounds, calls);
  }
}

}  // namespace

// Usage: program [ladder]: only the ladder.
int main(int argc, char** argv) {
  const bool only_ladder = argc > 1 && std::strcmp(argv[1], "ladder") == 0;
  if (!only_ladder) {
    race({4096, 4096, 4096}, 1.00);
    race({8192, 8192, 8192}, 1.00);
    race({8192, 8192, 512}, 1.00);
    race({5000, 4000, 3000}, 1.00);
    race({2048, 2048, 2048}, 1.00);
  }
  climb();
}
