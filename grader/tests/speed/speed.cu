// What `make bench-emulator` times: kernels of known cost, each launched several times.
//
//     tmaemu speed CASE RUNS      prints the run that took the least time, as JSON
//
// Results are checked: a fast emulator that is wrong is of no use.
#include <cuda_fp16.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "timing.h"
#include "tma-interface.cuh"

namespace {

using timing::check;
using timing::fail;
using timing::now;

// How many instructions threads have executed in this process; the emulator counts them.
std::uint64_t thread_instructions() {
  using Counter = std::uint64_t (*)();
  static const auto count =
      reinterpret_cast<Counter>(dlsym(RTLD_DEFAULT, "tmaemu_thread_instructions"));
  if (count == nullptr) fail("run this program with tmaemu");
  return count();
}

struct Measurement {
  double seconds = 1e30;
  double cpu_seconds = 1e30;
  std::uint64_t instructions = 0;
};

// The least time of several runs: what the others took longer is the machine's doing.
template <class Launch>
Measurement best_of(int runs, Launch launch) {
  Measurement best;
  for (int run = 0; run < runs; ++run) {
    const std::uint64_t instructions = thread_instructions();
    const double cpu_seconds = now(CLOCK_PROCESS_CPUTIME_ID);
    const double seconds = now(CLOCK_MONOTONIC);
    launch();
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    best.seconds = std::min(best.seconds, now(CLOCK_MONOTONIC) - seconds);
    best.cpu_seconds = std::min(best.cpu_seconds, now(CLOCK_PROCESS_CPUTIME_ID) - cpu_seconds);
    best.instructions = thread_instructions() - instructions;
  }
  return best;
}

void print(const Measurement& best, std::size_t bytes_moved, std::size_t products = 0) {
  std::printf(
      "{\"seconds\": %.6f, \"cpu_seconds\": %.6f, \"instructions\": %llu, \"bytes\": %zu, "
      "\"products\": %zu}\n",
      best.seconds, best.cpu_seconds, static_cast<unsigned long long>(best.instructions),
      bytes_moved, products);
}

// --- A loop of multiply-adds.

constexpr int fma_threads = 256;
constexpr int fma_turns = 512;
constexpr int fma_chains = 8;

__global__ void multiply_add(float* out, float factor) {
  float sums[fma_chains];
  for (int chain = 0; chain < fma_chains; ++chain) sums[chain] = static_cast<float>(chain);
  for (int turn = 0; turn < fma_turns; ++turn) {
#pragma unroll
    for (int chain = 0; chain < fma_chains; ++chain) {
      sums[chain] = fmaf(sums[chain], factor, 1.0f);
    }
  }
  float total = 0;
  for (int chain = 0; chain < fma_chains; ++chain) total += sums[chain];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

void run_fma(int runs, int ctas) {
  const int threads = ctas * fma_threads;
  float* out = nullptr;
  check(cudaMalloc(&out, threads * sizeof(float)));
  print(best_of(runs, [&] { multiply_add<<<ctas, fma_threads>>>(out, 0.5f); }), 0);
  std::vector<float> totals(threads);
  check(cudaMemcpy(totals.data(), out, threads * sizeof(float), cudaMemcpyDeviceToHost));
  // Every chain converges to 2.
  for (const float total : totals) {
    if (total != 2.0f * fma_chains) fail("the sums are wrong");
  }
}

// --- Products of tensor cores.

constexpr int mma_threads = 128;
constexpr int mma_turns = 256;
constexpr int mma_chains = 4;
constexpr std::size_t products_of_mma = 16 * 8 * 16;

// Each element of A and B is 1, but B changes from turn to turn, as it does where a kernel loads
// it.
__global__ void multiply_matrices(float* out) {
  float sums[mma_chains][4] = {};
  const unsigned ones = 0x3c003c00;
  for (int turn = 0; turn < mma_turns; ++turn) {
    const unsigned b = turn % 2 == 0 ? ones : 0xbc00bc00;
#pragma unroll
    for (auto& sum : sums) {
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
          "{%5, %5}, {%0, %1, %2, %3};"
          : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
          : "r"(ones), "r"(b));
    }
  }
  float total = 1;
  for (const auto& sum : sums) total += sum[0] + sum[1] + sum[2] + sum[3];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

void run_mma(int runs, int ctas) {
  const int threads = ctas * mma_threads;
  float* out = nullptr;
  check(cudaMalloc(&out, threads * sizeof(float)));
  const Measurement best = best_of(runs, [&] { multiply_matrices<<<ctas, mma_threads>>>(out); });
  print(best, 0, products_of_mma * mma_chains * mma_turns * threads / 32);
  std::vector<float> totals(threads);
  check(cudaMemcpy(totals.data(), out, threads * sizeof(float), cudaMemcpyDeviceToHost));
  // What one turn adds the next one takes away.
  for (const float total : totals) {
    if (total != 1) fail("the products are wrong");
  }
}

// --- Copies: a vector of 16 bytes a thread, and tiles by the TMA engine.

__global__ void copy_vectors(uint4* out, const uint4* in, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i];
}

// One thread a CTA copies every gridDim.x-th tile.
template <int tile_bytes>
__global__ void copy_tiles(std::byte* out, const std::byte* in, std::size_t tiles) {
  __shared__ alignas(16) std::byte tile[tile_bytes];
  __shared__ std::uint64_t loaded;
  init_barrier(&loaded, 1);
  async_proxy_fence();
  int parity = 0;
  for (std::size_t i = blockIdx.x; i < tiles; i += gridDim.x) {
    expect_bytes_and_arrive(&loaded, tile_bytes);
    cp_async_bulk_global_to_shared(tile, in + i * tile_bytes, tile_bytes, &loaded);
    wait(&loaded, parity);
    parity ^= 1;
    cp_async_bulk_shared_to_global(out + i * tile_bytes, tile, tile_bytes);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
}

template <class Launch>
void run_copy(int runs, std::size_t bytes, Launch launch) {
  std::byte* in = nullptr;
  std::byte* out = nullptr;
  check(cudaMalloc(&in, bytes));
  check(cudaMalloc(&out, bytes));
  constexpr std::size_t period = 1 << 20;
  std::vector<std::uint32_t> pattern(period / sizeof(std::uint32_t));
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    pattern[i] = static_cast<std::uint32_t>(i * 2654435761u);
  }
  for (std::size_t at = 0; at < bytes; at += period) {
    check(
        cudaMemcpy(in + at, pattern.data(), std::min(period, bytes - at), cudaMemcpyHostToDevice));
  }
  print(best_of(runs, [&] { launch(out, in, bytes); }), 2 * bytes);
  std::vector<std::uint32_t> copied(pattern.size());
  for (std::size_t at = 0; at < bytes; at += period) {
    const std::size_t count = std::min(period, bytes - at);
    check(cudaMemcpy(copied.data(), out + at, count, cudaMemcpyDeviceToHost));
    if (!std::equal(copied.begin(), copied.begin() + static_cast<std::ptrdiff_t>(count / 4),
                    pattern.begin())) {
      fail("the copy is wrong");
    }
  }
}

void launch_vectors(std::byte* out, const std::byte* in, std::size_t bytes) {
  constexpr int threads = 256;
  const std::size_t count = bytes / sizeof(uint4);
  copy_vectors<<<static_cast<unsigned>((count + threads - 1) / threads), threads>>>(
      reinterpret_cast<uint4*>(out), reinterpret_cast<const uint4*>(in), count);
}

template <int tile_bytes>
void launch_tiles(std::byte* out, const std::byte* in, std::size_t bytes) {
  constexpr unsigned ctas = 132 * 8;
  copy_tiles<tile_bytes><<<ctas, 1>>>(out, in, bytes / tile_bytes);
}

// --- A transpose through shared memory, of 32 by 32 floats a CTA.

constexpr int side = 1024;
constexpr int tile_side = 32;
constexpr int tile_rows = 8;  // of threads

__global__ void transpose(float* out, const float* in) {
  __shared__ float tile[tile_side][tile_side + 1];
  const int x = blockIdx.x * tile_side + threadIdx.x;
  const int y = blockIdx.y * tile_side + threadIdx.y;
  for (int row = 0; row < tile_side; row += tile_rows) {
    tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * side + x];
  }
  __syncthreads();
  const int new_x = blockIdx.y * tile_side + threadIdx.x;
  const int new_y = blockIdx.x * tile_side + threadIdx.y;
  for (int row = 0; row < tile_side; row += tile_rows) {
    out[(new_y + row) * side + new_x] = tile[threadIdx.x][threadIdx.y + row];
  }
}

void run_transpose(int runs) {
  constexpr std::size_t count = std::size_t{side} * side;
  float* in = nullptr;
  float* out = nullptr;
  check(cudaMalloc(&in, count * sizeof(float)));
  check(cudaMalloc(&out, count * sizeof(float)));
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i);
  check(cudaMemcpy(in, numbers.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  const dim3 grid(side / tile_side, side / tile_side);
  const Measurement best =
      best_of(runs, [&] { transpose<<<grid, dim3(tile_side, tile_rows)>>>(out, in); });
  print(best, 2 * count * sizeof(float));
  check(cudaMemcpy(numbers.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < count; ++i) {
    if (numbers[i] != static_cast<float>(i % side * side + i / side)) fail("no transpose");
  }
}

// --- What students write first: one lane, lanes that part, words, a reduction, and the reference
// that a product is compared with. Of the checker they ask the most.

constexpr int plain_threads = 256;

__global__ void count_alone(unsigned* out, unsigned turns) {
  if (threadIdx.x != 0) return;
  unsigned number = 1, sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < turns; ++i) {
    number = number * 1664525 + 1013904223;
    sum += number >> 31;
  }
  *out = sum;
}

__global__ void collatz(unsigned* out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned steps = 0;
  for (std::uint64_t number = thread + 1; number != 1; ++steps) {
    number = number % 2 == 0 ? number / 2 : 3 * number + 1;
  }
  out[thread] = steps;
}

__global__ void copy_words(unsigned* out, const unsigned* in, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) out[i] = in[i];
}

__global__ void add_up(unsigned* out, const unsigned* in) {
  __shared__ unsigned sums[plain_threads];
  sums[threadIdx.x] = in[blockIdx.x * plain_threads + threadIdx.x];
  __syncthreads();
#pragma unroll 1
  for (unsigned half = plain_threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

// Each thread reads a row and a column of elements that nobody writes.
__global__ void multiply_plainly(float* c, const __half* a, const __half* b, int size) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < size; ++k) {
    sum += __half2float(a[row * size + k]) * __half2float(b[k * size + column]);
  }
  c[row * size + column] = sum;
}

// Of arrays of ones; `expected`: of each element of the result, as far as it is known.
template <class In, class Out, class Launch>
void run_plain(int runs, std::size_t count, std::size_t results, const In& one, Launch launch,
               const Out* expected = nullptr) {
  In* in = nullptr;
  Out* out = nullptr;
  check(cudaMalloc(&in, count * sizeof(In)));
  check(cudaMalloc(&out, results * sizeof(Out)));
  check(cudaMemcpy(in, std::vector<In>(count, one).data(), count * sizeof(In), cudaMemcpyDefault));
  print(best_of(runs, [&] { launch(out, in); }), 0);
  std::vector<Out> found(results);
  check(cudaMemcpy(found.data(), out, results * sizeof(Out), cudaMemcpyDefault));
  const auto is_wrong = [&](const Out& each) { return expected != nullptr && each != *expected; };
  if (std::any_of(found.begin(), found.end(), is_wrong)) fail("the result is wrong");
}

void run_sums(int runs) {
  constexpr unsigned ctas = 4000;
  constexpr unsigned sum = plain_threads;
  run_plain<unsigned, unsigned>(
      runs, std::size_t{ctas} * plain_threads, ctas, 1,
      [](unsigned* out, const unsigned* in) { add_up<<<ctas, plain_threads>>>(out, in); }, &sum);
}

void run_reference(int runs) {
  constexpr int size = 256;
  constexpr float sum = size;
  run_plain<__half, float>(
      runs, size * size, size * size, __float2half(1.0f),
      [](float* out, const __half* in) {
        multiply_plainly<<<dim3(size / 16, size / 16), dim3(16, 16)>>>(out, in, in, size);
      },
      &sum);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) fail("usage: tmaemu speed CASE RUNS");
  const std::string name = arguments[1];
  const int runs = std::atoi(arguments[2]);
  constexpr std::size_t some_bytes = std::size_t{64} << 20;
  constexpr std::size_t many_bytes = 1'380'000'000 / 16384 * 16384;
  if (name == "fma") {
    run_fma(runs, 64);
  } else if (name == "fma-long") {
    run_fma(runs, 1024);
  } else if (name == "mma") {
    run_mma(runs, 16);
  } else if (name == "vectors") {
    run_copy(runs, some_bytes, launch_vectors);
  } else if (name == "words") {
    run_copy(runs, some_bytes, [](std::byte* out, const std::byte* in, std::size_t bytes) {
      copy_words<<<64, plain_threads>>>(reinterpret_cast<unsigned*>(out),
                                        reinterpret_cast<const unsigned*>(in),
                                        bytes / sizeof(unsigned));
    });
  } else if (name == "alone") {
    run_plain<unsigned, unsigned>(runs, 1, 1, 0, [](unsigned* out, const unsigned*) {
      count_alone<<<1, 32>>>(out, 4'000'000);
    });
  } else if (name == "collatz") {
    constexpr unsigned numbers = 1u << 18;
    run_plain<unsigned, unsigned>(runs, 1, numbers, 0, [](unsigned* out, const unsigned*) {
      collatz<<<numbers / plain_threads, plain_threads>>>(out);
    });
  } else if (name == "sums") {
    run_sums(runs);
  } else if (name == "reference") {
    run_reference(runs);
  } else if (name == "transpose") {
    run_transpose(runs);
  } else if (name == "tiles-512") {
    run_copy(runs, some_bytes, launch_tiles<512>);
  } else if (name == "tiles-4096") {
    run_copy(runs, some_bytes, launch_tiles<4096>);
  } else if (name == "tiles-16384") {
    run_copy(runs, some_bytes, launch_tiles<16384>);
  } else if (name == "many-vectors") {
    run_copy(runs, many_bytes, launch_vectors);
  } else if (name == "many-tiles") {
    run_copy(runs, many_bytes, launch_tiles<512>);
  } else {
    fail("there is no such case");
  }
}
