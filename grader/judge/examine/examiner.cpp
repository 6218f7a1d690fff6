#include "judge/examine/examiner.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/text.h"
#include "judge/arrays/random.h"
#include "judge/compare/compare.h"
#include "judge/compare/difference.h"
#include "judge/examine/out_of_memory.h"
#include "judge/verdict/findings.h"

namespace judge {

using common::concat;
using common::counted;

namespace {

// What CUDA reports when a launch was ended because it never would have: on a GPU by the watchdog,
// on the emulator by its deadlock detection.
constexpr std::int32_t cuda_error_launch_timeout = 702;
constexpr std::int32_t cuda_error_not_supported = 801;

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

// What stopped the emulator because it cannot execute it: no fault of the submission's.
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
  const auto mistakes = static_cast<std::size_t>(std::ranges::count_if(
      findings, [](const Finding& finding) { return finding.entry().costs_points; }));
  if (outcome.verdict == Verdict::pass && mistakes > 0) {
    outcome.verdict = Verdict::hazard;
    outcome.message =
        concat("the result is right by luck: the emulator found ", counted(mistakes, "mistake"));
  }
  return outcome;
}

// Other contents of the same kind: elements of the buffer, drawn anew; of a large one in pieces,
// since fetching each element from another place of the memory takes ten times as long. On the
// emulator a submission's process gets these, and the replay gets those that are judged: what the
// process computes by itself and hands to the device as a result is the result of something else.
Tensor other_contents(const Tensor& contents) {
  Tensor other = contents;
  Random random(unforeseeable());
  const std::size_t width = size_of(contents.type);
  const std::size_t piece = contents.size() < 65'536 ? 1 : 64;
  for (std::size_t i = 0; i < contents.size(); i += piece) {
    const std::size_t count = std::min(piece, contents.size() - i);
    const std::size_t from = random.bits() % (contents.size() - count + 1);
    std::copy_n(&contents.bytes[from * width], count * width, &other.bytes[i * width]);
  }
  // One element, or all of them equal: then the first takes bits that nobody can tell from those
  // that are there. The last byte stays: a float's sign and exponent.
  if (!other.bytes.empty() && other.bytes == contents.bytes) {
    const std::size_t changed = std::max<std::size_t>(width - 1, 1);
    const std::uint64_t bits = 1 + random.bits() % ((std::uint64_t{1} << 8 * changed) - 1);
    for (std::size_t i = 0; i < changed; ++i) {
      other.bytes[i] ^= static_cast<std::byte>(bits >> 8 * i);
    }
  }
  return other;
}

}  // namespace

common::Result<Outcome> Examiner::examine(const CallCase& test) {
  if (const auto decided = decided_parts_.find(test.part.id); decided != decided_parts_.end()) {
    return decided->second;
  }
  if (spent_ > budget_) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(spent_).count();
    return Outcome{Verdict::timeout,
                   concat("not run: the cases before it took ", seconds, " s together")};
  }
  const auto begin = std::chrono::steady_clock::now();
  const OutOfMemoryWatch out_of_memory;
  is_stale_ = false;
  auto outcome = call_in_fresh_buffers(test);
  if (is_stale_) outcome = call_in_fresh_buffers(test);
  spent_ += std::chrono::steady_clock::now() - begin;
  if (outcome && out_of_memory.explains(*outcome)) {
    return common::Error{"the machine ran out of memory: grade with fewer --jobs"};
  }
  if (outcome && outcome->verdict == Verdict::timeout) {
    decided_parts_[test.part.id] = {
        Verdict::timeout, "not run: an earlier case of this part did not finish in its time"};
  } else if (outcome && outcome->verdict == Verdict::missing) {
    decided_parts_[test.part.id] = *outcome;
  }
  return outcome;
}

common::Result<Outcome> Examiner::call_in_fresh_buffers(const CallCase& test) {
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
  auto outcome = call(test, *buffers);
  if (outcome && outcome->verdict == Verdict::pass) {
    runners_.unmap_all();
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
                              wanted->misalignment, !wanted->is_output);
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
  if (emulated_) return judge_replay(test, answer, printed);
  auto decided = judge_answer(test, answer);
  if (decided && decided->verdict == Verdict::pass) {
    decided = judge_result(device_, test, buffers, std::get<Answer>(answer).reply);
  }
  if (!decided) return decided;
  return explained(*decided, {}, printed);
}

common::Result<Outcome> Examiner::judge_replay(const CallCase& test, const Answered& answer,
                                               const RunnerProcess::Printed& printed) {
  auto called = judge_answer(test, answer);
  if (!called) return called;
  const auto* ending = std::get_if<Ending>(&answer);
  const bool endless = ending != nullptr && ending->kind == Ending::Kind::timed_out;
  if (endless || called->verdict == Verdict::missing) return called;

  // Also where the launcher has ended the process: what it has asked for until then explains why.
  auto memory = replay_.memory();
  if (!memory) return memory.error();
  auto buffers = make_buffers(**memory, test, Contents::of_the_case);
  if (!buffers) return buffers.error();
  auto repeated = replay_.repeat(call_request(test, *buffers), *buffers);
  if (!repeated) return repeated.error();
  if (const auto limit = emulators_limit(*repeated)) return common::Error{*limit};

  auto done = judge_replayed(test, repeated->answer);
  if (!done || is_stale_) return done;
  if (called->verdict != Verdict::pass) return explained(*called, repeated->findings, printed);
  if (done->verdict == Verdict::pass) {
    done = judge_result(**memory, test, *buffers, std::get<Answer>(repeated->answer).reply);
    if (!done) return done;
    replay_.unmap_all();
  }
  return explained(*done, repeated->findings, repeated->printed);
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

common::Result<Outcome> Examiner::judge_answer(const CallCase& test, const Answered& answer) {
  if (const auto* ending = std::get_if<Ending>(&answer)) return outcome(*ending);
  return judge_reply(test, std::get<Answer>(answer).reply);
}

common::Result<Outcome> Examiner::judge_replayed(const CallCase& test, const Answered& answer) {
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
  return judge_reply(test, reply);
}

common::Result<Outcome> Examiner::judge_result(Device& device, const CallCase& test,
                                               const std::vector<GuardedBuffer>& buffers,
                                               const protocol::Reply& reply) {
  auto decided = compare_buffers(device, test, buffers);
  if (!decided || decided->verdict != Verdict::pass || reply.is_measured == 0) return decided;
  return judge_way(test, reply);
}

common::Result<Outcome> Examiner::judge_reply(const CallCase& test, const protocol::Reply& reply) {
  switch (reply.status) {
    case protocol::ReplyStatus::done:
      return Outcome{};
    case protocol::ReplyStatus::cuda_error: {
      const bool endless = reply.cuda_error == cuda_error_launch_timeout;
      std::string meaning = device_.error_meaning(reply.cuda_error);
      if (reply.text.front() != '\0') meaning += concat("; ", reply.text.data());
      return Outcome{endless ? Verdict::timeout : Verdict::crash, std::move(meaning)};
    }
    case protocol::ReplyStatus::missing:
      return Outcome{Verdict::missing,
                     concat("the submission does not define `", test.part.launcher, "`")};
    default:
      // Also "no such part": who has the submission in its process cannot say what is the grader's
      // fault. (That the entry knows every part is seen with the solutions.)
      return outcome(Ending::bad_reply(static_cast<int>(reply.status)));
  }
}

Outcome Examiner::judge_way(const CallCase& test, const protocol::Reply& reply) {
  const tmaemu::Measured& measured = reply.measured;
  const std::uint64_t moved = measured[index_of(tmaemu::Measure::through_tma)];
  Outcome outcome;
  outcome.way = {input_bytes(test), output_bytes(test), measured};
  outcome.launched = reply.launched;
  if (moved < test.tma_bytes) {
    outcome.verdict = Verdict::fail;
    outcome.message = concat("the result is right, but ", counted(moved, "byte"),
                             " of the arrays went through the TMA engine, and this part is about "
                             "moving ",
                             counted(test.tma_bytes, "byte"), " that way");
    outcome.bypasses_tma = true;
  }
  return outcome;
}

common::Result<Outcome> Examiner::compare_buffers(Device& device, const CallCase& test,
                                                  const std::vector<GuardedBuffer>& buffers) {
  std::size_t next = 0;
  Outcome decided;
  for (const CallArgument& argument : test.arguments) {
    const auto* wanted = std::get_if<BufferArgument>(&argument);
    if (wanted == nullptr) continue;
    auto got = buffers[next++].read_back(device, wanted->name);
    if (!got) return got.error();
    const Comparison comparison =
        compare(wanted->after, got->data, wanted->tolerance,
                wanted->or_else ? &*wanted->or_else : nullptr, wanted->nans);
    std::string complaint = got->damage;
    if (!comparison.equal()) {
      if (!complaint.empty()) complaint += "; ";
      complaint += difference(*wanted, comparison, got->data);
    }
    if (complaint.empty()) continue;
    decided.verdict = Verdict::fail;
    if (!decided.message.empty()) decided.message += "; ";
    decided.message += complaint;
  }
  return decided;
}

}  // namespace judge
