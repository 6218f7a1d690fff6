#include "bench/race.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>

#include "judge/time/median.h"
#include "judge/time/roofline.h"

namespace bench {
namespace {

constexpr std::size_t bytes_of_all_sets = std::size_t{8} << 30;

void check(cudaError_t error, const std::string& doing) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "bench: %s: %s\n", doing.c_str(), cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}

// What arrays hold. Zeros would be unlike any real data, and some chips move and add them faster;
// these are numbers of either sign between 1/2 and 2, read as bfloat16 or as float.
std::vector<std::uint16_t> numbers(std::size_t count) {
  std::vector<std::uint16_t> drawn(count);
  std::mt19937 random(1);
  for (auto& number : drawn) number = static_cast<std::uint16_t>(0x3F00 | (random() & 0x80FF));
  return drawn;
}

void fill(void* buffer, std::size_t bytes) {
  static const std::vector<std::uint16_t> contents = numbers(std::size_t{8} << 20);
  const std::size_t most = contents.size() * sizeof contents[0];
  for (std::size_t done = 0; done < bytes; done += most) {
    check(cudaMemcpy(static_cast<char*>(buffer) + done, contents.data(),
                     std::min(most, bytes - done), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
}

// Sets of device buffers, freed with it.
class BufferSets {
 public:
  explicit BufferSets(const std::vector<std::size_t>& bytes) {
    std::size_t set_bytes = 0;
    for (const std::size_t one : bytes) set_bytes += one;
    sets_.resize(std::max<std::size_t>(2, bytes_of_all_sets / set_bytes));
    for (auto& set : sets_) {
      for (const std::size_t one : bytes) {
        check(cudaMalloc(&set.emplace_back(), one), "cudaMalloc");
        fill(set.back(), one);
      }
    }
  }
  ~BufferSets() {
    for (const auto& set : sets_) {
      for (void* buffer : set) cudaFree(buffer);
    }
  }
  BufferSets(const BufferSets&) = delete;
  BufferSets& operator=(const BufferSets&) = delete;

  Buffers set(int call) const { return sets_[static_cast<std::size_t>(call) % sets_.size()]; }

 private:
  std::vector<std::vector<void*>> sets_;
};

double seconds_of_a_round(const Call& call, int calls, const BufferSets& buffers,
                          const std::string& name) {
  check(cudaDeviceSynchronize(), name);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call(buffers.set(i));
  check(cudaGetLastError(), name);
  check(cudaDeviceSynchronize(), name);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The judge's own measurement, so that "the roofline" is one thing in grading and here.
double roofline() {
  constexpr std::size_t bytes = std::size_t{512} << 20;
  constexpr int arrays = 16;
  constexpr int rounds = 15;
  const BufferSets buffers(std::vector<std::size_t>(arrays, bytes));
  const Buffers all = buffers.set(0);
  const auto measured = judge::measure_roofline({all.begin(), all.end()}, bytes, rounds);
  if (!measured) {
    std::fprintf(stderr, "bench: %s\n", measured.error().message.c_str());
    std::exit(EXIT_FAILURE);
  }
  return *measured;
}

}  // namespace

Race::Race(std::string lab, std::string name, std::vector<std::size_t> buffer_bytes, Work work,
           std::vector<Target> targets)
    : lab_(std::move(lab)),
      name_(std::move(name)),
      buffer_bytes_(std::move(buffer_bytes)),
      work_(work),
      targets_(std::move(targets)) {}

// One line a figure, tab-separated: lab, case, role, name, rate.
void Race::print(const Runner& runner, double rate) const {
  std::printf("%s\t%s\t%s\t%s\t%.1f\n", lab_.c_str(), name_.c_str(), runner.role.c_str(),
              runner.name.c_str(), rate);
  std::fflush(stdout);
}

void Race::run(int rounds, int calls) {
  const bool has_solution =
      std::ranges::any_of(runners_, [](const Runner& one) { return one.role == "solution"; });
  for (const Target& target : has_solution ? targets_ : std::vector<Target>{}) {
    const bool of_peer = target.against == Against::best_peer;
    std::printf("%s\t%s\ttarget\t%s\t%.2f\n", lab_.c_str(), name_.c_str(),
                of_peer ? "best peer" : "copy roofline", target.fraction);
  }
  print({"unit", work_.unit(), {}}, 0);
  if (work_.kind == Work::Kind::bytes) print({"roofline", "copy roofline", {}}, roofline());

  const BufferSets buffers(buffer_bytes_);
  std::vector<std::vector<double>> seconds(runners_.size());
  std::vector<std::size_t> order(runners_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(1);
  for (int round = -1; round < rounds; ++round) {  // the first one warms up
    // Everybody in every round, and each round in another order: a clock that drifts, drifts for
    // all of them, and nobody comes always after the same one, who may leave the chip hot or cool.
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      const double elapsed = seconds_of_a_round(runners_[i].call, calls, buffers, runners_[i].name);
      if (round >= 0) seconds[i].push_back(elapsed);
    }
  }
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    print(runners_[i], work_.rate(judge::median(seconds[i]) / calls));
  }
}

}  // namespace bench
