#include "judge/examine/examiner.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/text.h"
#include "judge/call/outcome.h"
#include "judge/call/requests.h"
#include "judge/examine/hunts.h"
#include "judge/examine/other_contents.h"
#include "judge/examine/out_of_memory.h"
#include "judge/examine/result.h"
#include "judge/verdict/findings.h"

namespace judge {

using common::concat;
using common::counted;

namespace {

constexpr std::int32_t cuda_error_not_supported = 801;

// One size that hangs takes no points from the groups of others. A part that hangs at every size
// would cost the grading the whole limit at each.
constexpr int most_timeouts_of_a_part = 2;

bool has(const std::vector<Finding>& findings, tmaemu::FindingKind kind) {
  return std::ranges::any_of(findings,
                             [&](const Finding& finding) { return finding.entry().kind == kind; });
}

protocol::Request call_request(const CallCase& test, const std::vector<GuardedBuffer>& buffers) {
  protocol::Request made = request(protocol::Command::call);
  made.repeat = 1;
  made.set_count = 1;
  made.arguments_in_set = static_cast<std::uint32_t>(test.arguments.size());
  std::string(test.part.id).copy(made.part.data(), made.part.size() - 1);
  made.follows_values = test.part.follows_values ? 1 : 0;
  made.turned_signs = test.turned_signs;
  made.attribute_count = static_cast<std::uint32_t>(test.attributes.size());
  std::ranges::copy(test.attributes, made.attributes.begin());
  std::uint32_t buffer = 0;
  for (std::size_t i = 0; i < test.arguments.size(); ++i) {
    if (const auto* value = std::get_if<std::int64_t>(&test.arguments[i])) {
      made.arguments[i].value = static_cast<std::uint64_t>(*value);
    } else {
      made.arguments[i] = {buffer, 0, buffers[buffer].data_offset()};
      ++buffer;
    }
  }
  return made;
}

// What stopped the emulator because it cannot execute it. The part is not right then, as it is not
// in any other crash: whoever likes can write such an instruction in place of a part.
std::optional<std::string> emulators_limit(const Replay::Call& repeated) {
  const auto* replied = std::get_if<Answer>(&repeated.answer);
  if (replied == nullptr || replied->reply.cuda_error != cuda_error_not_supported) return {};
  for (const Finding& finding : repeated.findings) {
    if (finding.entry().kind == tmaemu::FindingKind::not_modeled) return brief(finding);
  }
  return std::nullopt;
}

// Adds the emulator's findings, or the last words of a crash.
Outcome explained(Outcome outcome, const std::vector<Finding>& findings,
                  const RunnerProcess::Printed& printed) {
  outcome.findings = findings;
  outcome.printed = printed.output;
  if (findings.empty()) {
    if (outcome.verdict == Verdict::crash) outcome.message += last_words(printed);
    return outcome;
  }
  // The emulator reports a deadlock as CUDA would report it if it could; a launcher that checks
  // its errors may then have ended the process. The reason stays the reason.
  if (has(findings, tmaemu::FindingKind::deadlock) && outcome.verdict == Verdict::crash) {
    outcome.verdict = Verdict::timeout;
  }
  const auto mistakes =
      static_cast<std::size_t>(std::ranges::count_if(findings, [](const Finding& finding) {
        return finding.entry().cost != tmaemu::FindingCost::nothing;
      }));
  if (outcome.verdict == Verdict::pass && mistakes > 0) {
    outcome.verdict = Verdict::hazard;
    outcome.message =
        concat("the result is right by luck: the emulator found ", counted(mistakes, "mistake"));
  }
  return outcome;
}

}  // namespace

std::optional<Outcome> Examiner::outcome_without_run(const std::string& part) const {
  if (const auto decided = decided_parts_.find(part); decided != decided_parts_.end()) {
    return decided->second;
  }
  if (spent_ <= budget_) return std::nullopt;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(spent_).count();
  return Outcome{Verdict::timeout,
                 concat("not run: the cases before it took ", seconds, " s together")};
}

common::Result<Outcome> Examiner::examine(const CallCase& test, int calls) {
  if (auto known = outcome_without_run(test.part.id)) return *std::move(known);
  const auto begin = std::chrono::steady_clock::now();
  const OutOfMemoryWatch out_of_memory;
  is_stale_ = false;
  auto outcome = call_in_fresh_buffers(test, calls);
  if (is_stale_) outcome = call_in_fresh_buffers(test, calls);
  spent_ += std::chrono::steady_clock::now() - begin;
  if (outcome && out_of_memory.explains(*outcome)) {
    return common::Error{"the machine ran out of memory: grade with fewer --jobs"};
  }
  if (outcome) remember(test.part, *outcome);
  return outcome;
}

void Examiner::remember(const Part& part, const Outcome& outcome) {
  if (outcome.verdict == Verdict::missing) decided_parts_[part.id] = outcome;
  if (outcome.verdict != Verdict::timeout) return;
  if (++timeouts_[part.id] == most_timeouts_of_a_part) {
    decided_parts_[part.id] = {Verdict::timeout,
                               "not run: two calls of this part did not finish in their time"};
  }
}

common::Result<Outcome> Examiner::call_in_fresh_buffers(const CallCase& test, int calls) {
  // A rehearsal between two cases has ended the runner whose recording this repeats.
  if (!runners_.has_runner()) replay_.discard();
  const Contents contents = emulated_ ? Contents::other : Contents::of_the_case;
  auto buffers = make_buffers(device_, test, contents);
  if (!buffers) {
    runners_.discard();  // the submission may hold the device's memory
    replay_.discard();
    buffers = make_buffers(device_, test, contents);
  }
  if (!buffers) return buffers.error();
  std::vector<GuardedBuffer> repeated_in;
  auto outcome = call(test, *buffers, repeated_in, calls);
  if (outcome && outcome->verdict == Verdict::pass) {
    runners_.unmap_all();
    replay_.unmap_all();
  } else {
    runners_.discard();
  }
  if (!runners_.has_runner()) replay_.discard();
  return outcome;
}

common::Result<std::vector<GuardedBuffer>> Examiner::make_buffers(Device& device,
                                                                  const CallCase& test,
                                                                  Contents contents) {
  std::vector<GuardedBuffer> buffers;
  for (const CallArgument& argument : test.arguments) {
    const auto* wanted = std::get_if<BufferArgument>(&argument);
    if (wanted == nullptr) continue;
    const bool as_drawn = contents == Contents::of_the_case;
    auto made =
        GuardedBuffer::create(device, as_drawn ? wanted->before : other_contents(wanted->before),
                              wanted->misalignment, !wanted->is_output, wanted->name);
    if (!made) return made.error();
    buffers.push_back(std::move(made).value());
  }
  return buffers;
}

common::Result<Outcome> Examiner::call(const CallCase& test,
                                       const std::vector<GuardedBuffer>& buffers,
                                       std::vector<GuardedBuffer>& repeated_in, int calls) {
  auto ready = runners_.ready();
  if (!ready) return ready.error();
  if (const auto* failed = std::get_if<Outcome>(&*ready)) return *failed;
  RunnerProcess& runner = *std::get<RunnerProcess*>(*ready);

  auto unmapped = map(runner, buffers);
  if (!unmapped) return unmapped.error();
  if (*unmapped) return **unmapped;
  for (;; --calls) {
    auto outcome = call_once(runner, test, buffers, repeated_in);
    if (calls == 1 || !outcome || outcome->verdict != Verdict::pass) return outcome;
  }
}

common::Result<Outcome> Examiner::call_once(RunnerProcess& runner, const CallCase& test,
                                            const std::vector<GuardedBuffer>& buffers,
                                            std::vector<GuardedBuffer>& repeated_in) {
  const auto answer = runner.ask(call_request(test, buffers), {runners_.limit()});
  const auto printed = runner.take_printed();
  if (emulated_) return judge_replay(test, answer, printed, repeated_in);
  const Outcome called = judge_answer(test, answer);
  if (called.verdict != Verdict::pass) return explained(called, {}, printed);
  auto result = judge_result(device_, test, buffers, std::get<Answer>(answer).reply);
  if (!result) return result;
  return explained(std::move(result).value(), {}, printed);
}

common::Result<Outcome> Examiner::judge_replay(const CallCase& test, const Answered& answer,
                                               const RunnerProcess::Printed& printed,
                                               std::vector<GuardedBuffer>& repeated_in) {
  const Outcome called = judge_answer(test, answer);
  const auto* ending = std::get_if<Ending>(&answer);
  const bool endless = ending != nullptr && ending->kind == Ending::Kind::timed_out;
  if (endless || called.verdict == Verdict::missing) return called;

  // Also where the launcher has ended the process: what it has asked for until then explains why.
  auto memory = replay_.memory();
  if (!memory) return memory.error();
  auto repeated = repeat(**memory, test, repeated_in);
  if (!repeated) return repeated.error();
  Outcome done = judge_replayed(test, repeated->answer);
  if (is_stale_) return done;
  if (called.verdict != Verdict::pass) done = called;
  if (const auto limit = emulators_limit(*repeated)) {
    done.message = concat("the grader cannot run it on its emulator: ", *limit);
  }
  if (done.verdict == Verdict::pass) {
    auto result =
        judge_result(**memory, test, repeated_in, std::get<Answer>(repeated->answer).reply);
    if (!result) return result;
    done = std::move(result).value();
  }
  if (test.part.is_hunt && done.verdict == Verdict::pass && done.launched) {
    if (auto said = objection(test.part, *done.launched)) {
      done.verdict = Verdict::fail;
      done.message = *std::move(said);
      done.bypasses_tma = true;
    }
  }
  return explained(std::move(done), repeated->findings,
                   called.verdict == Verdict::pass ? repeated->printed : printed);
}

common::Result<Replay::Call> Examiner::repeat(Device& memory, const CallCase& test,
                                              std::vector<GuardedBuffer>& repeated_in) {
  if (repeated_in.empty()) {
    auto buffers = make_buffers(memory, test, Contents::of_the_case);
    if (!buffers) return buffers.error();
    repeated_in = std::move(buffers).value();
    return replay_.repeat(call_request(test, repeated_in), repeated_in);
  }
  auto buffer = repeated_in.begin();
  for (const CallArgument& argument : test.arguments) {
    const auto* wanted = std::get_if<BufferArgument>(&argument);
    if (wanted == nullptr) continue;
    if (auto put = (buffer++)->write(memory, wanted->before); !put) return put.error();
  }
  return replay_.repeat(call_request(test, repeated_in), std::vector<GuardedBuffer>{});
}

common::Result<std::optional<Outcome>> Examiner::map(RunnerProcess& runner,
                                                     const std::vector<GuardedBuffer>& buffers) {
  for (const GuardedBuffer& buffer : buffers) {
    const auto answer = runner.ask(map_request(buffer), {runners_.limit()});
    if (const auto* ending = std::get_if<Ending>(&answer)) {
      return std::optional(explained(outcome(*ending), {}, runner.take_printed()));
    }
    const protocol::Reply& reply = std::get<Answer>(answer).reply;
    if (reply.status != protocol::ReplyStatus::done) {
      const std::string why = concat("the process cannot map the judge's memory: ",
                                     device_.error_meaning(reply.cuda_error));
      if (!maps_without_submission(buffer)) return common::Error{why};
      return std::optional(Outcome{Verdict::crash, why});
    }
  }
  return std::optional<Outcome>();
}

bool Examiner::maps_without_submission(const GuardedBuffer& buffer) {
  auto runner = runners_.start();
  if (!runner) return false;
  const auto answer = runner->ask(map_request(buffer), {runners_.limit()});
  const auto* answered = std::get_if<Answer>(&answer);
  return answered != nullptr && answered->reply.status == protocol::ReplyStatus::done;
}

Outcome Examiner::judge_answer(const CallCase& test, const Answered& answer) const {
  if (const auto* ending = std::get_if<Ending>(&answer)) return outcome(*ending);
  return outcome(std::get<Answer>(answer).reply, test.part.launcher, device_);
}

Outcome Examiner::judge_replayed(const CallCase& test, const Answered& answer) {
  if (const auto* ending = std::get_if<Ending>(&answer)) {
    Outcome ended = outcome(*ending);
    if (ending->kind != Ending::Kind::timed_out) {
      ended.message = concat("while its work on the device was repeated: ", ended.message);
    }
    return ended;
  }
  const protocol::Reply& reply = std::get<Answer>(answer).reply;
  if (reply.status == protocol::ReplyStatus::out_of_time) {
    return Outcome{Verdict::timeout,
                   concat(not_finished_after(runners_.limit()), "; ", reply.text.data())};
  }
  is_stale_ = reply.status == protocol::ReplyStatus::stale;
  if (is_stale_ || reply.status == protocol::ReplyStatus::not_followed) {
    return Outcome{Verdict::crash, reply.text.data()};
  }
  return outcome(reply, test.part.launcher, device_);
}

}  // namespace judge
