#include "judge/examine/repeated_copy_exam.h"

#include <algorithm>
#include <array>
#include <utility>

#include "common/text.h"
#include "judge/call/outcome.h"
#include "judge/call/requests.h"
#include "judge/compare/compare.h"
#include "judge/compare/difference.h"
#include "judge/memory/arrays_without_memory.h"
#include "judge/replay/replay.h"

namespace judge {

using common::concat;
using common::counted;

namespace {

// Where the arrays are among the launcher's arguments.
enum ArgumentPlace : std::uint32_t { dest_place, src_place, count_place };

class Exam {
 public:
  Exam(const RepeatedCopy& test, Device& device, RunnerPool& runners)
      : test_(test), device_(device), runners_(runners), replay_(device, runners) {}

  common::Result<Outcome> run();

 private:
  protocol::Request call_request() const;
  protocol::Request map_request_of(const MemoryHandle& handle, ArgumentPlace place) const;
  // What the launcher's own process answers, which only records.
  common::Result<Outcome> record();
  common::Result<Outcome> repeat();
  Outcome judged(const std::variant<Answer, Ending>& answer) const;
  common::Result<Outcome> compared(ReplayMemory& memory, const DeviceMemory& to,
                                   const DeviceMemory& from) const;
  Outcome judged_way(const protocol::Reply& reply) const;

  const RepeatedCopy& test_;
  Device& device_;
  RunnerPool& runners_;
  Replay replay_;
};

protocol::Request Exam::call_request() const {
  protocol::Request made = request(protocol::Command::call);
  made.repeat = 1;
  made.set_count = 1;
  made.arguments_in_set = 3;
  std::string(test_.part.id).copy(made.part.data(), made.part.size() - 1);
  made.arguments[dest_place].buffer = dest_place;
  made.arguments[src_place].buffer = src_place;
  made.arguments[count_place].value = static_cast<std::uint64_t>(test_.count);
  return made;
}

protocol::Request Exam::map_request_of(const MemoryHandle& handle, ArgumentPlace place) const {
  protocol::Request made = map_request(handle);
  made.array = {0, test_.bytes, place == src_place ? 1U : 0U};
  return made;
}

Outcome Exam::judged(const std::variant<Answer, Ending>& answer) const {
  if (const auto* ending = std::get_if<Ending>(&answer)) return outcome(*ending);
  const protocol::Reply& reply = std::get<Answer>(answer).reply;
  switch (reply.status) {
    case protocol::ReplyStatus::out_of_time:
      return {Verdict::timeout,
              concat(not_finished_after(runners_.limit()), "; ", reply.text.data())};
    case protocol::ReplyStatus::stale:
    case protocol::ReplyStatus::not_followed:
      return {Verdict::crash, reply.text.data()};
    default:
      return outcome(reply, test_.part.launcher, device_);
  }
}

common::Result<Outcome> Exam::record() {
  const std::array sizes{test_.bytes, test_.bytes};
  const auto arrays = ArraysWithoutMemory::create(sizes);
  if (!arrays) return arrays.error();
  auto ready = runners_.ready();
  if (!ready) return ready.error();
  if (const auto* failed = std::get_if<Outcome>(&*ready)) return *failed;
  RunnerProcess& runner = *std::get<RunnerProcess*>(*ready);
  for (const ArgumentPlace place : {dest_place, src_place}) {
    const auto answer =
        runner.ask(map_request_of(arrays->handles()[place], place), {runners_.limit()});
    if (Outcome mapped = judged(answer); mapped.verdict != Verdict::pass) return mapped;
  }
  Outcome called = judged(runner.ask(call_request(), {runners_.limit()}));
  if (called.verdict == Verdict::crash) called.message += last_words(runner.take_printed());
  return called;
}

common::Result<Outcome> Exam::repeat() {
  auto memory = replay_.memory();
  if (!memory) return memory.error();
  const Tensor poisoned = poison(test_.piece.type, test_.piece.shape);
  auto to = (*memory)->allocate(poisoned.bytes.size());
  if (!to) return to.error();
  auto from = (*memory)->allocate(test_.piece.bytes.size());
  if (!from) return from.error();
  const auto& piece = test_.piece.bytes;
  if (auto put = (*memory)->write(*to, 0, poisoned.bytes); !put) {
    return put.error();
  }
  if (auto put = (*memory)->write(*from, 0, piece); !put) return put.error();
  // Two processes give out the same addresses where the sizes are the same.
  const std::size_t size = ArraysWithoutMemory::of_array(test_.bytes);
  auto repeated = replay_.repeat(
      call_request(),
      std::vector{map_request_of((*memory)->handle_of_repeated(*to, size), dest_place),
                  map_request_of((*memory)->handle_of_repeated(*from, size), src_place)});
  if (!repeated) return repeated.error();
  Outcome done = judged(repeated->answer);
  if (done.verdict == Verdict::pass) {
    auto result = compared(**memory, *to, *from);
    if (!result) return result;
    done = std::move(result).value();
  }
  if (done.verdict == Verdict::pass) done = judged_way(std::get<Answer>(repeated->answer).reply);
  done.findings = std::move(repeated->findings);
  if (done.verdict == Verdict::crash && done.findings.empty()) {
    done.message += last_words(repeated->printed);
  }
  return done;
}

common::Result<Outcome> Exam::compared(ReplayMemory& memory, const DeviceMemory& to,
                                       const DeviceMemory& from) const {
  const std::pair<const DeviceMemory*, CallArgument> buffers[] = {
      {&to, copied("dest", test_.piece)}, {&from, input("src", test_.piece)}};
  Outcome decided;
  for (const auto& [buffer, argument] : buffers) {
    const auto& wanted = std::get<BufferArgument>(argument);
    Tensor got{test_.piece.type, test_.piece.shape, {}};
    got.bytes.resize(test_.piece.bytes.size());
    if (auto read = memory.read(got.bytes, *buffer, 0); !read) {
      return read.error();
    }
    const Comparison comparison = compare(wanted.after, got, {}, nullptr, Nans::bit_for_bit);
    if (comparison.equal()) continue;
    decided.verdict = Verdict::fail;
    if (!decided.message.empty()) decided.message += "; ";
    decided.message += concat(difference(wanted, comparison, got), " (the array repeats ",
                              test_.piece.size(), " elements, and so do these places)");
  }
  return decided;
}

Outcome Exam::judged_way(const protocol::Reply& reply) const {
  const auto measured = [&](tmaemu::Measure measure) { return reply.measured[index_of(measure)]; };
  Outcome outcome;
  const std::uint64_t written = measured(tmaemu::Measure::by_kernels);
  if (written < test_.bytes) {
    outcome.verdict = Verdict::fail;
    outcome.message = concat("of the ", counted(test_.bytes, "byte"), " of dest, ",
                             test_.bytes - written, " were not written");
    return outcome;
  }
  outcome.way = {test_.bytes, test_.bytes, reply.measured};
  outcome.launched = reply.launched;
  const std::uint64_t moved = measured(tmaemu::Measure::through_tma);
  if (moved < test_.tma_bytes) {
    outcome.verdict = Verdict::fail;
    outcome.message = concat("the result is right, but ", counted(moved, "byte"),
                             " of the arrays went through the TMA engine, and this part is about "
                             "moving ",
                             counted(test_.tma_bytes, "byte"), " that way");
    outcome.bypasses_tma = true;
  }
  return outcome;
}

common::Result<Outcome> Exam::run() {
  auto recorded = record();
  if (!recorded || recorded->verdict == Verdict::missing) return recorded;
  if (recorded->verdict != Verdict::pass) return recorded;
  return repeat();
}

}  // namespace

common::Result<Outcome> examine(const RepeatedCopy& test, Device& device, RunnerPool& runners) {
  runners.discard();
  auto outcome = Exam(test, device, runners).run();
  runners.discard();
  return outcome;
}

}  // namespace judge
