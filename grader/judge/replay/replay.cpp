#include "judge/replay/replay.h"

#include <cstdio>
#include <utility>

#include "common/text.h"
#include "judge/call/outcome.h"
#include "judge/call/requests.h"

namespace judge {

using common::concat;

namespace {

// What a replay has beyond its limit to end its kernels by itself, and to say where they are.
constexpr std::chrono::seconds time_to_tell{1};

bool is_done(const Replay::Call& call) {
  const auto* answer = std::get_if<Answer>(&call.answer);
  return answer != nullptr && answer->reply.status == protocol::ReplyStatus::done;
}

common::Error does_not_start(const Replay::Call& call) {
  const auto* ending = std::get_if<Ending>(&call.answer);
  const std::string why = ending != nullptr ? outcome(*ending).message
                                            : std::get<Answer>(call.answer).reply.text.data();
  return {concat("the replay does not start: ", why, last_words(call.printed))};
}

// Says why, where the process has lived to answer.
Replay::Call crowded_out(Replay::Call mapped) {
  if (auto* answer = std::get_if<Answer>(&mapped.answer)) {
    auto& text = answer->reply.text;
    std::snprintf(text.data(), text.size(),
                  "what the launcher holds leaves no room for the judge's memory");
  }
  return mapped;
}

}  // namespace

common::Result<ReplayMemory*> Replay::memory() {
  if (memory_ == nullptr) {
    auto made = ReplayMemory::create(device_);
    if (!made) return made.error();
    memory_ = std::move(made).value();
  }
  return memory_.get();
}

Replay::Call Replay::ask(const protocol::Request& request) {
  return ask(request, runners_.limit());
}

Replay::Call Replay::ask(const protocol::Request& request, std::chrono::milliseconds limit) {
  auto answer = process_->ask(request, {limit});
  auto printed = process_->take_printed();
  const auto* replied = std::get_if<Answer>(&answer);
  auto findings = read_findings(printed.findings, replied != nullptr ? replied->reply.findings : 0);
  return {std::move(answer), std::move(printed), std::move(findings)};
}

common::Result<RunnerProcess> Replay::start() const {
  return RunnerProcess::start_replay(runners_.replay_command(checks_),
                                     {{runners_.recording(), protocol::recording_descriptor},
                                      {memory_->file(), protocol::replay_memory_descriptor}});
}

// What the submission holds may leave a process no room.
bool Replay::maps_without_submission(const protocol::Request& map) const {
  auto process = start();
  if (!process) return false;
  const auto does = [&](const protocol::Request& what) {
    return is_done({process->ask(what, {initialization_limit}), {}, {}});
  };
  return does(request(protocol::Command::initialize)) && does(map);
}

common::Result<std::optional<Replay::Call>> Replay::begin() {
  if (process_) return std::optional<Call>();
  auto started = start();
  if (!started) return started.error();
  process_.emplace(std::move(started).value());
  const Call initialized = ask(request(protocol::Command::initialize), initialization_limit);
  if (!is_done(initialized)) return does_not_start(initialized);
  Call loaded = ask(request(protocol::Command::load));
  if (is_done(loaded)) {
    found_at_load_ = std::move(loaded.findings);
    return std::optional<Call>();
  }
  const auto* answer = std::get_if<Answer>(&loaded.answer);
  if (answer != nullptr && answer->reply.status == protocol::ReplyStatus::load_failed) {
    return does_not_start(loaded);
  }
  return std::optional(std::move(loaded));
}

common::Result<Replay::Call> Replay::repeat(const protocol::Request& call,
                                            const std::vector<GuardedBuffer>& buffers) {
  std::vector<protocol::Request> maps;
  for (const GuardedBuffer& buffer : buffers) maps.push_back(map_request(buffer));
  return repeat(call, maps);
}

common::Result<Replay::Call> Replay::repeat(const protocol::Request& call,
                                            const std::vector<protocol::Request>& maps) {
  auto begun = begin();
  if (!begun) return begun.error();
  if (*begun) return **begun;
  for (const protocol::Request& map : maps) {
    Call mapped = ask(map);
    if (is_done(mapped)) continue;
    if (maps_without_submission(map)) return crowded_out(std::move(mapped));
    return common::Error{concat("the replay cannot map its memory", last_words(mapped.printed))};
  }
  protocol::Request limited = call;
  limited.kernel_milliseconds = static_cast<std::uint32_t>(runners_.limit().count());
  Call repeated = ask(limited, runners_.limit() + time_to_tell);
  auto findings = std::exchange(found_at_load_, {});
  add_findings(findings, repeated.findings);
  repeated.findings = std::move(findings);
  return repeated;
}

common::Result<Replay::Call> Replay::note(const protocol::Request& rehearsal) {
  auto begun = memory();
  if (!begun) return begun.error();
  auto loaded = begin();
  if (!loaded) return loaded.error();
  if (*loaded) return **loaded;
  return ask(rehearsal);
}

void Replay::unmap_all() {
  if (process_ && !is_done(ask(request(protocol::Command::unmap_all)))) discard();
}

}  // namespace judge
