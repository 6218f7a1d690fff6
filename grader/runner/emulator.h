// What the emulator's libraries have beside CUDA's functions, found by name: CUDA's own libraries
// have none of it.
#pragma once

#include <dlfcn.h>

#include <cstdint>

#include "emulator/runtime/state/replay_interface.h"

namespace runner {

template <class Function>
Function* find_in_emulator(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

// Records, as long as it lives, what this process asks of the emulated device; on a GPU nothing.
class RecordedCall {
 public:
  RecordedCall() {
    if (begin_ != nullptr) begin_();
  }
  RecordedCall(const RecordedCall&) = delete;
  ~RecordedCall() {
    if (end_ != nullptr) end_();
  }

 private:
  static inline const auto begin_ =
      find_in_emulator<decltype(tmaemu_record_begin)>("tmaemu_record_begin");
  static inline const auto end_ =
      find_in_emulator<decltype(tmaemu_record_end)>("tmaemu_record_end");
};

}  // namespace runner
