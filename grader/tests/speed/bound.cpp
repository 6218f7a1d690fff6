// What a perfect compiler would make of four kernels of speed.cu, each warp as a loop over its
// lanes: what the emulator is compared with. On one core, with no barrier to wait for.
//
//     bound CASE RUNS     prints the least processor time of the runs, as JSON
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "timing.h"

namespace {

using timing::cpu_seconds;
using timing::fail;

constexpr unsigned warp_lanes = 32;
constexpr unsigned cta_threads = 256;

// What the compiler may not see through, as it does not see through a barrier.
template <class T>
void keep(T& value) {
  asm volatile("" : "+m"(value) : : "memory");
}

template <class Work>
void time_least_of(int runs, Work work) {
  double least = 1e30;
  for (int run = 0; run < runs; ++run) {
    const double begin = cpu_seconds();
    work();
    least = std::min(least, cpu_seconds() - begin);
  }
  std::printf("{\"cpu_seconds\": %.6f}\n", least);
}

unsigned count_alone(unsigned turns) {
  unsigned number = 1;
  unsigned sum = 0;
  for (unsigned i = 0; i < turns; ++i) {
    number = number * 1664525 + 1013904223;
    sum += number >> 31;
    asm volatile("" : "+r"(number), "+r"(sum));
  }
  return sum;
}

// A warp goes on as long as one of its lanes does.
void collatz(std::vector<unsigned>& out) {
  for (std::size_t first = 0; first < out.size(); first += warp_lanes) {
    std::array<std::uint64_t, warp_lanes> numbers;
    std::array<std::uint64_t, warp_lanes> steps{};
    for (unsigned lane = 0; lane < warp_lanes; ++lane) numbers[lane] = first + lane + 1;
    for (std::uint64_t any = 1; any != 0;) {
      any = 0;
      for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        const std::uint64_t number = numbers[lane];
        const std::uint64_t live = number != 1 ? ~std::uint64_t{0} : 0;
        const std::uint64_t odd = std::uint64_t{0} - (number & 1);
        const std::uint64_t next = (odd & (3 * number + 1)) | (~odd & (number >> 1));
        numbers[lane] = (live & next) | (~live & number);
        steps[lane] -= live;
        any |= live;
      }
    }
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
      out[first + lane] = static_cast<unsigned>(steps[lane]);
    }
  }
}

void copy_words(std::vector<unsigned>& out, const std::vector<unsigned>& in) {
  for (std::size_t first = 0; first < in.size(); first += warp_lanes) {
    for (unsigned lane = 0; lane < warp_lanes; ++lane) out[first + lane] = in[first + lane];
    asm volatile("" : : : "memory");
  }
}

// From barrier to barrier; a warp none of whose lanes adds does nothing.
void add_up(std::vector<unsigned>& out, const std::vector<unsigned>& in) {
  for (std::size_t cta = 0; cta < out.size(); ++cta) {
    std::array<unsigned, cta_threads> sums;
    std::copy_n(&in[cta * cta_threads], cta_threads, sums.begin());
    keep(sums);
    for (unsigned half = cta_threads / 2; half > 0; half /= 2) {
      for (unsigned first = 0; first < half; first += warp_lanes) {
        const unsigned lanes = std::min(half, warp_lanes);
        for (unsigned lane = 0; lane < lanes; ++lane) {
          sums[first + lane] += sums[first + lane + half];
        }
        keep(sums);
      }
    }
    out[cta] = sums[0];
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) fail("usage: bound CASE RUNS");
  const std::string name = arguments[1];
  const int runs = std::atoi(arguments[2]);
  if (name == "alone") {
    unsigned sum = 0;
    time_least_of(runs, [&] { keep(sum = count_alone(4'000'000)); });
  } else if (name == "collatz") {
    std::vector<unsigned> steps(1u << 18);
    time_least_of(runs, [&] { collatz(steps); });
    if (steps[26] != 111) fail("27 takes 111 steps");
  } else if (name == "words") {
    const std::vector<unsigned> in((64u << 20) / sizeof(unsigned), 1);
    std::vector<unsigned> out(in.size());
    time_least_of(runs, [&] { copy_words(out, in); });
    if (out != in) fail("the copy is wrong");
  } else if (name == "sums") {
    constexpr std::size_t ctas = 4000;
    const std::vector<unsigned> in(ctas * cta_threads, 1);
    std::vector<unsigned> out(ctas);
    time_least_of(runs, [&] { add_up(out, in); });
    if (out != std::vector<unsigned>(ctas, cta_threads)) fail("the sums are wrong");
  } else {
    fail("there is no such case");
  }
}
