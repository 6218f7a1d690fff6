#include "runner/replay.h"

#include <cuda_runtime_api.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "runner/emulator.h"

namespace runner {

using protocol::Reply;
using protocol::ReplyStatus;

namespace {

ReplyStatus status_of(int ending) {
  switch (ending) {
    case tmaemu_replayed:
      return ReplyStatus::done;
    case tmaemu_out_of_time:
      return ReplyStatus::out_of_time;
    case tmaemu_stale:  // said to a student only if it is so every time
      return ReplyStatus::stale;
    default:
      return ReplyStatus::not_followed;
  }
}

void add_launches(Reply& reply) {
  find_in_emulator<decltype(tmaemu_launched)>("tmaemu_launched")(&reply.launched);
}

}  // namespace

// The launcher's process may have worked on the device while it loaded: that is the first call of
// the recording.
Reply Replay::load() {
  const auto open = find_in_emulator<decltype(tmaemu_replay_open)>("tmaemu_replay_open");
  Reply reply;
  if (open == nullptr) {
    reply.status = ReplyStatus::load_failed;
    std::strcpy(reply.text.data(), "only the emulator repeats a recording");
    return reply;
  }
  if (open(submission().c_str(), protocol::recording_descriptor, reply.text.data(),
           reply.text.size()) != 0) {
    reply.status = ReplyStatus::load_failed;
    return reply;
  }
  return repeat_call();
}

Reply Replay::map(const protocol::Request& request) {
  const auto map = find_in_emulator<decltype(tmaemu_replay_map)>("tmaemu_replay_map");
  protocol::ReplayHandle handle;
  std::memcpy(&handle, request.memory_handle.data(), sizeof handle);
  void* buffer = nullptr;
  const int error =
      map(protocol::replay_memory_descriptor, handle.offset, handle.bytes, handle.period, &buffer);
  return mapped(static_cast<cudaError_t>(error), buffer, request.array);
}

Reply Replay::call(const protocol::Request& request) {
  find_in_emulator<decltype(tmaemu_replay_limit)>("tmaemu_replay_limit")(
      request.kernel_milliseconds);
  find_in_emulator<decltype(tmaemu_replay_follow)>("tmaemu_replay_follow")(
      static_cast<int>(request.follows_values));
  find_in_emulator<decltype(tmaemu_replay_turn_signs)>("tmaemu_replay_turn_signs")(
      static_cast<int>(request.turned_signs.products), request.turned_signs.key);
  return repeat_call();
}

Reply Replay::rehearse(const protocol::Request&) {
  const auto note = find_in_emulator<decltype(tmaemu_replay_note)>("tmaemu_replay_note");
  Reply reply;
  const int ending = note(reply.text.data(), reply.text.size());
  reply.status = status_of(ending);
  add_launches(reply);
  return reply;
}

Reply Replay::repeat_call() {
  const auto repeat = find_in_emulator<decltype(tmaemu_replay_call)>("tmaemu_replay_call");
  const auto findings = find_in_emulator<decltype(tmaemu_findings)>("tmaemu_findings");
  const auto measured = find_in_emulator<decltype(tmaemu_measured)>("tmaemu_measured");
  const auto send = find_in_emulator<decltype(tmaemu_send_findings)>("tmaemu_send_findings");
  const std::string sources =
      std::filesystem::path(submission()).parent_path() / protocol::source_folder;
  send(protocol::findings_descriptor, sources.c_str());
  const std::uint64_t findings_before = findings();
  Reply reply;
  reply.status = status_of(repeat(&reply.cuda_error, reply.text.data(), reply.text.size()));
  if (reply.status == ReplyStatus::done && reply.cuda_error != cudaSuccess) {
    reply.status = ReplyStatus::cuda_error;
  }
  measured(&reply.measured);
  reply.is_measured = 1;
  reply.memory_in_use = find_in_emulator<decltype(tmaemu_memory_in_use)>("tmaemu_memory_in_use")();
  add_launches(reply);
  reply.findings = findings() - findings_before;
  return reply;
}

}  // namespace runner
