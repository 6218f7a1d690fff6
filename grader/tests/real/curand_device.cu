// cuRAND's device functions: Philox numbers against the published algorithm, and uniform ones.
#include <curand_kernel.h>

#include "real_test.h"

using namespace real_test;

constexpr int threads = 100;
constexpr int draws = 8;
constexpr unsigned long long seed = 0x1234'5678'9ABC'DEF0;
constexpr unsigned long long first = 5;  // numbers skipped

__global__ void draw(unsigned* out) {
  const unsigned sequence = blockIdx.x * blockDim.x + threadIdx.x;
  if (sequence >= threads) return;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, sequence, first, &state);
  for (int i = 0; i < draws; ++i) out[sequence * draws + i] = curand(&state);
}

// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): the
// number at `index` of a sequence.
unsigned philox(unsigned sequence, unsigned long long index) {
  unsigned counter[] = {static_cast<unsigned>(index / 4), 0, sequence, 0};
  unsigned key[] = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ULL * counter[0], b = 0xCD9E8D57ULL * counter[2];
    const unsigned next[] = {
        static_cast<unsigned>(b >> 32) ^ counter[1] ^ key[0], static_cast<unsigned>(b),
        static_cast<unsigned>(a >> 32) ^ counter[3] ^ key[1], static_cast<unsigned>(a)};
    for (int i = 0; i < 4; ++i) counter[i] = next[i];
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter[index % 4];
}

// In (0, 1], and evenly spread.
template <class State>
__global__ void draw_uniform(float* out) {
  State state;
  curand_init(99ULL, threadIdx.x, 0ULL, &state);
  for (int i = 0; i < draws; ++i) out[draws * threadIdx.x + i] = curand_uniform(&state);
}

template <class State>
void expect_uniform() {
  constexpr int sequences = 256;
  const DeviceArray<float> numbers(draws * sequences);
  draw_uniform<State><<<1, sequences>>>(numbers.data());
  double sum = 0;
  bool in_range = true;
  for (const float value : numbers.values()) {
    sum += value;
    in_range = in_range && value > 0 && value <= 1;
  }
  CHECK(in_range);
  CHECK(sum > 0.46 * draws * sequences && sum < 0.54 * draws * sequences);
}

int main() {
  const DeviceArray<unsigned> numbers(threads * draws);
  draw<<<4, 32>>>(numbers.data());
  std::vector<unsigned> expected;
  for (unsigned sequence = 0; sequence < threads; ++sequence) {
    for (int i = 0; i < draws; ++i) expected.push_back(philox(sequence, first + i));
  }
  expect_equal("Philox", numbers, expected);
  expect_uniform<curandStatePhilox4_32_10_t>();
  expect_uniform<curandStateXORWOW_t>();
  expect_uniform<curandStateMRG32k3a_t>();
  return runtime_test::result();
}
