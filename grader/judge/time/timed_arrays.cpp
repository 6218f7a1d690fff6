#include "judge/time/timed_arrays.h"

#include <dlfcn.h>

#include <array>

#include "common/round_up.h"
#include "emulator/runtime/state/replay_interface.h"

namespace judge {

common::Result<TimedArrays> TimedArrays::create(const BandwidthCase& test) {
  const auto share =
      reinterpret_cast<decltype(&tmaemu_share_zeros)>(dlsym(RTLD_DEFAULT, "tmaemu_share_zeros"));
  if (share == nullptr)
    return common::Error{"there are arrays without memory only on the emulator"};
  TimedArrays made;
  for (const std::size_t bytes : test.buffer_bytes) {
    MemoryHandle handle;
    std::array<char, 256> why;
    if (share(common::round_up(bytes, block_bytes), handle.data(), why.data(), why.size()) != 0) {
      return common::Error{why.data()};
    }
    made.handles_.push_back(handle);
  }
  return made;
}

TimedArrays::~TimedArrays() {
  if (handles_.empty()) return;
  const auto drop =
      reinterpret_cast<decltype(&tmaemu_drop_zeros)>(dlsym(RTLD_DEFAULT, "tmaemu_drop_zeros"));
  if (drop != nullptr) drop();
}

}  // namespace judge
