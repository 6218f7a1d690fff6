// Does what a recording says (call_log_format.h), in a process that holds no code of the program
// that was recorded. Trusts nothing in it: every event is checked before it has an effect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/result.h"
#include "emulator/runtime/state/call_log_format.h"
#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/launch_notes.h"
#include "emulator/runtime/state/module.h"

namespace tmaemu::runtime {

// How the repetition of a call ended.
struct Replayed {
  enum class Ending { done, not_followed, stale, out_of_time };
  Ending ending = Ending::done;
  Error error = Error::success;  // of the kernels, as the program would have seen it
  std::string text;              // why it cannot be followed, what helps to understand the error,
                                 // or where a kernel still ran
};

// The PTX that a program may load, and what the machine code beside it says of its kernels.
using DeviceCode = std::map<std::string, fatbin::ResourceTable>;

// All PTX in the fat binaries of a file, wherever in it they lie.
common::Result<DeviceCode> device_code_of(const char* path);

class Replayer {
 public:
  // `device_code`: what the recorded program may have loaded. `recording`: a file.
  Replayer(DeviceCode device_code, int recording)
      : device_code_(std::move(device_code)), recording_(recording) {}

  // The next call of the recording.
  Replayed repeat_call();
  // Reads the next call, and does nothing of it but loading modules.
  Replayed note_call();
  // What the call read last launched.
  const LaunchedSet& launched() const { return notes_.all(); }

 private:
  // An event that was read from the file, once: what is checked is what is used.
  struct Event {
    call_log::Kind kind;
    std::vector<std::byte> bytes;
  };
  common::Result<Event> next_event();
  // Reads a call, and hands each of its events but the last to this member.
  Replayed read_call(common::Status (Replayer::*handle)(const Event& event));
  common::Status perform(const Event& event);
  common::Status note(const Event& event);
  common::Status load(const Event& event);
  common::Status unload(const Event& event);
  common::Status allocate(const Event& event);
  common::Status free(const Event& event);
  common::Status copy(const Event& event);
  common::Status fill(const Event& event);
  // A launch that was asked for, with its kernel found.
  struct Asked {
    call_log::Launch launch;
    Function* function;
    std::span<const std::byte> parameters;
  };
  common::Result<Asked> asked_launch(const Event& event);
  common::Status launch(const Event& event);
  common::Status set_heap_limit(const Event& event);

  DeviceCode device_code_;
  int recording_;
  std::uint64_t position_ = 0;
  std::vector<std::unique_ptr<Module>> modules_;
  std::vector<std::uint32_t> places_;  // of each module, in device_code_
  LaunchNotes notes_;
  bool has_host_memory_ = false;
};

}  // namespace tmaemu::runtime
