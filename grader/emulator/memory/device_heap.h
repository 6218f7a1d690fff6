// The heap of device code: malloc and free in kernels. CUDA C++ Programming Guide, "Dynamic Global
// Memory Allocation".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include "emulator/memory/global_memory.h"

namespace tmaemu {

class DeviceHeap {
 public:
  static constexpr std::size_t default_limit = std::size_t{8} << 20;

  static DeviceHeap& instance();

  // The most bytes that live together (cudaLimitMallocHeapSize). An H200 keeps up to a third of
  // them for its own records, so that programs get less there.
  std::size_t limit() const { return limit_; }
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  // From the first malloc on the limit cannot be changed.
  bool was_used() const { return was_used_; }

  // 0 where the heap is full.
  std::uint64_t allocate(GlobalMemory& memory, std::size_t size);
  // False where malloc has not returned the address.
  bool free(GlobalMemory& memory, std::uint64_t address);
  // Whether it is what malloc returned once, and does not live any more.
  bool was_freed(std::uint64_t address) const { return freed_.contains(address); }
  // As at the start of a context.
  void reset(GlobalMemory& memory);

 private:
  std::size_t limit_ = default_limit;
  std::size_t used_ = 0;
  bool was_used_ = false;
  std::map<std::uint64_t, std::size_t> blocks_;
  std::set<std::uint64_t> freed_;
};

}  // namespace tmaemu
