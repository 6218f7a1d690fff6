#include "judge/time/baseline.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "judge/arrays/random.h"
#include "judge/call/requests.h"
#include "judge/time/median.h"
#include "judge/time/timed_request.h"

namespace judge {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int empty_calls = 101;

// At rest an empty call answers within this many times its usual time.
constexpr double resting_call = 6;

// What honest ones vary by (seen on an H200).
constexpr double forgiven_of_fill = 0.005;

common::Result<double> typical_fill(TimedSets& sets) {
  std::vector<double> seconds;
  for (int i = 0; i < 3; ++i) {
    auto filled = sets.fill();
    if (!filled) return filled;
    seconds.push_back(*filled);
  }
  return median(seconds);
}

// The seconds of a call of nothing.
common::Result<double> call_empty(RunnerProcess& runner, const RunnerPool& runners) {
  const auto answer = runner.ask(request(protocol::Command::call), timed_patience(runners));
  const auto* reply = std::get_if<Answer>(&answer);
  if (reply == nullptr || reply->reply.status != protocol::ReplyStatus::done) {
    return common::Error{"the runner does not answer an empty call"};
  }
  return std::chrono::duration<double>(reply->elapsed).count();
}

common::Status measure_copies(Baseline& baseline, TimedSets& sets) {
  auto filled = typical_fill(sets);
  if (!filled) return filled.error();
  auto roofline = sets.copy_roofline(timed_rounds);
  if (!roofline) return roofline.error();
  baseline.fill_seconds = *filled;
  baseline.roofline_gb_per_s = *roofline;
  return {};
}

common::Status measure_library(Baseline& baseline, TimedSets& sets, const ProductLibrary& library) {
  if (auto warm = sets.warm_up(library, warming_time); !warm) return warm;
  auto rounds = sets.time_library(library, library_rounds);
  if (!rounds) return rounds.error();
  baseline.fill_seconds = rounds->fill_seconds;
  baseline.roofline_gb_per_s = rounds->gflop_per_s;
  return {};
}

common::Status measure_protocol(Baseline& baseline, TimedSets& sets, Snapshot& snapshot,
                                const RunnerPool& runners) {
  auto runner = runners.start();
  if (!runner) return runner.error();
  std::vector<double> waking_seconds;
  for (int i = 0; i < timed_rounds; ++i) {  // as before a round
    if (auto filled = sets.fill(); !filled) return filled.error();
    auto seconds = call_empty(*runner, runners);
    if (!seconds) return seconds.error();
    waking_seconds.push_back(*seconds);
  }
  std::vector<double> calls_seconds;
  std::vector<double> settling_seconds;
  for (int i = 0; i < empty_calls; ++i) {
    // As in a round: one to take the device from the judge, one by the clock, and a snapshot.
    if (auto woken = call_empty(*runner, runners); !woken) return woken.error();
    auto seconds = call_empty(*runner, runners);
    if (!seconds) return seconds.error();
    calls_seconds.push_back(*seconds);
    const auto replied = Clock::now();
    if (auto taken = snapshot.take(unforeseeable()); !taken) return taken;
    settling_seconds.push_back(std::chrono::duration<double>(Clock::now() - replied).count());
  }
  baseline.waking_seconds = median(waking_seconds);
  baseline.protocol_seconds = median(calls_seconds);
  baseline.settling_seconds = median(settling_seconds);
  return {};
}

}  // namespace

bool Baseline::is_at_rest(double filled, double answered) const {
  return filled < resting_fill * fill_seconds && answered < resting_call * waking_seconds;
}

double Baseline::unrest_seconds(double filled, double answered) const {
  return std::max(0.0, filled - (1 + forgiven_of_fill) * fill_seconds) +
         std::max(0.0, answered - waking_seconds - forgiven_seconds);
}

common::Result<Baseline> measure_baseline(TimedSets& sets, Snapshot& snapshot,
                                          const ProductLibrary* library,
                                          const RunnerPool& runners) {
  Baseline baseline;
  if (auto done = library != nullptr ? measure_library(baseline, sets, *library)
                                     : measure_copies(baseline, sets);
      !done) {
    return done.error();
  }
  if (auto done = measure_protocol(baseline, sets, snapshot, runners); !done) return done.error();
  return baseline;
}

common::Result<bool> machine_is_busy(const Baseline& baseline, TimedSets& sets,
                                     const RunnerPool& runners) {
  auto runner = runners.start();
  if (!runner) return runner.error();
  std::vector<double> calls_seconds;
  for (int i = 0; i < tries_to_rest; ++i) {
    if (auto filled = sets.fill(); !filled) return filled.error();
    const auto seconds = call_empty(*runner, runners);
    if (!seconds) return true;
    calls_seconds.push_back(*seconds);
  }
  return median(calls_seconds) > resting_call * baseline.waking_seconds;
}

}  // namespace judge
