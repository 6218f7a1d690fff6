#include "judge/time/timed_sets.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

#include "common/round_up.h"
#include "common/text.h"
#include "judge/arrays/random.h"
#include "judge/time/median.h"
#include "judge/time/roofline.h"

namespace judge {

using common::concat;
using common::counted;

namespace {

// As many sets as make this much of buffers: 16 ms and more a request on an H200, beside which the
// protocol is nothing, and far more than its cache of 50 MB between two calls on the same set. A
// GPU with less memory gives the half of it: the submission may want some for itself.
constexpr std::size_t bytes_of_all_sets = std::size_t{64} << 30;
constexpr std::size_t min_sets = 2;

common::Error device_error(const char* doing, cudaError_t error) {
  return {concat("the judge's own ", doing, " failed: ", cudaGetErrorString(error))};
}

std::size_t number_of_sets(const BandwidthCase& test, std::size_t memory_bytes) {
  const std::size_t bytes = std::min(bytes_of_all_sets, memory_bytes / 2);
  const std::size_t one =
      std::accumulate(test.buffer_bytes.begin(), test.buffer_bytes.end(), std::size_t{0});
  return std::clamp(bytes / one, min_sets, protocol::max_arguments / test.arguments.size());
}

}  // namespace

common::Result<TimedSets> TimedSets::create(const BandwidthCase& test, Device& device) {
  TimedSets made(test, device);
  if (auto allocated = made.allocate(); !allocated) return allocated.error();
  return made;
}

common::Status TimedSets::allocate() {
  sets_.resize(number_of_sets(*test_, device_->facts().memory_bytes));
  seeds_.resize(sets_.size());
  for (std::vector<void*>& set : sets_) {
    for (const std::size_t bytes : test_->buffer_bytes) {
      auto memory = device_->allocate(common::round_up(bytes, block_bytes));
      if (!memory) return memory.error();
      set.push_back(memory->address());
      buffers_.push_back(std::move(memory).value());
    }
  }
  auto memory = device_->allocate(block_bytes);
  if (!memory) return memory.error();
  mismatches_.push_back(std::move(memory).value());
  return {};
}

common::Result<double> TimedSets::fill() {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    seeds_[set] = unforeseeable();
    const cudaError_t error = test_->fill(sets_[set], seeds_[set]);
    if (error != cudaSuccess) return device_error("filling of arrays", error);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return device_error("filling of arrays", error);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

common::Result<Outcome> TimedSets::verify() {
  const Mismatches none{0, std::numeric_limits<unsigned long long>::max()};
  auto* result = static_cast<Mismatches*>(mismatches_.front().address());
  // The set written last comes first: work that was put off past the clock is not done yet.
  for (std::size_t set = sets_.size(); set-- > 0;) {
    cudaError_t error = cudaMemcpy(result, &none, sizeof none, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) error = test_->check(sets_[set], seeds_[set], result);
    Mismatches got{};
    if (error == cudaSuccess) {
      error = cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost);
    }
    if (error != cudaSuccess) return device_error("check of arrays", error);
    if (got.count > 0) {
      return Outcome{Verdict::fail, concat("in a timed call, ", counted(got.count, "element"),
                                           got.count == 1 ? " is" : " are",
                                           " wrong, the first at place ", got.first)};
    }
  }
  return Outcome{};
}

common::Result<double> TimedSets::copy_roofline(int rounds) {
  const std::size_t largest =
      *std::max_element(test_->buffer_bytes.begin(), test_->buffer_bytes.end());
  std::vector<void*> addresses;
  for (const std::vector<void*>& set : sets_) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (test_->buffer_bytes[i] == largest) addresses.push_back(set[i]);
    }
  }
  return measure_roofline(addresses, largest, rounds);
}

common::Result<double> TimedSets::multiply_all(const ProductLibrary& library) {
  const auto begin = std::chrono::steady_clock::now();
  cudaError_t error = cudaSuccess;
  for (std::size_t i = 0; i < sets_.size() && error == cudaSuccess; ++i) {
    error = library.multiply(sets_[i]);
  }
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return device_error("product", error);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

common::Status TimedSets::warm_up(const ProductLibrary& library, std::chrono::seconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    if (auto multiplied = multiply_all(library); !multiplied) return multiplied.error();
  }
  return {};
}

common::Result<LibraryRounds> TimedSets::time_library(const ProductLibrary& library, int rounds) {
  std::vector<double> fill_seconds;
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) {
    auto filled = fill();
    if (!filled) return filled.error();
    auto multiplied = multiply_all(library);
    if (!multiplied) return multiplied.error();
    auto verified = verify();
    if (!verified) return verified.error();
    if (verified->verdict != Verdict::pass) {
      return common::Error{concat("cublasLt's own products differ: ", verified->message)};
    }
    fill_seconds.push_back(*filled);
    seconds.push_back(*multiplied);
  }
  const double work = static_cast<double>(sets_.size()) * static_cast<double>(test_->work);
  return LibraryRounds{work / median(seconds) / 1e9, median(fill_seconds)};
}

common::Result<Snapshot> TimedSets::snapshot() {
  std::vector<Snapshot::Buffer> buffers;
  for (const std::vector<void*>& set : sets_) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      buffers.push_back({set[i], test_->buffer_bytes[i]});
    }
  }
  return Snapshot::create(*device_, buffers);
}

}  // namespace judge
