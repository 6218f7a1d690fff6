#include "emulator/memory/device_heap.h"

namespace tmaemu {

DeviceHeap& DeviceHeap::instance() {
  static auto* heap = new DeviceHeap;
  return *heap;
}

std::uint64_t DeviceHeap::allocate(GlobalMemory& memory, std::size_t size) {
  was_used_ = true;
  if (size == 0 || size > limit_ - used_) return 0;
  const auto address =
      memory.allocate(size, GlobalMemory::Contents::undefined, GlobalMemory::Owner::kernel);
  if (!address) return 0;
  used_ += size;
  blocks_.emplace(*address, size);
  freed_.erase(*address);
  return *address;
}

bool DeviceHeap::free(GlobalMemory& memory, std::uint64_t address) {
  const auto block = blocks_.find(address);
  if (block == blocks_.end()) return false;
  used_ -= block->second;
  blocks_.erase(block);
  freed_.insert(address);
  return memory.free(address);
}

void DeviceHeap::reset(GlobalMemory& memory) {
  while (!blocks_.empty()) free(memory, blocks_.begin()->first);
  was_used_ = false;
  freed_.clear();
  limit_ = default_limit;
}

}  // namespace tmaemu
