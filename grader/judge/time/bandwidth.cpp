#include "judge/time/bandwidth.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "common/text.h"
#include "judge/arrays/random.h"
#include "judge/time/roofline.h"
#include "judge/time/snapshot.h"
#include "judge/time/timed_sets.h"

namespace judge {

using common::concat;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int rounds = 9;
constexpr int empty_calls = 101;

// The request under the clock may run for long when the kernel is slow; the judge stays awake for
// what a kernel of the quality sought could need.
constexpr std::chrono::milliseconds awake{500};

// A GPU counts as at rest when filling the sets takes no longer than this many times what it took
// before there was a submission; with another process's kernels between it takes twice as long.
constexpr double resting_fill = 1.25;
// ... and an empty call answers within this many times its usual time.
constexpr double resting_call = 6;
constexpr int tries_to_rest = 3;

// What both take longer than usual is a part of the time measured, so that work outside the clock
// gains nothing below these limits either; less what honest ones vary by (seen on an H200).
constexpr double forgiven_of_fill = 0.005;

// After a long request the snapshot takes up to 0.07 ms longer than after an empty call (seen on an
// H200). So much is forgiven, of the 16 ms and more of a request.
constexpr double forgiven_seconds = 1e-4;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Measurement {
 public:
  Measurement(const BandwidthCase& test, RunnerPool& runners, Device& device, TimedSets sets,
              Snapshot snapshot)
      : test_(test),
        runners_(runners),
        device_(device),
        sets_(std::move(sets)),
        snapshot_(std::move(snapshot)) {
    result_.part = test.part.id;
    result_.bytes = sets_.count() * test.bytes_moved;
  }

  common::Result<BandwidthResult> run();

 private:
  // The verdict is in; there will be no figure.
  bool decided() const { return result_.outcome.verdict != Verdict::pass; }
  void decide(Outcome outcome) { result_.outcome = std::move(outcome); }

  common::Status measure_alone();
  common::Status measure_protocol();
  common::Status start_runner();
  common::Status measure_rounds();
  common::Status come_to_rest();
  common::Result<bool> machine_is_busy();
  common::Result<double> measure_round();

  common::Result<Answer> ask(const protocol::Request& request);
  protocol::Request calls(std::uint32_t repeat) const;

  const BandwidthCase& test_;
  RunnerPool& runners_;
  Device& device_;
  TimedSets sets_;
  Snapshot snapshot_;
  RunnerProcess* runner_ = nullptr;
  double fill_seconds_ = 0;    // on a GPU that has nothing else to do
  double waking_seconds_ = 0;  // of an empty call after the sets were filled
  double unrest_seconds_ = 0;  // how much longer both took before the round
  BandwidthResult result_;
};

// What can be measured before there is a submission.
common::Status Measurement::measure_alone() {
  std::vector<double> fills;
  for (int i = 0; i < 3; ++i) {
    auto filled = sets_.fill();
    if (!filled) return filled.error();
    fills.push_back(*filled);
  }
  fill_seconds_ = median(fills);
  auto roofline = sets_.copy_roofline(rounds);
  if (!roofline) return roofline.error();
  result_.roofline_gb_per_s = *roofline;
  return {};
}

// With a runner that has loaded no submission: nobody can make the protocol look slower than it is.
common::Status Measurement::measure_protocol() {
  auto runner = runners_.start();
  if (!runner) return runner.error();
  const auto empty_call = [&]() -> common::Result<double> {
    const auto answer = runner->ask(request(protocol::Command::call), {runners_.limit(), awake});
    const auto* reply = std::get_if<Answer>(&answer);
    if (reply == nullptr || reply->reply.status != protocol::ReplyStatus::done) {
      return common::Error{"the runner does not answer an empty call"};
    }
    return std::chrono::duration<double>(reply->elapsed).count();
  };
  std::vector<double> waking_seconds;
  for (int i = 0; i < rounds; ++i) {  // as before a round
    if (auto filled = sets_.fill(); !filled) return filled.error();
    auto seconds = empty_call();
    if (!seconds) return seconds.error();
    waking_seconds.push_back(*seconds);
  }
  std::vector<double> calls_seconds;
  std::vector<double> settling_seconds;
  for (int i = 0; i < empty_calls; ++i) {
    // As in a round: one to take the device from the judge, one by the clock, and a snapshot.
    if (auto woken = empty_call(); !woken) return woken.error();
    auto seconds = empty_call();
    if (!seconds) return seconds.error();
    calls_seconds.push_back(*seconds);
    const auto replied = Clock::now();
    if (auto taken = snapshot_.take(unforeseeable()); !taken) return taken;
    settling_seconds.push_back(seconds_since(replied));
  }
  waking_seconds_ = median(waking_seconds);
  result_.protocol_seconds = median(calls_seconds);
  result_.settling_seconds = median(settling_seconds);
  return {};
}

// Asks, and decides at once when no good reply comes. The Answer is of use unless decided().
common::Result<Answer> Measurement::ask(const protocol::Request& request) {
  auto answer = runner_->ask(request, {runners_.limit(), awake});
  if (const auto* ending = std::get_if<Ending>(&answer)) {
    Outcome ended = outcome(*ending);
    ended.message += last_words(runner_->take_printed());
    decide(std::move(ended));
    return Answer{};
  }
  const protocol::Reply& reply = std::get<Answer>(answer).reply;
  switch (reply.status) {
    case protocol::ReplyStatus::done:
      break;
    case protocol::ReplyStatus::cuda_error:
      decide({Verdict::crash, device_.error_meaning(reply.cuda_error)});
      break;
    case protocol::ReplyStatus::missing:
      decide(
          {Verdict::missing, concat("the submission does not define `", test_.part.launcher, "`")});
      break;
    default:
      decide(outcome(Ending::bad_reply(static_cast<int>(reply.status))));
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
  // All of them together get the time of one call: there may be hundreds.
  const auto end = Clock::now() + runners_.limit();
  for (const DeviceMemory& memory : sets_.buffers()) {
    auto handle = device_.handle(memory);
    if (!handle) return handle.error();
    if (auto answer = ask(map_request(*handle)); !answer) return answer.error();
    if (!decided() && Clock::now() > end) decide(outcome(Ending::timed_out(runners_.limit())));
    if (decided()) return {};
  }
  return {};
}

protocol::Request Measurement::calls(std::uint32_t repeat) const {
  protocol::Request made = timed_request(test_, protocol::Command::call, sets_.count());
  made.repeat = repeat;
  return made;
}

// New contents in the sets and the runner awake, with nothing of the submission's at work: a kernel
// that never ends could read the new contents before the clock starts.
common::Status Measurement::come_to_rest() {
  for (int i = 0; i < tries_to_rest; ++i) {
    auto filled = sets_.fill();
    if (!filled) return filled.error();
    auto woken = ask(calls(0));
    if (!woken) return woken.error();
    if (decided()) return {};
    const double answered = std::chrono::duration<double>(woken->elapsed).count();
    if (*filled < resting_fill * fill_seconds_ && answered < resting_call * waking_seconds_) {
      unrest_seconds_ = std::max(0.0, *filled - (1 + forgiven_of_fill) * fill_seconds_) +
                        std::max(0.0, answered - waking_seconds_ - forgiven_seconds);
      return {};
    }
  }
  runners_.discard();
  runner_ = nullptr;
  auto filled = sets_.fill();
  if (!filled) return filled.error();
  if (*filled > resting_fill * fill_seconds_) {
    return common::Error{"another program is using the GPU: it is not at rest between timed calls"};
  }
  auto busy = machine_is_busy();
  if (!busy) return busy.error();
  if (*busy) {
    return common::Error{
        "the machine is too busy to measure on: an empty call takes too long also "
        "without the submission"};
  }
  decide({Verdict::cheated,
          "the GPU was at work between the timed calls, and came to rest when the submission's "
          "process had ended: work outside the clock"});
  return {};
}

// Whether empty calls are slow with nobody but the grader at work.
common::Result<bool> Measurement::machine_is_busy() {
  auto runner = runners_.start();
  if (!runner) return runner.error();
  std::vector<double> seconds;
  for (int i = 0; i < tries_to_rest; ++i) {
    if (auto filled = sets_.fill(); !filled) return filled.error();
    const auto answer = runner->ask(request(protocol::Command::call), {runners_.limit(), awake});
    const auto* reply = std::get_if<Answer>(&answer);
    if (reply == nullptr) return true;
    seconds.push_back(std::chrono::duration<double>(reply->elapsed).count());
  }
  return median(seconds) > resting_call * waking_seconds_;
}

// Seconds until all the work of a request was done. Whoever replies before that gains nothing: his
// kernels hold up the snapshot, and what they write after it shows.
common::Result<double> Measurement::measure_round() {
  if (auto resting = come_to_rest(); !resting) return resting.error();
  if (decided()) return 0.0;
  auto answer = ask(calls(static_cast<std::uint32_t>(sets_.count())));
  const auto replied = Clock::now();
  if (!answer) return answer.error();
  if (decided()) return 0.0;
  if (auto taken = snapshot_.take(unforeseeable()); !taken) return taken.error();
  const double settled = seconds_since(replied);

  auto verified = sets_.verify();
  if (!verified) return verified.error();
  if (verified->verdict != Verdict::pass) {
    decide(*verified);
    return 0.0;
  }
  auto changed = snapshot_.changed();
  if (!changed) return changed.error();
  if (*changed > 0) {
    decide({Verdict::cheated, concat("its arrays still changed after its reply: ", *changed, " of ",
                                     Snapshot::sample_count, " samples")});
    return 0.0;
  }
  return unrest_seconds_ + std::chrono::duration<double>(answer->elapsed).count() +
         std::max(0.0, settled - result_.settling_seconds - forgiven_seconds);
}

common::Status Measurement::measure_rounds() {
  std::vector<double> seconds;
  for (int round = -1; round < rounds; ++round) {  // the first one warms up
    auto elapsed = measure_round();
    if (!elapsed) return elapsed.error();
    if (decided()) return {};
    if (round < 0) continue;
    seconds.push_back(*elapsed);
    result_.rounds_gb_per_s.push_back(static_cast<double>(result_.bytes) / *elapsed / 1e9);
  }
  const double typical = median(seconds);
  const double gb_per_s = static_cast<double>(result_.bytes) / typical / 1e9;
  const double peak = device_.facts().peak_gb_per_s;
  result_.protocol_overhead_fraction = result_.protocol_seconds / typical;
  if (peak > 0 && gb_per_s > peak) {
    decide({Verdict::cheated, concat("faster than the memory can be: ", gb_per_s,
                                     " GB/s, where clock times bus width is ", peak)});
    return {};
  }
  result_.gb_per_s = gb_per_s;
  return {};
}

common::Result<BandwidthResult> Measurement::run() {
  if (auto done = measure_alone(); !done) return done.error();
  if (auto done = measure_protocol(); !done) return done.error();
  if (auto done = start_runner(); !done) return done.error();
  if (!decided()) {
    if (auto done = measure_rounds(); !done) return done.error();
  }
  // The buffers are freed when this measurement ends, and nobody may have them mapped then.
  runners_.discard();
  return result_;
}

}  // namespace

common::Result<BandwidthResult> measure_bandwidth(const BandwidthCase& test, Device& device,
                                                  RunnerPool& runners) {
  // One that is left from the tests of correctness could hold memory and keep the GPU busy.
  runners.discard();
  auto sets = TimedSets::create(test, device);
  if (!sets) return sets.error();
  auto snapshot = sets->snapshot();
  if (!snapshot) return snapshot.error();
  return Measurement(test, runners, device, std::move(sets).value(), std::move(snapshot).value())
      .run();
}

}  // namespace judge
