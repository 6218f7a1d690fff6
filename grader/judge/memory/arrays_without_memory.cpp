#include "judge/memory/arrays_without_memory.h"

#include <dlfcn.h>

#include <array>

#include "common/round_up.h"
#include "contract/protocol/replay_interface.h"

namespace judge {

common::Result<ArraysWithoutMemory> ArraysWithoutMemory::create(
    std::span<const std::size_t> sizes) {
  const auto share =
      reinterpret_cast<decltype(&tmaemu_share_zeros)>(dlsym(RTLD_DEFAULT, "tmaemu_share_zeros"));
  if (share == nullptr)
    return common::Error{"there are arrays without memory only on the emulator"};
  ArraysWithoutMemory made;
  for (const std::size_t bytes : sizes) {
    MemoryHandle handle;
    std::array<char, 256> why;
    if (share(of_array(bytes), handle.data(), why.data(), why.size()) != 0) {
      return common::Error{why.data()};
    }
    made.handles_.push_back(handle);
  }
  return made;
}

std::size_t ArraysWithoutMemory::of_array(std::size_t bytes) {
  return common::round_up(bytes, block_bytes);
}

ArraysWithoutMemory::~ArraysWithoutMemory() {
  if (handles_.empty()) return;
  const auto drop =
      reinterpret_cast<decltype(&tmaemu_drop_zeros)>(dlsym(RTLD_DEFAULT, "tmaemu_drop_zeros"));
  if (drop != nullptr) drop();
}

}  // namespace judge
