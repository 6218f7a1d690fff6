// What the emulator's libraries have beside CUDA's functions, found by name: CUDA's own libraries
// have none of it.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <span>

#include "contract/protocol/protocol.h"
#include "contract/protocol/replay_interface.h"

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

// Lets the emulated device, as long as it lives, say of itself what these attributes say.
class OtherDevice {
 public:
  explicit OtherDevice(std::span<const protocol::Attribute> attributes) {
    if (set_ == nullptr) return;
    for (const protocol::Attribute& attribute : attributes) set_(attribute.number, attribute.value);
  }
  OtherDevice(const OtherDevice&) = delete;
  ~OtherDevice() {
    if (reset_ != nullptr) reset_();
  }

 private:
  static inline const auto set_ =
      find_in_emulator<decltype(tmaemu_set_attribute)>("tmaemu_set_attribute");
  static inline const auto reset_ =
      find_in_emulator<decltype(tmaemu_reset_attributes)>("tmaemu_reset_attributes");
};

}  // namespace runner
