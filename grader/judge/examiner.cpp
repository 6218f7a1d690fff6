#include "judge/examiner.h"

#include <algorithm>
#include <optional>

#include "judge/compare.h"
#include "judge/findings.h"
#include "judge/random.h"
#include "judge/text.h"

namespace judge {
namespace {

// What CUDA reports when a launch was ended because it never would have: on a GPU by the watchdog,
// on the emulator by its deadlock detection.
constexpr std::int32_t kCudaErrorLaunchTimeout = 702;

bool is_deadlock(const Finding& finding) {
  return finding.code == "deadlock";
}

protocol::Request call_request(const CallCase& test, const std::vector<GuardedBuffer>& buffers) {
  protocol::Request made = request(protocol::Command::kCall);
  made.repeat = 1;
  made.set_count = 1;
  made.arguments_in_set = static_cast<std::uint32_t>(test.arguments.size());
  std::string(test.part.id).copy(made.part.data(), made.part.size() - 1);
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

std::string changed_input(const Comparison& comparison, const BufferArgument& argument,
                          const Tensor& got) {
  return concat("changed its input ", argument.name, ": ",
                describe(comparison, argument.name, argument.after, got));
}

}  // namespace

common::Result<Outcome> Examiner::examine(const CallCase& test) {
  if (parts_timed_out_.contains(test.part.id)) {
    return Outcome{Verdict::kTimeout,
                   "not run: an earlier case of this part did not finish in its time"};
  }
  auto buffers = make_buffers(test);
  if (!buffers) {
    runners_.discard();  // the submission may hold the device's memory
    buffers = make_buffers(test);
  }
  if (!buffers) return buffers.error();
  auto outcome = call(test, *buffers);
  if (outcome && outcome->verdict == Verdict::kTimeout) parts_timed_out_.insert(test.part.id);
  if (outcome && outcome->verdict == Verdict::kPass) {
    runners_.unmap_all();
  } else {
    runners_.discard();
  }
  return outcome;
}

common::Result<std::vector<GuardedBuffer>> Examiner::make_buffers(const CallCase& test) {
  std::vector<GuardedBuffer> buffers;
  for (const CallArgument& argument : test.arguments) {
    const auto* wanted = std::get_if<BufferArgument>(&argument);
    if (wanted == nullptr) continue;
    const std::uint64_t seed =
        derive_seed(seed_, concat(test.part.id, '/', test.name, '/', wanted->name));
    auto made = GuardedBuffer::create(device_, wanted->before, wanted->misalignment, seed);
    if (!made) return made.error();
    buffers.push_back(std::move(made).value());
  }
  return buffers;
}

common::Result<Outcome> Examiner::call(const CallCase& test,
                                       const std::vector<GuardedBuffer>& buffers) {
  auto ready = runners_.ready();
  if (!ready) return ready.error();
  if (const auto* failed = std::get_if<Outcome>(&*ready)) return *failed;
  RunnerProcess& runner = *std::get<RunnerProcess*>(*ready);

  auto unmapped = map(runner, buffers);
  if (!unmapped) return unmapped.error();
  if (*unmapped) return **unmapped;

  const auto answer = runner.ask(call_request(test, buffers), {runners_.limit()});
  const auto printed = runner.take_printed();
  if (const auto limit = emulators_limit(printed)) return common::Error{*limit};
  if (const auto* ending = std::get_if<Ending>(&answer)) {
    return with_printed(outcome(*ending), printed);
  }
  const protocol::Reply& reply = std::get<Answer>(answer).reply;
  auto decided = judge_reply(test, reply);
  if (decided && decided->verdict == Verdict::kPass) decided = compare_buffers(test, buffers);
  if (decided && decided->verdict == Verdict::kPass) decided = judge_way(test, reply);
  if (!decided) return decided;
  return with_printed(*decided, printed);
}

common::Result<std::optional<Outcome>> Examiner::map(RunnerProcess& runner,
                                                     const std::vector<GuardedBuffer>& buffers) {
  for (const GuardedBuffer& buffer : buffers) {
    protocol::Request made = request(protocol::Command::kMap);
    made.memory_handle = buffer.handle();
    const auto answer = runner.ask(made, {runners_.limit()});
    if (const auto* ending = std::get_if<Ending>(&answer)) {
      return std::optional(with_printed(outcome(*ending), runner.take_printed()));
    }
    const protocol::Reply& reply = std::get<Answer>(answer).reply;
    if (reply.status != protocol::ReplyStatus::kDone) {
      return common::Error{concat("the runner cannot map the judge's memory: ",
                                  device_.error_meaning(reply.cuda_error))};
    }
  }
  return std::optional<Outcome>();
}

common::Result<Outcome> Examiner::judge_reply(const CallCase& test, const protocol::Reply& reply) {
  switch (reply.status) {
    case protocol::ReplyStatus::kDone:
      return Outcome{};
    case protocol::ReplyStatus::kCudaError: {
      const bool endless = reply.cuda_error == kCudaErrorLaunchTimeout;
      return Outcome{endless ? Verdict::kTimeout : Verdict::kCrash,
                     device_.error_meaning(reply.cuda_error)};
    }
    case protocol::ReplyStatus::kMissing:
      return Outcome{Verdict::kMissing,
                     concat("the submission does not define `", test.part.launcher, "`")};
    default:
      return common::Error{
          concat("checks and entry disagree about part ", test.part.id, ", case ", test.name)};
  }
}

Outcome Examiner::judge_way(const CallCase& test, const protocol::Reply& reply) {
  if (reply.tma_bytes >= test.tma_bytes) return {};  // also where nobody counts
  return {Verdict::kFail, concat("the result is right, but ", counted(reply.tma_bytes, "byte"),
                                 " went through the TMA engine, and this part is about moving ",
                                 counted(test.tma_bytes, "byte"), " that way")};
}

common::Result<Outcome> Examiner::compare_buffers(const CallCase& test,
                                                  const std::vector<GuardedBuffer>& buffers) {
  std::size_t next = 0;
  Outcome decided;
  for (const CallArgument& argument : test.arguments) {
    const auto* wanted = std::get_if<BufferArgument>(&argument);
    if (wanted == nullptr) continue;
    auto got = buffers[next++].read_back(device_, wanted->name);
    if (!got) return got.error();
    const Comparison comparison = compare(wanted->after, got->data, wanted->tolerance);
    std::string complaint = got->damage;
    if (!comparison.equal()) {
      if (!complaint.empty()) complaint += "; ";
      complaint += wanted->is_input ? changed_input(comparison, *wanted, got->data)
                                    : describe(comparison, wanted->name, wanted->after, got->data);
    }
    if (complaint.empty()) continue;
    decided.verdict = Verdict::kFail;
    if (!decided.message.empty()) decided.message += "; ";
    decided.message += complaint;
  }
  return decided;
}

std::optional<std::string> Examiner::emulators_limit(const RunnerProcess::Printed& printed) const {
  if (!emulated_) return std::nullopt;
  for (const Finding& finding : parse_findings(printed.error)) {
    if (finding.code == "not-modeled") return summary({finding});
  }
  return std::nullopt;
}

Outcome Examiner::with_printed(Outcome outcome, const RunnerProcess::Printed& printed) const {
  // Only the emulator has findings; on hardware a line that looks like one is the student's own.
  const auto findings = emulated_ ? parse_findings(printed.error) : std::vector<Finding>{};
  if (!findings.empty()) {
    // The emulator reports a deadlock as CUDA would report it if it could; a launcher that checks
    // its errors may then have ended the process. The reason stays the reason.
    const bool deadlock = std::any_of(findings.begin(), findings.end(), is_deadlock);
    if (deadlock && outcome.verdict == Verdict::kCrash) outcome.verdict = Verdict::kTimeout;
    if (outcome.verdict == Verdict::kPass) return {Verdict::kHazard, summary(findings)};
    outcome.message += "\n" + summary(findings);
  } else if (outcome.verdict == Verdict::kCrash) {
    outcome.message += last_words(printed);
  }
  return outcome;
}

}  // namespace judge
