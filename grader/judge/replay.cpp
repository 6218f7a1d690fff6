#include "judge/replay.h"

#include "judge/text.h"

namespace judge {
namespace {

bool is_done(const Replay::Call& call) {
  const auto* answer = std::get_if<Answer>(&call.answer);
  return answer != nullptr && answer->reply.status == protocol::ReplyStatus::kDone;
}

common::Error does_not_start(const Replay::Call& call) {
  const auto* ending = std::get_if<Ending>(&call.answer);
  const std::string why = ending != nullptr ? outcome(*ending).message
                                            : std::get<Answer>(call.answer).reply.text.data();
  return {concat("the replay does not start: ", why, last_words(call.printed))};
}

}  // namespace

common::Result<Device*> Replay::memory() {
  if (memory_ == nullptr) {
    auto made = ReplayMemory::create(device_);
    if (!made) return made.error();
    memory_ = std::move(made).value();
  }
  return static_cast<Device*>(memory_.get());
}

Replay::Call Replay::ask(const protocol::Request& request) {
  auto answer = process_->ask(request, {runners_.limit()});
  return {std::move(answer), process_->take_printed()};
}

common::Result<std::optional<Replay::Call>> Replay::begin() {
  if (process_) return std::optional<Call>();
  auto started = RunnerProcess::start(runners_.replay_command(), {},
                                      {{runners_.recording(), protocol::kRecordingDescriptor},
                                       {memory_->file(), protocol::kReplayMemoryDescriptor}});
  if (!started) return started.error();
  process_.emplace(std::move(started).value());
  if (const Call call = ask(request(protocol::Command::kInitialize)); !is_done(call)) {
    return does_not_start(call);
  }
  Call loaded = ask(request(protocol::Command::kLoad));
  if (is_done(loaded)) return std::optional<Call>();
  const auto* answer = std::get_if<Answer>(&loaded.answer);
  if (answer != nullptr && answer->reply.status == protocol::ReplyStatus::kLoadFailed) {
    return does_not_start(loaded);
  }
  return std::optional(std::move(loaded));
}

common::Result<Replay::Call> Replay::repeat(const protocol::Request& call,
                                            const std::vector<GuardedBuffer>& buffers) {
  auto begun = begin();
  if (!begun) return begun.error();
  if (*begun) return **begun;
  for (const GuardedBuffer& buffer : buffers) {
    protocol::Request made = request(protocol::Command::kMap);
    made.memory_handle = buffer.handle();
    if (const Call mapped = ask(made); !is_done(mapped)) {
      return common::Error{concat("the replay cannot map its memory", last_words(mapped.printed))};
    }
  }
  return ask(call);
}

void Replay::unmap_all() {
  if (process_ && !is_done(ask(request(protocol::Command::kUnmapAll)))) discard();
}

}  // namespace judge
