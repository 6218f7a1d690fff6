#include "judge/bandwidth.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "common/round_up.h"
#include "judge/random.h"
#include "judge/roofline.h"
#include "judge/text.h"

namespace judge {
namespace {

// As many sets as make this much of buffers: with 16 GiB, 4 to 8 ms a request on an H200, and far
// more than its cache of 50 MB between two calls on the same set.
constexpr std::size_t kBytesOfAllSets = std::size_t{16} << 30;
constexpr std::size_t kMinSets = 2;
constexpr std::size_t kMaxSets = 32;
// A process that maps somebody else's memory gets it in small pages unless its size is a multiple
// of this, and reaches half the bandwidth (seen on an H200).
constexpr std::size_t kLargePageBytes = std::size_t{2} << 20;
constexpr int kRounds = 9;
constexpr int kEmptyCalls = 101;

// The request under the clock may run for long when the kernel is slow; the judge stays awake for
// what a kernel of the quality sought could need.
constexpr std::chrono::milliseconds kAwake{500};

common::Error device_error(const char* doing, cudaError_t error) {
  return {concat("the judge's own ", doing, " failed: ", cudaGetErrorString(error))};
}

class Measurement {
 public:
  Measurement(const BandwidthCase& test, Device& device, RunnerPool& runners, std::uint64_t seed)
      : test_(test), device_(device), runners_(runners), seed_(seed) {
    const std::size_t set_bytes =
        std::accumulate(test.buffer_bytes.begin(), test.buffer_bytes.end(), std::size_t{0});
    const std::size_t most = std::min(kMaxSets, protocol::kMaxArguments / test.arguments.size());
    sets_.resize(std::clamp(kBytesOfAllSets / set_bytes, kMinSets, most));
    result_.part = test.part.id;
    result_.bytes = sets_.size() * test.bytes_moved;
  }

  common::Result<BandwidthResult> run();

 private:
  std::uint64_t contents_seed(int round, std::size_t set) const {
    return derive_seed(seed_, concat(test_.part.id, '/', round, '/', set));
  }
  // The verdict is in; there will be no figure.
  bool decided() const { return result_.outcome.verdict != Verdict::kPass; }
  void decide(Outcome outcome) { result_.outcome = std::move(outcome); }

  common::Status allocate();
  common::Status measure_copy_roofline();
  common::Status start_runner();
  common::Result<Answer> ask(const protocol::Request& request);
  common::Status measure_protocol();
  common::Status measure_rounds();
  common::Result<double> measure_round(int round);
  common::Status fill(int round);
  common::Status verify(int round);
  protocol::Request calls(std::uint32_t repeat) const;

  const BandwidthCase& test_;
  Device& device_;
  RunnerPool& runners_;
  std::uint64_t seed_;
  std::vector<DeviceMemory> buffers_;     // set after set
  std::vector<std::vector<void*>> sets_;  // their addresses
  std::optional<DeviceMemory> mismatches_;
  RunnerProcess* runner_ = nullptr;
  double protocol_seconds_ = 0;
  BandwidthResult result_;
};

common::Status Measurement::allocate() {
  for (std::vector<void*>& set : sets_) {
    for (const std::size_t bytes : test_.buffer_bytes) {
      auto memory = device_.allocate(common::round_up(bytes, kLargePageBytes));
      if (!memory) return memory.error();
      set.push_back(memory->address());
      buffers_.push_back(std::move(memory).value());
    }
  }
  auto memory = device_.allocate(sizeof(Mismatches));
  if (!memory) return memory.error();
  mismatches_.emplace(std::move(memory).value());
  return {};
}

// Copies among the largest buffers, which is the same number of bytes a call as the part's.
common::Status Measurement::measure_copy_roofline() {
  const std::size_t largest =
      *std::max_element(test_.buffer_bytes.begin(), test_.buffer_bytes.end());
  std::vector<void*> addresses;
  for (const std::vector<void*>& set : sets_) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (test_.buffer_bytes[i] == largest) addresses.push_back(set[i]);
    }
  }
  auto roofline = measure_roofline(addresses, largest, kRounds);
  if (!roofline) return roofline.error();
  result_.roofline_gb_per_s = *roofline;
  return {};
}

// Asks, and decides at once when no good reply comes. The Answer is of use unless decided().
common::Result<Answer> Measurement::ask(const protocol::Request& request) {
  auto answer = runner_->ask(request, {runners_.limit(), kAwake});
  if (const auto* ending = std::get_if<Ending>(&answer)) {
    Outcome ended = outcome(*ending);
    ended.message += last_words(runner_->take_printed());
    decide(std::move(ended));
    return Answer{};
  }
  const protocol::Reply& reply = std::get<Answer>(answer).reply;
  switch (reply.status) {
    case protocol::ReplyStatus::kDone:
      break;
    case protocol::ReplyStatus::kCudaError:
      decide({Verdict::kCrash, device_.error_meaning(reply.cuda_error)});
      break;
    case protocol::ReplyStatus::kMissing:
      decide({Verdict::kMissing,
              concat("the submission does not define `", test_.part.launcher, "`")});
      break;
    default:
      return common::Error{concat("checks and entry disagree about part ", test_.part.id)};
  }
  return std::get<Answer>(answer);
}

common::Status Measurement::start_runner() {
  auto ready = runners_.ready();
  if (!ready) return ready.error();
  if (auto* failed = std::get_if<Outcome>(&*ready)) {
    decide(*failed);
    return {};
  }
  runner_ = std::get<RunnerProcess*>(*ready);
  for (const DeviceMemory& memory : buffers_) {
    auto handle = device_.handle(memory);
    if (!handle) return handle.error();
    protocol::Request map = request(protocol::Command::kMap);
    map.memory_handle = *handle;
    if (auto answer = ask(map); !answer) return answer.error();
    if (decided()) return {};
  }
  return {};
}

protocol::Request Measurement::calls(std::uint32_t repeat) const {
  protocol::Request made = request(protocol::Command::kCall);
  std::string(test_.part.id).copy(made.part.data(), made.part.size() - 1);
  made.repeat = repeat;
  made.set_count = static_cast<std::uint32_t>(sets_.size());
  made.arguments_in_set = static_cast<std::uint32_t>(test_.arguments.size());
  protocol::Argument* next = made.arguments.data();
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    for (const TimedArgument& argument : test_.arguments) {
      if (const auto* buffer = std::get_if<TimedBuffer>(&argument)) {
        next->buffer = static_cast<std::uint32_t>(set * test_.buffer_bytes.size() + buffer->index);
      } else {
        next->value = static_cast<std::uint64_t>(std::get<std::int64_t>(argument));
      }
      ++next;
    }
  }
  return made;
}

common::Status Measurement::measure_protocol() {
  std::vector<double> seconds;
  for (int i = 0; i < kEmptyCalls; ++i) {
    auto answer = ask(calls(0));
    if (!answer) return answer.error();
    if (decided()) return {};
    seconds.push_back(std::chrono::duration<double>(answer->elapsed).count());
  }
  protocol_seconds_ = median(seconds);
  return {};
}

common::Status Measurement::fill(int round) {
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    const cudaError_t error = test_.fill(sets_[set], contents_seed(round, set));
    if (error != cudaSuccess) return device_error("filling of arrays", error);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  return error == cudaSuccess ? common::Status() : device_error("filling of arrays", error);
}

common::Result<double> Measurement::measure_round(int round) {
  if (auto filled = fill(round); !filled) return filled.error();
  // An empty call, so that the runner is awake when the clock starts.
  if (auto woken = ask(calls(0)); !woken || decided()) {
    return woken ? common::Result<double>(0.0) : woken.error();
  }
  auto answer = ask(calls(static_cast<std::uint32_t>(sets_.size())));
  if (!answer) return answer.error();
  if (decided()) return 0.0;
  if (auto verified = verify(round); !verified) return verified.error();
  return std::chrono::duration<double>(answer->elapsed).count();
}

common::Status Measurement::verify(int round) {
  const Mismatches none{0, std::numeric_limits<unsigned long long>::max()};
  auto* result = static_cast<Mismatches*>(mismatches_->address());
  // The set written last comes first: work that was put off past the clock is not done yet.
  for (std::size_t set = sets_.size(); set-- > 0;) {
    cudaError_t error = cudaMemcpy(result, &none, sizeof none, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) error = test_.check(sets_[set], contents_seed(round, set), result);
    Mismatches got{};
    if (error == cudaSuccess) {
      error = cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost);
    }
    if (error != cudaSuccess) return device_error("check of arrays", error);
    if (got.count > 0) {
      decide({Verdict::kFail,
              concat("in a timed call, ", counted(got.count, "element"),
                     got.count == 1 ? " is" : " are", " wrong, the first at place ", got.first)});
      return {};
    }
  }
  return {};
}

common::Status Measurement::measure_rounds() {
  std::vector<double> seconds;
  for (int round = -1; round < kRounds; ++round) {  // the first one warms up
    auto elapsed = measure_round(round);
    if (!elapsed) return elapsed.error();
    if (decided()) return {};
    if (round >= 0) seconds.push_back(*elapsed);
  }
  const double typical = median(seconds);
  const double gb_per_s = static_cast<double>(result_.bytes) / typical / 1e9;
  const double peak = device_.facts().peak_gb_per_s;
  result_.protocol_overhead_fraction = protocol_seconds_ / typical;
  if (peak > 0 && gb_per_s > peak) {
    decide({Verdict::kCheated, concat("faster than the memory can be: ", gb_per_s,
                                      " GB/s, where clock times bus width is ", peak)});
    return {};
  }
  result_.gb_per_s = gb_per_s;
  return {};
}

common::Result<BandwidthResult> Measurement::run() {
  if (auto done = allocate(); !done) return done.error();
  if (auto done = fill(-1); !done) return done.error();
  if (auto done = measure_copy_roofline(); !done) return done.error();
  if (auto done = start_runner(); !done) return done.error();
  if (!decided()) {
    if (auto done = measure_protocol(); !done) return done.error();
  }
  if (!decided()) {
    if (auto done = measure_rounds(); !done) return done.error();
  }
  // The buffers are freed when this measurement ends, and nobody may have them mapped then.
  runners_.discard();
  return result_;
}

}  // namespace

common::Result<BandwidthResult> measure_bandwidth(const BandwidthCase& test, Device& device,
                                                  RunnerPool& runners, std::uint64_t seed) {
  return Measurement(test, device, runners, seed).run();
}

}  // namespace judge
