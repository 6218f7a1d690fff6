#include "contract/protocol/replay_interface.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>

#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/device_attributes.h"
#include "emulator/runtime/state/replayer.h"

using namespace tmaemu::runtime;
using tmaemu::Device;

namespace {

std::unique_ptr<Replayer>& replayer() {
  static auto* held = new std::unique_ptr<Replayer>;
  return *held;
}

void say(std::string_view words, char* text, std::size_t text_bytes) {
  text[words.copy(text, text_bytes - 1)] = '\0';
}

int told(const Replayed& replayed, char* text, std::size_t text_bytes) {
  say(replayed.text, text, text_bytes);
  switch (replayed.ending) {
    case Replayed::Ending::done:
      return tmaemu_replayed;
    case Replayed::Ending::not_followed:
      return tmaemu_not_followed;
    case Replayed::Ending::out_of_time:
      return tmaemu_out_of_time;
    case Replayed::Ending::stale:
      break;
  }
  return tmaemu_stale;
}

}  // namespace

extern "C" {

void tmaemu_set_attribute(int attribute, int value) {
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  tmaemu::runtime::set_device_attribute(attribute, value);
}

void tmaemu_reset_attributes() {
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  tmaemu::runtime::reset_device_attributes();
}

void tmaemu_record(int file) {
  const std::lock_guard lock(Device::instance().mutex());
  CallLog::instance().start(file);
}

void tmaemu_record_begin() {
  const std::lock_guard lock(Device::instance().mutex());
  CallLog::instance().begin();
}

void tmaemu_record_end() {
  const std::lock_guard lock(Device::instance().mutex());
  CallLog::instance().end();
}

int tmaemu_share_zeros(std::uint64_t size, void* handle, char* text, std::size_t text_bytes) {
  const std::lock_guard lock(Device::instance().mutex());
  const auto shared = Device::instance().memory().share_zeros(size);
  if (!shared) {
    say(shared.error().message, text, text_bytes);
    return 1;
  }
  std::memcpy(handle, shared->data(), shared->size());
  return 0;
}

void tmaemu_drop_zeros() {
  const std::lock_guard lock(Device::instance().mutex());
  Device::instance().memory().drop_zeros();
}

void tmaemu_record_only() {
  const std::lock_guard lock(Device::instance().mutex());
  CallLog::instance().only_note();
}

int tmaemu_replay_open(const char* path, int recording, char* text, std::size_t text_bytes) {
  const std::lock_guard lock(Device::instance().mutex());
  auto device_code = device_code_of(path);
  if (!device_code) {
    say(device_code.error().message, text, text_bytes);
    return 1;
  }
  replayer() = std::make_unique<Replayer>(std::move(*device_code), recording);
  return 0;
}

int tmaemu_replay_map(int file, std::uint64_t offset, std::uint64_t size, std::uint64_t period,
                      void** pointer) {
  const std::lock_guard lock(Device::instance().mutex());
  return static_cast<int>(open_file({file, offset, period}, size, *pointer));
}

void tmaemu_describe_array(void* memory, std::uint64_t offset, std::uint64_t size, int holds_input,
                           const char* name) {
  const std::lock_guard lock(Device::instance().mutex());
  Device::instance().memory().describe_shared(reinterpret_cast<std::uint64_t>(memory),
                                              {offset, size, holds_input != 0, name});
}

void tmaemu_replay_limit(std::uint64_t milliseconds) {
  const std::lock_guard lock(Device::instance().mutex());
  Device::instance().limit_time(std::chrono::milliseconds(milliseconds));
}

void tmaemu_replay_follow(int follows_values) {
  const std::lock_guard lock(Device::instance().mutex());
  Device::instance().follow_values(follows_values != 0);
}

void tmaemu_replay_turn_signs(int products, unsigned key) {
  const std::lock_guard lock(Device::instance().mutex());
  Device::instance().turn_signs({static_cast<tmaemu::TurnedProducts>(products), key});
}

int tmaemu_replay_call(int* error, char* text, std::size_t text_bytes) {
  const std::lock_guard lock(Device::instance().mutex());
  const Replayed replayed = replayer()->repeat_call();
  *error = static_cast<int>(replayed.error);
  return told(replayed, text, text_bytes);
}

int tmaemu_replay_note(char* text, std::size_t text_bytes) {
  const std::lock_guard lock(Device::instance().mutex());
  return told(replayer()->note_call(), text, text_bytes);
}

std::uint64_t tmaemu_memory_in_use() {
  const std::lock_guard lock(Device::instance().mutex());
  return Device::instance().memory().used();
}

void tmaemu_launched(tmaemu::LaunchedSet* result) {
  const std::lock_guard lock(Device::instance().mutex());
  *result = replayer()->launched();
}

}  // extern "C"
