#include "judge/time/rehearsal.h"

#include <utility>

#include "common/text.h"
#include "judge/call/outcome.h"
#include "judge/call/requests.h"
#include "judge/memory/arrays_without_memory.h"
#include "judge/replay/replay.h"
#include "judge/time/timed_request.h"

namespace judge {

using common::concat;

namespace {

// A launcher may prepare something in its first call, once. What is timed comes later.
constexpr int calls = 2;

Outcome at_timed_size(Verdict verdict, const std::string& message) {
  return {verdict, concat("called at the size at which it is timed: ", message)};
}

class Rehearsal {
 public:
  Rehearsal(const BandwidthCase& test, Device& device, RunnerPool& runners)
      : test_(test), device_(device), runners_(runners), replay_(device, runners) {}

  common::Result<Outcome> run();

 private:
  common::Result<Outcome> map(RunnerProcess& runner, const ArraysWithoutMemory& arrays);
  common::Result<Outcome> call(RunnerProcess& runner);
  // What a process answered, save for what it launched.
  Outcome judged(const std::variant<Answer, Ending>& answer, const RunnerProcess::Printed& printed);

  const BandwidthCase& test_;
  Device& device_;
  RunnerPool& runners_;
  Replay replay_;
};

Outcome Rehearsal::judged(const std::variant<Answer, Ending>& answer,
                          const RunnerProcess::Printed& printed) {
  if (const auto* ending = std::get_if<Ending>(&answer)) {
    const Outcome ended = outcome(*ending);
    return at_timed_size(ended.verdict, ended.message + last_words(printed));
  }
  const protocol::Reply& reply = std::get<Answer>(answer).reply;
  if (reply.status == protocol::ReplyStatus::not_followed ||
      reply.status == protocol::ReplyStatus::stale) {
    return at_timed_size(Verdict::crash, reply.text.data());
  }
  const Outcome replied = outcome(reply, test_.part.launcher, device_);
  const bool holds_at_any_size =
      replied.verdict == Verdict::pass || replied.verdict == Verdict::missing;
  return holds_at_any_size ? replied : at_timed_size(replied.verdict, replied.message);
}

common::Result<Outcome> Rehearsal::map(RunnerProcess& runner, const ArraysWithoutMemory& arrays) {
  for (const MemoryHandle& handle : arrays.handles()) {
    const auto answer = runner.ask(map_request(handle), {runners_.limit()});
    Outcome mapped = judged(answer, runner.take_printed());
    if (mapped.verdict != Verdict::pass) return mapped;
  }
  return Outcome{};
}

common::Result<Outcome> Rehearsal::call(RunnerProcess& runner) {
  const protocol::Request request = timed_request(test_, protocol::Command::rehearse, 1);
  const auto answer = runner.ask(request, {runners_.limit()});
  Outcome called = judged(answer, runner.take_printed());
  if (called.verdict != Verdict::pass) return called;
  auto noted = replay_.note(request);
  if (!noted) return noted.error();
  called = judged(noted->answer, noted->printed);
  if (called.verdict == Verdict::pass) {
    called.launched = std::get<Answer>(noted->answer).reply.launched;
  }
  return called;
}

common::Result<Outcome> Rehearsal::run() {
  const auto arrays = ArraysWithoutMemory::create(test_.buffer_bytes);
  if (!arrays) return arrays.error();
  auto ready = runners_.ready();
  if (!ready) return ready.error();
  if (const auto* failed = std::get_if<Outcome>(&*ready)) return *failed;
  RunnerProcess& runner = *std::get<RunnerProcess*>(*ready);
  auto outcome = map(runner, *arrays);
  for (int i = 0; i < calls && outcome && outcome->verdict == Verdict::pass; ++i) {
    outcome = call(runner);
  }
  return outcome;
}

}  // namespace

common::Result<Outcome> rehearse(const BandwidthCase& test, Device& device, RunnerPool& runners) {
  runners.discard();
  auto outcome = Rehearsal(test, device, runners).run();
  runners.discard();
  return outcome;
}

}  // namespace judge
