#include "judge/time/bandwidth.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "common/text.h"
#include "judge/arrays/random.h"
#include "judge/call/outcome.h"
#include "judge/call/requests.h"
#include "judge/time/baseline.h"
#include "judge/time/median.h"
#include "judge/time/product_library.h"
#include "judge/time/snapshot.h"
#include "judge/time/timed_request.h"
#include "judge/time/timed_sets.h"

namespace judge {

using common::concat;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Measurement {
 public:
  Measurement(const BandwidthCase& test, RunnerPool& runners, Device& device, TimedSets sets,
              Snapshot snapshot, const Baseline& baseline, const ProductLibrary* library)
      : test_(test),
        runners_(runners),
        device_(device),
        sets_(std::move(sets)),
        snapshot_(std::move(snapshot)),
        baseline_(baseline),
        library_(library) {
    result_.part = test.part.id;
    result_.bytes = sets_.count() * test.work;
    result_.roofline_gb_per_s = baseline.roofline_gb_per_s;
    result_.protocol_seconds = baseline.protocol_seconds;
    result_.settling_seconds = baseline.settling_seconds;
  }

  common::Result<BandwidthResult> run();

 private:
  // The verdict is in; there will be no figure.
  bool decided() const { return result_.outcome.verdict != Verdict::pass; }
  void decide(Outcome outcome) { result_.outcome = std::move(outcome); }

  common::Status start_runner();
  common::Status measure_rounds();
  common::Status come_to_rest();
  common::Result<double> measure_round();
  common::Status measure_library_again();

  common::Result<Answer> ask(const protocol::Request& request);
  protocol::Request calls(std::uint32_t repeat) const;

  const BandwidthCase& test_;
  RunnerPool& runners_;
  Device& device_;
  TimedSets sets_;
  Snapshot snapshot_;
  Baseline baseline_;
  const ProductLibrary* library_;  // for a matrix product, else null
  RunnerProcess* runner_ = nullptr;
  double unrest_seconds_ = 0;  // how much longer filling and waking took before the round
  BandwidthResult result_;
};

// Asks, and decides at once when no good reply comes. The Answer is of use unless decided().
common::Result<Answer> Measurement::ask(const protocol::Request& request) {
  auto answer = runner_->ask(request, timed_patience(runners_));
  if (const auto* ending = std::get_if<Ending>(&answer)) {
    Outcome ended = outcome(*ending);
    ended.message += last_words(runner_->take_printed());
    decide(std::move(ended));
    return Answer{};
  }
  decide(outcome(std::get<Answer>(answer).reply, test_.part.launcher, device_));
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
    if (baseline_.is_at_rest(*filled, answered)) {
      unrest_seconds_ = baseline_.unrest_seconds(*filled, answered);
      return {};
    }
  }
  runners_.discard();
  runner_ = nullptr;
  auto filled = sets_.fill();
  if (!filled) return filled.error();
  if (*filled > resting_fill * baseline_.fill_seconds) {
    return common::Error{"another program is using the GPU: it is not at rest between timed calls"};
  }
  auto busy = machine_is_busy(baseline_, sets_, runners_);
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
         std::max(0.0, settled - baseline_.settling_seconds - forgiven_seconds);
}

common::Status Measurement::measure_rounds() {
  std::vector<double> seconds;
  for (int round = -1; round < timed_rounds; ++round) {  // the first one warms up
    auto elapsed = measure_round();
    if (!elapsed) return elapsed.error();
    if (decided()) return {};
    if (round < 0) continue;
    seconds.push_back(*elapsed);
    result_.rounds_gb_per_s.push_back(static_cast<double>(result_.bytes) / *elapsed / 1e9);
  }
  const double typical = median(seconds);
  const double gb_per_s = static_cast<double>(result_.bytes) / typical / 1e9;
  const DeviceFacts facts = device_.facts();
  const double peak = test_.product ? facts.peak_gflop_per_s : facts.peak_gb_per_s;
  result_.protocol_overhead_fraction = result_.protocol_seconds / typical;
  if (peak > 0 && gb_per_s > peak) {
    decide({Verdict::cheated, test_.product
                                  ? concat("faster than the tensor cores can be: ", gb_per_s / 1e3,
                                           " TFLOP/s, where their clock allows ", peak / 1e3)
                                  : concat("faster than the memory can be: ", gb_per_s,
                                           " GB/s, where clock times bus width is ", peak)});
    return {};
  }
  result_.gb_per_s = gb_per_s;
  return {};
}

// A chip that multiplies grows hotter and slower. The mean of before and after is what the library
// would have reached meanwhile; and with the submission's process gone, nobody slows it down.
common::Status Measurement::measure_library_again() {
  auto after = sets_.time_library(*library_, library_rounds);
  if (!after) return after.error();
  if (after->fill_seconds > resting_fill * baseline_.fill_seconds) {
    return common::Error{
        "another program is using the GPU: it is not at rest behind the timed calls"};
  }
  result_.roofline_gb_per_s = (baseline_.roofline_gb_per_s + after->gflop_per_s) / 2;
  return {};
}

common::Result<BandwidthResult> Measurement::run() {
  if (auto done = start_runner(); !done) return done.error();
  if (!decided()) {
    if (auto done = measure_rounds(); !done) return done.error();
  }
  // The buffers are freed when this measurement ends, and nobody may have them mapped then.
  runners_.discard();
  if (library_ != nullptr && !decided()) {
    if (auto done = measure_library_again(); !done) return done.error();
  }
  return result_;
}

}  // namespace

common::Result<BandwidthResult> measure_bandwidth(const BandwidthCase& asked,
                                                  const std::string& product_library,
                                                  Device& device, RunnerPool& runners) {
  // One that is left from the tests of correctness could hold memory and keep the GPU busy.
  runners.discard();
  BandwidthCase test = asked;
  auto sets = TimedSets::create(test, device);
  if (!sets) return sets.error();
  std::optional<ProductLibrary> library;
  if (test.product) {
    if (auto filled = sets->fill(); !filled) return filled.error();
    auto opened = ProductLibrary::open(product_library, *test.product, sets->first(), device);
    if (!opened) return opened.error();
    library = std::move(opened).value();
    test.check = [&](BandwidthCase::Set set, std::uint64_t /*seed*/, Mismatches* result) {
      return library->check(set, result);
    };
  }
  auto snapshot = sets->snapshot();
  if (!snapshot) return snapshot.error();
  const ProductLibrary* const product = library ? &*library : nullptr;
  auto baseline = measure_baseline(*sets, *snapshot, product, runners);
  if (!baseline) return baseline.error();
  return Measurement(test, runners, device, std::move(sets).value(), std::move(snapshot).value(),
                     *baseline, product)
      .run();
}

}  // namespace judge
